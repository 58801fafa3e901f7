//===- Autochoose.cpp - tile-autochoose -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each kernel to be: KernelProducts.cpp reads off its products,
// ProductCost.cpp predicts for each tile configuration what the simulator would
// count, and the one with the least estimate is selected. Needs contractions
// of two operands, with the pointwise ops around them in an einsum.kernel:
// einsum-contract-pairwise and einsum-fuse come before. Leaves `tile.config` on
// what convert-einsum-to-tile makes kernels of.
//
//===----------------------------------------------------------------------===//

#include "KernelProducts.h"

#include "tileir/Conversion/Autochoose/Autochoose.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Target/Gpu/Estimate.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir {
#define GEN_PASS_DEF_TILEAUTOCHOOSEPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using layout::TileConfig;
using tile::ConfigAttr;
using tile::TargetAttr;
using tile::TileDialect;

namespace {

struct Choice {
  TileConfig config;
  /// Until it is exact, a lower bound: without conversions of layouts.
  machine::Estimate estimate;
  bool isExact = false;

  double getTime() const { return estimate.microseconds; }
  /// By this, tile configurations whose times are equal are compared: the
  /// simplest one comes first, then the one with the least time of all pipes
  /// together.
  auto getRank() const {
    double work = 0;
    for (const machine::PipeTime &pipe : estimate.pipes)
      work += pipe.microseconds;
    return std::tuple(config.splitK, work, this);
  }
};

struct TileAutochoosePass
    : tileir::impl::TileAutochoosePassBase<TileAutochoosePass> {
  using TileAutochoosePassBase::TileAutochoosePassBase;

  void runOnOperation() override {
    if (stages != 1 && stages != 2) {
      getOperation().emitError("tile-autochoose expects stages to be 1 or 2, "
                               "found ")
          << stages.getValue();
      return signalPassFailure();
    }
    if (failed(findGpu()))
      return signalPassFailure();
    SmallVector<Operation *> units;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<ContractOp, KernelOp>(op))
        return WalkResult::advance();
      units.push_back(op);
      return WalkResult::skip();
    });
    // Those of a kernel that is unfused follow.
    for (size_t i = 0; i < units.size(); ++i)
      if (!ConfigAttr::find(units[i]))
        visit(units[i], units);
  }

private:
  LogicalResult findGpu();
  void visit(Operation *op, SmallVectorImpl<Operation *> &units);
  void predict(const ProductKernel &kernel, Choice &choice);
  Choice *findLeast(const ProductKernel &kernel,
                    MutableArrayRef<Choice> choices,
                    function_ref<bool(const Choice &)> isMeant);
  Choice *choose(const ProductKernel &kernel, MutableArrayRef<Choice> choices);
  void report(Operation *op, const ProductKernel &kernel, const Choice &choice,
              MutableArrayRef<Choice> choices);
  void takeApart(KernelOp kernel, SmallVectorImpl<Operation *> &units);
  static remark::RemarkOpts getRemark() {
    return remark::RemarkOpts::name("autochoose").category("tile");
  }

  CostModel model;
  TargetAttr target;
  const machine::Gpu *gpu = nullptr;
};

} // namespace

LogicalResult TileAutochoosePass::findGpu() {
  target = TargetAttr::find(getOperation());
  if (!target)
    target = TargetAttr::get(&getContext(), machine::getDefaultGpu());
  gpu = machine::findGpu(target.getChip());
  if (!gpu)
    return getOperation().emitError(
               "tile-autochoose needs the rates of a GPU: expected the chip of "
               "'tile.target' to be one of ")
           << machine::getGpuNames() << ", found '" << target.getChip() << "'";
  return success();
}

void TileAutochoosePass::visit(Operation *op,
                               SmallVectorImpl<Operation *> &units) {
  auto keep = [&](const std::string &why) {
    remark::missed(op->getLoc(), getRemark()) << remark::reason("{0}", why);
    ++numKept;
  };
  std::string why;
  ProductKernel kernel = getProductKernel(op, target.getAtoms(), why);
  if (!why.empty())
    return keep(why);
  SmallVector<TileConfig> configs = getConfigs(
      kernel, {target.getShared(), target.getThreads(), target.getRegisters()},
      stages);
  if (configs.empty()) {
    keep(
        llvm::formatv("the smallest blocks of {0} products do not fit {1}: {2} "
                      "bytes of shared memory, {3} registers of a thread",
                      kernel.products.size(), target.getChip(),
                      target.getShared(), target.getRegisters()));
    if (auto fused = dyn_cast<KernelOp>(op))
      takeApart(fused, units);
    return;
  }
  SmallVector<Choice> choices =
      llvm::map_to_vector(configs, [&](const TileConfig &config) -> Choice {
        return {config,
                machine::estimate(model.predictLeast(kernel, config), *gpu)};
      });
  const Choice &choice = *choose(kernel, choices);
  const TileConfig &config = choice.config;
  op->setAttr(TileDialect::kConfig,
              ConfigAttr::get(&getContext(),
                              {config.block.m, config.block.n, config.block.k},
                              {config.warpM, config.warpN}, config.atom,
                              config.splitK, config.stages));
  ++numChosen;
  report(op, kernel, choice, choices);
}

/// Makes the estimate exact. Most of the time goes into this, so that it is
/// left out where a lower bound will do.
void TileAutochoosePass::predict(const ProductKernel &kernel, Choice &choice) {
  if (!choice.isExact)
    choice.estimate =
        machine::estimate(model.predict(kernel, choice.config), *gpu);
  choice.isExact = true;
}

/// Returns the choice with the least time of those that are meant.
Choice *
TileAutochoosePass::findLeast(const ProductKernel &kernel,
                              MutableArrayRef<Choice> choices,
                              function_ref<bool(const Choice &)> isMeant) {
  SmallVector<Choice *> sorted;
  for (Choice &choice : choices)
    if (isMeant(choice))
      sorted.push_back(&choice);
  llvm::sort(sorted, [](const Choice *a, const Choice *b) {
    return std::pair(a->getTime(), a) < std::pair(b->getTime(), b);
  });
  Choice *least = nullptr;
  for (Choice *choice : sorted) {
    if (least && choice->getTime() >= least->getTime())
      break;
    predict(kernel, *choice);
    if (!least || choice->getTime() < least->getTime())
      least = choice;
  }
  return least;
}

/// Returns the choice with the least time; of times that differ by less than
/// the model can tell, the one with the simplest tile configuration and the
/// least work.
Choice *TileAutochoosePass::choose(const ProductKernel &kernel,
                                   MutableArrayRef<Choice> choices) {
  auto isAny = [](const Choice &) { return true; };
  double limit = 1.01 * findLeast(kernel, choices, isAny)->getTime();
  SmallVector<Choice *> close;
  for (Choice &choice : choices)
    if (choice.getTime() <= limit)
      close.push_back(&choice);
  llvm::sort(close, [](const Choice *a, const Choice *b) {
    return a->getRank() < b->getRank();
  });
  Choice *best = nullptr;
  for (Choice *choice : close) {
    if (best && best->getRank() < choice->getRank())
      break;
    predict(kernel, *choice);
    if (choice->getTime() <= limit &&
        (!best || choice->getRank() < best->getRank()))
      best = choice;
  }
  return best;
}

static std::string toString(const TileConfig &config) {
  auto [rows, columns, depth] = config.block;
  return llvm::formatv("block {0}x{1}x{2}, warp {3}x{4}, atom {5}, "
                       "split-k {6}, stages {7}",
                       rows, columns, depth, config.warpM, config.warpN,
                       config.atom->name, config.splitK, config.stages);
}

/// Tells what was chosen, what it is bound by, and the best that has another
/// block.
void TileAutochoosePass::report(Operation *op, const ProductKernel &kernel,
                                const Choice &choice,
                                MutableArrayRef<Choice> choices) {
  auto getMicroseconds = [](const Choice &choice) {
    return llvm::formatv("{0:f2}", choice.getTime()).str();
  };
  auto remark = remark::passed(op->getLoc(), getRemark());
  remark << remark::metric("chosen", toString(choice.config))
         << remark::metric("chip", gpu->name.str())
         << remark::metric("microseconds", getMicroseconds(choice))
         << remark::metric("bound-by", choice.estimate.pipes[0].pipe.str())
         << remark::metric("candidates", choices.size());
  if (!remark)
    return;
  machine::Counters counters = model.predict(kernel, choice.config);
  remark << remark::metric("wavefronts", counters.shared.wavefronts)
         << remark::metric("sectors", counters.global.sectors);
  const Choice *other =
      findLeast(kernel, choices, [&](const Choice &candidate) {
        return candidate.config.block != choice.config.block;
      });
  if (other)
    remark << remark::metric("next-block", toString(other->config))
           << remark::metric("its-microseconds", getMicroseconds(*other));
}

/// Its contractions become kernels of their own.
void TileAutochoosePass::takeApart(KernelOp kernel,
                                   SmallVectorImpl<Operation *> &units) {
  llvm::append_range(units, kernel.getBody().getOps<ContractOp>());
  IRRewriter rewriter(&getContext());
  inlineKernel(rewriter, kernel);
  ++numTakenApart;
}

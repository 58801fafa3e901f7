//===- TileSelectConfig.cpp - tile-select-config --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes a kernel, or is one, gets the tile configuration that the option
// gives; or, with `auto`, KernelProducts.cpp reads off the products of each
// kernel to be, ProductCost.cpp predicts for each configuration what the
// simulator would count, and the one with the least estimate is selected.
//
// Needs contractions of two operands, with the pointwise ops around them in an
// einsum.kernel: einsum-contract-pairwise and einsum-fuse come before.
// Afterwards each of them, and each tile kernel, has `tile.config`.
//
//===----------------------------------------------------------------------===//

#include "KernelProducts.h"

#include "tileir/Conversion/TileConfigSelection/TileConfigSelection.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Target/Gpu/Estimate.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir {
#define GEN_PASS_DEF_TILESELECTCONFIGPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::config_selection;
using layout::TileConfig;
using tile::ConfigAttr;
using tile::TargetAttr;
using tile::TileDialect;

namespace {

/// The most stages that can be asked for where copies are asynchronous.
constexpr int64_t kMostStages = 8;
/// The widest elements, in bits, of which the K of a default block may wait in
/// registers.
constexpr unsigned kWaitingBits = 16;

/// A configuration of the candidates.
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

struct TileSelectConfigPass
    : tileir::impl::TileSelectConfigPassBase<TileSelectConfigPass> {
  using TileSelectConfigPassBase::TileSelectConfigPassBase;

  void runOnOperation() override {
    if (failed(readOption()) || (isAuto && failed(findGpu())))
      return signalPassFailure();
    SmallVector<Operation *> units;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<ContractOp, KernelOp>(op) && !tile::isKernel(op))
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
  LogicalResult readOption();
  LogicalResult findGpu();
  void visit(Operation *op, SmallVectorImpl<Operation *> &units);
  void predict(const ProductKernel &kernel, Choice &choice);
  Choice *findLeast(const ProductKernel &kernel,
                    MutableArrayRef<Choice> choices,
                    function_ref<bool(const Choice &)> isMeant);
  Choice *choose(const ProductKernel &kernel, MutableArrayRef<Choice> choices);
  void report(Operation *op, const ProductKernel &kernel, const Choice &choice,
              MutableArrayRef<Choice> choices);
  void tellCandidates(Operation *op, const ProductKernel &kernel,
                      MutableArrayRef<Choice> choices);
  void unfuse(KernelOp kernel, SmallVectorImpl<Operation *> &units);
  TileConfig getGiven(Operation *op) const;
  void set(Operation *op, const TileConfig &config) {
    op->setAttr(TileDialect::kConfig, ConfigAttr::get(&getContext(), config));
  }
  static remark::RemarkOpts getRemark() {
    return remark::RemarkOpts::name("select-config").category("tile");
  }

  std::optional<CostModel> model;
  /// Whether configurations are selected, among those with these numbers of
  /// stages, and the one of what has none.
  bool isAuto = false;
  SmallVector<int64_t> stages, groupStages;
  TileConfig given;
  /// Whether the text tells how the sum is divided, and how many stages.
  bool isDepthGiven = false, areStagesGiven = false;
  TargetAttr target;
  const machine::Gpu *gpu = nullptr;
};

} // namespace

LogicalResult TileSelectConfigPass::readOption() {
  auto [first, rest] = StringRef(config).trim().split(' ');
  isAuto = first == "auto";
  auto parsed =
      tile::parseConfig(&getContext(), isAuto ? rest : StringRef(config), [&] {
        return getOperation().emitError("tile-select-config: ");
      });
  if (failed(parsed))
    return failure();
  given = *parsed;
  isDepthGiven = config.find("block") != std::string::npos ||
                 config.find("split_k") != std::string::npos;
  TileConfig expected;
  expected.stages = given.stages;
  if (isAuto && !(given == expected))
    return getOperation().emitError("tile-select-config expects 'auto' alone "
                                    "or with 'stages', as in 'config={auto "
                                    "stages=1}', found 'config={")
           << config << "}'";
  target = TargetAttr::find(getOperation());
  if (!target)
    target = TargetAttr::get(&getContext(), machine::getDefaultGpu());
  int64_t most = target.getAsync() ? kMostStages : 2;
  if (isAuto && given.stages > most)
    return getOperation().emitError("tile-select-config selects among "
                                    "configurations of 1 to ")
           << most << " stages for " << target.getChip() << ", found "
           << given.stages;
  bool hasGroups =
      llvm::any_of(target.getAtoms(), [](const layout::MmaAtom *atom) {
        return atom->isWarpgroup;
      });
  if (given.cluster > 1 && !hasGroups)
    return getOperation().emitError("tile-select-config: 'cluster=")
           << given.cluster << "' needs instructions of warpgroups, which "
           << target.getChip() << " has not: leave it out";
  // Two hide a latency by one step alone; more than four gain little, and take
  // shared memory from other blocks.
  areStagesGiven = StringRef(config).contains("stages");
  if (target.getAsync() && !areStagesGiven)
    given.stages = 3;
  stages = {given.stages};
  groupStages = stages;
  if (rest.empty() && target.getAsync()) {
    stages = {3, 4};
    groupStages = {3, 4, 6};
  }
  return success();
}

/// Returns the bytes of the operands that products of a loop load in a step,
/// for the loop of a tile program that has the most.
static int64_t getLoadedBytes(Operation *kernel) {
  llvm::SmallMapVector<Operation *, llvm::SmallSetVector<Value, 4>, 2> loaded;
  kernel->walk([&](tile::DotOp dot) {
    auto loop = dot->getParentOfType<LoopLikeOpInterface>();
    if (!loop)
      return;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitBlockArguments = true;
    options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
    for (Value operand : {dot.getA(), dot.getB()}) {
      SetVector<Operation *> slice;
      if (failed(getBackwardSlice(operand, &slice, options)) ||
          llvm::any_of(slice, llvm::IsaPred<tile::DotOp>) ||
          llvm::none_of(slice, llvm::IsaPred<tile::LoadOp, tile::LoadViewOp>))
        continue;
      loaded[loop].insert(operand);
    }
  });
  int64_t most = 0;
  for (auto &[loop, operands] : loaded) {
    int64_t bits = 0;
    for (Value operand : operands)
      if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
        bits += type.getNumElements() * type.getElementTypeBitWidth();
    most = std::max(most, bits / 8);
  }
  return most;
}

/// Returns the configuration of what has none selected. Blocks of a program of
/// tiles are its own: it has the stages that fit. Without asynchronous
/// copies the operands of the next step wait in registers: of wide elements,
/// which no atom takes there, a step has as many bytes as of narrow ones.
TileConfig TileSelectConfigPass::getGiven(Operation *op) const {
  TileConfig config = given;
  if (!areStagesGiven && tile::isKernel(op))
    if (int64_t bytes = getLoadedBytes(op))
      config.stages =
          std::clamp<int64_t>(target.getShared() / bytes, 1, config.stages);
  if (isDepthGiven || !TargetAttr::find(op) || target.getAsync())
    return config;
  unsigned bits = kWaitingBits;
  op->walk([&](ContractOp contract) {
    for (Value input : contract.getInputs())
      if (Type type = getElementTypeOrSelf(input); type.isIntOrFloat())
        bits = std::max(bits, type.getIntOrFloatBitWidth());
  });
  config.block.k = config.block.k * kWaitingBits / bits;
  return config;
}

LogicalResult TileSelectConfigPass::findGpu() {
  gpu = machine::findGpu(target.getChip());
  if (!gpu)
    return getOperation().emitError(
               "tile-select-config needs the rates of a GPU: expected the chip "
               "of 'tile.target' to be one of ")
           << machine::getGpuNames() << ", found '" << target.getChip() << "'";
  model.emplace(*gpu, layout::MatrixInstructions{target.getLdmatrix(),
                                                 target.getStmatrix()});
  return success();
}

void TileSelectConfigPass::visit(Operation *op,
                                 SmallVectorImpl<Operation *> &units) {
  if (!isAuto)
    return set(op, getGiven(op));
  auto keepDefault = [&](const std::string &reason) {
    remark::missed(op->getLoc(), getRemark()) << remark::reason("{0}", reason);
    ++numDefault;
    set(op, getGiven(op));
  };
  if (tile::isKernel(op))
    return keepDefault("it is a tile program already");
  std::string reason;
  ProductKernel kernel = getProductKernel(op, target.getAtoms(), reason);
  if (!reason.empty())
    return keepDefault(reason);
  kernel.hasAsync = target.getAsync();
  BlockLimits limits = {target.getShared(), target.getThreads(),
                        target.getRegisters()};
  SmallVector<TileConfig> configs = getConfigs(kernel, limits, stages);
  llvm::append_range(configs, getGroupConfigs(kernel, limits, groupStages));
  if (configs.empty()) {
    keepDefault(
        llvm::formatv("the smallest blocks of {0} products do not fit {1}: {2} "
                      "bytes of shared memory, {3} registers of a thread",
                      kernel.products.size(), target.getChip(),
                      target.getShared(), target.getRegisters()));
    if (auto fused = dyn_cast<KernelOp>(op))
      unfuse(fused, units);
    return;
  }
  for (TileConfig &config : configs)
    config.group = model->chooseGroup(kernel, config);
  // Programs of a cluster are in one group.
  llvm::erase_if(configs, [](const TileConfig &config) {
    return config.group % config.cluster != 0;
  });
  SmallVector<Choice> choices =
      llvm::map_to_vector(configs, [&](const TileConfig &config) -> Choice {
        return {config,
                machine::estimate(model->predictLeast(kernel, config), *gpu)};
      });
  const Choice &choice = *choose(kernel, choices);
  set(op, choice.config);
  ++numSelected;
  report(op, kernel, choice, choices);
  if (list > 0)
    tellCandidates(op, kernel, choices);
}

/// Makes the estimate exact. Most of the time goes into this, so that it is
/// left out where a lower bound will do.
void TileSelectConfigPass::predict(const ProductKernel &kernel,
                                   Choice &choice) {
  if (!choice.isExact)
    choice.estimate =
        machine::estimate(model->predict(kernel, choice.config), *gpu);
  choice.isExact = true;
}

/// Returns the choice with the least time of those that are meant.
Choice *
TileSelectConfigPass::findLeast(const ProductKernel &kernel,
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
Choice *TileSelectConfigPass::choose(const ProductKernel &kernel,
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
  std::string text;
  llvm::raw_string_ostream(text) << config;
  return text;
}

/// Tells what was selected, what it is bound by, and the best that has another
/// block.
void TileSelectConfigPass::report(Operation *op, const ProductKernel &kernel,
                                  const Choice &choice,
                                  MutableArrayRef<Choice> choices) {
  auto getMicroseconds = [](const Choice &choice) {
    return llvm::formatv("{0:f2}", choice.getTime()).str();
  };
  auto remark = remark::passed(op->getLoc(), getRemark());
  remark << remark::metric("selected", toString(choice.config))
         << remark::metric("chip", gpu->name.str())
         << remark::metric("microseconds", getMicroseconds(choice))
         << remark::metric("bound-by", choice.estimate.pipes[0].pipe.str())
         << remark::metric("candidates", choices.size());
  if (!remark)
    return;
  machine::Counters counters = model->predict(kernel, choice.config);
  remark << remark::metric("instructions", counters.getWarpInstructions())
         << remark::metric("wavefronts", counters.shared.wavefronts)
         << remark::metric("sectors", counters.global.sectors);
  const Choice *other =
      findLeast(kernel, choices, [&](const Choice &candidate) {
        return candidate.config.block != choice.config.block;
      });
  if (other)
    remark << remark::metric("next-block", toString(other->config))
           << remark::metric("its-microseconds", getMicroseconds(*other));
}

/// Tells the best ones, as options, and their estimates in microseconds.
void TileSelectConfigPass::tellCandidates(Operation *op,
                                          const ProductKernel &kernel,
                                          MutableArrayRef<Choice> choices) {
  auto byTime = [](const Choice &a, const Choice &b) {
    return a.getTime() < b.getTime();
  };
  // Most have only lower bounds, by which more are drawn than are told.
  constexpr size_t kMore = 2;
  llvm::stable_sort(choices, byTime);
  size_t count = std::min<size_t>(choices.size(), list);
  auto drawn = choices.take_front(std::min(choices.size(), kMore * count));
  for (Choice &choice : drawn)
    predict(kernel, choice);
  llvm::stable_sort(drawn, byTime);
  auto name = remark::RemarkOpts::name("list-configs").category("tile");
  for (const Choice &choice : drawn.take_front(count))
    remark::analysis(op->getLoc(), name)
        << remark::metric("config", toString(choice.config))
        << remark::metric("estimate",
                          llvm::formatv("{0:f2}", choice.getTime()).str())
        << remark::metric(
               "instructions",
               model->predict(kernel, choice.config).getWarpInstructions());
}

/// Its contractions become kernels of their own.
void TileSelectConfigPass::unfuse(KernelOp kernel,
                                  SmallVectorImpl<Operation *> &units) {
  llvm::append_range(units, kernel.getBody().getOps<ContractOp>());
  IRRewriter rewriter(&getContext());
  inlineKernel(rewriter, kernel);
  ++numUnfused;
}

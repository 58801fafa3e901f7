//===- TilePrefetch.cpp - tile-prefetch -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which ops of a loop run ahead: the loads that feed a dot, and by
// closure over operands and over what earlier iterations carry, all that they
// depend on. Upstream's loop pipeliner then makes the loop of two kinds of ops,
// those of the first stage and those of the last. Run canonicalization and
// loop-invariant code motion before. A loop that has been pipelined has no load
// that feeds a dot in its own iteration, and is left alone.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Masks.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPREFETCHPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

static std::string quote(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

/// The argument of the kernel through which memory is reached; null if that is
/// not known.
static BlockArgument getRoot(Value pointer) {
  SmallPtrSet<Value, 8> seen;
  while (seen.insert(pointer).second) {
    if (Operation *op = pointer.getDefiningOp()) {
      if (!isa<AddPtrOp, SplatOp, BroadcastOp, ReshapeOp, TransOp, AssumeOp>(
              op))
        return {};
      pointer = op->getOperand(0);
      continue;
    }
    auto argument = cast<BlockArgument>(pointer);
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return isKernel(argument.getOwner()->getParentOp()) ? argument
                                                          : BlockArgument();
    // A carried pointer may only be advanced by offsets.
    OpOperand *init = loop.getTiedLoopInit(argument);
    if (!init)
      return {};
    Value carried = loop.getTiedLoopYieldedValue(argument)->get();
    while (auto addptr = carried.getDefiningOp<AddPtrOp>())
      carried = addptr.getPtr();
    if (carried != argument)
      return {};
    pointer = init->get();
  }
  return {};
}

namespace {

/// The plan of what is to be run ahead in a loop.
class Plan {
public:
  explicit Plan(scf::ForOp loop) : loop(loop) {}

  /// Whether a dot stands in the loop itself.
  bool hasDot() { return !loop.getBody()->getOps<DotOp>().empty(); }
  /// Decides; returns why the loop is kept, nothing if it is pipelined.
  std::string make();
  unsigned getNumLoads() const {
    return llvm::count_if(early, [](Operation *op) { return isMaskable(op); });
  }
  LogicalResult apply(RewriterBase &rewriter, unsigned stages);

private:
  /// Calls `visit` with the ops of the loop's body that give what `op` uses;
  /// with those of the iteration before if `isCarried`.
  void forEachSource(Operation *op, bool isCarried,
                     llvm::function_ref<void(Operation *)> visit);
  /// The ops that the roots depend on, and the roots.
  SetVector<Operation *> getSources(ArrayRef<Operation *> roots,
                                    bool isCarried);
  std::string whyNotEarly(Operation *op);
  bool isReadOnly(Operation *load);

  scf::ForOp loop;
  SetVector<Operation *> early;
};

} // namespace

void Plan::forEachSource(Operation *op, bool isCarried,
                         llvm::function_ref<void(Operation *)> visit) {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  for (Value value : values) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (!isCarried || argument.getOwner() != loop.getBody() ||
          argument == loop.getInductionVar())
        continue;
      value = loop.getTiedLoopYieldedValue(argument)->get();
    }
    Operation *source = value.getDefiningOp();
    if (source && source->getBlock() == loop.getBody())
      visit(source);
  }
}

SetVector<Operation *> Plan::getSources(ArrayRef<Operation *> roots,
                                        bool isCarried) {
  SetVector<Operation *> sources(roots.begin(), roots.end());
  // Grows while it is walked.
  for (size_t i = 0; i < sources.size(); ++i)
    forEachSource(sources[i], isCarried,
                  [&](Operation *source) { sources.insert(source); });
  return sources;
}

bool Plan::isReadOnly(Operation *load) {
  BlockArgument root = getRoot(load->getOperand(0));
  if (!root)
    return false;
  auto function = cast<FunctionOpInterface>(root.getOwner()->getParentOp());
  unsigned number = root.getArgNumber();
  return function.getArgAttr(number, TileDialect::kReadOnly) &&
         function.getArgAttr(number, TileDialect::kNoAlias);
}

/// Returns the reason why `op` cannot be run ahead; empty if it can.
std::string Plan::whyNotEarly(Operation *op) {
  if (isa<DotOp>(op))
    return "a load depends on a tile.dot of an earlier iteration";
  if (isa<LoadOp, LoadViewOp, AssumeOp>(op))
    return "";
  if (!isMemoryEffectFree(op))
    return "a load depends on " + quote(op) + ", which has effects";
  if (!isSpeculatable(op))
    return "a load depends on " + quote(op) +
           ", which may fail after the last iteration";
  return "";
}

std::string Plan::make() {
  if (loop.getUnsignedCmp())
    return "the loop compares unsigned numbers";
  SmallVector<Operation *> dots(loop.getBody()->getOps<DotOp>());
  SmallVector<Operation *> loads;
  for (Operation *source : getSources(dots, /*isCarried=*/false))
    if (isa<LoadOp, LoadViewOp>(source))
      loads.push_back(source);
  if (loads.empty())
    return "no tile.load or tile.load_view of an iteration feeds its tile.dot";
  early = getSources(loads, /*isCarried=*/true);
  for (Operation *op : early)
    if (std::string reason = whyNotEarly(op); !reason.empty())
      return reason;

  auto writes = [](Operation *op) {
    return !isMemoryEffectFree(op) && !isa<LoadOp, LoadViewOp>(op);
  };
  std::string reason;
  loop.getBody()->walk([&](Operation *op) {
    if (!reason.empty() || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
        !writes(op))
      return;
    for (Operation *load : early)
      if (isMaskable(load) && !isReadOnly(load))
        reason = quote(op) + " may write what is loaded ahead";
  });
  return reason;
}

LogicalResult Plan::apply(RewriterBase &rewriter, unsigned stages) {
  // Assumptions on an iteration need not hold after the last one.
  for (Operation *op : llvm::to_vector(early))
    if (auto assume = dyn_cast<AssumeOp>(op)) {
      early.remove(op);
      rewriter.replaceOp(assume, assume.getValue());
    }
  scf::PipeliningOption options;
  options.peelEpilogue = false;
  options.supportDynamicLoops = true;
  options.getScheduleFn =
      [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &schedule) {
        for (bool isEarly : {true, false})
          for (Operation &op : loop.getBody()->without_terminator())
            if (early.contains(&op) == isEarly)
              schedule.push_back({&op, isEarly ? 0 : stages - 1});
      };
  options.predicateFn = [](RewriterBase &rewriter, Operation *op,
                           Value predicate) {
    if (isMaskable(op))
      addToMask(rewriter, op, predicate);
    return op;
  };
  return scf::pipelineForLoop(rewriter, loop, options);
}

namespace {
struct TilePrefetchPass
    : tileir::tile::impl::TilePrefetchPassBase<TilePrefetchPass> {
  using TilePrefetchPassBase::TilePrefetchPassBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      Operation *kernel = getKernel(loop);
      if (kernel && getConfig(kernel).stages > 1)
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops) {
      Plan plan(loop);
      if (!plan.hasDot())
        continue;
      Location loc = loop.getLoc();
      auto name = remark::RemarkOpts::name("prefetch").category("tile");
      if (std::string reason = plan.make(); !reason.empty()) {
        ++numKept;
        remark::missed(loc, name) << remark::reason("{0}", reason);
        continue;
      }
      unsigned numLoads = plan.getNumLoads();
      unsigned stages = getConfig(getKernel(loop)).stages;
      rewriter.setInsertionPoint(loop);
      if (failed(plan.apply(rewriter, stages))) {
        ++numKept;
        // The only thing left that the pipeliner cannot do.
        remark::missed(loc, name) << remark::reason(
            "a value that the loop carries is not computed in the loop");
        continue;
      }
      ++numPipelined;
      remark::passed(loc, name) << remark::metric("loads", numLoads)
                                << remark::metric("stages", stages);
    }
  }
};
} // namespace

//===- RunAhead.cpp - Loads that run ahead of their loop ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loads depend on is closed over operands and over what earlier iterations
// carry. Upstream's loop pipeliner then makes the loop of two kinds of ops,
// those of the first stage and those of the last.
//
//===----------------------------------------------------------------------===//

#include "RunAhead.h"

#include "tileir/Dialect/Tile/Transforms/Masks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

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

/// Whether nobody writes to what `load` reads.
static bool isNeverWritten(Operation *load) {
  BlockArgument root = getRoot(load->getOperand(0));
  if (!root)
    return false;
  auto function = cast<FunctionOpInterface>(root.getOwner()->getParentOp());
  unsigned number = root.getArgNumber();
  return tile::isReadOnly(function, number) &&
         function.getArgAttr(number, TileDialect::kNoAlias);
}

/// Calls `visit` with the ops of the loop's body that give what `op` uses; with
/// those of the iteration before if `isCarried`.
static void forEachSource(scf::ForOp loop, Operation *op, bool isCarried,
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

SetVector<Operation *>
tile::getSources(scf::ForOp loop, ArrayRef<Operation *> roots, bool isCarried) {
  SetVector<Operation *> sources(roots.begin(), roots.end());
  // Grows while it is walked.
  for (size_t i = 0; i < sources.size(); ++i)
    forEachSource(loop, sources[i], isCarried,
                  [&](Operation *source) { sources.insert(source); });
  return sources;
}

SmallVector<Operation *> tile::findProducts(scf::ForOp loop) {
  SmallVector<Operation *> products;
  for (Operation &op : *loop.getBody())
    if (isProduct(&op))
      products.push_back(&op);
  return products;
}

RunAhead::RunAhead(scf::ForOp loop, ArrayRef<Operation *> loads)
    : loop(loop), ops(getSources(loop, loads, /*isCarried=*/true)) {}

/// Returns the failure reason why `op` cannot run ahead; empty if it can.
std::string RunAhead::checkOp(Operation *op) {
  if (isProduct(op))
    return "a load depends on a " + op->getName().getStringRef().str() +
           " of an earlier iteration";
  if (isPlainLoad(op) || isa<AssumeOp>(op))
    return "";
  if (!isMemoryEffectFree(op))
    return "a load depends on " + quote(op) + ", which has effects";
  if (!isSpeculatable(op))
    return "a load depends on " + quote(op) +
           ", which may fail after the last iteration";
  return "";
}

bool tile::mayWrite(Operation *op) {
  return !isMemoryEffectFree(op) &&
         !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
         !isPlainLoad(op) &&
         !isa<AsyncLoadOp, AsyncLoadViewOp, AsyncWaitOp, LocalLoadOp,
              LocalStoreOp, BarrierOp, ChannelWaitOp, ChannelReleaseOp,
              MmaAsyncOp, MmaWaitOp>(op);
}

std::string RunAhead::check() {
  if (loop.getUnsignedCmp())
    return "the loop compares unsigned numbers";
  // What upstream's pipeliner does not take.
  if (llvm::any_of(loop.getYieldedValues(),
                   [](Value value) { return !value.getDefiningOp(); }))
    return "a value that the loop carries is not computed in the loop";
  for (Operation *op : ops)
    if (std::string reason = checkOp(op); !reason.empty())
      return reason;
  std::string reason;
  loop.getBody()->walk([&](Operation *op) {
    if (!reason.empty() || !mayWrite(op))
      return;
    for (Operation *load : ops)
      if (isMaskable(load) && !isNeverWritten(load))
        reason = quote(op) + " may write what is loaded ahead";
  });
  return reason;
}

/// Lets `view` read again what is at index 0 where `predicate` is false, if it
/// is small and surely inside there: that costs less than not to read.
static bool readFirstInstead(RewriterBase &rewriter, LoadViewOp view,
                             Value predicate) {
  constexpr int64_t kMostBits = 1024; // a line of the cache
  auto tile = dyn_cast<RankedTensorType>(view.getType());
  MemRefType memref = view.getMemref().getType();
  auto inBounds = view.getInBounds();
  if (!tile || view.getAxes() || view.getSteps() || !inBounds ||
      llvm::is_contained(*inBounds, false) || !memref.hasStaticShape() ||
      tile.getNumElements() * tile.getElementTypeBitWidth() > kMostBits)
    return false;
  for (auto [size, extent] :
       llvm::zip_equal(memref.getShape(), tile.getShape()))
    if (size < extent)
      return false;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(view);
  Value zero = arith::ConstantIndexOp::create(rewriter, view.getLoc(), 0);
  for (OpOperand &index : view.getIndicesMutable())
    index.set(arith::SelectOp::create(rewriter, view.getLoc(), predicate,
                                      index.get(), zero));
  return true;
}

FailureOr<scf::ForOp> RunAhead::apply(RewriterBase &rewriter, unsigned distance,
                                      const SetVector<Operation *> &first) {
  // Assumptions on an iteration need not hold after the last one.
  for (Operation *op : llvm::to_vector(ops))
    if (auto assume = dyn_cast<AssumeOp>(op)) {
      ops.remove(op);
      rewriter.replaceOp(assume, assume.getValue());
    }
  scf::PipeliningOption options;
  options.peelEpilogue = false;
  options.supportDynamicLoops = true;
  options.getScheduleFn =
      [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &schedule) {
        auto add = [&](llvm::function_ref<bool(Operation *)> isNext) {
          for (Operation &op : loop.getBody()->without_terminator())
            if (isNext(&op))
              schedule.push_back({&op, contains(&op) ? 0 : distance});
        };
        add([&](Operation *op) { return first.contains(op); });
        add([&](Operation *op) { return contains(op); });
        add([&](Operation *op) {
          return !first.contains(op) && !contains(op);
        });
      };
  options.predicateFn = [](RewriterBase &rewriter, Operation *op,
                           Value predicate) {
    auto view = dyn_cast<LoadViewOp>(op);
    if (isMaskable(op) &&
        !(view && readFirstInstead(rewriter, view, predicate)))
      addToMask(rewriter, op, predicate);
    return op;
  };
  return scf::pipelineForLoop(rewriter, loop, options);
}

//===- TilePromoteShared.cpp - tile-promote-shared ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs layouts on all tiles of a kernel (tile-verify-layouts). Leaves
// conversions between layouts that a warp can do by itself, and buffers for the
// others, each of which is written where its conversion stood, and read before
// the first use of the result: so what is converted for one op is written
// together, and one barrier serves all.
//
// Before, reductions and scans are made to stay within warps
// (ReduceInWarps.cpp), and results of atomic accesses and volatile loads, of
// which one thread gets each element, go to the others.
//
//===----------------------------------------------------------------------===//

#include "LocalAccess.h"
#include "ReduceInWarps.h"
#include "RunAhead.h"

#include "tileir/Dialect/Tile/Analysis/ThreadLayouts.h"
#include "tileir/Dialect/Tile/Transforms/Contracts.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Layout/Shared/Conversion.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPROMOTESHAREDPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::ConversionPlan;
using layout::InDim;
using layout::LinearLayout;

/// Whether a value of a loop's body is loaded or carried by it, or computed
/// element by element from what is, and from what is the same in all steps.
static bool isNew(Value value, Block *body) {
  Operation *op = value.getDefiningOp();
  if (value.getParentBlock() != body)
    return false;
  if (!op || isa<LoadOp, LoadViewOp>(op))
    return true;
  auto isKnown = [&](Value operand) {
    return operand.getParentBlock() != body || isNew(operand, body) ||
           operand.getDefiningOp<arith::ConstantOp>();
  };
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getOperands(), isKnown) &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return isNew(operand, body); });
}

/// The loop of the kernel, not within another, that computes anew what `op`
/// converts. Null if there is none.
static scf::ForOp getLoadingLoop(ConvertLayoutOp op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  bool isTop = loop && isKernel(loop->getParentOp());
  return isTop && isNew(op.getSource(), loop.getBody()) ? loop : scf::ForOp();
}

namespace {

struct TilePromoteSharedPass
    : tileir::tile::impl::TilePromoteSharedPassBase<TilePromoteSharedPass> {
  using TilePromoteSharedPassBase::TilePromoteSharedPassBase;

  void runOnOperation() override {
    WalkResult verified = getOperation()->walk([](func::FuncOp function) {
      if (!isKernel(function))
        return WalkResult::skip();
      int64_t stages = getRegisterStages(function);
      if (stages > 2)
        function.emitError("tile-promote-shared expects the 'stages' of "
                           "tile.config to be 1 or 2 on chips without "
                           "asynchronous copies, found ")
            << stages;
      if (stages > 2 || failed(verifyLayouts(function)))
        return WalkResult::interrupt();
      return WalkResult::skip();
    });
    if (verified.wasInterrupted())
      return signalPassFailure();
    stageOf.clear();
    allocs.clear();
    numReductions += reduceInWarps(getOperation());
    SmallVector<Operation *> told;
    SmallVector<ConvertLayoutOp> conversions;
    getOperation()->walk([&](Operation *op) {
      if (!getKernel(op))
        return;
      if (auto conversion = dyn_cast<ConvertLayoutOp>(op))
        conversions.push_back(conversion);
      else if (actsOnce(op) && !op->use_empty() && !reachesAllWarps(op))
        told.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : told)
      tellWarps(rewriter, op);
    for (ConvertLayoutOp op : conversions)
      if (failed(promote(rewriter, op)))
        return signalPassFailure();
  }

private:
  /// Lets all warps have what one thread gets.
  void tellWarps(RewriterBase &rewriter, Operation *op);
  /// A new buffer of the kernel of `op`, behind the last one.
  AllocOp createBuffer(RewriterBase &rewriter, Operation *op, BufferType type);
  /// With `loadNow` the buffer is read at once, so that it is free again.
  LogicalResult promote(RewriterBase &rewriter, ConvertLayoutOp op,
                        bool loadNow = false);
  /// Most bytes that the buffers of a conversion may take; 0: any number. In a
  /// loop of a role they have none of what bulk copies use meanwhile.
  int64_t getMaxBytes(Operation *op);
  /// Returns which of two buffers an iteration of `loop` uses.
  Value getStage(RewriterBase &rewriter, scf::ForOp loop);

  /// The stages of loops that have one.
  llvm::DenseMap<Operation *, Value> stageOf;
  /// The last one of a kernel.
  llvm::DenseMap<Operation *, AllocOp> allocs;
};

} // namespace

Value TilePromoteSharedPass::getStage(RewriterBase &rewriter, scf::ForOp loop) {
  if (Value stage = stageOf.lookup(loop))
    return stage;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  LoopLikeOpInterface replaced = *loop.replaceWithAdditionalYields(
      rewriter, zero, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> stage) {
        Value next = arith::XOrIOp::create(builder, loc, stage.front(), one);
        return SmallVector<Value>{next};
      });
  return stageOf[replaced] = replaced.getRegionIterArgs().back();
}

int64_t TilePromoteSharedPass::getMaxBytes(Operation *op) {
  if (maxBytes != 0)
    return maxBytes;
  TargetAttr target = TargetAttr::find(op);
  if (!target)
    return 0;
  int64_t bytes = target.getShared();
  RolesOp roles = RolesOp::find(op).first;
  if (!roles || op->getParentOp() == roles)
    return bytes;
  getKernel(op)->walk([&](Operation *other) {
    if (auto channel = dyn_cast<ChannelOp>(other))
      bytes -= channel.getNumBytes();
    else if (auto alloc = dyn_cast<AllocOp>(other);
             alloc && isOfBulkCopies(alloc))
      bytes -= getNumBytes(alloc.getBuffer().getType());
  });
  return std::max<int64_t>(bytes, 1);
}

/// Replaces a conversion by those of two halves of the tile, that differ in a
/// bit of an axis which registers choose before and after. None if there is no
/// such bit.
static std::optional<std::array<ConvertLayoutOp, 2>>
halve(RewriterBase &rewriter, ConvertLayoutOp op) {
  auto from = cast<RankedTensorType>(op.getSource().getType());
  auto to = cast<RankedTensorType>(op.getType());
  LinearLayout src = getLayout(from).getLayout(from.getShape()),
               dst = getLayout(to).getLayout(to.getShape());
  for (unsigned axis = 0; axis < src.getRank(); ++axis)
    for (int64_t inner = from.getDimSize(axis) / 2; inner > 0; inner /= 2) {
      // The bit becomes the last axis.
      SmallVector<int64_t> shape(from.getShape()), order;
      shape[axis] /= 2 * inner;
      shape.insert(shape.begin() + axis + 1, {2, inner});
      for (int64_t i = 0, e = shape.size(); i < e; ++i)
        if (i != axis + 1)
          order.push_back(i);
      order.push_back(axis + 1);
      LinearLayout wholeSrc = src.reshape(shape).transpose(order),
                   wholeDst = dst.reshape(shape).transpose(order);
      unsigned bit;
      auto halfSrc = wholeSrc.getHalf(bit), halfDst = wholeDst.getHalf(bit);
      if (!halfSrc || !halfDst)
        continue;
      Location loc = op.getLoc();
      auto getType = [&](const LinearLayout &layout) {
        return RankedTensorType::get(layout.getShape(), from.getElementType(),
                                     LayoutAttr::get(op.getContext(), layout));
      };
      rewriter.setInsertionPoint(op);
      Value value = ReshapeOp::create(
          rewriter, loc, getType(src.reshape(shape)), op.getSource());
      value = TransOp::create(rewriter, loc, getType(wholeSrc), value,
                              rewriter.getDenseI64ArrayAttr(order));
      auto halves = SplitOp::create(rewriter, loc, getType(*halfSrc),
                                    getType(*halfSrc), value);
      std::array<ConvertLayoutOp, 2> converted;
      for (auto [conversion, half] : llvm::zip(converted, halves.getResults()))
        conversion =
            ConvertLayoutOp::create(rewriter, loc, getType(*halfDst), half);
      value = JoinOp::create(rewriter, loc, getType(wholeDst), converted[0],
                             converted[1]);
      value = TransOp::create(
          rewriter, loc, getType(dst.reshape(shape)), value,
          rewriter.getDenseI64ArrayAttr(invertPermutationVector(order)));
      rewriter.replaceOpWithNewOp<ReshapeOp>(op, to, value);
      return converted;
    }
  return std::nullopt;
}

AllocOp TilePromoteSharedPass::createBuffer(RewriterBase &rewriter,
                                            Operation *op, BufferType type) {
  Operation *kernel = getKernel(op);
  AllocOp &last = allocs[kernel];
  if (last)
    rewriter.setInsertionPointAfter(last);
  else
    rewriter.setInsertionPointToStart(&kernel->getRegion(0).front());
  return last = AllocOp::create(rewriter, op->getLoc(), type, IntegerAttr());
}

void TilePromoteSharedPass::tellWarps(RewriterBase &rewriter, Operation *op) {
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  bool isScalar = !type;
  if (isScalar) { // a tile of one element, of which all threads hold copies
    LinearLayout copies({1});
    copies.setBases(InDim::Lane, SmallVector<uint64_t>(5, 0));
    unsigned warpBits = llvm::Log2_64(countWarps(getKernel(op)));
    copies.setBases(InDim::Warp, SmallVector<uint64_t>(warpBits, 0));
    type = RankedTensorType::get({1}, result.getType(),
                                 LayoutAttr::get(op->getContext(), copies));
  }
  AllocOp buffer =
      createBuffer(rewriter, op,
                   BufferType::get(op->getContext(), type.getShape(),
                                   type.getElementType(), LayoutAttr()));
  rewriter.setInsertionPointAfter(op);
  Value stored =
      isScalar ? SplatOp::create(rewriter, loc, type, result) : result;
  auto store =
      LocalStoreOp::create(rewriter, loc, stored, buffer, ValueRange());
  Value told = LocalLoadOp::create(rewriter, loc, type, buffer, ValueRange());
  if (isScalar) // of one element any combination is that element
    told = ReduceOp::create(rewriter, loc, Combiner::Add, told, 0);
  Operation *first = isScalar ? stored.getDefiningOp() : store;
  rewriter.replaceAllUsesExcept(result, told, first);
  ++numTold;
}

LogicalResult TilePromoteSharedPass::promote(RewriterBase &rewriter,
                                             ConvertLayoutOp op, bool loadNow) {
  ConversionPlan plan = getConversionPlan(op);
  if (plan.kind != ConversionPlan::Kind::SharedMemory)
    return success();
  if (op->use_empty()) {
    rewriter.eraseOp(op);
    return success();
  }
  const layout::Swizzle &swizzle = *plan.swizzle;

  // The buffer.
  auto from = cast<RankedTensorType>(op.getSource().getType());
  bool hasTwoStages = getRegisterStages(getKernel(op)) == 2;
  scf::ForOp loop = hasTwoStages ? getLoadingLoop(op) : scf::ForOp();
  bool isPredicate = from.getElementType().isInteger(1);
  BufferType type = getStagedBuffer(op, swizzle.shared, loop ? 2 : 1);
  Type element = type.getElementType();
  int64_t bytes = getNumBytes(type);
  int64_t limit = getMaxBytes(op);
  if (limit != 0 && bytes > limit && !loop)
    if (auto halves = halve(rewriter, op)) {
      ++numHalved;
      for (ConvertLayoutOp half : *halves)
        if (failed(promote(rewriter, half, /*loadNow=*/true)))
          return failure();
      return success();
    }
  if (maxBytes != 0 && bytes > limit) {
    InFlightDiagnostic diagnostic = op.emitError("needs ");
    diagnostic << bytes << " bytes of shared memory for " << from;
    if (loop)
      diagnostic << " in 2 stages";
    return diagnostic << ", more than max-bytes = " << maxBytes.getValue()
                      << " of tile-promote-shared: use smaller tiles"
                      << (loop ? " or one stage" : "");
  }

  // The accesses.
  Location loc = op.getLoc();
  SmallVector<Value> indices;
  if (loop)
    indices.push_back(getStage(rewriter, loop));
  AllocOp buffer = createBuffer(rewriter, op, type);
  Block *block = op->getBlock();
  rewriter.setInsertionPoint(op);
  Value value = op.getSource();
  if (isPredicate)
    value = arith::ExtUIOp::create(rewriter, loc, withElement(from, element),
                                   value);
  LocalStoreOp::create(rewriter, loc, value, buffer, indices);
  Operation *firstUser = block->getTerminator();
  for (Operation *user : op->getUsers()) {
    user = block->findAncestorOpInBlock(*user);
    if (user->isBeforeInBlock(firstUser))
      firstUser = user;
  }
  if (!loadNow)
    rewriter.setInsertionPoint(firstUser);
  value = LocalLoadOp::create(rewriter, loc, withElement(op.getType(), element),
                              buffer, indices);
  if (isPredicate)
    value = arith::TruncIOp::create(rewriter, loc, op.getType(), value);
  rewriter.replaceOp(op, value);

  ++numBuffers;
  numStaged += bool(loop);
  remark::passed(loc,
                 remark::RemarkOpts::name("promote-shared").category("tile"))
      << remark::metric("bytes", bytes)
      << remark::metric("stages", loop ? 2 : 1)
      << remark::metric("write-vector", swizzle.write.vector)
      << remark::metric("write-conflicts", swizzle.write.getConflicts())
      << remark::metric("read-vector", swizzle.read.vector)
      << remark::metric("read-conflicts", swizzle.read.getConflicts());
  return success();
}

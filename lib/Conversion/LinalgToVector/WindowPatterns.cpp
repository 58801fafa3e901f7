//===- WindowPatterns.cpp - Reductions over windows -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured ops that combine the elements of a window around each element of
// the result, as max pooling does: vectors along the last axis of the result,
// which combine what they read at each place of the window.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileir/Conversion/EinsumLowering/SpreadLoad.h"
#include "tileir/Dialect/Einsum/Analysis/Primitives.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

/// Places of a window up to which code for each of them is made.
static constexpr int64_t kMostPlaces = 64;

namespace {

/// A reduction over windows of `input`.
struct WindowReduction {
  linalg::LinalgOp op;
  OpOperand *input = nullptr;
  /// Of an element and the result so far.
  Operation *combiner = nullptr;
  /// The loop along vectors, and the stride of the input along it.
  unsigned lanes = 0;
  int64_t stride = 0;
  /// The other loops, by kind.
  SmallVector<int64_t> outer = {}, window = {};

  void emit(OpBuilder &builder, bool parallel, int64_t numLanes, Value filled);

private:
  Value emitVector(OpBuilder &builder, SmallVector<Value> loops, int64_t width,
                   Value start);
  Value loadInput(OpBuilder &builder, ArrayRef<Value> loops, int64_t width);
  SmallVector<Value> getPlace(OpBuilder &builder, OpOperand &operand,
                              ArrayRef<Value> loops, int64_t after = 0) {
    auto place =
        llvm::map_to_vector(op.getMatchingIndexingMap(&operand).getResults(),
                            [&](AffineExpr expression) {
                              return affine::expandAffineExpr(
                                  builder, op.getLoc(), expression, loops, {});
                            });
    if (after != 0)
      place.back() = arith::AddIOp::create(
          builder, op.getLoc(), place.back(),
          arith::ConstantIndexOp::create(builder, op.getLoc(), after));
    return place;
  }
};

} // namespace

/// The step of `expression` in loop `loop`, if that is a constant.
static std::optional<int64_t> getStep(AffineExpr expression, unsigned loop) {
  SmallVector<int64_t> flat;
  unsigned loops = loop + 1;
  expression.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      loops = std::max(loops, dim.getPosition() + 1);
  });
  if (failed(
          getFlattenedAffineExpr(expression, loops, /*numSymbols=*/0, &flat)) ||
      flat.size() != loops + 1)
    return std::nullopt;
  return flat[loop];
}

Value WindowReduction::loadInput(OpBuilder &builder, ArrayRef<Value> loops,
                                 int64_t width) {
  Value buffer = input->get();
  auto getIndices = [&](int64_t after) {
    return getPlace(builder, *input, loops, after);
  };
  Type element = getElementTypeOrSelf(buffer);
  if (stride == 1 || width == 1)
    return vector::LoadOp::create(builder, op.getLoc(),
                                  VectorType::get(width, element), buffer,
                                  getIndices(0));
  return lowering::createSpreadLoad(builder, op.getLoc(), buffer, getIndices,
                                    width, width, stride);
}

Value WindowReduction::emitVector(OpBuilder &builder, SmallVector<Value> loops,
                                  int64_t width, Value start) {
  Value total = start;
  int64_t places = 1;
  for (int64_t loop : window)
    places *= op.getStaticLoopRanges()[loop];
  for (int64_t place = 0; place < places; ++place) {
    int64_t rest = place;
    for (int64_t loop : llvm::reverse(window)) {
      int64_t size = op.getStaticLoopRanges()[loop];
      loops[loop] =
          arith::ConstantIndexOp::create(builder, op.getLoc(), rest % size);
      rest /= size;
    }
    IRMapping values;
    for (Value operand : combiner->getOperands())
      values.map(operand, total);
    values.map(op.getMatchingBlockArgument(input),
               loadInput(builder, loops, width));
    Operation *combined = builder.clone(*combiner, values);
    combined->getResult(0).setType(total.getType());
    total = combined->getResult(0);
  }
  return total;
}

void WindowReduction::emit(OpBuilder &builder, bool parallel, int64_t numLanes,
                           Value filled) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  OpOperand &init = *op.getDpsInitOperand(0);
  auto shape =
      llvm::map_to_vector(outer, [&](int64_t loop) { return ranges[loop]; });
  auto emitRow = [&](OpBuilder &inner, ValueRange indices) {
    SmallVector<Value> loops(ranges.size());
    for (auto [loop, index] : llvm::zip(outer, indices))
      loops[loop] = index;
    // The result does not move along windows.
    Value zero = arith::ConstantIndexOp::create(inner, op.getLoc(), 0);
    for (int64_t loop : window)
      loops[loop] = zero;
    buildVectors(inner, op.getLoc(), ranges[lanes], numLanes,
                 [&](OpBuilder &in, Value begin, int64_t width) {
                   loops[lanes] = begin;
                   auto type =
                       VectorType::get(width, getElementTypeOrSelf(init.get()));
                   SmallVector<Value> at = getPlace(in, init, loops);
                   Value start =
                       filled ? createVector(in, op.getLoc(), filled, width)
                              : vector::LoadOp::create(in, op.getLoc(), type,
                                                       init.get(), at);
                   vector::StoreOp::create(in, op.getLoc(),
                                           emitVector(in, loops, width, start),
                                           init.get(), at);
                 });
  };
  buildLoops(builder, op.getLoc(), shape, emitRow, parallel);
}

namespace {

struct VectorizeWindows : OpInterfaceRewritePattern<linalg::LinalgOp> {
  VectorizeWindows(MLIRContext *context, int64_t minParallel, Fills &fills,
                   Pass::Statistic &count)
      : OpInterfaceRewritePattern(context), minParallel(minParallel),
        fills(fills), count(count) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    if (!op.hasPureBufferSemantics() || ShapedType::isDynamicShape(ranges) ||
        op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
      return rewriter.notifyMatchFailure(
          op, "not a reduction on buffers of static shapes with one result");
    WindowReduction reduction{op};
    if (failed(matchBody(rewriter, reduction)) ||
        failed(matchLoops(rewriter, reduction)))
      return failure();
    OpOperand &init = *op.getDpsInitOperand(0);
    Type element = getElementTypeOrSelf(init.get().getType());
    unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    int64_t size = ranges[reduction.lanes];
    reduction.emit(rewriter, isParallel(op, minParallel),
                   getNumLanes(op, bits, /*count=*/1, size),
                   fills.take(op, init.get()));
    rewriter.eraseOp(op);
    ++count;
    return success();
  }

private:
  /// The body combines an element of one operand with the result so far.
  static LogicalResult matchBody(PatternRewriter &rewriter,
                                 WindowReduction &reduction) {
    linalg::LinalgOp op = reduction.op;
    Block *body = op.getBlock();
    reduction.combiner = body->getTerminator()->getOperand(0).getDefiningOp();
    Operation *combiner = reduction.combiner;
    if (!combiner || !llvm::hasSingleElement(body->without_terminator()) ||
        combiner->getNumOperands() != 2 || combiner->getNumRegions() > 0 ||
        !OpTrait::hasElementwiseMappableTraits(combiner) ||
        !llvm::is_contained(combiner->getOperands(),
                            op.getRegionOutputArgs().front()))
      return rewriter.notifyMatchFailure(
          op, "the body is not one op that combines two numbers");
    reduction.input = nullptr;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (llvm::is_contained(combiner->getOperands(),
                             op.getMatchingBlockArgument(operand)))
        reduction.input = operand;
    if (!reduction.input || !hasVectors(reduction.input->get()) ||
        !hasVectors(op.getDpsInitOperand(0)->get()))
      return rewriter.notifyMatchFailure(
          op, "its operands have no vectors along their last axes");
    return success();
  }

  /// Its loops are those of the result, and windows of a few places.
  static LogicalResult matchLoops(PatternRewriter &rewriter,
                                  WindowReduction &reduction) {
    linalg::LinalgOp op = reduction.op;
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0)),
              read = op.getMatchingIndexingMap(reduction.input);
    if (!written.isProjectedPermutation() || read.isProjectedPermutation() ||
        read.getNumSymbols() > 0)
      return rewriter.notifyMatchFailure(op, "it has no windows");
    reduction.lanes =
        cast<AffineDimExpr>(written.getResults().back()).getPosition();
    int64_t places = 1;
    for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
      if (kind == utils::IteratorType::reduction) {
        reduction.window.push_back(loop);
        places *= op.getStaticLoopRanges()[loop];
      } else if (loop != reduction.lanes) {
        reduction.outer.push_back(loop);
      }
    }
    if (places > kMostPlaces)
      return rewriter.notifyMatchFailure(op, "its windows are large");
    for (AffineExpr expression : read.getResults().drop_back())
      if (expression.isFunctionOfDim(reduction.lanes))
        return rewriter.notifyMatchFailure(op, "vectors leave the last axis");
    auto step = getStep(read.getResults().back(), reduction.lanes);
    if (!step || *step < 1 || *step > einsum::kMostStride)
      return rewriter.notifyMatchFailure(
          op, "elements along vectors are too far apart");
    reduction.stride = *step;
    return success();
  }

  int64_t minParallel;
  Fills &fills;
  Pass::Statistic &count;
};

} // namespace

void linalg_to_vector::populateWindowPatterns(RewritePatternSet &patterns,
                                              int64_t minParallel, Fills &fills,
                                              Pass::Statistic &count) {
  patterns.add<VectorizeWindows>(patterns.getContext(), minParallel, fills,
                                 count);
}

//===- WindowPatterns.cpp - Reductions over windows -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured ops that combine the elements of a window around each element of
// the result, as max pooling does: vectors along the last axis of the result,
// which combine what they read at each place of the window. The border that max
// pooling reads need not be there: the nearest element is in each window that
// reaches into it. Small sums along axes before the last one are such windows,
// too, as average pooling of whole images by pixels.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileir/Conversion/EinsumLowering/SpreadLoad.h"
#include "tileir/Dialect/Einsum/Analysis/Primitives.h"
#include "tileir/Dialect/MemRef/Transforms/CopyWithBorder.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <optional>

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;
using memref_transforms::CopyIntoMiddle;

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
  /// What is read instead of the input, which is it with a border: places along
  /// axes are `low` less, and those outside that of the nearest element.
  Value inside = {};
  SmallVector<int64_t> low = {};

  void emit(OpBuilder &builder, bool parallel, int64_t numLanes, Value filled);

private:
  Value emitVector(OpBuilder &builder, SmallVector<Value> loops, int64_t width,
                   Value start);
  Value loadInput(OpBuilder &builder, ArrayRef<Value> loops, int64_t width);
  void moveInside(OpBuilder &builder, MutableArrayRef<Value> place);
  SmallVector<Value> getPlace(OpBuilder &builder, OpOperand &operand,
                              ArrayRef<Value> loops, int64_t after = 0) {
    auto place =
        llvm::map_to_vector(op.getMatchingIndexingMap(&operand).getResults(),
                            [&](AffineExpr expression) {
                              return affine::expandAffineExpr(
                                  builder, op.getLoc(), expression, loops, {});
                            });
    if (inside && &operand == input)
      moveInside(builder, place);
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

void WindowReduction::moveInside(OpBuilder &builder,
                                 MutableArrayRef<Value> place) {
  Location loc = op.getLoc();
  auto get = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  ArrayRef<int64_t> from = cast<MemRefType>(inside.getType()).getShape(),
                    to = cast<MemRefType>(input->get().getType()).getShape();
  for (auto [axis, index] : llvm::enumerate(place)) {
    if (from[axis] == to[axis])
      continue;
    index = arith::SubIOp::create(builder, loc, index, get(low[axis]));
    index = arith::MaxSIOp::create(builder, loc, index, get(0));
    index = arith::MinSIOp::create(builder, loc, index, get(from[axis] - 1));
  }
}

Value WindowReduction::loadInput(OpBuilder &builder, ArrayRef<Value> loops,
                                 int64_t width) {
  Value buffer = inside ? inside : input->get();
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

/// Whether `border` is no more than any number that `combiner` takes the
/// largest of: that of a window is the same without it.
static bool isLeast(Operation *combiner, Value border) {
  APFloat number(0.0f);
  APInt integer;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner))
    return matchPattern(border, m_ConstantFloat(&number)) &&
           number.isInfinity() && number.isNegative();
  return isa<arith::MaxSIOp>(combiner) &&
         matchPattern(border, m_ConstantInt(&integer)) &&
         integer.isMinSignedValue();
}

/// Whether what `value` is a view of is written between `from` and `to`.
static bool mayBeWritten(Value value, Operation *from, Operation *to) {
  auto getBase = [](Value value) -> Value {
    auto memref = dyn_cast<MemrefValue>(value);
    return memref ? Value(memref::skipViewLikeOps(memref)) : value;
  };
  Value base = getBase(value);
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode()) {
    auto effects = getEffectsRecursively(op);
    if (!effects ||
        llvm::any_of(*effects, [&](const MemoryEffects::EffectInstance &it) {
          return isa<MemoryEffects::Write>(it.getEffect()) &&
                 (!it.getValue() || getBase(it.getValue()) == base);
        }))
      return true;
  }
  return false;
}

/// The border around the input of `reduction`, if the nearest element inside
/// can be read instead of each of its elements: it is in all of the windows,
/// and takes the same part in them.
static std::optional<CopyIntoMiddle>
findBorder(const WindowReduction &reduction) {
  linalg::LinalgOp op = reduction.op;
  Value buffer = reduction.input->get();
  std::optional<CopyIntoMiddle> border;
  for (Operation *user : buffer.getUsers())
    if (auto middle = dyn_cast<memref::SubViewOp>(user))
      for (Operation *of : middle->getUsers())
        if (auto copy = dyn_cast<memref::CopyOp>(of);
            copy && copy.getTarget() == middle.getResult())
          border = CopyIntoMiddle::match(copy);
  if (!border || border->buffer != buffer || !border->middle->hasOneUse() ||
      llvm::range_size(buffer.getUsers()) != 3 ||
      border->copy->getBlock() != op->getBlock() ||
      !isLeast(reduction.combiner, border->border) ||
      mayBeWritten(border->copy.getSource(), border->copy, op))
    return std::nullopt;
  ArrayRef<int64_t> from =
      cast<MemRefType>(border->copy.getSource().getType()).getShape();
  ArrayRef<int64_t> to = cast<MemRefType>(buffer.getType()).getShape();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  AffineMap read = op.getMatchingIndexingMap(reduction.input);
  for (auto [axis, expression] : llvm::enumerate(read.getResults())) {
    if (from[axis] == to[axis])
      continue;
    // Places of a window follow each other, and one of them is inside.
    int64_t last = 0, reach = 0;
    for (int64_t loop : reduction.outer)
      last += getStep(expression, loop).value_or(0) * (ranges[loop] - 1);
    for (int64_t loop : reduction.window) {
      int64_t step = getStep(expression, loop).value_or(0);
      if (step != 0 && (step != 1 || reach != 0))
        return std::nullopt;
      reach += step * (ranges[loop] - 1);
    }
    int64_t low = border->middle.getStaticOffsets()[axis];
    if (expression.isFunctionOfDim(reduction.lanes) || low > reach ||
        last >= low + from[axis])
      return std::nullopt;
  }
  return border;
}

namespace {

struct VectorizeWindows : OpInterfaceRewritePattern<linalg::LinalgOp> {
  VectorizeWindows(MLIRContext *context, int64_t minParallel, Fills &fills,
                   Pass::Statistic &count)
      : OpInterfaceRewritePattern(context), minParallel(minParallel),
        fills(fills), count(count) {}

  /// Only windows of which borders need not be read.
  bool bordered = false;

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
    std::optional<CopyIntoMiddle> border;
    if (bordered) {
      border = findBorder(reduction);
      if (!border)
        return rewriter.notifyMatchFailure(
            op, "it has no border that it need not read");
      reduction.inside = border->copy.getSource();
      reduction.low = SmallVector<int64_t>(border->middle.getStaticOffsets());
    }
    OpOperand &init = *op.getDpsInitOperand(0);
    Type element = getElementTypeOrSelf(init.get().getType());
    unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    int64_t size = ranges[reduction.lanes];
    reduction.emit(rewriter, isParallel(op, minParallel),
                   getNumLanes(op, bits, /*count=*/1, size),
                   fills.take(op, init.get()));
    rewriter.eraseOp(op);
    if (border)
      for (Operation *needless :
           {border->copy.getOperation(), border->middle.getOperation(),
            border->fill, border->buffer.getDefiningOp()})
        fills.add(needless);
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
    // Sums of a linalg.generic along axes before the last one are windows at
    // one place.
    bool hasWindows = !read.isProjectedPermutation() ||
                      (isa<linalg::GenericOp>(op) && read.getNumResults() > 0 &&
                       written.getNumResults() > 0 &&
                       read.getResults().back() == written.getResults().back());
    if (!written.isProjectedPermutation() || !hasWindows ||
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

void linalg_to_vector::populateBorderedWindowPatterns(
    RewritePatternSet &patterns, int64_t minParallel, Fills &fills,
    Pass::Statistic &count) {
  auto pattern = std::make_unique<VectorizeWindows>(patterns.getContext(),
                                                    minParallel, fills, count);
  pattern->bordered = true;
  patterns.add(std::move(pattern));
}

//===- GatherPatterns.cpp - Gathers and histograms ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles know no element by its number. A loop goes through the numbers that
// there may be: for each, a gather takes what is there (a choice, and a
// reduction that is exact on bits) wherever an index asks for it, and a
// histogram counts how often it occurs.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

static Value emitZero(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// Where elements of `lhs` are `number`, an i32.
static Value emitIsEqual(OpBuilder &builder, Location loc, Value lhs,
                         Value number) {
  Type element = tile::getElement(lhs.getType());
  if (element != number.getType())
    number = arith::ExtSIOp::create(builder, loc, element, number);
  number = tile::SplatOp::create(builder, loc, lhs.getType(), number);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs,
                               number);
}

/// Integers of at least 32 bits.
template <typename Extend>
static Value widen(OpBuilder &builder, Location loc, Value integers) {
  if (tile::getElement(integers.getType()).getIntOrFloatBitWidth() >= 32)
    return integers;
  return Extend::create(
      builder, loc, tile::withElement(integers.getType(), builder.getI32Type()),
      integers);
}

/// Carries `first` through the numbers from 0 to `end`.
static Value
emitLoop(OpBuilder &builder, Location loc, int64_t end, Value first,
         function_ref<Value(OpBuilder &, Value number, Value carried)> step) {
  auto create = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  };
  auto loop = scf::ForOp::create(
      builder, loc, create(0), create(end), create(1), first,
      [&](OpBuilder &inner, Location, Value number, ValueRange carried) {
        Value next = step(inner, number, carried.front());
        scf::YieldOp::create(inner, loc, next);
      });
  return loop.getResult(0);
}

namespace {

struct ConvertGather : OpConversionPattern<triton::GatherOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t axis = op.getAxis();
    auto source = cast<RankedTensorType>(adaptor.getSrc().getType());
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    Value indices = widen<arith::ExtSIOp>(rewriter, loc, adaptor.getIndices());
    Value bits = emitBits(rewriter, loc, adaptor.getSrc());
    Value position = emitPosition(rewriter, loc, source.getShape(), axis);
    Value zero = emitZero(rewriter, loc, bits.getType());
    Type element = tile::getElement(bits.getType());
    SmallVector<int64_t> thin(source.getShape());
    thin[axis] = 1;
    auto take = [&](OpBuilder &inner, Value number, Value taken) -> Value {
      Value isHere = emitIsEqual(inner, loc, position, number);
      Value slice = tile::ReduceOp::create(
          inner, loc, tile::Combiner::Or,
          arith::SelectOp::create(inner, loc, isHere, bits, zero), axis);
      if (source.getRank() == 1)
        slice = tile::SplatOp::create(inner, loc, taken.getType(), slice);
      else
        slice = emitReshape(inner, loc, slice, thin);
      if (slice.getType() != taken.getType())
        slice = tile::BroadcastOp::create(inner, loc, taken.getType(), slice);
      return arith::SelectOp::create(
          inner, loc, emitIsEqual(inner, loc, indices, number), slice, taken);
    };
    Type bitsType = tile::withElement(type, element);
    Value taken = emitLoop(rewriter, loc, source.getDimSize(axis),
                           emitZero(rewriter, loc, bitsType), take);
    if (bitsType != type)
      taken = arith::BitcastOp::create(rewriter, loc, type, taken);
    // Nothing may depend on what an index outside gives.
    Type indexType = indices.getType();
    Value size = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(
            cast<ShapedType>(indexType),
            rewriter.getIntegerAttr(tile::getElement(indexType),
                                    source.getDimSize(axis))));
    Value isInside = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, indices, size);
    rewriter.replaceOpWithNewOp<tile::PsiOp>(op, type, ValueRange{isInside},
                                             ValueRange{taken});
    return success();
  }
};

struct ConvertHistogram : OpConversionPattern<triton::HistogramOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::HistogramOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    Value numbers = widen<arith::ExtUIOp>(rewriter, loc, adaptor.getSrc());
    // What does not count, and may be undefined, becomes a number of no bin.
    if (Value mask = adaptor.getMask()) {
      Value none = arith::ConstantOp::create(
          rewriter, loc,
          DenseElementsAttr::get(cast<ShapedType>(numbers.getType()),
                                 rewriter.getIntegerAttr(
                                     tile::getElement(numbers.getType()), -1)));
      numbers = arith::SelectOp::create(rewriter, loc, mask, numbers, none);
    }
    Value position = emitPosition(rewriter, loc, type.getShape(), 0);
    Type countType =
        tile::withElement(numbers.getType(), type.getElementType());
    auto count = [&](OpBuilder &inner, Value number, Value counts) -> Value {
      Value hits = arith::ExtUIOp::create(
          inner, loc, countType, emitIsEqual(inner, loc, numbers, number));
      Value sum = hits;
      for (int64_t axis = tile::getShape(countType).size() - 1; axis >= 0;
           --axis)
        sum =
            tile::ReduceOp::create(inner, loc, tile::Combiner::Add, sum, axis);
      sum = tile::SplatOp::create(inner, loc, type, sum);
      return arith::SelectOp::create(
          inner, loc, emitIsEqual(inner, loc, position, number), sum, counts);
    };
    rewriter.replaceOp(op, emitLoop(rewriter, loc, type.getDimSize(0),
                                    emitZero(rewriter, loc, type), count));
    return success();
  }
};

} // namespace

void triton_to_tile::populateGatherPatterns(const PointerConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<ConvertGather, ConvertHistogram>(converter,
                                                patterns.getContext());
}

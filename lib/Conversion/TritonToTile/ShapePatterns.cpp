//===- ShapePatterns.cpp - Making and retiling tensors --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most ops have the same meaning in both dialects. Halves are told by the
// position along the last axis: a choice, and for a split a reduction of what
// was not chosen away, which is exact on bits.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

Value triton_to_tile::emitReshape(OpBuilder &builder, Location loc, Value value,
                                  ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return tile::ReshapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value);
}

Value triton_to_tile::emitOnlyElement(OpBuilder &builder, Location loc,
                                      Value tile) {
  Type element = tile::getElement(tile.getType());
  // Of one element any combination is that element.
  auto combiner = element.isInteger(1)      ? tile::Combiner::Or
                  : isa<FloatType>(element) ? tile::Combiner::Max
                                            : tile::Combiner::Add;
  return tile::ReduceOp::create(builder, loc, combiner,
                                emitReshape(builder, loc, tile, {1}), 0);
}

Value triton_to_tile::emitPosition(OpBuilder &builder, Location loc,
                                   ArrayRef<int64_t> shape, int64_t axis) {
  Type i32 = builder.getI32Type();
  SmallVector<int64_t> ones(shape.size(), 1);
  ones[axis] = shape[axis];
  Value position = tile::RangeOp::create(
      builder, loc, RankedTensorType::get({shape[axis]}, i32), 0, shape[axis]);
  position = emitReshape(builder, loc, position, ones);
  auto type = RankedTensorType::get(shape, i32);
  if (position.getType() == type)
    return position;
  return tile::BroadcastOp::create(builder, loc, type, position);
}

/// Whether the position along the last axis, which has size 2, is 0.
static Value emitIsFirst(OpBuilder &builder, Location loc,
                         ArrayRef<int64_t> shape) {
  Value position = emitPosition(builder, loc, shape, shape.size() - 1);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(position.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, position,
                               zero);
}

Value triton_to_tile::emitBits(OpBuilder &builder, Location loc, Value tile) {
  Type element = tile::getElement(tile.getType());
  if (isa<IntegerType>(element))
    return tile;
  Type bits = builder.getIntegerType(element.getIntOrFloatBitWidth());
  return arith::BitcastOp::create(
      builder, loc, tile::withElement(tile.getType(), bits), tile);
}

std::pair<Value, Value> triton_to_tile::emitSplit(OpBuilder &builder,
                                                  Location loc, Value whole) {
  auto type = cast<RankedTensorType>(whole.getType());
  Value isFirst = emitIsFirst(builder, loc, type.getShape());
  Value bits = emitBits(builder, loc, whole);
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(bits.getType()));
  auto reduce = [&](Value chosen) -> Value {
    Value half = tile::ReduceOp::create(builder, loc, tile::Combiner::Or,
                                        chosen, type.getRank() - 1);
    Type result = tile::withElement(half.getType(), type.getElementType());
    if (half.getType() == result)
      return half;
    return arith::BitcastOp::create(builder, loc, result, half);
  };
  return {reduce(arith::SelectOp::create(builder, loc, isFirst, bits, zero)),
          reduce(arith::SelectOp::create(builder, loc, isFirst, zero, bits))};
}

Value triton_to_tile::emitJoin(OpBuilder &builder, Location loc, Value lhs,
                               Value rhs) {
  auto type = cast<RankedTensorType>(lhs.getType());
  SmallVector<int64_t> thin(type.getShape());
  thin.push_back(1);
  SmallVector<int64_t> shape(thin);
  shape.back() = 2;
  auto widen = [&](Value half) -> Value {
    return tile::BroadcastOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        emitReshape(builder, loc, half, thin));
  };
  return arith::SelectOp::create(builder, loc, emitIsFirst(builder, loc, shape),
                                 widen(lhs), widen(rhs));
}

namespace {

/// An op whose operands, in order, are those of an op of tiles, and whose only
/// result has the converted type.
template <typename From, typename To>
struct ConvertSame : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(From op, typename From::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = this->getTypeConverter()->convertType(op.getType());
    rewriter.replaceOpWithNewOp<To>(op, type, adaptor.getOperands());
    return success();
  }
};

template <typename From, typename To>
struct ConvertGrid : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(From op, typename From::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op.getType(),
                                    static_cast<tile::Axis>(op.getAxis()));
    return success();
  }
};

struct ConvertMakeRange : OpConversionPattern<triton::MakeRangeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::MakeRangeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto start = static_cast<int32_t>(op.getStart()),
         end = static_cast<int32_t>(op.getEnd());
    rewriter.replaceOpWithNewOp<tile::RangeOp>(op, op.getType(), start, end);
    return success();
  }
};

struct ConvertTrans : OpConversionPattern<triton::TransOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::TransOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<int64_t> order(op.getOrder());
    rewriter.replaceOpWithNewOp<tile::TransOp>(op, adaptor.getSrc(), order);
    return success();
  }
};

struct ConvertUnsplat : OpConversionPattern<triton::UnsplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::UnsplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, emitOnlyElement(rewriter, op.getLoc(), adaptor.getSrc()));
    return success();
  }
};

struct ConvertSplit : OpConversionPattern<triton::SplitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::SplitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto [lhs, rhs] = emitSplit(rewriter, op.getLoc(), adaptor.getSrc());
    rewriter.replaceOp(op, {lhs, rhs});
    return success();
  }
};

/// A value as a tile: of one element, if it is a scalar.
static Value emitTile(OpBuilder &builder, Location loc, Value value) {
  if (isa<RankedTensorType>(value.getType()))
    return value;
  return tile::SplatOp::create(
      builder, loc, RankedTensorType::get({1}, value.getType()), value);
}

struct ConvertJoin : OpConversionPattern<triton::JoinOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::JoinOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value joined =
        emitJoin(rewriter, loc, emitTile(rewriter, loc, adaptor.getLhs()),
                 emitTile(rewriter, loc, adaptor.getRhs()));
    rewriter.replaceOp(
        op, emitReshape(rewriter, loc, joined, op.getType().getShape()));
    return success();
  }
};

struct ConvertCat : OpConversionPattern<triton::CatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::CatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value pairs = emitJoin(rewriter, loc, adaptor.getLhs(), adaptor.getRhs());
    Value rows =
        tile::TransOp::create(rewriter, loc, pairs, ArrayRef<int64_t>{1, 0});
    rewriter.replaceOp(
        op, emitReshape(rewriter, loc, rows, op.getType().getShape()));
    return success();
  }
};

} // namespace

void triton_to_tile::populateShapePatterns(const PointerConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns
      .add<ConvertGrid<triton::GetProgramIdOp, tile::ProgramIdOp>,
           ConvertGrid<triton::GetNumProgramsOp, tile::NumProgramsOp>,
           ConvertMakeRange, ConvertSame<triton::SplatOp, tile::SplatOp>,
           ConvertSame<triton::ExpandDimsOp, tile::ReshapeOp>,
           ConvertSame<triton::ReshapeOp, tile::ReshapeOp>,
           ConvertSame<triton::BroadcastOp, tile::BroadcastOp>, ConvertTrans,
           ConvertUnsplat, ConvertSplit, ConvertJoin, ConvertCat>(
          converter, patterns.getContext());
}

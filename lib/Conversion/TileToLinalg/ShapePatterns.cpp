//===- ShapePatterns.cpp - Making and retiling tiles ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of one value become linalg.fill, and what moves elements a
// linalg.generic with indexing maps: both disappear into their users when
// element-wise ops are fused. Axes of size one are dropped before a broadcast,
// so that they cancel against the reshape that made them.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_linalg;

/// The elements of `source` (null for none) as `map` finds them for each
/// element of the result, through `body`.
static Value
createGeneric(OpBuilder &builder, Location loc, RankedTensorType type,
              Value source, AffineMap map,
              function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  unsigned rank = type.getRank();
  SmallVector<AffineMap> maps;
  if (source)
    maps.push_back(map);
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, source ? ValueRange(source) : ValueRange(),
             createEmptyTile(builder, loc, type), maps, iterators,
             [&](OpBuilder &inner, Location innerLoc, ValueRange elements) {
               linalg::YieldOp::create(inner, innerLoc,
                                       body(inner, innerLoc, elements));
             })
      .getResult(0);
}

Value to_linalg::createMoved(OpBuilder &builder, Location loc,
                             RankedTensorType type, Value source,
                             AffineMap map) {
  return createGeneric(
      builder, loc, type, source, map,
      [](OpBuilder &, Location, ValueRange elements) { return elements[0]; });
}

/// One group of axes that holds all of them.
static SmallVector<ReassociationIndices> getAllAxes(RankedTensorType type) {
  return {llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()))};
}

/// Through a shape of one axis; the canonicalizer makes one op of the two where
/// that is possible.
static Value createReshape(OpBuilder &builder, Location loc,
                           RankedTensorType type, Value source) {
  auto sourceType = cast<RankedTensorType>(source.getType());
  if (sourceType.getRank() > 1)
    source = tensor::CollapseShapeOp::create(builder, loc, source,
                                             getAllAxes(sourceType));
  if (type.getRank() > 1)
    source = tensor::ExpandShapeOp::create(builder, loc, type, source,
                                           getAllAxes(type));
  return source;
}

namespace {

struct ConvertSplat : OpConversionPattern<SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type =
        cast<RankedTensorType>(typeConverter->convertType(op.getType()));
    rewriter.replaceOp(
        op, createFilledTile(rewriter, op.getLoc(), type, adaptor.getValue()));
    return success();
  }
};

/// A constant of one value; others stay constants.
struct ConvertSplatConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!splat || !type)
      return rewriter.notifyMatchFailure(op, "elements of several values");
    Value value = arith::ConstantOp::create(rewriter, op.getLoc(),
                                            splat.getSplatValue<TypedAttr>());
    rewriter.replaceOp(op,
                       createFilledTile(rewriter, op.getLoc(), type, value));
    return success();
  }
};

/// No one depends on the elements.
struct ConvertPoison : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = typeConverter->convertType(op.getType());
    if (auto tile = dyn_cast<RankedTensorType>(type))
      rewriter.replaceOp(op, createEmptyTile(rewriter, op.getLoc(), tile));
    else
      rewriter.replaceOpWithNewOp<ub::PoisonOp>(op, type);
    return success();
  }
};

struct ConvertRange : OpConversionPattern<RangeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(RangeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    Type element = type.getElementType();
    auto body = [&](OpBuilder &inner, Location loc, ValueRange) -> Value {
      Value index = linalg::IndexOp::create(inner, loc, 0);
      Value number = arith::IndexCastOp::create(inner, loc, element, index);
      Value start = arith::ConstantOp::create(
          inner, loc, inner.getIntegerAttr(element, op.getStart()));
      return arith::AddIOp::create(inner, loc, number, start);
    };
    rewriter.replaceOp(
        op, createGeneric(rewriter, op.getLoc(), type, {}, {}, body));
    return success();
  }
};

struct ConvertReshape : OpConversionPattern<ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type =
        cast<RankedTensorType>(typeConverter->convertType(op.getType()));
    rewriter.replaceOp(
        op, createReshape(rewriter, op.getLoc(), type, adaptor.getSource()));
    return success();
  }
};

struct ConvertBroadcast : OpConversionPattern<BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type =
        cast<RankedTensorType>(typeConverter->convertType(op.getType()));
    auto sourceType = cast<RankedTensorType>(adaptor.getSource().getType());
    int64_t padding = type.getRank() - sourceType.getRank();

    // The axes that stay, each with the axes of size one around it.
    SmallVector<ReassociationIndices> groups;
    SmallVector<AffineExpr> found;
    ReassociationIndices leading;
    for (auto [axis, size] : llvm::enumerate(sourceType.getShape())) {
      if (size != 1) {
        found.push_back(rewriter.getAffineDimExpr(padding + axis));
        groups.push_back(std::move(leading));
        leading.clear();
        groups.back().push_back(axis);
      } else if (groups.empty()) {
        leading.push_back(axis);
      } else {
        groups.back().push_back(axis);
      }
    }
    Value source = adaptor.getSource();
    if (static_cast<int64_t>(found.size()) < sourceType.getRank())
      source = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), source,
                                               groups);
    AffineMap map =
        AffineMap::get(type.getRank(), 0, found, rewriter.getContext());
    rewriter.replaceOp(op,
                       createMoved(rewriter, op.getLoc(), type, source, map));
    return success();
  }
};

struct ConvertTrans : OpConversionPattern<TransOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TransOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type =
        cast<RankedTensorType>(typeConverter->convertType(op.getType()));
    AffineMap map = inversePermutation(
        AffineMap::getPermutationMap(op.getPermutation(), op.getContext()));
    rewriter.replaceOp(
        op, createMoved(rewriter, op.getLoc(), type, adaptor.getSource(), map));
    return success();
  }
};

} // namespace

void to_linalg::populateShapePatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<ConvertSplat, ConvertSplatConstant, ConvertPoison, ConvertRange,
               ConvertReshape, ConvertBroadcast, ConvertTrans>(
      converter, patterns.getContext());
}

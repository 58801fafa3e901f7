//===- CombinePatterns.cpp - Arithmetic across elements -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dot becomes a linalg.contract whose loops are, from the outside in, the
// batch, M, K and N: the innermost one runs along rows of memory, and is
// vectorized. Being a named op, it takes in no element-wise op, which would be
// computed once per product, except for moves of axes. A scan works in place:
// each element takes in its predecessor.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"
#include "tileir/Conversion/TileLowering/CombiningKinds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::tile_lowering;
using namespace tileir::to_linalg;

/// Returns the identity element of a combination. For sums it is -0: adding +0
/// would turn -0 into +0.
static Value createIdentity(OpBuilder &builder, Location loc,
                            arith::AtomicRMWKind kind, Type element) {
  if (kind == arith::AtomicRMWKind::addf)
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(element, -0.0));
  return arith::getIdentityValue(kind, element, builder, loc);
}

/// The tile with other float elements, which hold at least the same values or
/// are rounded.
template <typename CastOp>
static Value createCast(OpBuilder &builder, Location loc, Value tile,
                        Type element) {
  return CastOp::create(builder, loc, withElement(tile.getType(), element),
                        tile);
}

/// Reads an operand of a contraction, at the elements of `map`, before its axes
/// are moved, if they are.
static Value skipMove(Value operand, AffineMap &map) {
  auto generic = operand.getDefiningOp<linalg::GenericOp>();
  if (!generic || !linalg::isaTransposeOpInterface(generic))
    return operand;
  map = generic.getIndexingMapsArray()[0].compose(map);
  return generic.getDpsInputs()[0];
}

namespace {

struct ConvertDot : OpConversionPattern<DotOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    unsigned rank = type.getRank();
    SmallVector<AffineExpr> batches;
    for (unsigned i = 0; i + 2 < rank; ++i)
      batches.push_back(rewriter.getAffineDimExpr(i));
    AffineExpr m = rewriter.getAffineDimExpr(rank - 2),
               k = rewriter.getAffineDimExpr(rank - 1),
               n = rewriter.getAffineDimExpr(rank);
    auto getMap = [&](AffineExpr row, AffineExpr column) {
      SmallVector<AffineExpr> found(batches);
      found.append({row, column});
      return AffineMap::get(rank + 1, 0, found, op.getContext());
    };
    AffineMap mapOfA = getMap(m, k), mapOfB = getMap(k, n);

    // Sums of half precision are rounded once.
    Type element = type.getElementType();
    bool isHalf = element.isF16() || element.isBF16();
    Value a = skipMove(adaptor.getA(), mapOfA),
          b = skipMove(adaptor.getB(), mapOfB), sum = adaptor.getAcc();
    if (op.isTF32()) {
      a = lowering::roundToTF32(rewriter, loc, a);
      b = lowering::roundToTF32(rewriter, loc, b);
    }
    if (isHalf)
      sum =
          createCast<arith::ExtFOp>(rewriter, loc, sum, rewriter.getF32Type());
    sum = linalg::ContractOp::create(
              rewriter, loc, sum.getType(), ValueRange{a, b}, sum,
              rewriter.getAffineMapArrayAttr({mapOfA, mapOfB, getMap(m, n)}))
              .getResult(0);
    if (isHalf)
      sum = createCast<arith::TruncFOp>(rewriter, loc, sum, element);
    rewriter.replaceOp(op, sum);
    return success();
  }
};

struct ConvertReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = getElement(op.getType());
    arith::AtomicRMWKind kind = getArithKind(op.getCombiner(), element);
    Value identity = createIdentity(rewriter, loc, kind, element);
    auto type = RankedTensorType::get(getShape(op.getType()), element);
    Value result =
        linalg::ReduceOp::create(
            rewriter, loc, adaptor.getSource(),
            createFilledTile(rewriter, loc, type, identity),
            static_cast<int64_t>(op.getAxis()),
            [&](OpBuilder &inner, Location innerLoc, ValueRange elements) {
              linalg::YieldOp::create(
                  inner, innerLoc,
                  arith::getReductionOp(kind, inner, innerLoc, elements[0],
                                        elements[1]));
            })
            .getResult(0);
    if (type.getRank() == 0)
      result = tensor::ExtractOp::create(rewriter, loc, result, ValueRange());
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ConvertScan : OpConversionPattern<ScanOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ScanOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    arith::AtomicRMWKind kind =
        getArithKind(op.getCombiner(), type.getElementType());
    unsigned axis = op.getAxis();
    int64_t last = type.getDimSize(axis) - 1;
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = last; // one step less than elements

    auto body = [&](OpBuilder &inner, Location loc, ValueRange indices,
                    Value tile) {
      AffineExpr step = inner.getAffineDimExpr(0);
      auto getIndices = [&](AffineExpr along) {
        SmallVector<Value> result(indices);
        result[axis] = getValueOrCreateConstantIndexOp(
            inner, loc,
            affine::makeComposedFoldedAffineApply(inner, loc, along,
                                                  OpFoldResult(indices[axis])));
        return result;
      };
      SmallVector<Value> from =
          getIndices(op.getReverse() ? last - step : step);
      SmallVector<Value> to =
          getIndices(op.getReverse() ? last - 1 - step : step + 1);
      Value before = getElementAt(inner, loc, tile, from);
      Value element = getElementAt(inner, loc, tile, to);
      Value combined = arith::getReductionOp(kind, inner, loc, before, element);
      return setElementAt(inner, loc, combined, tile, to);
    };
    rewriter.replaceOp(op, buildElementLoops(rewriter, op.getLoc(), shape,
                                             adaptor.getSource(), body));
    return success();
  }
};

} // namespace

void to_linalg::populateCombinePatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns.add<ConvertDot, ConvertReduce, ConvertScan>(converter,
                                                       patterns.getContext());
}

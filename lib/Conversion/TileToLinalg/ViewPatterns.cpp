//===- ViewPatterns.cpp - Dense blocks of memrefs -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the tile that lies inside of the memref is a box: loops go over
// that box only and need no mask. Of a load, all else is filled with 0 before.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_linalg;

namespace {
/// The location of a tile in a memref.
struct View {
  Value memref;
  SmallVector<Value> indices;             // of the tile's first element
  SmallVector<int64_t> axes, steps;       // of the memref, per axis of the tile
  SmallVector<OpFoldResult> lower, upper; // what of the tile is inside

  template <typename Op>
  View(OpBuilder &builder, Op op, typename Op::Adaptor adaptor,
       RankedTensorType tile, std::optional<ArrayRef<int64_t>> ofOp = {})
      : memref(adaptor.getMemref()), indices(adaptor.getIndices()),
        steps(tile.getRank(), 1) {
    if (ofOp)
      steps.assign(ofOp->begin(), ofOp->end());
    if (auto listed = op.getAxes())
      axes = llvm::to_vector(*listed);
    else
      axes = llvm::to_vector(llvm::seq<int64_t>(0, tile.getRank()));
    for (auto [axis, size, step] :
         llvm::zip_equal(axes, tile.getShape(), steps))
      addBounds(builder, op.getLoc(), axis, size, step);
  }

  /// Returns the indices of an element of the tile in the memref.
  SmallVector<Value> locate(OpBuilder &builder, Location loc,
                            ValueRange element) const {
    SmallVector<Value> result(indices);
    for (auto [axis, index, step] : llvm::zip_equal(axes, element, steps)) {
      Value distance = index;
      if (step != 1)
        distance = arith::MulIOp::create(
            builder, loc, index,
            arith::ConstantIndexOp::create(builder, loc, step));
      result[axis] =
          arith::AddIOp::create(builder, loc, indices[axis], distance);
    }
    return result;
  }

private:
  /// Adds the bounds max(0, -index) and the memref's size - index, in steps,
  /// both at most the tile's size, and not below 0.
  void addBounds(OpBuilder &builder, Location loc, int64_t axis, int64_t size,
                 int64_t step) {
    MLIRContext *context = builder.getContext();
    OpFoldResult dim = memref::getMixedSize(builder, loc, memref, axis);
    OpFoldResult index = getAsOpFoldResult(indices[axis]);
    AffineExpr d0 = builder.getAffineDimExpr(0),
               d1 = builder.getAffineDimExpr(1);
    AffineExpr zero = builder.getAffineConstantExpr(0),
               all = builder.getAffineConstantExpr(size);
    auto clamp = [&](AffineExpr value) {
      SmallVector<OpFoldResult, 2> inputs = {index, dim};
      OpFoldResult positive = affine::makeComposedFoldedAffineMax(
          builder, loc, AffineMap::get(2, 0, {zero, value}, context), inputs);
      return affine::makeComposedFoldedAffineMin(
          builder, loc, AffineMap::get(1, 0, {all, d0}, context), {positive});
    };
    lower.push_back(clamp((-d0).ceilDiv(step)));
    upper.push_back(clamp((d1 - d0).ceilDiv(step)));
  }
};

struct ConvertLoadView : OpConversionPattern<LoadViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    View view(rewriter, op, adaptor, type, op.getSteps());
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    auto body = [&](OpBuilder &inner, Location, ValueRange indices,
                    Value tile) {
      Value element = memref::LoadOp::create(inner, loc, view.memref,
                                             view.locate(inner, loc, indices));
      return setElementAt(inner, loc, element, tile, indices);
    };
    rewriter.replaceOp(
        op,
        buildElementLoops(rewriter, loc, view.lower, view.upper,
                          createFilledTile(rewriter, loc, type, zero), body));
    return success();
  }
};

struct ConvertStoreView : OpConversionPattern<StoreViewOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    View view(rewriter, op, adaptor,
              cast<RankedTensorType>(op.getValue().getType()));
    auto body = [&](OpBuilder &inner, Location, ValueRange indices,
                    Value) -> Value {
      Value element = getElementAt(inner, loc, adaptor.getValue(), indices);
      memref::StoreOp::create(inner, loc, element, view.memref,
                              view.locate(inner, loc, indices));
      return {};
    };
    buildElementLoops(rewriter, loc, view.lower, view.upper, {}, body);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void to_linalg::populateViewPatterns(const TypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<ConvertLoadView, ConvertStoreView>(converter,
                                                  patterns.getContext());
}

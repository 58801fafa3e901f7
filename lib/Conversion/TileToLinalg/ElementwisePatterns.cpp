//===- ElementwisePatterns.cpp - Addresses --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To arith, on scalars and tiles alike. Upstream's
// convert-elementwise-to-linalg makes linalg of what is on tiles.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_linalg;

/// A scalar, or a tile of equal elements. A constant does not do: tiles are
/// filled, see ShapePatterns.cpp.
static Value createInteger(OpBuilder &builder, Location loc, Type type,
                           int64_t number) {
  Value value = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(getElement(type), number));
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return createFilledTile(builder, loc, tile, value);
  return value;
}

namespace {

struct ConvertAddPtr : OpConversionPattern<AddPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AddPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = adaptor.getPtr().getType();
    Value offset = adaptor.getOffset();
    if (offset.getType() != type)
      offset = arith::ExtSIOp::create(rewriter, loc, type, offset);
    auto ptr = cast<PtrType>(getElement(op.getPtr().getType()));
    Value bytes = createInteger(rewriter, loc, type,
                                ptr.getPointee().getIntOrFloatBitWidth() / 8);
    offset = arith::MulIOp::create(rewriter, loc, offset, bytes);
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, adaptor.getPtr(), offset);
    return success();
  }
};

/// The address that a launch passes (Launches.cpp).
struct ConvertAddressCast : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
        typeConverter->convertType(op.getResult(0).getType()) !=
            adaptor.getInputs().front().getType())
      return rewriter.notifyMatchFailure(op,
                                         "not from an address to a pointer");
    rewriter.replaceOp(op, adaptor.getInputs());
    return success();
  }
};

/// Ops that select, or take tiles apart, do not care what the elements are.
struct ConvertElementTypes : ConversionPattern {
  ConvertElementTypes(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}
  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<arith::SelectOp>(op) &&
        !isa<tensor::TensorDialect>(op->getDialect()))
      return rewriter.notifyMatchFailure(op, "not known to take pointers");
    FailureOr<Operation *> converted =
        convertOpResultTypes(op, operands, *typeConverter, rewriter);
    if (failed(converted))
      return rewriter.notifyMatchFailure(op, "a result type has no form "
                                             "without pointers");
    rewriter.replaceOp(op, *converted);
    return success();
  }
};

} // namespace

void to_linalg::populateElementwisePatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<ConvertAddPtr, ConvertAddressCast, ConvertElementTypes>(
      converter, patterns.getContext());
}

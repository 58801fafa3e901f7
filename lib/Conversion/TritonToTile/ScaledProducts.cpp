//===- ScaledProducts.cpp - Products of scaled operands -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of operands that are scaled in blocks (OCP Microscaling Formats,
// version 1.0) is one of f16 if an operand has such elements, else of bf16, as
// Triton has it on chips without an instruction for it: elements and scales are
// exact there, and their product is rounded.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;
using triton::ScaledElement;

/// The elements along K that share a scale.
static constexpr int64_t kBlock = 32;

namespace {
/// Emits an operand, a matrix, with its scales. K is its axis `depth`.
class OperandEmitter {
public:
  OperandEmitter(OpBuilder &builder, Location loc, int64_t depth,
                 FloatType result)
      : builder(builder), loc(loc), depth(depth), result(result) {}

  Value emit(Value operand, ScaledElement element, bool isPackedAlongK,
             Value scale, bool checksNaN) {
    operand = element == ScaledElement::E2M1
                  ? unpack(operand, isPackedAlongK ? depth : 1 - depth)
                  : convert(operand);
    if (!scale)
      return operand;
    scale = spread(emitFactor(scale, checksNaN));
    return arith::MulFOp::create(builder, loc, operand, scale);
  }

private:
  Value constant(Value like, int64_t value) {
    return createScalarOrSplatConstant(builder, loc, like.getType(), value);
  }
  Value transpose(Value value, ArrayRef<int64_t> axes) {
    return tile::TransOp::create(builder, loc, value, axes);
  }
  Value widen(Value bytes) {
    return arith::ExtUIOp::create(
        builder, loc, tile::withElement(bytes.getType(), builder.getI16Type()),
        bytes);
  }

  /// A float as one of the product's, exactly, but for scales that f16 lacks.
  Value convert(Value value) {
    auto from = cast<FloatType>(tile::getElement(value.getType()));
    if (from == result)
      return value;
    Type to = tile::withElement(value.getType(), result);
    if (from.getWidth() < result.getWidth())
      return arith::ExtFOp::create(builder, loc, to, value);
    value = arith::ExtFOp::create(
        builder, loc, tile::withElement(to, builder.getF32Type()), value);
    return arith::TruncFOp::create(builder, loc, to, value);
  }

  Value fromBits(Value bits) {
    return convert(arith::BitcastOp::create(
        builder, loc, tile::withElement(bits.getType(), builder.getBF16Type()),
        bits));
  }

  /// Two numbers in each byte along an axis, of a sign, two bits of exponent
  /// (with a bias of 1) and one of mantissa.
  Value unpack(Value bytes, int64_t axis) {
    auto type = cast<RankedTensorType>(bytes.getType());
    Value wide = widen(bytes);
    Value upper = arith::ShRUIOp::create(builder, loc, wide, constant(wide, 4));
    Value pairs = emitJoin(builder, loc, wide, upper);
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] *= 2;
    if (axis == 0)
      pairs = transpose(pairs, {0, 2, 1});
    Value bits = emitReshape(builder, loc, pairs, shape);
    auto mask = [&](int64_t value) -> Value {
      return arith::AndIOp::create(builder, loc, bits, constant(bits, value));
    };
    auto shift = [&](Value value, int64_t count) -> Value {
      return arith::ShLIOp::create(builder, loc, value, constant(value, count));
    };
    // As bf16: exponent and mantissa stand side by side there, too, with
    // another bias. The least numbers, 0 and 1/2, are not normal.
    constexpr int64_t kHalf = 126 << 7;
    Value number = mask(7), sign = shift(mask(8), 12);
    auto is = [&](int64_t value) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                   number, constant(number, value));
    };
    Value normal = arith::AddIOp::create(builder, loc, shift(number, 6),
                                         constant(number, kHalf));
    normal = arith::SelectOp::create(builder, loc, is(1),
                                     constant(number, kHalf), normal);
    normal = arith::SelectOp::create(builder, loc, is(0), constant(number, 0),
                                     normal);
    return fromBits(arith::OrIOp::create(builder, loc, normal, sign));
  }

  /// 2^(s - 127) of each byte s.
  Value emitFactor(Value scale, bool checksNaN) {
    Value wide = widen(scale);
    auto is = [&](int64_t value) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, wide,
                                   constant(wide, value));
    };
    Value bits = arith::ShLIOp::create(builder, loc, wide, constant(wide, 7));
    // 2^-127 is not normal.
    bits = arith::SelectOp::create(builder, loc, is(0), constant(wide, 0x40),
                                   bits);
    if (checksNaN)
      bits = arith::SelectOp::create(builder, loc, is(255),
                                     constant(wide, 0x7fc0), bits);
    return fromBits(bits);
  }

  /// Factors, in rows of the other axis, for each element.
  Value spread(Value factors) {
    auto type = cast<RankedTensorType>(factors.getType());
    int64_t rows = type.getDimSize(0), blocks = type.getDimSize(1);
    factors = emitReshape(builder, loc, factors, {rows, blocks, 1});
    factors = tile::BroadcastOp::create(
        builder, loc,
        RankedTensorType::get({rows, blocks, kBlock}, type.getElementType()),
        factors);
    factors = emitReshape(builder, loc, factors, {rows, blocks * kBlock});
    return depth == 1 ? factors : transpose(factors, {1, 0});
  }

  OpBuilder &builder;
  Location loc;
  int64_t depth;
  FloatType result;
};

struct ConvertDotScaled : OpConversionPattern<triton::DotScaledOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::DotScaledOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool isF16 = op.getAElemType() == ScaledElement::FP16 ||
                 op.getBElemType() == ScaledElement::FP16;
    FloatType type = isF16 ? FloatType(rewriter.getF16Type())
                           : FloatType(rewriter.getBF16Type());
    bool checksNaN = !op.getFastMath();
    Value a = OperandEmitter(rewriter, op.getLoc(), /*depth=*/1, type)
                  .emit(adaptor.getA(), op.getAElemType(), op.getLhsKPack(),
                        adaptor.getAScale(), checksNaN);
    Value b = OperandEmitter(rewriter, op.getLoc(), /*depth=*/0, type)
                  .emit(adaptor.getB(), op.getBElemType(), op.getRhsKPack(),
                        adaptor.getBScale(), checksNaN);
    rewriter.replaceOpWithNewOp<tile::DotOp>(op, op.getType(), a, b,
                                             adaptor.getC(), StringAttr());
    return success();
  }
};
} // namespace

void triton_to_tile::populateScaledProductPatterns(
    const PointerConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertDotScaled>(converter, patterns.getContext());
}

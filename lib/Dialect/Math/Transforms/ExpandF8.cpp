//===- ExpandF8.cpp - expand-f8 -------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has no floats of 8 bits: to it they are bytes. This comes before the
// conversion to it, takes what vectors and scalars of f8 are computed with, and
// leaves loads, stores and moves of f8 alone.
//
// Upstream's emulation makes arithmetic on f32 of arithmetic on f8. Conversions
// are integer arithmetic on the bits, and round once, to nearest even, as
// llvm::APFloat does: what is too large becomes an infinity of f8E5M2, and NaN
// in f8E4M3FN, which has no infinities.
//
// A number of f8E5M2 is the upper byte of one of f16. One of f8E4M3FN in the
// same place is too small by 2^8, since its exponent is shorter.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Math/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tileir {
#define GEN_PASS_DEF_EXPANDF8PASS
#include "tileir/Dialect/Math/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;

static bool isF8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type));
}

namespace {
/// Builds arithmetic on scalars or vectors of one shape.
class BitBuilder : public ImplicitLocOpBuilder {
public:
  explicit BitBuilder(Operation *op)
      : ImplicitLocOpBuilder(op->getLoc(), op),
        shape(op->getResult(0).getType()) {}

  Type withElement(Type element) {
    auto shaped = dyn_cast<ShapedType>(shape);
    return shaped ? Type(shaped.clone(element)) : element;
  }
  Value constant(Type element, uint64_t bits) {
    unsigned width = element.getIntOrFloatBitWidth();
    APInt value(width, bits);
    TypedAttr attr = getIntegerAttr(getIntegerType(width), value);
    if (auto type = dyn_cast<FloatType>(element))
      attr = getFloatAttr(type, APFloat(type.getFloatSemantics(), value));
    if (auto shaped = dyn_cast<ShapedType>(withElement(element)))
      attr = DenseElementsAttr::get(shaped, Attribute(attr));
    return arith::ConstantOp::create(*this, attr);
  }
  template <typename Op> Value bits(Value lhs, uint64_t rhs) {
    return Op::create(*this, lhs,
                      constant(getElementTypeOrSelf(lhs.getType()), rhs));
  }
  template <typename Op> Value cast(Type element, Value value) {
    return Op::create(*this, withElement(element), value);
  }
  Value bitcast(Type element, Value value) {
    return cast<arith::BitcastOp>(element, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, uint64_t rhs) {
    return arith::CmpIOp::create(
        *this, predicate, lhs,
        constant(getElementTypeOrSelf(lhs.getType()), rhs));
  }

private:
  Type shape;
};
} // namespace

//===----------------------------------------------------------------------===//
// From f8
//===----------------------------------------------------------------------===//

/// `value` of f8 as f16, or for f8E4M3FN 2^-8 times it.
static Value extendToHalf(BitBuilder &builder, Value value, Value byte) {
  Type i16 = builder.getI16Type();
  Value bits = builder.cast<arith::ExtUIOp>(i16, byte);
  if (isa<Float8E5M2Type>(getElementTypeOrSelf(value.getType())))
    return builder.bitcast(builder.getF16Type(),
                           builder.bits<arith::ShLIOp>(bits, 8));
  Value sign =
      builder.bits<arith::ShLIOp>(builder.bits<arith::AndIOp>(bits, 0x80), 8);
  Value magnitude =
      builder.bits<arith::ShLIOp>(builder.bits<arith::AndIOp>(bits, 0x7f), 7);
  return builder.bitcast(builder.getF16Type(),
                         arith::OrIOp::create(builder, sign, magnitude));
}

static Value extend(BitBuilder &builder, Value value, Type to) {
  Type f32 = builder.getF32Type();
  Value byte = builder.bitcast(builder.getI8Type(), value);
  Value half = extendToHalf(builder, value, byte);
  if (to.isF16() && isa<Float8E5M2Type>(getElementTypeOrSelf(value.getType())))
    return half;
  Value single = builder.cast<arith::ExtFOp>(f32, half);
  if (isa<Float8E4M3FNType>(getElementTypeOrSelf(value.getType()))) {
    constexpr uint32_t kTwoTo8 = 135u << 23, kNaN = 0x7fc00000;
    single = builder.bits<arith::MulFOp>(single, kTwoTo8);
    Value isNaN =
        builder.compare(arith::CmpIPredicate::eq,
                        builder.bits<arith::AndIOp>(byte, 0x7f), 0x7f);
    single = arith::SelectOp::create(builder, isNaN,
                                     builder.constant(f32, kNaN), single);
  }
  if (to.isF32())
    return single;
  return to.getIntOrFloatBitWidth() > 32
             ? builder.cast<arith::ExtFOp>(to, single)
             : builder.cast<arith::TruncFOp>(to, single);
}

//===----------------------------------------------------------------------===//
// To f8
//===----------------------------------------------------------------------===//

/// A double as f32, rounded to odd: rounding that again, to far fewer bits,
/// gives what rounding once gives.
static Value roundToOdd(BitBuilder &builder, Value value) {
  Type i32 = builder.getI32Type();
  Value single = builder.cast<arith::TruncFOp>(builder.getF32Type(), value);
  Value back = builder.cast<arith::ExtFOp>(builder.getF64Type(), single);
  constexpr uint64_t kMagnitude = ~uint64_t(0) >> 1;
  auto magnitude = [&](Value x) {
    return builder.bits<arith::AndIOp>(builder.bitcast(builder.getI64Type(), x),
                                       kMagnitude);
  };
  Value isLarger = arith::CmpIOp::create(builder, arith::CmpIPredicate::ugt,
                                         magnitude(back), magnitude(value));
  Value isInexact =
      arith::CmpFOp::create(builder, arith::CmpFPredicate::ONE, back, value);
  Value bits = builder.bitcast(i32, single);
  // Not of NaN, whose bits may look larger.
  isLarger = arith::AndIOp::create(builder, isLarger, isInexact);
  bits = arith::SubIOp::create(builder, bits,
                               builder.cast<arith::ExtUIOp>(i32, isLarger));
  bits = arith::OrIOp::create(builder, bits,
                              builder.cast<arith::ExtUIOp>(i32, isInexact));
  return builder.bitcast(builder.getF32Type(), bits);
}

static Value truncate(BitBuilder &builder, Value value, FloatType to) {
  const llvm::fltSemantics &semantics = to.getFloatSemantics();
  const int mantissa = APFloat::semanticsPrecision(semantics) - 1;
  const int minExponent = APFloat::semanticsMinExponent(semantics);
  const int dropped = 23 - mantissa;
  // The bits of the least normal number, as f32, and of the first magnitude
  // that is no number of f8.
  const uint32_t leastNormal = uint32_t(minExponent + 127) << 23;
  const uint32_t firstOther =
      APFloat::getLargest(semantics).bitcastToAPInt().getZExtValue() + 1;

  Type from = getElementTypeOrSelf(value.getType());
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  if (from.isF64())
    value = roundToOdd(builder, value);
  else if (!from.isF32())
    value = builder.cast<arith::ExtFOp>(f32, value);
  Value bits = builder.bitcast(i32, value);
  Value magnitude = builder.bits<arith::AndIOp>(bits, 0x7fffffff);
  // Half a unit of the last place is added, less one if the last bit that stays
  // is 0; a carry goes on to the exponent.
  Value last = builder.bits<arith::AndIOp>(
      builder.bits<arith::ShRUIOp>(magnitude, dropped), 1);
  Value normal = builder.bits<arith::AddIOp>(
      arith::AddIOp::create(builder, magnitude, last),
      (uint32_t(1) << (dropped - 1)) - 1 - (leastNormal - (1u << 23)));
  normal = builder.bits<arith::ShRUIOp>(normal, dropped);
  // The last bit of this number is worth what that of subnormal f8 is: adding
  // it rounds there.
  const uint32_t shifter = uint32_t(minExponent - mantissa + 23 + 127) << 23;
  Value subnormal = builder.bits<arith::SubIOp>(
      builder.bitcast(i32, builder.bits<arith::AddFOp>(
                               builder.bitcast(f32, magnitude), shifter)),
      shifter);
  Value result = arith::SelectOp::create(
      builder,
      builder.compare(arith::CmpIPredicate::ult, magnitude, leastNormal),
      subnormal, normal);
  result = builder.bits<arith::MinUIOp>(result, firstOther);
  if (isa<Float8E5M2Type>(to)) {
    constexpr uint32_t kInfinity = 0x7f800000, kNaN = 0x7e;
    result = arith::SelectOp::create(
        builder,
        builder.compare(arith::CmpIPredicate::ugt, magnitude, kInfinity),
        builder.constant(i32, kNaN), result);
  }
  Value sign =
      builder.bits<arith::AndIOp>(builder.bits<arith::ShRUIOp>(bits, 24), 0x80);
  result = arith::OrIOp::create(builder, result, sign);
  return builder.bitcast(
      to, builder.cast<arith::TruncIOp>(builder.getI8Type(), result));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ExpandF8Pass : tileir::impl::ExpandF8PassBase<ExpandF8Pass> {
  using Base::Base;

  void runOnOperation() override {
    auto usesF8 = [](Operation *op) {
      return llvm::any_of(op->getOperandTypes(), isF8) ||
             llvm::any_of(op->getResultTypes(), isF8);
    };
    bool computes = false;
    getOperation()->walk([&](Operation *op) {
      computes |= isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                                  vector::VectorDialect>(op->getDialect()) &&
                  usesF8(op);
    });
    if (!computes)
      return;
    if (failed(emulateArithmetic()))
      return signalPassFailure();
    SmallVector<Operation *> conversions;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op) && usesF8(op))
        conversions.push_back(op);
    });
    for (Operation *op : conversions)
      if (failed(expand(op)))
        return signalPassFailure();
  }

private:
  LogicalResult emulateArithmetic() {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter,
        {Float8E4M3FNType::get(context), Float8E5M2Type::get(context)},
        Float32Type::get(context));
    RewritePatternSet patterns(context);
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  LogicalResult expand(Operation *op) {
    if (auto truncation = dyn_cast<arith::TruncFOp>(op))
      if (auto mode = truncation.getRoundingmode();
          mode && *mode != arith::RoundingMode::to_nearest_even)
        return op->emitError("expand-f8 rounds to nearest even, found '")
               << arith::stringifyRoundingMode(*mode) << "'";
    BitBuilder builder(op);
    Value value = op->getOperand(0);
    Type to = getElementTypeOrSelf(op->getResult(0).getType());
    Value result = isF8(value.getType())
                       ? extend(builder, value, to)
                       : truncate(builder, value, cast<FloatType>(to));
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    ++numExpanded;
    return success();
  }
};
} // namespace

//===- ApproximatePower.cpp - Powers of vectors ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x^y is 2^(y log2 |x|), in f64, of which the digits that are lost by the
// product are none of f32. With |x| = 2^e m, m from sqrt(1/2) to sqrt(2), and
// t = (m - 1) / (m + 1), log2(m) is 2 / log(2) (t + t^3 / 3 + t^5 / 5 + ...).
// Both series are those of Taylor, whose next terms are below 2^-36. Subnormal
// numbers of f32 are none of f64. What exceeds f32 becomes infinite, or 0, when
// it is rounded; the rest of what IEEE 754 says of powers is selected.
//
// Powers that are constant, and products, quotients or roots, are these.
//
//===----------------------------------------------------------------------===//

#include "Approximations.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::math_transforms;

using Predicate = arith::CmpFPredicate;

namespace {

/// Builds arithmetic on vectors of f64, as long as one of f32.
class WideBuilder : public VectorBuilder {
public:
  WideBuilder(OpBuilder &builder, Location loc, VectorType narrow)
      : VectorBuilder(builder, loc, narrow.clone(builder.getF64Type())) {}

  Value fromBits(Value x) { return arith::BitcastOp::create(*this, type, x); }
  Value add(Value a, Value b) { return arith::AddFOp::create(*this, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(*this, a, b); }
  Value compare(Predicate predicate, Value a, double b) {
    return arith::CmpFOp::create(*this, predicate, a, getSplat(b));
  }
  Value both(Value a, Value b) { return arith::AndIOp::create(*this, a, b); }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(*this, condition, a, b);
  }
  /// Whether `x` is no integer.
  Value isFraction(Value x) {
    return arith::CmpFOp::create(*this, Predicate::UNE,
                                 math::FloorOp::create(*this, x), x);
  }
};

constexpr double kLog2 = 0.693147180559945309417;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Added to a number of f64, and subtracted, rounds it; the sum has the result
/// in its low bits.
constexpr double kWideShift = 0x1.8p52;
constexpr int64_t kFractionBits = 52, kBias = 1023;

/// log2(x) of what is above 0 and finite.
Value createLog2(WideBuilder &builder, Value x) {
  constexpr double kRoot = 0.707106781186547524401;
  Value bits = builder.getBits(x), width = builder.getInts(kFractionBits);
  Value exponent = arith::ShRSIOp::create(
      builder,
      arith::SubIOp::create(builder, bits,
                            builder.getInts(llvm::bit_cast<int64_t>(kRoot))),
      width);
  Value m = builder.fromBits(arith::SubIOp::create(
      builder, bits, arith::ShLIOp::create(builder, exponent, width)));
  // Few CPUs convert vectors of i64.
  Value shifted = builder.fromBits(arith::AddIOp::create(
      builder, exponent, builder.getInts(llvm::bit_cast<int64_t>(kWideShift))));
  Value e = builder.sub(shifted, builder.getSplat(kWideShift));
  Value one = builder.getSplat(1);
  Value t =
      arith::DivFOp::create(builder, builder.sub(m, one), builder.add(m, one));
  SmallVector<double> coefficients;
  for (int i = 0; i < 7; ++i)
    coefficients.push_back(2 / kLog2 / (2 * i + 1));
  Value sum =
      builder.polynomial(builder.mul(t, t), llvm::reverse(coefficients));
  return math::FmaOp::create(builder, t, sum, e);
}

/// 2^x of what has exponents of f64.
Value createExp2(WideBuilder &builder, Value x) {
  Value shifted = builder.add(x, builder.getSplat(kWideShift));
  Value n = builder.sub(shifted, builder.getSplat(kWideShift));
  SmallVector<double> coefficients{1};
  for (int i = 1; i < 10; ++i)
    coefficients.push_back(coefficients.back() * kLog2 / i);
  Value sum =
      builder.polynomial(builder.sub(x, n), llvm::reverse(coefficients));
  Value power = arith::ShLIOp::create(builder, builder.getBits(shifted),
                                      builder.getInts(kFractionBits));
  power = arith::AddIOp::create(builder, power,
                                builder.getInts(kBias << kFractionBits));
  return builder.mul(sum, builder.fromBits(power));
}

/// Whether `op` is on vectors of f32.
bool isOfF32(math::PowFOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  return type && type.getElementType().isF32();
}

/// A constant power by a few operations.
struct ExpandConstantPower : OpRewritePattern<math::PowFOp> {
  explicit ExpandConstantPower(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/3) {}

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    FloatAttr splat;
    DenseFPElementsAttr elements;
    if (matchPattern(op.getRhs(), m_Constant(&elements)) && elements.isSplat())
      splat = elements.getSplatValue<FloatAttr>();
    else if (auto broadcast = op.getRhs().getDefiningOp<vector::BroadcastOp>())
      matchPattern(broadcast.getSource(), m_Constant(&splat));
    if (!splat || !isOfF32(op))
      return rewriter.notifyMatchFailure(op, "no constant power of f32");
    double power = splat.getValueAsDouble();
    Value x = op.getLhs();
    VectorBuilder builder(rewriter, op.getLoc(),
                          cast<VectorType>(op.getType()));
    if (power == 1) {
      rewriter.replaceOp(op, x);
    } else if (power == 2) {
      rewriter.replaceOp(op, builder.mul(x, x));
    } else if (power == 3) {
      rewriter.replaceOp(op, builder.mul(builder.mul(x, x), x));
    } else if (power == -1) {
      rewriter.replaceOpWithNewOp<arith::DivFOp>(op, builder.getSplat(1), x);
    } else if (power == 0.5) {
      // The power of -0 is 0, and that of -infinity infinity.
      constexpr float kInfinity = std::numeric_limits<float>::infinity();
      Value root = math::SqrtOp::create(
          builder, arith::AddFOp::create(builder, x, builder.getSplat(0)));
      Value isLeast = arith::CmpFOp::create(builder, Predicate::OEQ, x,
                                            builder.getSplat(-kInfinity));
      rewriter.replaceOpWithNewOp<arith::SelectOp>(
          op, isLeast, builder.getSplat(kInfinity), root);
    } else {
      return rewriter.notifyMatchFailure(op, "another constant power");
    }
    return success();
  }
};

struct ApproximatePower : OpRewritePattern<math::PowFOp> {
  explicit ApproximatePower(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    // A result of f32 has no exponents beyond these.
    constexpr double kMostPower = 200;
    if (!isOfF32(op))
      return rewriter.notifyMatchFailure(op, "not of vectors of f32");
    WideBuilder builder(rewriter, op.getLoc(), cast<VectorType>(op.getType()));
    Value x = arith::ExtFOp::create(builder, builder.type, op.getLhs());
    Value y = arith::ExtFOp::create(builder, builder.type, op.getRhs());
    Value absX = math::AbsFOp::create(builder, x);
    Value log = createLog2(builder, absX);
    for (auto [end, result] :
         {std::pair(0.0, -kInfinity), std::pair(kInfinity, kInfinity)})
      log = builder.select(builder.compare(Predicate::OEQ, absX, end),
                           builder.getSplat(result), log);
    log = builder.select(builder.compare(Predicate::UNO, absX, 0), absX, log);
    Value power = builder.mul(y, log);
    // Any power of 1, or of -1 to an infinite one, and the power of 0.
    Value isInfinite = builder.compare(
        Predicate::OEQ, math::AbsFOp::create(builder, y), kInfinity);
    Value isOne =
        builder.both(builder.compare(Predicate::OEQ, absX, 1), isInfinite);
    isOne = arith::OrIOp::create(builder, isOne,
                                 builder.compare(Predicate::OEQ, x, 1));
    isOne = arith::OrIOp::create(builder, isOne,
                                 builder.compare(Predicate::OEQ, y, 0));
    power = builder.select(isOne, builder.getSplat(0), power);
    Value isNaN = builder.compare(Predicate::UNO, power, 0);
    for (auto [stays, end] : {std::pair(Predicate::OGT, -kMostPower),
                              std::pair(Predicate::OLT, kMostPower)})
      power = builder.select(builder.compare(stays, power, end), power,
                             builder.getSplat(end));
    Value result = createExp2(builder, power);
    // Of negative numbers odd powers are, and those that are no integers none.
    Value isNegative =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::slt,
                              builder.getBits(x), builder.getInts(0));
    Value isFraction = builder.isFraction(y);
    Value isOdd = arith::XOrIOp::create(
        builder, isFraction,
        builder.isFraction(builder.mul(y, builder.getSplat(0.5))));
    Value flipped = arith::NegFOp::create(builder, result);
    result = builder.select(builder.both(isNegative, isOdd), flipped, result);
    Value isBelow0 =
        builder.both(builder.compare(Predicate::OLT, x, 0),
                     builder.compare(Predicate::OGT, x, -kInfinity));
    Value isOutside = builder.both(isBelow0, isFraction);
    isNaN = arith::OrIOp::create(builder, isNaN, isOutside);
    Value nan = builder.getSplat(std::numeric_limits<double>::quiet_NaN());
    result = builder.select(isNaN, nan, result);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), result);
    return success();
  }
};

} // namespace

void math_transforms::populatePowerPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandConstantPower, ApproximatePower>(patterns.getContext());
}

//===- ApproximateSine.cpp - Sines of vectors -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With n = x / (pi / 2), rounded, and r = x - n pi / 2, sin(x) and cos(x) are
// those of r, which polynomials give (Cephes), in the order and with the signs
// that n mod 4 tells. The difference is exact enough while n pi / 2, of three
// parts, is: for angles up to 2^17. If a vector has a larger one, or infinities
// or NaN, its elements are computed one by one, by libm.
//
//===----------------------------------------------------------------------===//

#include "Approximations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tileir;

static constexpr float kMostAngle = 0x1p17f;
/// The addition of 1.5 * 2^23 rounds to a whole number, in the low bits.
static constexpr float kShift = 0x1.8p23f;
static constexpr float kTwoOverPi = 0.636619772f;
/// pi / 2 in three parts.
static constexpr float kHalfPi[] = {0x1.921fb6p0f, -0x1.777a5cp-25f,
                                    -0x1.ee59dap-50f};
static constexpr float kSine[] = {-1.9515295891e-4f, 8.3321608736e-3f,
                                  -1.6666654611e-1f};
static constexpr float kCosine[] = {
    2.443315711809948e-5f, -1.388731625493765e-3f, 4.166664568298827e-2f};

namespace {

/// Arithmetic on vectors of f32.
class SineBuilder {
public:
  SineBuilder(OpBuilder &builder, Location loc, VectorType type)
      : builder(loc, builder), type(type),
        integers(type.clone(builder.getI32Type())) {}

  Value getSplat(float number) {
    return arith::ConstantOp::create(
        builder, DenseElementsAttr::get(
                     type, Attribute(builder.getF32FloatAttr(number))));
  }
  Value getInts(int32_t number) {
    return arith::ConstantOp::create(
        builder, DenseElementsAttr::get(
                     integers, Attribute(builder.getI32IntegerAttr(number))));
  }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, a, b, c);
  }
  Value mul(Value a, Value b) { return arith::MulFOp::create(builder, a, b); }
  Value getBits(Value x) {
    return arith::BitcastOp::create(builder, integers, x);
  }
  /// The bits of `x` that `mask` has, moved to the left.
  Value getMasked(Value x, int32_t mask, int32_t left = 0) {
    x = arith::AndIOp::create(builder, x, getInts(mask));
    return left ? arith::ShLIOp::create(builder, x, getInts(left)).getResult()
                : x;
  }
  Value polynomial(Value x, ArrayRef<float> coefficients) {
    Value sum = getSplat(coefficients.front());
    for (float coefficient : coefficients.drop_front())
      sum = fma(sum, x, getSplat(coefficient));
    return sum;
  }

  /// Whether an element is not within the angles of `compute`.
  Value isFar(Value x) {
    Value isFar = arith::CmpFOp::create(builder, arith::CmpFPredicate::UGT,
                                        math::AbsFOp::create(builder, x),
                                        getSplat(kMostAngle));
    return vector::ReductionOp::create(builder, vector::CombiningKind::OR,
                                       isFar);
  }

  Value compute(Value x, bool isCosine) {
    Value angle = math::AbsFOp::create(builder, x);
    Value shifted = fma(angle, getSplat(kTwoOverPi), getSplat(kShift));
    Value n = arith::SubFOp::create(builder, shifted, getSplat(kShift));
    Value r = angle;
    for (float part : kHalfPi)
      r = fma(n, getSplat(-part), r);
    Value square = mul(r, r);
    Value sine = fma(mul(square, r), polynomial(square, kSine), r);
    Value cosine = fma(square, getSplat(-0.5f), getSplat(1));
    cosine = fma(mul(square, square), polynomial(square, kCosine), cosine);

    Value quarter = getBits(shifted);
    Value isOdd = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                        getMasked(quarter, 1), getInts(0));
    Value first = isCosine ? cosine : sine, second = isCosine ? sine : cosine;
    Value result = arith::SelectOp::create(builder, isOdd, second, first);
    // Sines are negative in the third and fourth quarter, and of negative
    // angles; cosines in the second and third.
    if (isCosine)
      quarter = arith::AddIOp::create(builder, quarter, getInts(1));
    Value sign = getMasked(quarter, 2, /*left=*/30);
    if (!isCosine)
      sign = arith::XOrIOp::create(
          builder, sign,
          getMasked(getBits(x), std::numeric_limits<int32_t>::min()));
    sign = arith::XOrIOp::create(builder, sign, getBits(result));
    return arith::BitcastOp::create(builder, type, sign);
  }

  /// One by one.
  template <typename Op> Value computeEach(Value x) {
    auto getConstant = [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(builder, number);
    };
    return scf::ForOp::create(
               builder, builder.getLoc(), getConstant(0),
               getConstant(type.getNumElements()), getConstant(1), x,
               [&](OpBuilder &inner, Location loc, Value lane,
                   ValueRange carried) {
                 Value vector = carried.front();
                 Value element =
                     vector::ExtractOp::create(inner, loc, vector, lane);
                 element = Op::create(inner, loc, element);
                 vector = vector::InsertOp::create(inner, loc, element, vector,
                                                   lane);
                 scf::YieldOp::create(inner, loc, vector);
               })
        .getResult(0);
  }

private:
  ImplicitLocOpBuilder builder;
  VectorType type, integers;
};

template <typename Op> struct ApproximateSine : OpRewritePattern<Op> {
  explicit ApproximateSine(MLIRContext *context)
      : OpRewritePattern<Op>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32() || type.getRank() != 1)
      return rewriter.notifyMatchFailure(op, "not of vectors of f32 with one "
                                             "axis");
    Value x = op.getOperand();
    Value isFar = SineBuilder(rewriter, op.getLoc(), type).isFar(x);
    auto yield = [&](OpBuilder &builder, Location loc, auto compute) {
      SineBuilder sine(builder, loc, type);
      Value result = compute(sine);
      scf::YieldOp::create(builder, loc, result);
    };
    rewriter.replaceOpWithNewOp<scf::IfOp>(
        op, isFar,
        [&](OpBuilder &builder, Location loc) {
          yield(builder, loc, [&](SineBuilder &sine) {
            return sine.template computeEach<Op>(x);
          });
        },
        [&](OpBuilder &builder, Location loc) {
          yield(builder, loc, [&](SineBuilder &sine) {
            return sine.compute(x, std::is_same_v<Op, math::CosOp>);
          });
        });
    return success();
  }
};

} // namespace

void math_transforms::populateSinePatterns(RewritePatternSet &patterns) {
  patterns.add<ApproximateSine<math::SinOp>, ApproximateSine<math::CosOp>>(
      patterns.getContext());
}

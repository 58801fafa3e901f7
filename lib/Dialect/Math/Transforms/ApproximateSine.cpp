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

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::math_transforms;

static constexpr float kMostAngle = 0x1p17f;
static constexpr float kTwoOverPi = 0.636619772f;
/// pi / 2 in three parts.
static constexpr float kHalfPi[] = {0x1.921fb6p0f, -0x1.777a5cp-25f,
                                    -0x1.ee59dap-50f};
static constexpr float kSine[] = {-1.9515295891e-4f, 8.3321608736e-3f,
                                  -1.6666654611e-1f};
static constexpr float kCosine[] = {
    2.443315711809948e-5f, -1.388731625493765e-3f, 4.166664568298827e-2f};

namespace {

class SineBuilder : public VectorBuilder {
public:
  using VectorBuilder::VectorBuilder;

  /// The bits of `x` that `mask` has, moved to the left.
  Value getMasked(Value x, int32_t mask, int32_t left = 0) {
    x = arith::AndIOp::create(*this, x, getInts(mask));
    return left ? arith::ShLIOp::create(*this, x, getInts(left)).getResult()
                : x;
  }
  /// Whether an element is not within the angles of `compute`.
  Value isFar(Value x) {
    Value isFar = arith::CmpFOp::create(*this, arith::CmpFPredicate::UGT,
                                        math::AbsFOp::create(*this, x),
                                        getSplat(kMostAngle));
    return vector::ReductionOp::create(*this, vector::CombiningKind::OR, isFar);
  }

  Value compute(Value x, bool isCosine) {
    Value angle = math::AbsFOp::create(*this, x);
    Value shifted = fma(angle, getSplat(kTwoOverPi), getSplat(kShift));
    Value n = arith::SubFOp::create(*this, shifted, getSplat(kShift));
    Value r = angle;
    for (float part : kHalfPi)
      r = fma(n, getSplat(-part), r);
    Value square = mul(r, r);
    Value sine = fma(mul(square, r), polynomial(square, kSine), r);
    Value cosine = fma(square, getSplat(-0.5f), getSplat(1));
    cosine = fma(mul(square, square), polynomial(square, kCosine), cosine);

    Value quarter = getBits(shifted);
    Value isOdd = arith::CmpIOp::create(*this, arith::CmpIPredicate::ne,
                                        getMasked(quarter, 1), getInts(0));
    Value first = isCosine ? cosine : sine, second = isCosine ? sine : cosine;
    Value result = arith::SelectOp::create(*this, isOdd, second, first);
    // Sines are negative in the third and fourth quarter, and of negative
    // angles; cosines in the second and third.
    if (isCosine)
      quarter = arith::AddIOp::create(*this, quarter, getInts(1));
    Value sign = getMasked(quarter, 2, /*left=*/30);
    if (!isCosine)
      sign = arith::XOrIOp::create(
          *this, sign,
          getMasked(getBits(x), std::numeric_limits<int32_t>::min()));
    sign = arith::XOrIOp::create(*this, sign, getBits(result));
    return arith::BitcastOp::create(*this, type, sign);
  }

  /// One by one.
  template <typename Op> Value computeEach(Value x) {
    auto getConstant = [&](int64_t number) -> Value {
      return arith::ConstantIndexOp::create(*this, number);
    };
    return scf::ForOp::create(
               *this, getLoc(), getConstant(0),
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

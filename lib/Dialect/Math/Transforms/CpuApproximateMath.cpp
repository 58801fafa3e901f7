//===- CpuApproximateMath.cpp - cpu-approximate-math ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The polynomials are upstream's. Of its functions this takes those that err by
// a few units of the last place; its sines lose all digits of large angles,
// ours do not (ApproximateSine.cpp), and cube roots those of infinities. Its
// logarithms take subnormal numbers for the least normal one, so what they are
// given is scaled before.
//
// Exponentials are of our own, as they are most of what softmax, sigmoid and
// attention compute: 18 instructions instead of 26. With n = x / log(2),
// rounded by the addition of 1.5 * 2^23, after which its low bits are n, exp(x)
// is 2^n exp(x - n log(2)); exp2(x) is 2^n exp((x - n) log(2)), with n = x.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Math/Transforms/Passes.h"

#include "Approximations.h"

#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tileir {
#define GEN_PASS_DEF_CPUAPPROXIMATEMATHPASS
#include "tileir/Dialect/Math/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::math_transforms;

static constexpr StringLiteral kFunctions[] = {"tanh",  "exp",  "exp2", "expm1",
                                               "erf",   "erfc", "log",  "log2",
                                               "log1p", "sin",  "cos",  "powf"};

/// Has a logarithm to `base` compute subnormal numbers, which exist in f32
/// alone, by log(x) = log(2^23 x) - log(2^23).
static void scaleSubnormals(Operation *op, double base) {
  constexpr double kLeastNormal = 0x1p-126, kScale = 0x1p23;
  OpBuilder before(op);
  VectorBuilder builder(before, op->getLoc(),
                        cast<VectorType>(op->getResult(0).getType()));
  Value x = op->getOperand(0), zero = builder.getSplat(0);
  Value isSmall = arith::CmpFOp::create(builder, arith::CmpFPredicate::OLT, x,
                                        builder.getSplat(kLeastNormal));
  Value scaled = builder.mul(x, builder.getSplat(kScale));
  op->setOperand(0, arith::SelectOp::create(builder, isSmall, scaled, x));
  Value shift = arith::SelectOp::create(
      builder, isSmall, builder.getSplat(std::log(kScale) / std::log(base)),
      zero);
  builder.setInsertionPointAfter(op);
  auto result = arith::SubFOp::create(builder, op->getResult(0), shift);
  op->getResult(0).replaceAllUsesExcept(result, result);
}

namespace {

/// maximumf(x, 0): x where it is greater, or NaN. Of zeros the right one is
/// taken, which is the greater.
struct SelectMaximum : OpRewritePattern<arith::MaximumFOp> {
  SelectMaximum(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(arith::MaximumFOp op,
                                PatternRewriter &rewriter) const override {
    if (!matchPattern(op.getRhs(), m_PosZeroFloat()))
      return rewriter.notifyMatchFailure(op, "the right operand is not 0");
    ++count;
    Value stays =
        arith::CmpFOp::create(rewriter, op.getLoc(), arith::CmpFPredicate::UGT,
                              op.getLhs(), op.getRhs());
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, stays, op.getLhs(),
                                                 op.getRhs());
    return success();
  }

  Pass::Statistic &count;
};

/// exp or exp2 of f32. Beyond the range it is that at its ends, where it is 0
/// or infinite, and NaN stays NaN: of two operands, of which one is,
/// comparisons that hold choose x.
template <typename Op> struct ApproximateExp : OpRewritePattern<Op> {
  explicit ApproximateExp(MLIRContext *context)
      : OpRewritePattern<Op>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isExp2 = std::is_same_v<Op, math::Exp2Op>;
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not of vectors of f32");
    VectorBuilder builder(rewriter, op.getLoc(), type);
    auto clamp = [&](arith::CmpFPredicate stays, Value x, float end,
                     float instead) -> Value {
      return arith::SelectOp::create(
          builder,
          arith::CmpFOp::create(builder, stays, x, builder.getSplat(end)), x,
          builder.getSplat(instead));
    };
    constexpr float kMostPower = 127;
    // log(2) in two parts, of which products of the first one are exact.
    constexpr float kLog2High = 0x1.63p-1f, kLog2Low = -2.12194440e-4f;
    constexpr float kPolynomial[] = {1.9875691500e-4f, 1.3981999507e-3f,
                                     8.3334519073e-3f, 4.1665795894e-2f,
                                     1.6666665459e-1f, 5.0000001201e-1f};

    // What exceeds the range by much is infinite for certain.
    constexpr float kLeast = isExp2 ? -127 : -87.8f,
                    kMost = isExp2 ? 128 : 88.8f,
                    kInfinite = isExp2 ? 129 : kMost;
    Value x = clamp(arith::CmpFPredicate::UGT, op.getOperand(), kLeast, kLeast);
    x = clamp(arith::CmpFPredicate::ULT, x, kMost, kInfinite);
    Value shifted =
        isExp2 ? arith::AddFOp::create(builder, x, builder.getSplat(kShift))
                     .getResult()
               : builder.fma(x, builder.getSplat(1.44269504f),
                             builder.getSplat(kShift));
    shifted = clamp(arith::CmpFPredicate::ULT, shifted, kShift + kMostPower,
                    kShift + kMostPower);
    Value n = arith::SubFOp::create(builder, shifted, builder.getSplat(kShift));
    Value r;
    if (isExp2) {
      r = arith::SubFOp::create(builder, x, n);
      r = builder.mul(r, builder.getSplat(0.693147181f));
    } else {
      r = builder.fma(n, builder.getSplat(-kLog2High), x);
      r = builder.fma(n, builder.getSplat(-kLog2Low), r);
    }
    Value sum = builder.polynomial(r, kPolynomial);
    sum = builder.fma(sum, builder.mul(r, r), r);
    sum = arith::AddFOp::create(builder, sum, builder.getSplat(1));
    // The exponent of 2^n, in its place; of n = -127 it is that of 0.
    Value power = arith::ShLIOp::create(builder, builder.getBits(shifted),
                                        builder.getInts(23));
    power = arith::AddIOp::create(builder, power, builder.getInts(127 << 23));
    rewriter.replaceOpWithNewOp<arith::MulFOp>(
        op, sum, arith::BitcastOp::create(builder, type, power));
    return success();
  }
};

struct CpuApproximateMathPass
    : tileir::impl::CpuApproximateMathPassBase<CpuApproximateMathPass> {
  using Base::Base;

  void runOnOperation() override {
    for (StringRef name : functions)
      if (!llvm::is_contained(kFunctions, name)) {
        getOperation()->emitError("cpu-approximate-math expects functions to "
                                  "be some of ")
            << llvm::join(ArrayRef(kFunctions), ", ") << ", found '" << name
            << "'";
        return signalPassFailure();
      }
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::MaximumFOp>(op) ? isa<VectorType>(getType(op))
                                     : prepare(op))
        ops.push_back(op);
    });
    auto isChosen = [&](StringRef name) {
      return this->isChosen(name.substr(name.find('.') + 1));
    };
    RewritePatternSet patterns(&getContext());
    patterns.add<SelectMaximum>(&getContext(), numMaxima);
    patterns.add<ApproximateExp<math::ExpOp>, ApproximateExp<math::Exp2Op>>(
        &getContext());
    populatePowerPatterns(patterns);
    populateSinePatterns(patterns);
    populateMathF32ExpansionPatterns(patterns, isChosen);
    populateMathPolynomialApproximationPatterns(patterns, [&](StringRef name) {
      return isChosen(name) && !name.ends_with("sin") && !name.ends_with("cos");
    });
    // Ops of f16 give new ops of f32 to approximate.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      signalPassFailure();
  }

private:
  static Type getType(Operation *op) { return op->getResult(0).getType(); }

  bool isChosen(StringRef name) const {
    return functions.empty() ? llvm::is_contained(kFunctions, name)
                             : llvm::is_contained(functions, name);
  }

  /// Whether `op` is to be approximated, which it is ready for then.
  bool prepare(Operation *op) {
    if (!isa<math::MathDialect>(op->getDialect()) || op->getNumResults() != 1 ||
        !isa<VectorType>(getType(op)) ||
        !isChosen(op->getName().stripDialect()))
      return false;
    auto remarkName =
        remark::RemarkOpts::name("cpu-approximate-math").category("cpu");
    Type element = getElementTypeOrSelf(getType(op));
    if (!element.isF16() && !element.isBF16() && !element.isF32()) {
      remark::missed(op->getLoc(), remarkName)
          << remark::reason("polynomials are for f32, to which f16 and bf16 "
                            "are extended");
      return false;
    }
    if (isa<math::SinOp, math::CosOp>(op) &&
        cast<VectorType>(getType(op)).getRank() != 1) {
      remark::missed(op->getLoc(), remarkName)
          << remark::reason("sines are of vectors with one axis");
      return false;
    }
    if (element.isF32() && isa<math::LogOp>(op))
      scaleSubnormals(op, std::exp(1.0));
    if (element.isF32() && isa<math::Log2Op>(op))
      scaleSubnormals(op, 2);
    remark::passed(op->getLoc(), remarkName);
    ++numApproximated;
    return true;
  }
};

} // namespace

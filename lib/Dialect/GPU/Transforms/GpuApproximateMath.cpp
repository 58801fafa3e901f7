//===- GpuApproximateMath.cpp - gpu-approximate-math ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions whose fastmath flags allow approximations, in a gpu.module with
// #nvvm.target: computed in f32 from what the chip has an instruction for,
// which is called element by element; everything else is arithmetic on whole
// vectors. All other functions stay, for convert-gpu-to-nvvm to make them calls
// of libdevice.
//
// Conversions from and to f16 and bf16 take over the flag contract, so that two
// functions in a row stay in f32 if both have it.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/GPU/Transforms/Passes.h"

#include "NvvmTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/StringSwitch.h"

namespace tileir {
#define GEN_PASS_DEF_GPUAPPROXIMATEMATHPASS
#include "tileir/Dialect/GPU/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::gpu_transforms;
using arith::FastMathFlags;

namespace {

/// f32 or vectors of it, and what is computed of them.
struct Number {
  ImplicitLocOpBuilder *builder;
  Value value;
  /// Whether subnormal operands and results may become zero: one machine
  /// instruction instead of four.
  bool flushes;

  Type getType() const { return value.getType(); }
  Number get(Value result) const { return {builder, result, flushes}; }
  Number flush() const { return {builder, value, /*flushes=*/true}; }

  Number constant(double number) const {
    TypedAttr attr = builder->getF32FloatAttr(number);
    if (auto vector = dyn_cast<VectorType>(getType()))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return get(arith::ConstantOp::create(*builder, attr));
  }
  Number operator*(Number other) const {
    return get(arith::MulFOp::create(*builder, value, other.value));
  }
  Number operator*(double number) const { return *this * constant(number); }
  Number operator+(double number) const {
    return get(arith::AddFOp::create(*builder, value, constant(number).value));
  }
  /// this * factor + summand, rounded once.
  Number multiplyAdd(Number factor, Number summand) const {
    return get(
        math::FmaOp::create(*builder, value, factor.value, summand.value));
  }
  Number abs() const { return call("llvm.fabs"); }
  Number withSignOf(Number other) const { return call("llvm.copysign", other); }
  Number selectIfBelow(double limit, Number below, Number otherwise) const {
    Value isBelow = arith::CmpFOp::create(*builder, arith::CmpFPredicate::OLT,
                                          value, constant(limit).value);
    return get(arith::SelectOp::create(*builder, isBelow, below.value,
                                       otherwise.value));
  }

  /// An approximate instruction of PTX, for each element.
  Number approximate(StringRef name, ArrayRef<Number> others = {}) const {
    StringRef suffix = name == "ex2" ? "" : ".f"; // that LLVM adds by itself
    return call(
        ("llvm.nvvm." + name + ".approx" + (flushes ? ".ftz" : "") + suffix)
            .str(),
        others);
  }
  /// A function of LLVM, for each element.
  Number call(StringRef intrinsic, ArrayRef<Number> others = {},
              LLVM::FastmathFlags flags = {}) const {
    SmallVector<SmallVector<Value>> operands{getElements()};
    for (Number other : others)
      operands.push_back(other.getElements());
    SmallVector<Value> results;
    for (size_t i = 0, e = operands.front().size(); i < e; ++i) {
      auto element = llvm::map_to_vector(
          operands, [&](ArrayRef<Value> elements) { return elements[i]; });
      results.push_back(
          LLVM::CallIntrinsicOp::create(
              *builder, builder->getF32Type(),
              builder->getStringAttr(intrinsic), element,
              LLVM::FastmathFlagsAttr::get(builder->getContext(), flags))
              .getResult(0));
    }
    if (!isa<VectorType>(getType()))
      return get(results.front());
    return get(vector::FromElementsOp::create(*builder, getType(), results));
  }

private:
  SmallVector<Value> getElements() const {
    if (!isa<VectorType>(getType()))
      return {value};
    return vector::ToElementsOp::create(*builder, value).getElements();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

using Operands = ArrayRef<Number>;
using Function = Number (*)(Operands);

static Number exp2(Number x) { return x.approximate("ex2"); }
static Number log2(Number x) { return x.approximate("lg2"); }
static Number getReciprocal(Number x) { // always flushes
  return x.call("llvm.nvvm.rcp.approx.ftz.f");
}
static Number divide(Number x, Number y) {
  if (y.flushes && matchPattern(x.value, m_OneFloat()))
    return getReciprocal(y);
  return x.approximate("div", y);
}

constexpr double kLog2OfE = 1.4426950408889634, kLn2 = 0.6931471805599453;

/// Below, the first term of a function's series is closer to it than the
/// difference of two numbers near 1.
constexpr double kSmall = 0.01;

/// 1 - 2 / (1 + e^2x), which is exact at infinities.
static Number tanhByExp2(Operands operands) {
  Number x = operands[0];
  Number power = exp2((x * (2 * kLog2OfE)).flush());
  Number inverse = getReciprocal(power + 1);
  Number result = inverse.multiplyAdd(x.constant(-2), x.constant(1));
  return x.abs().selectIfBelow(kSmall, x, result);
}

/// tanh.approx, which LLVM makes of this.
static Number tanhByInstruction(Operands x) {
  return x[0].call("llvm.tanh", {}, LLVM::FastmathFlags::afn);
}

/// 1 - (a1 t + ... + a5 t^5) e^(-x^2), t = 1 / (1 + p |x|): Abramowitz and
/// Stegun, 7.1.26.
static Number erf(Operands operands) {
  constexpr double kP = 0.3275911, kTwoOverRootPi = 1.1283791670955126;
  constexpr double kMinusA[] = {-1.061405429, 1.453152027, -1.421413741,
                                0.284496736, -0.254829592};
  Number x = operands[0], one = x.constant(1), magnitude = x.abs();
  Number t = getReciprocal(magnitude.multiplyAdd(x.constant(kP), one));
  Number sum = x.constant(kMinusA[0]);
  for (double a : llvm::drop_begin(kMinusA))
    sum = sum.multiplyAdd(t, x.constant(a));
  Number power = exp2((magnitude * magnitude * -kLog2OfE).flush());
  Number result = (sum * t).multiplyAdd(power, one).withSignOf(x);
  return magnitude.selectIfBelow(kSmall, x * kTwoOverRootPi, result);
}

/// Returns the function that approximates an op; null if there is none.
static Function getFunction(StringRef op, const NvvmTarget &target) {
  return llvm::StringSwitch<Function>(op)
      .Case("arith.divf", [](Operands x) { return divide(x[0], x[1]); })
      .Case("math.exp", [](Operands x) { return exp2(x[0] * kLog2OfE); })
      .Case("math.exp2", [](Operands x) { return exp2(x[0]); })
      .Case("math.log", [](Operands x) { return log2(x[0]) * kLn2; })
      .Case("math.log2", [](Operands x) { return log2(x[0]); })
      .Case("math.log10",
            [](Operands x) { return log2(x[0]) * 0.3010299956639812; })
      .Case("math.sin", [](Operands x) { return x[0].approximate("sin"); })
      .Case("math.cos", [](Operands x) { return x[0].approximate("cos"); })
      .Case("math.sqrt", [](Operands x) { return x[0].approximate("sqrt"); })
      .Case("math.rsqrt", [](Operands x) { return x[0].approximate("rsqrt"); })
      .Case("math.tanh", target.hasTanh ? tanhByInstruction : tanhByExp2)
      .Case("math.erf", erf)
      .Default(nullptr);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// `value` in f32.
static Value extend(OpBuilder &builder, Value value,
                    arith::FastMathFlagsAttr flags) {
  Type type = builder.getF32Type();
  if (getElementTypeOrSelf(value.getType()) == type)
    return value;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(type);
  return builder.createOrFold<arith::ExtFOp>(value.getLoc(), type, value,
                                             flags);
}

namespace {

struct Approximate : OpInterfaceRewritePattern<arith::ArithFastMathInterface> {
  Approximate(MLIRContext *context, const NvvmTarget &target,
              Pass::Statistic &count)
      : OpInterfaceRewritePattern(context), target(target), count(count) {}

  LogicalResult matchAndRewrite(arith::ArithFastMathInterface op,
                                PatternRewriter &rewriter) const override {
    Function function = getFunction(op->getName().getStringRef(), target);
    if (!function)
      return rewriter.notifyMatchFailure(op, "nothing approximates this op");
    FastMathFlags flags = op.getFastMathFlagsAttr().getValue();
    bool isAllowed = bitEnumContainsAny(flags, FastMathFlags::afn) ||
                     (isa<arith::DivFOp>(op.getOperation()) &&
                      bitEnumContainsAny(flags, FastMathFlags::arcp));
    if (!isAllowed)
      return rewriter.notifyMatchFailure(op, "no flag that allows it");
    Type type = op->getResult(0).getType();
    Type element = getElementTypeOrSelf(type);
    if (!element.isF16() && !element.isBF16() && !element.isF32()) {
      remark::missed(op.getLoc(), getRemarkName())
          << remark::reason("chips approximate f32, to which f16 and bf16 are "
                            "extended");
      return rewriter.notifyMatchFailure(op, "the type is too wide");
    }
    auto vector = dyn_cast<VectorType>(type);
    if (isa<ShapedType>(type) && (!vector || vector.isScalable()))
      return rewriter.notifyMatchFailure(op, "no vector of known size");

    arith::FastMathFlagsAttr contract;
    if (bitEnumContainsAny(flags, FastMathFlags::contract))
      contract =
          arith::FastMathFlagsAttr::get(getContext(), FastMathFlags::contract);
    ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
    auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      // No f16 is subnormal in f32, and what is so is zero in f16.
      return Number{&builder, extend(builder, operand, contract),
                    /*flushes=*/element.isF16()};
    });
    Value result = function(operands).value;
    if (!element.isF32())
      result = arith::TruncFOp::create(builder, type, result,
                                       arith::RoundingModeAttr(), contract);
    remark::passed(op.getLoc(), getRemarkName());
    ++count;
    rewriter.replaceOp(op, result);
    return success();
  }

  static remark::RemarkOpts getRemarkName() {
    return remark::RemarkOpts::name("gpu-approximate-math").category("gpu");
  }

  NvvmTarget target;
  Pass::Statistic &count;
};

struct GpuApproximateMathPass
    : tileir::impl::GpuApproximateMathPassBase<GpuApproximateMathPass> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<NvvmTarget> target = NvvmTarget::find(getOperation());
    if (!target)
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<Approximate>(&getContext(), *target, numApproximated);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

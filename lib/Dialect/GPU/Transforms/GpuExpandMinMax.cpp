//===- GpuExpandMinMax.cpp - gpu-expand-min-max ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chips before Ampere have min and max of f32 and f64 only, which order zeros
// and drop NaN; LLVM makes five to twelve instructions of each element of
// arith.maximumf. Where there is no NaN, maxnumf does. Otherwise, and for other
// types, one comparison tells which operand the result is, if the right one is
// a constant, or flags say that neither NaN nor the sign of zero matters:
//
//   maximumf(x, c) = x > c or unordered ? x : c     (NaN is kept)
//   maxnumf(x, c)  = x > c ? x : c                  (NaN is dropped)
//
// and of c = -0 for a maximum, +0 for a minimum, "or equal", so that zeros are
// ordered. Two f16 are compared by one set, which gives a mask of 32 bits. LLVM
// has no name for this instruction, so that it is inline assembly.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/GPU/Transforms/Passes.h"

#include "NvvmTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tileir {
#define GEN_PASS_DEF_GPUEXPANDMINMAXPASS
#include "tileir/Dialect/GPU/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::gpu_transforms;
using arith::FastMathFlags;

/// The PTX version from which on set gives masks of pairs of f16.
static constexpr unsigned kPtxOfPairMasks = 65;

/// The only value of a constant; nothing: there are several, or no constant.
static std::optional<APFloat> getConstant(Value value) {
  APFloat number(0.0f);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

namespace {

/// A comparison of x with c; x is the result where it holds.
struct Comparison {
  bool isMax, keepsNaN, orEqual;

  StringRef getName() const { // of PTX
    if (keepsNaN)
      return isMax ? (orEqual ? "geu" : "gtu") : (orEqual ? "leu" : "ltu");
    return isMax ? "gt" : "lt";
  }
  arith::CmpFPredicate getPredicate() const {
    using P = arith::CmpFPredicate;
    if (keepsNaN)
      return isMax ? (orEqual ? P::UGE : P::UGT) : (orEqual ? P::ULE : P::ULT);
    return isMax ? P::OGT : P::OLT;
  }
};

/// Expands any of the four ops.
template <typename Op> struct ExpandMinMax : OpRewritePattern<Op> {
  ExpandMinMax(MLIRContext *context, const NvvmTarget &target,
               Pass::Statistic &count)
      : OpRewritePattern<Op>(context), target(target), count(count) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), element = getElementTypeOrSelf(type);
    constexpr bool isMax =
        llvm::is_one_of<Op, arith::MaximumFOp, arith::MaxNumFOp>::value;
    constexpr bool keepsNaN =
        llvm::is_one_of<Op, arith::MaximumFOp, arith::MinimumFOp>::value;
    FastMathFlags flags = op.getFastmath();
    bool isFree =
        bitEnumContainsAll(flags, FastMathFlags::nnan | FastMathFlags::nsz);
    if (element.isF32() || element.isF64()) {
      if (!keepsNaN)
        return rewriter.notifyMatchFailure(op, "chips have an instruction");
      if (bitEnumContainsAny(flags, FastMathFlags::nnan)) {
        using Instruction =
            std::conditional_t<isMax, arith::MaxNumFOp, arith::MinNumFOp>;
        ++count;
        rewriter.replaceOpWithNewOp<Instruction>(op, op.getLhs(), op.getRhs(),
                                                 op.getFastmath());
        return success();
      }
    }
    std::optional<APFloat> constant = getConstant(op.getRhs());
    if (!isFree && (!constant || constant->isNaN())) {
      remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("gpu-expand-min-max").category("gpu"))
          << remark::reason("one comparison does not order NaN and zeros: it "
                            "needs a constant on the right, or nnan and nsz");
      return rewriter.notifyMatchFailure(op, "one comparison is not enough");
    }

    Comparison comparison{isMax, keepsNaN,
                          /*orEqual=*/constant && constant->isZero() &&
                              constant->isNegative() == isMax};
    ++count;
    ImplicitLocOpBuilder builder(op.getLoc(), rewriter);
    auto vector = dyn_cast<VectorType>(type);
    bool hasPairs = vector && element.isF16() && !vector.isScalable() &&
                    vector.getRank() > 0 && vector.getShape().back() % 2 == 0;
    if (hasPairs && target.ptx >= kPtxOfPairMasks) {
      rewriter.replaceOp(op, selectPairs(builder, comparison, op.getLhs(),
                                         op.getRhs(), constant));
      return success();
    }
    Value holds = arith::CmpFOp::create(builder, comparison.getPredicate(),
                                        op.getLhs(), op.getRhs());
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, holds, op.getLhs(),
                                                 op.getRhs());
    return success();
  }

  static Value selectPairs(ImplicitLocOpBuilder &builder,
                           const Comparison &comparison, Value x, Value c,
                           const std::optional<APFloat> &constant) {
    auto type = cast<VectorType>(x.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.back() /= 2;
    auto pairs = VectorType::get(shape, builder.getI32Type());
    Value xBits = vector::BitCastOp::create(builder, pairs, x);
    Value cBits = vector::BitCastOp::create(builder, pairs, c);
    std::string text =
        ("set." + comparison.getName() + ".u32.f16x2 $0, $1, $2;").str();
    SmallVector<Value> masks;
    auto xs = vector::ToElementsOp::create(builder, xBits).getElements();
    auto cs = vector::ToElementsOp::create(builder, cBits).getElements();
    for (auto [left, right] : llvm::zip_equal(xs, cs))
      masks.push_back(
          LLVM::InlineAsmOp::create(
              builder, builder.getI32Type(), ValueRange{left, right}, text,
              "=r,r,r", /*has_side_effects=*/false, /*is_align_stack=*/false,
              LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
              .getRes());
    Value mask = vector::FromElementsOp::create(builder, pairs, masks);
    Value bits = arith::AndIOp::create(builder, xBits, mask);
    if (!constant || !constant->isPosZero()) {
      Value ones = arith::ConstantOp::create(
          builder, DenseElementsAttr::get(pairs, APInt::getAllOnes(32)));
      Value others = arith::XOrIOp::create(builder, mask, ones);
      others = arith::AndIOp::create(builder, cBits, others);
      bits = arith::OrIOp::create(builder, bits, others);
    }
    return vector::BitCastOp::create(builder, type, bits);
  }

  NvvmTarget target;
  Pass::Statistic &count;
};

struct GpuExpandMinMaxPass
    : tileir::impl::GpuExpandMinMaxPassBase<GpuExpandMinMaxPass> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<NvvmTarget> target = NvvmTarget::find(getOperation());
    if (!target || target->hasMinMaxNaN)
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns
        .add<ExpandMinMax<arith::MaximumFOp>, ExpandMinMax<arith::MaxNumFOp>,
             ExpandMinMax<arith::MinimumFOp>, ExpandMinMax<arith::MinNumFOp>>(
            &getContext(), *target, numExpanded);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

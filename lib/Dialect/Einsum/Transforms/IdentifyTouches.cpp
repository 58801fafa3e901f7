//===- IdentifyTouches.cpp - What kernels start from and end with ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Identifies the main primitive, the initialization and the epilogue of a
// contraction. Outside of an einsum.kernel they follow from its specification.
// Inside, the pointwise ops that use it are followed from the contraction to
// the kernel's value: a combination of a copied operand with another one
// becomes the main primitive, the addition of an operand to a sum its
// initialization, and the rest is the epilogue.
//
//===----------------------------------------------------------------------===//

#include "ScheduleSteps.h"
#include "tileir/Dialect/Einsum/IR/Pointwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tileir::einsum;

/// The op that computes the elements of pointwise op `op`: itself, or the one
/// in its body. Null if there are several.
static Operation *getScalarOp(const PointwiseOp &pointwise) {
  if (!pointwise.body)
    return pointwise.op;
  auto ops = pointwise.body->without_terminator();
  if (!llvm::hasSingleElement(ops))
    return nullptr;
  Operation *only = &*ops.begin();
  Operation *end = pointwise.body->getTerminator();
  return end->getNumOperands() == 1 &&
                 end->getOperand(0).getDefiningOp() == only
             ? only
             : nullptr;
}

/// The one user of `value` inside of the kernel, if it is a pointwise op with
/// two operands, both of them read along all axes in order.
struct Combination {
  Operation *op = nullptr;
  Value other;
};

static Combination getCombination(Value value) {
  if (!value.hasOneUse())
    return {};
  auto pointwise = PointwiseOp::get(*value.user_begin());
  if (!pointwise || pointwise->operands.size() != 2)
    return {};
  Operation *scalar = getScalarOp(*pointwise);
  if (!scalar)
    return {};
  Combination found{scalar, nullptr};
  auto rank = cast<ShapedType>(value.getType()).getRank();
  for (PointwiseOp::Operand &operand : pointwise->operands) {
    if (operand.value != value)
      found.other = operand.value;
    else if (!llvm::equal(operand.axes, llvm::seq<unsigned>(0, rank)))
      return {};
  }
  // Where both operands are the same value there is no other.
  return found.other ? found : Combination{};
}

/// The main primitive that combines a copy with another operand by `op`.
static std::optional<MainPrimitive> getMain(Operation *op) {
  if (isa<arith::AddFOp>(op))
    return MainPrimitive::Add;
  if (isa<arith::SubFOp>(op))
    return MainPrimitive::Sub;
  if (isa<arith::MulFOp>(op))
    return MainPrimitive::Mul;
  if (isa<arith::DivFOp>(op))
    return MainPrimitive::Div;
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(op))
    return MainPrimitive::Min;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
    return MainPrimitive::Max;
  return std::nullopt;
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// Whether `value` is an operand of the kernel, or one that is broadcast.
static std::optional<FirstTouch> getFirstTouch(Value user, Value other) {
  if (isa<BlockArgument>(other)) {
    auto pointwise = PointwiseOp::get(user.getDefiningOp());
    int64_t rank = cast<ShapedType>(user.getType()).getRank();
    for (PointwiseOp::Operand &operand : pointwise->operands)
      if (operand.value == other)
        return llvm::equal(operand.axes, llvm::seq<unsigned>(0, rank))
                   ? FirstTouch::Load
                   : FirstTouch::Bias;
  }
  auto broadcast = other.getDefiningOp<linalg::BroadcastOp>();
  if (broadcast && isa<BlockArgument>(broadcast.getInput()))
    return FirstTouch::Bias;
  return std::nullopt;
}

void tileir::einsum::identifyTouches(ContractOp op, ScheduleParts &parts) {
  bool sums = op.getSpec().getNumLetters() > op.getSpec().getNumResultLetters();
  bool isUnary = op.getInputs().size() == 1;
  int64_t kernelSums = llvm::count_if(parts.dims, [](DimAttr dim) {
    return dim.getKind() == DimKind::K && dim.getExec() == Execution::Prim;
  });
  parts.main = !sums     ? isUnary ? MainPrimitive::Copy : MainPrimitive::Mul
               : isUnary ? MainPrimitive::Sum
               : kernelSums > 1 ? MainPrimitive::Brgemm
                                : MainPrimitive::Gemm;
  parts.first = sums ? FirstTouch::Zero : FirstTouch::None;
  parts.last = LastTouch::None;
  if (!isa<KernelOp>(op->getParentOp()))
    return;

  Value value = op.getResult();
  if (Combination next = getCombination(value); next.op) {
    Value user = value.user_begin()->getResult(0);
    if (isUnary && !sums) {
      // A maximum with 0 is what follows, not a combination.
      if (auto main = getMain(next.op); main && !isZero(next.other)) {
        parts.main = *main;
        value = user;
      }
    } else if (sums && isa<arith::AddFOp, arith::AddIOp>(next.op) &&
               op.getAccumulatorType() == op.getOutputType().getElementType()) {
      // In another type the sum would be rounded before the addition.
      if (auto first = getFirstTouch(user, next.other)) {
        parts.first = *first;
        value = user;
      }
    }
  }
  if (value.hasOneUse() && isa<YieldOp>(*value.user_begin()))
    return;
  parts.last = LastTouch::Fused;
  Combination end = getCombination(value);
  if (end.op &&
      isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(end.op) &&
      isZero(end.other) &&
      isa<YieldOp>(*value.user_begin()->getResult(0).user_begin()))
    parts.last = LastTouch::Relu;
}

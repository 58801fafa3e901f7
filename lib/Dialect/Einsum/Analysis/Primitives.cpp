//===- Primitives.cpp - Parts of a kernel on the CPU ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outside of an einsum.kernel, primitives follow from the specification of a
// contraction. Inside, the pointwise ops that use it are followed from the
// contraction to the kernel's value: a combination of a copied operand with
// another one becomes the main primitive, the addition of an operand to a sum
// its initialization, and the rest is the epilogue.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/Primitives.h"

#include "tileir/Dialect/Einsum/IR/Pointwise.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tileir::einsum;

StringRef tileir::einsum::stringify(Initialization initialization) {
  static constexpr StringRef names[] = {"none", "zero", "load", "bias"};
  return names[static_cast<unsigned>(initialization)];
}

StringRef tileir::einsum::stringify(MainPrimitive main) {
  static constexpr StringRef names[] = {"copy", "sum", "add", "sub",  "mul",
                                        "div",  "min", "max", "gemm", "brgemm"};
  return names[static_cast<unsigned>(main)];
}

StringRef tileir::einsum::stringify(Epilogue epilogue) {
  static constexpr StringRef names[] = {"none", "relu", "fused"};
  return names[static_cast<unsigned>(epilogue)];
}

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

/// Whether the elements of `pointwise` are those of its only operand, perhaps
/// in a wider type.
static bool isCopyOrExtension(const PointwiseOp &pointwise) {
  if (pointwise.operands.size() != 1)
    return false;
  auto isExtension = [](Operation *op) {
    return isa<arith::ExtFOp, arith::ExtSIOp>(op);
  };
  if (!pointwise.body)
    return isExtension(pointwise.op);
  return llvm::all_of(pointwise.body->without_terminator(),
                      [&](Operation &op) { return isExtension(&op); });
}

/// The initialization by `other`, which is added to a sum of rank `rank`: it
/// has to be an operand of the kernel, perhaps broadcast or in a wider type.
static Initialization getInitialization(Value other, int64_t rank) {
  bool isWhole = true;
  while (!isa<BlockArgument>(other)) {
    auto pointwise = PointwiseOp::get(other.getDefiningOp());
    if (!pointwise || !isCopyOrExtension(*pointwise))
      return Initialization::Zero;
    const PointwiseOp::Operand &operand = pointwise->operands.front();
    isWhole &= llvm::equal(operand.axes, llvm::seq<unsigned>(0, rank));
    other = operand.value;
  }
  return isWhole ? Initialization::Load : Initialization::Bias;
}

Primitives tileir::einsum::getPrimitives(ContractOp op) {
  SpecAttr spec = op.getSpec();
  bool sums = spec.getNumIndices() > spec.getNumResultIndices();
  bool isUnary = op.getInputs().size() == 1;
  int64_t kernelSums = 0;
  if (ScheduleAttr schedule = op.getScheduleAttr())
    kernelSums = llvm::count_if(schedule.getDims(), [&](DimAttr dim) {
      return dim.getExec() == Execution::Prim && isSummed(spec, dim);
    });
  Primitives result{sums ? Initialization::Zero : Initialization::None,
                    !sums ? isUnary ? MainPrimitive::Copy : MainPrimitive::Mul
                    : isUnary        ? MainPrimitive::Sum
                    : kernelSums > 1 ? MainPrimitive::Brgemm
                                     : MainPrimitive::Gemm,
                    Epilogue::None};
  if (!isa<KernelOp>(op->getParentOp()))
    return result;

  Value value = op.getResult();
  if (Combination next = getCombination(value); next.op) {
    Operation *user = *value.user_begin();
    if (isUnary && !sums) {
      // A maximum with 0 is what follows, not a combination.
      if (auto main = getMain(next.op); main && !isZero(next.other)) {
        result.main = *main;
        value = user->getResult(0);
      }
    } else if (sums && isa<arith::AddFOp, arith::AddIOp>(user) &&
               op.getAccumulatorType() == op.getOutputType().getElementType()) {
      // In another type the sum would be rounded before the addition.
      result.initialization =
          getInitialization(next.other, op.getOutputType().getRank());
      if (result.startsFromOperand())
        value = user->getResult(0);
    }
  }
  if (value.hasOneUse() && isa<YieldOp>(*value.user_begin()))
    return result;
  result.epilogue = Epilogue::Fused;
  Combination end = getCombination(value);
  if (end.op &&
      isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(end.op) &&
      isZero(end.other) &&
      isa<YieldOp>(*value.user_begin()->getResult(0).user_begin()))
    result.epilogue = Epilogue::Relu;
  return result;
}

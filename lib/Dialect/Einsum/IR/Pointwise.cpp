//===- Pointwise.cpp - Pointwise ops --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that are element-wise by trait, and structured ops of linalg that amount
// to the same, with broadcasts and transpositions of operands.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Pointwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tileir::einsum;

/// Whether a divisor, or all of its elements, is a constant that is not 0.
static bool isNonZero(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) && !number.isZero();
}

/// Whether `op` may be computed for elements nobody asked for. (Upstream takes
/// remainders for speculatable whatever the divisor.)
static bool isElementwise(Operation *op) {
  if (!OpTrait::hasElementwiseMappableTraits(op) || !isPure(op) ||
      op->getNumResults() != 1)
    return false;
  return !isa<arith::RemSIOp, arith::RemUIOp>(op) ||
         isNonZero(op->getOperand(1));
}

static std::optional<PointwiseOp> getStructured(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return std::nullopt;
  PointwiseOp pointwise{op, {}, op.getBlock()};
  if (!llvm::all_of(op.getBlock()->without_terminator(), [](Operation &inner) {
        return isa<arith::ConstantOp>(inner) || isElementwise(&inner);
      }))
    return std::nullopt;
  // Inside are scalars, and from outside come constants of them.
  WalkResult scalars = op.getBlock()->walk([&](Operation *inner) {
    bool isScalar = llvm::all_of(inner->getOperands(), [&](Value operand) {
      bool isOutside = operand.getParentBlock() != op.getBlock();
      return !isa<ShapedType>(operand.getType()) &&
             (!isOutside || operand.getDefiningOp<arith::ConstantOp>());
    });
    return isScalar ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (scalars.wasInterrupted())
    return std::nullopt;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!map.isProjectedPermutation())
      return std::nullopt;
    PointwiseOp::Operand &read = pointwise.operands.emplace_back();
    read.value = operand->get();
    for (AffineExpr expr : map.getResults())
      read.axes.push_back(cast<AffineDimExpr>(expr).getPosition());
  }
  return pointwise;
}

std::optional<PointwiseOp> PointwiseOp::get(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return getStructured(structured);
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type || !isElementwise(op))
    return std::nullopt;
  PointwiseOp pointwise{op, {}};
  for (Value operand : op->getOperands()) {
    PointwiseOp::Operand &read = pointwise.operands.emplace_back();
    read.value = operand;
    if (isa<RankedTensorType>(operand.getType()))
      llvm::append_range(read.axes, llvm::seq<unsigned>(0, type.getRank()));
  }
  return pointwise;
}

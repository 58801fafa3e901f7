//===- LinalgRecomputeIndices.cpp - linalg-recompute-indices --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes before fusion, which takes an op into its only user: each user gets the
// ops that compute its indices and masks, and the reshapes between them, to
// itself.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Linalg/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tileir {
#define GEN_PASS_DEF_LINALGRECOMPUTEINDICESPASS
#include "tileir/Dialect/Linalg/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

/// The most ops that are computed again for an operand.
static constexpr unsigned kMostOps = 32;

/// Whether each element takes a few instructions on integers or comparisons.
static bool isQuick(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
    if (isa<linalg::IndexOp, arith::ConstantOp, arith::CmpFOp>(inner))
      return true;
    return isa<arith::ArithDialect>(inner.getDialect()) &&
           !isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
                arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
                arith::RemUIOp>(inner) &&
           llvm::all_of(inner.getResultTypes(),
                        [](Type type) { return type.isIntOrIndex(); });
  });
}

/// The op that computes indices or a mask, or moves their axes, or null.
static Operation *getRecomputed(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  if (!type || !op || !type.getElementType().isIntOrIndex())
    return nullptr;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return getRecomputed(op->getOperand(0)) ? op : nullptr;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics() ||
      generic->getNumResults() != 1 ||
      generic.getNumParallelLoops() != generic.getNumLoops() ||
      generic.payloadUsesValueFromOperand(generic.getDpsInitOperand(0)) ||
      !isQuick(generic))
    return nullptr;
  // A tile of numbers that is read costs as much as one that is made of it.
  bool isMade = llvm::all_of(generic.getDpsInputs(), [&](Value input) {
    auto from = dyn_cast<RankedTensorType>(input.getType());
    return !from || input.getDefiningOp<linalg::FillOp>() ||
           getRecomputed(input) ||
           (from.hasStaticShape() && type.hasStaticShape() &&
            from.getNumElements() < type.getNumElements());
  });
  return isMade || type.getElementType().isInteger(1) ? op : nullptr;
}

/// What `value` is computed by, from its operands on; fails if it is too much.
static LogicalResult collect(Value value, SmallVectorImpl<Operation *> &ops,
                             bool &isShared) {
  Operation *op = getRecomputed(value);
  if (!op)
    return success();
  if (ops.size() == kMostOps)
    return failure();
  isShared |= !value.hasOneUse();
  ops.push_back(op);
  return success(llvm::all_of(op->getOperands(), [&](Value operand) {
    return succeeded(collect(operand, ops, isShared));
  }));
}

static Value recompute(OpBuilder &builder, Value value) {
  Operation *op = getRecomputed(value);
  if (!op)
    return value;
  Operation *copy = builder.clone(*op);
  builder.setInsertionPoint(copy);
  for (OpOperand &operand : copy->getOpOperands())
    operand.set(recompute(builder, operand.get()));
  builder.setInsertionPointAfter(copy);
  return copy->getResult(0);
}

namespace {

struct LinalgRecomputeIndicesPass
    : tileir::impl::LinalgRecomputeIndicesPassBase<LinalgRecomputeIndicesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> users;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() &&
          op.getNumParallelLoops() == op.getNumLoops())
        users.push_back(op);
    });
    for (linalg::GenericOp user : users)
      for (OpOperand *input : user.getDpsInputOperands()) {
        SmallVector<Operation *> ops;
        bool isShared = false;
        if (failed(collect(input->get(), ops, isShared)) || !isShared)
          continue;
        OpBuilder builder(user);
        input->set(recompute(builder, input->get()));
        numRecomputed += ops.size();
      }
  }
};

} // namespace

//===- LinalgComputeInPlace.cpp - linalg-compute-in-place -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes after fusion, which gives a result an empty tensor, and before
// bufferization, which decides from the end of a block on: by then it does not
// know yet that the operand could be in that empty tensor, too.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Linalg/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tileir {
#define GEN_PASS_DEF_LINALGCOMPUTEINPLACEPASS
#include "tileir/Dialect/Linalg/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

/// Whether `op` is the last one that uses `value`, which is of its block.
static bool isLastUse(Operation *op, Value value) {
  return value.getParentBlock() == op->getBlock() &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
           return ancestor && (ancestor == op || ancestor->isBeforeInBlock(op));
         });
}

/// An operand whose place the result may take, or null.
static Value findOperand(linalg::GenericOp op, OpOperand &init) {
  if (!init.get().getDefiningOp<tensor::EmptyOp>() ||
      !op.getMatchingBlockArgument(&init).use_empty())
    return {};
  AffineMap map = op.getMatchingIndexingMap(&init);
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto isElsewhere = [&](OpOperand &other) {
      return other.get() == input->get() &&
             op.getMatchingIndexingMap(&other) != map;
    };
    if (input->get().getType() == init.get().getType() &&
        op.getMatchingIndexingMap(input) == map &&
        !llvm::is_contained(op.getDpsInits(), input->get()) &&
        llvm::none_of(op->getOpOperands(), isElsewhere) &&
        isLastUse(op, input->get()))
      return input->get();
  }
  return {};
}

namespace {

struct LinalgComputeInPlacePass
    : tileir::impl::LinalgComputeInPlacePassBase<LinalgComputeInPlacePass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([&](linalg::GenericOp op) {
      if (!op.hasPureTensorSemantics() ||
          op.getNumParallelLoops() != op.getNumLoops())
        return;
      for (OpOperand &init : op.getDpsInitsMutable())
        if (Value operand = findOperand(op, init)) {
          init.set(operand);
          ++numInPlace;
        }
    });
  }
};

} // namespace

//===- KernelForm.cpp - Contractions of an einsum.kernel ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It needs kernels that keep einsum-verify-kernels's contract.
//
//===----------------------------------------------------------------------===//

#include "KernelForm.h"

#include "tileir/Conversion/EinsumLowering/Buffers.h"
#include "tileir/Conversion/EinsumLowering/Expression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

/// Returns the expression that computes the kernel's result by pointwise ops.
static Expression getResultExpression(KernelOp op) {
  Block &body = op.getBody().front();
  return Expression(body.getTerminator()->getOperand(0), &body);
}

KernelForm::KernelForm(OpBuilder &builder, KernelOp op,
                       const llvm::MapVector<Value, Value> &memory,
                       Value result) {
  Location loc = op.getLoc();
  auto getMemory = [&](Value value) -> Value {
    if (Value known = memory.lookup(value))
      return known;
    Value placeholder =
        ub::PoisonOp::create(builder, loc, getBufferType(value.getType()),
                             ub::PoisonAttr::get(builder.getContext()));
    placeholders.push_back(placeholder.getDefiningOp());
    return placeholder;
  };
  Value root = op.getBody().front().getTerminator()->getOperand(0);
  Expression expression = getResultExpression(op);
  for (const Leaf &leaf : expression.getLeaves()) {
    auto contract = leaf.value.getDefiningOp<ContractOp>();
    if (!contract)
      continue;
    auto inputs = llvm::map_to_vector(contract.getInputs(), getMemory);
    auto tables = llvm::map_to_vector(contract.getTables(), getMemory);
    Value outs =
        contract.getResult() == root ? result : getMemory(contract.getResult());
    auto form = ContractOp::create(builder, contract.getLoc(), TypeRange(),
                                   contract.getSpec(), inputs, tables, outs,
                                   contract.getPadAttr(), contract.getAccAttr(),
                                   contract.getSizesAttr());
    contractions.emplace_back(contract, form);
  }
}

void KernelForm::erase(RewriterBase &rewriter) {
  for (auto [contract, form] : contractions)
    rewriter.eraseOp(form);
  for (Operation *placeholder : placeholders)
    rewriter.eraseOp(placeholder);
}

//===- KernelForm.cpp - Contractions of an einsum.kernel ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What einsum-fuse makes passes the checks here; kernels that users write need
// not.
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

/// What the kernel's result is computed from by pointwise ops.
static Expression getResultExpression(KernelOp op) {
  Block &body = op.getBody().front();
  return Expression(body.getTerminator()->getOperand(0), &body);
}

LogicalResult tileir::checkNumOperands(ContractOp op) {
  if (op.getInputs().size() > 2)
    return op.emitError("expected one or two operands, found ")
           << op.getInputs().size()
           << ": run einsum-contract-pairwise before convert-einsum-to-tile";
  return success();
}

/// That what a kernel computes can be held by tiles, and be addressed where it
/// is in memory.
static LogicalResult checkElements(KernelOp op) {
  auto check = [&](Value value, bool isRead) -> LogicalResult {
    auto type = cast<RankedTensorType>(value.getType());
    Type element = type.getElementType();
    if (!type.hasStaticShape() && !isRead)
      return emitError(value.getLoc(),
                       "expected a static shape in an einsum.kernel, found ")
             << type;
    unsigned width =
        element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
    bool isAddressed = llvm::is_contained({8u, 16u, 32u, 64u}, width);
    if (isAddressed || (width == 1 && !isRead))
      return success();
    return emitError(value.getLoc(), "expected elements of ")
           << (isRead ? "" : "1, ")
           << "8, 16, 32 or 64 bits in an einsum.kernel, found " << type;
  };
  for (Value argument : op.getBody().getArguments())
    if (failed(check(argument, /*isRead=*/true)))
      return failure();
  for (Operation &inner : op.getBody().front().without_terminator()) {
    if (!isa<RankedTensorType>(inner.getResult(0).getType()))
      continue;
    if (failed(check(inner.getResult(0), /*isRead=*/false)))
      return failure();
    auto constant = dyn_cast<arith::ConstantOp>(inner);
    if (constant && !isa<SplatElementsAttr>(constant.getValue()))
      return inner.emitError("expected a constant of one value in an "
                             "einsum.kernel: make this one an operand of it");
  }
  // The result goes to memory.
  return check(op.getBody().front().getTerminator()->getOperand(0),
               /*isRead=*/true);
}

static LogicalResult checkContraction(KernelOp op, ContractOp contract) {
  if (failed(checkNumOperands(contract)))
    return failure();
  for (Value input : contract.getInputs()) {
    Expression expression(input, contract->getBlock());
    for (const Leaf &leaf : expression.getLeaves())
      if (leaf.value.getDefiningOp<ContractOp>())
        return contract.emitError(
            "expected operands computed from the kernel's inputs by pointwise "
            "ops, found one that another contraction computes: einsum-fuse "
            "makes two kernels of such contractions");
  }
  for (Value table : contract.getTables())
    if (!isa<BlockArgument>(table))
      return contract.emitError("expected tables that are inputs of the "
                                "kernel, found one that is computed in it");
  return success();
}

LogicalResult tileir::checkKernelForm(KernelOp op) {
  if (failed(checkElements(op)))
    return failure();
  bool hasContraction = false;
  Expression expression = getResultExpression(op);
  for (const Leaf &leaf : expression.getLeaves()) {
    auto contract = leaf.value.getDefiningOp<ContractOp>();
    if (!contract)
      continue;
    hasContraction = true;
    if (failed(checkContraction(op, contract)))
      return failure();
    int64_t rank = cast<RankedTensorType>(op.getResult().getType()).getRank();
    auto identity = llvm::to_vector(llvm::seq<unsigned>(0, rank));
    if (leaf.axes != identity)
      return contract.emitError("expected axis i of its result to become axis "
                                "i of the kernel's, found a transposition or "
                                "broadcast: write the axes in the order of "
                                "the kernel's result");
  }
  if (!hasContraction)
    return op.emitError("expected its result to depend on a contraction, "
                        "found none: run einsum-inline-kernels for kernels "
                        "without");
  return success();
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

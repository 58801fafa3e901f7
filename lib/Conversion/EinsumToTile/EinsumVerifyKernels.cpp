//===- EinsumVerifyKernels.cpp - einsum-verify-kernels --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract of what convert-einsum-to-tile makes kernels of (K in
// Passes.td): programs compute a block of the result, so of the contractions of
// a kernel they need the elements at the place of their block and nothing else.
// It comes after einsum-fuse, which makes no other kernels, and changes
// nothing.
//
//===----------------------------------------------------------------------===//

#include "VerifyKernels.h"

#include "tileir/Conversion/EinsumLowering/Expression.h"
#include "tileir/Conversion/EinsumToTile/EinsumToTile.h"
#include "tileir/Dialect/Contract.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tileir {
#define GEN_PASS_DEF_EINSUMVERIFYKERNELSPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_tile;

static constexpr Contract kKernelContract{"einsum-verify-kernels"};

/// K2.
static LogicalResult verifyNumOperands(ContractOp op) {
  if (op.getInputs().size() <= 2)
    return success();
  return kKernelContract.violate(op, "K2")
         << "expected one or two operands, found " << op.getInputs().size()
         << ": run einsum-contract-pairwise before convert-einsum-to-tile";
}

/// K4: that a value can be held by tiles or, if `isInMemory`, be addressed.
/// `op` is the one to blame.
static LogicalResult verifyElements(Operation *op, Value value,
                                    bool isInMemory) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  unsigned width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  bool isAddressed = llvm::is_contained({8u, 16u, 32u, 64u}, width);
  if (isAddressed || (width == 1 && !isInMemory))
    return success();
  return kKernelContract.violate(op, "K4")
         << "expected elements of " << (isInMemory ? "" : "1, ")
         << "8, 16, 32 or 64 bits in an einsum.kernel, found " << type
         << ": convert them";
}

/// K3 to K5.
static LogicalResult verifyValues(KernelOp op) {
  for (Value argument : op.getBody().getArguments())
    if (failed(verifyElements(op, argument, /*isInMemory=*/true)))
      return failure();
  for (Operation &inner : op.getBody().front().without_terminator()) {
    if (!isa<RankedTensorType>(inner.getResult(0).getType()))
      continue;
    if (failed(verifyElements(&inner, inner.getResult(0),
                              /*isInMemory=*/false)))
      return failure();
    auto empty = dyn_cast<tensor::EmptyOp>(inner);
    if (empty && !empty.getType().hasStaticShape())
      return kKernelContract.violate(&inner, "K3")
             << "expected a static shape of what an einsum.kernel creates, "
                "found "
             << empty.getType() << ": make it an operand of the kernel";
    auto constant = dyn_cast<arith::ConstantOp>(inner);
    if (constant && !isa<SplatElementsAttr>(constant.getValue()))
      return kKernelContract.violate(&inner, "K5")
             << "expected a constant of one value in an einsum.kernel: make "
                "this one an operand of it";
  }
  // The result goes to memory.
  Value result = op.getBody().front().getTerminator()->getOperand(0);
  Operation *producer = result.getDefiningOp();
  return verifyElements(producer ? producer : op, result, /*isInMemory=*/true);
}

/// K2, K6 and K7.
static LogicalResult verifyContraction(ContractOp contract) {
  if (failed(verifyNumOperands(contract)))
    return failure();
  for (Value input : contract.getInputs()) {
    Expression expression(input, contract->getBlock());
    for (const Leaf &leaf : expression.getLeaves())
      if (leaf.value.getDefiningOp<ContractOp>())
        return kKernelContract.violate(contract, "K6")
               << "expected operands computed from the kernel's inputs by "
                  "pointwise ops, found one that another contraction computes: "
                  "einsum-fuse makes two kernels of such contractions";
  }
  for (Value table : contract.getTables())
    if (!isa<BlockArgument>(table))
      return kKernelContract.violate(contract, "K7")
             << "expected tables that are inputs of the kernel, found one that "
                "is computed in it: compute it before";
  return success();
}

/// K2 to K9.
static LogicalResult verifyKernel(KernelOp op) {
  if (failed(verifyValues(op)))
    return failure();
  bool hasContraction = false;
  Block &body = op.getBody().front();
  Expression expression(body.getTerminator()->getOperand(0), &body);
  for (const Leaf &leaf : expression.getLeaves()) {
    auto contract = leaf.value.getDefiningOp<ContractOp>();
    if (!contract)
      continue;
    hasContraction = true;
    if (failed(verifyContraction(contract)))
      return failure();
    int64_t rank = cast<RankedTensorType>(op.getResult().getType()).getRank();
    auto identity = llvm::to_vector(llvm::seq<unsigned>(0, rank));
    if (leaf.axes != identity)
      return kKernelContract.violate(contract, "K8")
             << "expected axis i of its result to become axis i of the "
                "kernel's, found a transposition or broadcast: write the axes "
                "in the order of the kernel's result";
  }
  if (hasContraction)
    return success();
  return kKernelContract.violate(op, "K9")
         << "expected its result to depend on a contraction, found none: run "
            "einsum-inline-kernels for kernels without";
}

/// K1 to K9.
static LogicalResult verifyUnit(Operation *op) {
  if (!op->getParentOfType<func::FuncOp>())
    return kKernelContract.violate(op, "K1")
           << "expected to be in a 'func.func', found '"
           << op->getParentOp()->getName() << "': put it in a function";
  if (auto kernel = dyn_cast<KernelOp>(op))
    return verifyKernel(kernel);
  return verifyNumOperands(cast<ContractOp>(op));
}

FailureOr<SmallVector<Operation *>> to_tile::verifyKernels(ModuleOp module) {
  SmallVector<Operation *> units;
  bool isValid = true;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<ContractOp, KernelOp>(op))
      return WalkResult::advance();
    units.push_back(op);
    isValid &= succeeded(verifyUnit(op));
    return WalkResult::skip();
  });
  if (!isValid)
    return failure();
  return units;
}

namespace {
struct EinsumVerifyKernelsPass
    : tileir::impl::EinsumVerifyKernelsPassBase<EinsumVerifyKernelsPass> {
  using EinsumVerifyKernelsPassBase::EinsumVerifyKernelsPassBase;

  void runOnOperation() override {
    auto units = verifyKernels(getOperation());
    if (failed(units))
      return signalPassFailure();
    numKernels += units->size();
  }
};
} // namespace

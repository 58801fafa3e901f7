//===- EinsumVerifyMemRefs.cpp - einsum-verify-memrefs --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract of contractions on memrefs (M in Passes.td), before they become
// loops. It comes after bufferization and changes nothing.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Contract.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMVERIFYMEMREFSPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

static constexpr Contract kMemRefContract{"einsum-verify-memrefs"};

/// The memref of which `memref` is all, under another type or shape.
static Value getWhole(Value memref) {
  while (isa_and_present<memref::CastOp, memref::CollapseShapeOp,
                         memref::ExpandShapeOp>(memref.getDefiningOp()))
    memref = memref.getDefiningOp()->getOperand(0);
  return memref;
}

/// M2.
static LogicalResult verifyTypes(Operation *op) {
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (isa<TensorType>(type))
      return kMemRefContract.violate(op, "M2")
             << "expects memrefs, found " << type << ": run one-shot-bufferize";
  return success();
}

/// M3.
static LogicalResult verifyOuts(ContractOp op) {
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if (getWhole(input) == getWhole(op.getOuts()))
      return kMemRefContract.violate(op, "M3")
             << "expects to write another memref than it reads, found the one "
                "of operand "
             << i << ": copy it before";
  return success();
}

static LogicalResult verify(Operation *op) {
  if (isa<KernelOp>(op))
    return kMemRefContract.violate(op, "M1")
           << "expects contractions outside of kernels: run "
              "einsum-inline-kernels";
  if (failed(verifyTypes(op)))
    return failure();
  auto contract = dyn_cast<ContractOp>(op);
  return contract ? verifyOuts(contract) : success();
}

namespace {
struct EinsumVerifyMemRefsPass
    : tileir::einsum::impl::EinsumVerifyMemRefsPassBase<
          EinsumVerifyMemRefsPass> {
  using EinsumVerifyMemRefsPassBase::EinsumVerifyMemRefsPassBase;

  void runOnOperation() override {
    WalkResult result =
        getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
          numContractions += isa<ContractOp>(op);
          return failed(verify(op)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

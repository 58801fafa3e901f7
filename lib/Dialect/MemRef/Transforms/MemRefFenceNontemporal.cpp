//===- MemRefFenceNontemporal.cpp - memref-fence-nontemporal --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes last among the passes on loops, after convert-scf-to-openmp: upstream's
// deallocation of buffers takes no op whose effects it does not know, nor does
// the canonicalizer remove scopes of stack memory around one. A fence is one:
// there is none outside of the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/MemRef/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {
#define GEN_PASS_DEF_MEMREFFENCENONTEMPORALPASS
#include "tileir/Dialect/MemRef/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

static bool isNontemporalStore(Operation *op) {
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return store.getNontemporal();
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return store.getNontemporal();
  return false;
}

namespace {
struct MemRefFenceNontemporalPass
    : tileir::impl::MemRefFenceNontemporalPassBase<MemRefFenceNontemporalPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    llvm::SmallSetVector<Operation *, 4> ends;
    function.walk([&](Operation *op) {
      if (!isNontemporalStore(op))
        return;
      Operation *parent = op->getParentOp();
      while (!isa<func::FuncOp, omp::ParallelOp>(parent))
        parent = parent->getParentOp();
      for (Block &block : parent->getRegion(0))
        if (block.getNumSuccessors() == 0)
          ends.insert(block.getTerminator());
    });
    for (Operation *end : ends) {
      OpBuilder builder(end);
      LLVM::FenceOp::create(builder, end->getLoc(),
                            LLVM::AtomicOrdering::seq_cst);
      ++numFences;
    }
  }
};
} // namespace

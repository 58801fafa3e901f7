//===- MemRefFreeEarly.cpp - memref-free-early ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes after upstream's pipeline of buffer deallocation, which frees buffers
// at the end of their block. Upstream's analysis follows buffers from memref to
// memref: once an address is a number, nothing tells who uses it.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/MemRef/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"

namespace tileir {
#define GEN_PASS_DEF_MEMREFFREEEARLYPASS
#include "tileir/Dialect/MemRef/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

/// Whether an op makes something else of a buffer, a number or a pointer, by
/// which it can be used. To ask for the alignment is no use.
static bool makesAddresses(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        if (isa<memref::ExtractAlignedPointerAsIndexOp>(op) &&
            llvm::all_of(op->getUsers(), llvm::IsaPred<arith::AndIOp>))
          return WalkResult::advance();
        return WalkResult(failure(
            isa<memref::ExtractAlignedPointerAsIndexOp,
                memref::ExtractStridedMetadataOp, UnrealizedConversionCastOp>(
                op)));
      })
      .wasInterrupted();
}

namespace {
struct MemRefFreeEarlyPass
    : tileir::impl::MemRefFreeEarlyPassBase<MemRefFreeEarlyPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (makesAddresses(function)) {
      ++numLeft;
      return;
    }
    OpPassManager free(func::FuncOp::getOperationName());
    free.addPass(bufferization::createOptimizeAllocationLivenessPass());
    if (failed(runPipeline(free, function)))
      signalPassFailure();
  }
};
} // namespace

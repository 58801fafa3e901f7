//===- MemRefPromoteToStack.cpp - memref-promote-to-stack -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs buffers that nothing deallocates yet, outside of loops
// (buffer-loop-hoisting).
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/MemRef/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Pass/PassManager.h"

namespace tileir {
#define GEN_PASS_DEF_MEMREFPROMOTETOSTACKPASS
#include "tileir/Dialect/MemRef/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

/// Bytes of all buffers of constant size.
static int64_t countBytes(func::FuncOp function) {
  DataLayout layout = DataLayout::closest(function);
  int64_t bytes = 0;
  function.walk([&](memref::AllocOp op) {
    if (op.getType().hasStaticShape())
      bytes += op.getType().getNumElements() *
               int64_t(layout.getTypeSize(op.getType().getElementType()));
  });
  return bytes;
}

static unsigned countOnStack(func::FuncOp function) {
  unsigned count = 0;
  function.walk([&](memref::AllocaOp) { ++count; });
  return count;
}

namespace {
struct MemRefPromoteToStackPass
    : tileir::impl::MemRefPromoteToStackPassBase<MemRefPromoteToStackPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    unsigned before = countOnStack(function);
    bufferization::PromoteBuffersToStackPassOptions options;
    options.maxAllocSizeInBytes =
        countBytes(function) <= budget ? budget : small;
    OpPassManager promote(func::FuncOp::getOperationName());
    promote.addPass(bufferization::createPromoteBuffersToStackPass(options));
    if (failed(runPipeline(promote, function)))
      return signalPassFailure();
    numPromoted += countOnStack(function) - before;
  }
};
} // namespace

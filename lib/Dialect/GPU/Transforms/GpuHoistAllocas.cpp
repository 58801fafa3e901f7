//===- GpuHoistAllocas.cpp - gpu-hoist-allocas ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM takes an alloca outside of the entry block for one of dynamic size, also
// where its size is a constant: in a loop, the stack would grow.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/GPU/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

namespace tileir {
#define GEN_PASS_DEF_GPUHOISTALLOCASPASS
#include "tileir/Dialect/GPU/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

namespace {
struct GpuHoistAllocasPass
    : tileir::impl::GpuHoistAllocasPassBase<GpuHoistAllocasPass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      function.walk([&](LLVM::AllocaOp alloca) {
        hoist(alloca, function.getBody().front());
      });
  }

private:
  void hoist(LLVM::AllocaOp alloca, Block &entry) {
    APInt size;
    if (alloca->getBlock() == &entry ||
        !matchPattern(alloca.getArraySize(), m_ConstantInt(&size)))
      return;
    Operation *constant = alloca.getArraySize().getDefiningOp();
    OpBuilder builder = OpBuilder::atBlockBegin(&entry);
    alloca.getArraySizeMutable().set(builder.clone(*constant)->getResult(0));
    alloca->moveAfter(&entry.front());
    if (constant->use_empty())
      constant->erase();
    ++numHoisted;
  }
};
} // namespace

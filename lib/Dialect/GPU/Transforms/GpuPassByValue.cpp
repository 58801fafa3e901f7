//===- GpuPassByValue.cpp - gpu-pass-by-value -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/GPU/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tileir {
#define GEN_PASS_DEF_GPUPASSBYVALUEPASS
#include "tileir/Dialect/GPU/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

/// Of CUtensorMap.
static constexpr int64_t kAlignment = 64;

/// Whether an argument is only cast to a pointer.
static bool isByAddress(BlockArgument argument) {
  return isa<LLVM::LLVMArrayType>(argument.getType()) &&
         llvm::all_of(argument.getUsers(), [](Operation *user) {
           return isa<UnrealizedConversionCastOp>(user) &&
                  user->getNumResults() == 1 &&
                  isa<LLVM::LLVMPointerType>(user->getResult(0).getType());
         });
}

namespace {
struct GpuPassByValuePass
    : tileir::impl::GpuPassByValuePassBase<GpuPassByValuePass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) &&
          !function.isExternal())
        run(function);
  }

private:
  void run(LLVM::LLVMFuncOp function);
};
} // namespace

void GpuPassByValuePass::run(LLVM::LLVMFuncOp function) {
  Builder builder(function);
  SmallVector<Type> types = llvm::to_vector(function.getArgumentTypes());
  for (BlockArgument argument : function.getArguments()) {
    if (!isByAddress(argument))
      continue;
    unsigned number = argument.getArgNumber();
    Type array = argument.getType();
    types[number] = LLVM::LLVMPointerType::get(&getContext());
    argument.setType(types[number]);
    for (Operation *cast : llvm::make_early_inc_range(argument.getUsers())) {
      cast->getResult(0).replaceAllUsesWith(argument);
      cast->erase();
    }
    function.setArgAttr(number, LLVM::LLVMDialect::getByValAttrName(),
                        TypeAttr::get(array));
    function.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                        builder.getI64IntegerAttr(kAlignment));
    function.setArgAttr(number, NVVM::NVVMDialect::getGridConstantAttrName(),
                        builder.getUnitAttr());
    ++numArguments;
  }
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      function.getFunctionType().getReturnType(), types));
}

//===- Lowering.h - Run the pipelines that kernels need ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of lowering that all tools share: pipelines as text, with errors
// that say how to fix them, and the choice of one for the kernels of a module.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_PTX_LOWERING_H
#define TILEIR_TARGET_PTX_LOWERING_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir {
class PassManager;
} // namespace mlir

namespace tileir::ptx {

/// Adds the passes of `pipeline`, with or without "builtin.module(...)" around
/// them. An error calls them --pipeline.
llvm::Error addPasses(mlir::PassManager &manager, llvm::StringRef pipeline);

/// Adds the passes of `pipeline` to `manager` and runs them on `module`. What
/// they leave is verified at the end; after each pass with `verifyEach`, which
/// takes as long as the passes, or where there are assertions.
llvm::Error runPasses(mlir::PassManager &manager, mlir::ModuleOp module,
                      llvm::StringRef pipeline, bool verifyEach);

/// Checks that only ops are left below `op`, itself excluded, which translate
/// to LLVM IR: `pipeline` should have seen to it.
llvm::Error checkLowered(mlir::Operation *op, llvm::StringRef pipeline);

/// Whether there are kernels in `module`, or calls of some, or what becomes
/// kernels.
bool hasKernels(mlir::ModuleOp module);

/// The pipeline that lowers the kernels of `module`: of einsum, of tiles, of
/// gpu.modules, or of linalg on tensors. `chip` is for kernels that name none.
std::string getKernelPipeline(mlir::ModuleOp module, llvm::StringRef chip);

/// The first target of a gpu.module, which has to be NVIDIA's.
llvm::Expected<mlir::NVVM::NVVMTargetAttr>
getNvvmTarget(mlir::gpu::GPUModuleOp kernels);

} // namespace tileir::ptx

#endif // TILEIR_TARGET_PTX_LOWERING_H

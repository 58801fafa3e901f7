//===- HostCode.h - Code that launches kernels ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a module whose kernels are lowered to host code in the LLVM dialect that
// has them as binaries, and launches them by the functions of GpuRuntime.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_PTX_HOSTCODE_H
#define TILEIR_TARGET_PTX_HOSTCODE_H

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace tileir::ptx {

/// The form that a kernel takes: LLVM bitcode that is not optimized yet, or
/// PTX.
enum class KernelFormat { Bitcode, Ptx };

/// The targets of NVIDIA that kernels are, or were, lowered for.
llvm::SmallVector<mlir::NVVM::NVVMTargetAttr> getTargets(mlir::ModuleOp module);

/// Whether kernels that are lowered take memrefs as one pointer each.
bool takeBarePointers(mlir::ModuleOp module);

/// Replaces each gpu.module by a gpu.binary, like gpu-module-to-binary.
/// `pipeline` has lowered them, which is verified.
llvm::Error makeBinaries(mlir::ModuleOp module, KernelFormat format,
                         llvm::StringRef pipeline);

/// Lowers host code beside gpu.binary ops to the LLVM dialect. `barePointers`
/// are those that kernels take. For `verifyEach` see runPasses.
llvm::Error lowerHostCode(mlir::ModuleOp module, bool barePointers,
                          bool verifyEach = false);

} // namespace tileir::ptx

#endif // TILEIR_TARGET_PTX_HOSTCODE_H

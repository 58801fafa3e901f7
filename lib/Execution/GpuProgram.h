//===- GpuProgram.h - Programs that launch kernels --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_EXECUTION_GPUPROGRAM_H
#define TILEIR_LIB_EXECUTION_GPUPROGRAM_H

#include "tileir/Execution/Backend.h"
#include "tileir/Target/PTX/HostCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tileir::execution {

/// The chip that the kernels of `module` are for: `requested` unless that is
/// empty, that of #nvvm.target, else the default one.
std::string getChip(mlir::ModuleOp module, llvm::StringRef requested);

/// Properties of lowered kernels.
struct LoweredKernels {
  bool barePointers = true; ///< they take a memref as one pointer
  bool optimize = false;    ///< a target says to optimize them
};

/// Lowers gpu.modules to gpu.binary ops, by the pipeline of `options`, or the
/// default one.
llvm::Expected<LoweredKernels> lowerKernels(mlir::ModuleOp module,
                                            const BackendOptions &options,
                                            llvm::StringRef chip,
                                            ptx::KernelFormat format);

/// Lowers the module of `entry` to host code in the LLVM dialect, beside
/// gpu.binary ops of its kernels. `backend` is for errors.
llvm::Expected<LoweredKernels> lowerGpuProgram(mlir::func::FuncOp entry,
                                               const BackendOptions &options,
                                               llvm::StringRef chip,
                                               ptx::KernelFormat format,
                                               llvm::StringRef backend);

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_GPUPROGRAM_H

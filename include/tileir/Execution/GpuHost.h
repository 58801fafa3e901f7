//===- GpuHost.h - Run programs that launch kernels -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_GPUHOST_H
#define TILEIR_EXECUTION_GPUHOST_H

#include "tileir/Execution/LowerKernels.h"
#include "tileir/Execution/Report.h"
#include "tileir/Runtime/GpuRuntime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tileir::execution {

/// Host code in the LLVM dialect, beside gpu.binary ops of its kernels.
struct GpuProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  LoweredKernels kernels;
  double start; ///< when its compilation began
};

/// Lowers a copy of the module of `entry`. `backend` is for errors.
llvm::Expected<GpuProgram> lowerGpuProgram(mlir::func::FuncOp entry,
                                           llvm::StringRef pipeline,
                                           llvm::StringRef chip,
                                           KernelFormat format,
                                           llvm::StringRef backend);

/// Compiles the host code and runs it `repeat` times, on `runtime`. Calls
/// `afterRun` after each run.
llvm::Expected<RunOutputs> runGpuProgram(const GpuProgram &program,
                                         mlir::func::FuncOp entry,
                                         llvm::ArrayRef<NDArray> arguments,
                                         GpuRuntime &runtime, unsigned repeat,
                                         RunReport &report,
                                         llvm::function_ref<void()> afterRun);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_GPUHOST_H

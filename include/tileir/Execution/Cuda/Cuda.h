//===- Cuda.h - Run programs on a GPU ---------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_CUDA_CUDA_H
#define TILEIR_EXECUTION_CUDA_CUDA_H

#include "tileir/Execution/Report.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tileir::execution {

/// Runs `entry`, host code that launches kernels, on the first GPU. Kernels are
/// PTX for sm_70 unless they or `pipeline` say otherwise: the driver compiles
/// it for all GPUs from that on.
llvm::Expected<RunOutputs> runCuda(mlir::func::FuncOp entry,
                                   llvm::ArrayRef<NDArray> arguments,
                                   llvm::StringRef pipeline, unsigned repeat,
                                   RunReport &report);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_CUDA_CUDA_H

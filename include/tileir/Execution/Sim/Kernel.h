//===- Kernel.h - Launch a kernel by itself ---------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_SIM_KERNEL_H
#define TILEIR_EXECUTION_SIM_KERNEL_H

#include "tileir/Execution/Report.h"
#include "tileir/Execution/Sim/SimOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace tileir::execution {

/// What is launched, and on what.
struct KernelRequest {
  std::string entry; ///< "kernel" or "module::kernel"; empty: the only one
  llvm::ArrayRef<std::string> inputs; ///< see KernelArguments.h
  uint64_t seed = 0;
  unsigned repeat = 1;
};

/// Whether a file is LLVM IR, as text or bitcode, rather than MLIR.
bool isLLVMIR(llvm::MemoryBufferRef file);

/// Launches a kernel of a file of NVPTX LLVM IR. Gives the arrays that its
/// pointer arguments point at.
llvm::Expected<RunOutputs> runKernel(llvm::MemoryBufferRef ir,
                                     const KernelRequest &request,
                                     const SimOptions &options,
                                     RunReport &report);

/// Launches a kernel of the gpu.modules of `module`, which `pipeline` lowers.
llvm::Expected<RunOutputs> runKernel(mlir::ModuleOp module,
                                     llvm::StringRef pipeline,
                                     const KernelRequest &request,
                                     const SimOptions &options,
                                     RunReport &report);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_SIM_KERNEL_H

//===- PTX.h - Kernels as PTX and as machine code ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's NVPTX back end, in process, and ptxas of the CUDA toolkit where it is
// installed. Dialects of kernels need their translations to LLVM IR registered
// (mlir::registerAllGPUToLLVMIRTranslations).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_PTX_PTX_H
#define TILEIR_TARGET_PTX_PTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tileir::ptx {

/// The PTX of a gpu.module in the LLVM and NVVM dialects, with #nvvm.target,
/// optimized as that says. Functions of libdevice are linked in where a kernel
/// calls them, which needs a CUDA toolkit. No debug information: the driver
/// would compile for debuggers.
llvm::Expected<std::string> translateToPTX(mlir::gpu::GPUModuleOp kernels);

/// The path of ptxas: in bin/ of $CUDA_HOME (/usr/local/cuda without), or on
/// PATH.
llvm::Expected<std::string> findPtxas();

/// The machine code of `ptx` for `chip`. An error holds what ptxas said.
llvm::Expected<std::string> assemble(llvm::StringRef ptxas, llvm::StringRef ptx,
                                     llvm::StringRef chip);

} // namespace tileir::ptx

#endif // TILEIR_TARGET_PTX_PTX_H

//===- LowerKernels.h - Kernels of a module as binaries ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_LOWERKERNELS_H
#define TILEIR_EXECUTION_LOWERKERNELS_H

#include "tileir/Execution/Sim/SimOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tileir::execution {

/// The chip that the kernels of `module` are for: that of the options, of
/// #nvvm.target, else sm_80.
std::string getChip(mlir::ModuleOp module, const SimOptions &options);

/// What lowered kernels are like.
struct LoweredKernels {
  bool barePointers = true; ///< they take a memref as one pointer
  bool optimize = false;    ///< a target says to optimize them
};

/// What a kernel becomes: LLVM bitcode that is not optimized yet, or PTX.
enum class KernelFormat { Bitcode, Ptx };

/// Lowers gpu.modules to gpu.binary ops, by `pipeline`, or the default one
/// where it is empty.
llvm::Expected<LoweredKernels> lowerKernels(mlir::ModuleOp module,
                                            llvm::StringRef pipeline,
                                            llvm::StringRef chip,
                                            KernelFormat format);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_LOWERKERNELS_H

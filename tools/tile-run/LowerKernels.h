//===- LowerKernels.h - Kernels of a module as LLVM bitcode -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILERUN_LOWERKERNELS_H
#define TILEIR_TOOLS_TILERUN_LOWERKERNELS_H

#include "SimOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tileir {

/// Whether there are kernels in `module`, or calls of some.
bool hasKernels(mlir::ModuleOp module);

/// The chip that the kernels of `module` are for: that of the options, of
/// #nvvm.target, else sm_80.
std::string getChip(mlir::ModuleOp module, const SimOptions &options);

/// What lowered kernels are like.
struct LoweredKernels {
  bool barePointers = true; ///< they take a memref as one pointer
  bool optimize = false;    ///< a target says to optimize them
};

/// Lowers gpu.modules to gpu.binary ops with LLVM bitcode, by `pipeline`, or
/// the default one where it is empty. The bitcode is not optimized yet.
llvm::Expected<LoweredKernels> lowerKernels(mlir::ModuleOp module,
                                            llvm::StringRef pipeline,
                                            llvm::StringRef chip);

} // namespace tileir

#endif // TILEIR_TOOLS_TILERUN_LOWERKERNELS_H

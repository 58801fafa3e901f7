//===- Lower.h - Run pass pipelines -----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILERUN_LOWER_H
#define TILEIR_TOOLS_TILERUN_LOWER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace tileir {

/// Adds the passes of `pipeline`, with or without "builtin.module(...)" around
/// them. An error calls them --pipeline.
llvm::Error addPasses(mlir::PassManager &manager, llvm::StringRef pipeline);

/// Runs the passes of `pipeline` on `module`.
llvm::Error runPasses(mlir::ModuleOp module, llvm::StringRef pipeline);

/// Removes all that the function `entry` does not reach: it is not compiled,
/// nor counted.
llvm::Error removeUnreachable(mlir::ModuleOp module, llvm::StringRef entry);

/// That only ops are left below `op`, itself excluded, which translate to LLVM
/// IR: `pipeline` should have seen to it.
llvm::Error checkLowered(mlir::Operation *op, llvm::StringRef pipeline);

} // namespace tileir

#endif // TILEIR_TOOLS_TILERUN_LOWER_H

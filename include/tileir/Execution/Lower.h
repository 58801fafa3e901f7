//===- Lower.h - What of a program is compiled ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_LOWER_H
#define TILEIR_EXECUTION_LOWER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tileir::execution {

/// Removes all that the function `entry` does not reach: it is not compiled,
/// nor counted.
llvm::Error removeUnreachable(mlir::ModuleOp module, llvm::StringRef entry);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_LOWER_H

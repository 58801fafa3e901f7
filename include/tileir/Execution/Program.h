//===- Program.h - Programs and their entries -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is a module with a function that is run, its entry.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_PROGRAM_H
#define TILEIR_EXECUTION_PROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace tileir::execution {

/// Registers what backends need: dialects and their translations in `registry`,
/// for the context of programs, and the passes of MLIR and TileIR, which
/// pipelines find by name; `verifyContracts` is the default of the pipelines'
/// option of this name. May be called more than once.
void registerAll(mlir::DialectRegistry &registry, bool verifyContracts = false);

/// The function `name` of `module`; without a name `main`, or the only public
/// function with a body. Fails where there is none, and where its arguments and
/// results are not ranked tensors or memrefs of elements that arrays can have.
llvm::Expected<mlir::func::FuncOp> findEntry(mlir::ModuleOp module,
                                             llvm::StringRef name = "");

/// Removes from the module of `entry` what it does not reach. Fails where a
/// value has a static size that no machine has memory for, with a diagnostic at
/// its op.
llvm::Error prepareProgram(mlir::func::FuncOp entry);

/// The arguments of `entry` that it may write to: memrefs.
llvm::SmallVector<unsigned> getWritableArguments(mlir::func::FuncOp entry);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_PROGRAM_H

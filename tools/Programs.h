//===- Programs.h - Read programs of all languages --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_PROGRAMS_H
#define TILEIR_TOOLS_PROGRAMS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

namespace tileir {

/// Options of languages other than MLIR's: -D and -I, for Triton-C.
extern llvm::cl::OptionCategory languageCategory;

/// Reads the main file of `sources`, whose name on the command line is `path`,
/// as what the name says: Triton-C (.c) or MLIR. Functions of Triton's, as
/// files .ttir have them, become tile programs. What is wrong goes to stderr.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
readProgram(llvm::StringRef path, llvm::SourceMgr &sources,
            mlir::MLIRContext &context);

} // namespace tileir

#endif // TILEIR_TOOLS_PROGRAMS_H

//===- TritonC.h - Import of Triton-C ---------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C-like language of Triton's first paper as programs of the tile dialect.
// docs/triton-c.md describes it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_TRITONC_H
#define TILEIR_FRONTEND_TRITONC_TRITONC_H

#include "tileir/Frontend/TritonC/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tileir::triton_c {

/// Whether a file is Triton-C by its name.
inline bool isTritonC(llvm::StringRef path) { return path.ends_with(".c"); }

/// Emits a kernel for each of `program`, and a host function @main that
/// launches the one with a grid; if several have one, @main_NAME for each.
mlir::OwningOpRef<mlir::ModuleOp> emitProgram(const Program &program,
                                              llvm::SourceMgr &sources,
                                              mlir::MLIRContext *context);

/// Both: imports the main file of `sources`. Prints what is wrong on stderr,
/// and gives a null module if that is an error.
mlir::OwningOpRef<mlir::ModuleOp> importTritonC(llvm::SourceMgr &sources,
                                                const Options &options,
                                                mlir::MLIRContext *context);

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_TRITONC_H

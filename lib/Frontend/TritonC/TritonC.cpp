//===- TritonC.cpp - Import of Triton-C -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/TritonC.h"

#include "tileir/Frontend/TritonC/Reader.h"

#include "mlir/IR/Verifier.h"

namespace tileir::triton_c {

mlir::OwningOpRef<mlir::ModuleOp> importTritonC(llvm::SourceMgr &sources,
                                                const Options &options,
                                                mlir::MLIRContext *context) {
  Diagnostics diagnostics(sources);
  Program program;
  llvm::LogicalResult read = readProgram(options, program, diagnostics);
  diagnostics.print(llvm::errs());
  if (failed(read))
    return nullptr;
  auto module = emitProgram(program, sources, context);
  if (failed(mlir::verify(*module)))
    return nullptr;
  return module;
}

} // namespace tileir::triton_c

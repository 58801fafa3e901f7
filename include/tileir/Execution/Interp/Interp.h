//===- Interp.h - Run the reference interpreter -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_INTERP_INTERP_H
#define TILEIR_EXECUTION_INTERP_INTERP_H

#include "tileir/Execution/Check.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tileir::execution {

/// Runs the interpreter. Progress goes to stderr once it takes a while.
llvm::Expected<RunOutputs> runInterpreter(mlir::func::FuncOp entry,
                                          llvm::ArrayRef<NDArray> arguments,
                                          double *seconds = nullptr);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_INTERP_INTERP_H

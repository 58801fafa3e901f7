//===- Bisect.h - Find the pass that changes the answer ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_BISECT_H
#define TILEIR_EXECUTION_BISECT_H

#include "tileir/Execution/Check.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace tileir::execution {

/// Runs the passes of `manager` on `module` and, after each, the interpreter on
/// the function `entry`, whose outputs are compared with `expected`; a line per
/// pass goes to stderr. Where the answer is another one for the first time is
/// an error: it names the pass, or the passes, if the stages between the last
/// right answer and the first wrong one cannot be executed. These two stages
/// are written to <prefix>-before.mlir and <prefix>-after.mlir, to be run by
/// themselves.
llvm::Error bisect(mlir::ModuleOp module, llvm::StringRef entry,
                   mlir::PassManager &manager,
                   llvm::ArrayRef<NDArray> arguments,
                   const RunOutputs &expected, std::optional<double> tolerance,
                   llvm::StringRef prefix);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_BISECT_H

//===- Bisect.h - Find the pass that changes the answer ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILERUN_BISECT_H
#define TILEIR_TOOLS_TILERUN_BISECT_H

#include "Check.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class PassManager;
} // namespace mlir

namespace tileir {

/// Runs the passes of `manager` on `module` and, after each, the interpreter on
/// the function `entry`, whose outputs are compared with `expected`; a line per
/// pass goes to stderr. Stops at the first after which the answer is another
/// one, which is an error that names the pass. The end is reached, too, where
/// the program is of dialects that the interpreter does not know.
llvm::Error bisect(mlir::ModuleOp module, llvm::StringRef entry,
                   mlir::PassManager &manager,
                   llvm::ArrayRef<NDArray> arguments,
                   const RunOutputs &expected, std::optional<double> tolerance);

} // namespace tileir

#endif // TILEIR_TOOLS_TILERUN_BISECT_H

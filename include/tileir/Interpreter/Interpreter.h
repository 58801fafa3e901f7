//===- Interpreter.h - The reference interpreter ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes functions op by op, straight from the definition of each op: the
// oracle against which compiled code is checked. It shares no code with any
// lowering. Clarity before speed.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_INTERPRETER_INTERPRETER_H
#define TILEIR_INTERPRETER_INTERPRETER_H

#include "tileir/Runtime/NDArray.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileir {

/// How the errors begin that tell of an op, or a form of one, that cannot be
/// executed because there is no definition of it here.
inline constexpr llvm::StringLiteral
    kUnknownToInterpreter("the interpreter does not know ");

struct InterpreterOptions {
  /// Called now and then during long ops with what runs and the fraction done.
  llvm::function_ref<void(llvm::StringRef what, double fraction)> progress;
};

struct InterpreterResult {
  /// The results of the function, in order.
  llvm::SmallVector<NDArray> results;
  /// The longest sum that a contraction formed: the K of error bounds.
  int64_t longestReduction = 1;
};

/// Runs `function` on `arguments`, one per argument, whose element types and
/// ranks, and static sizes, must be those of the argument types (tensors and
/// memrefs); what the function writes to a memref is in `arguments` afterwards.
/// Fails after an error diagnostic at the op that cannot be executed: reads and
/// writes out of bounds, divisions by zero, sizes that disagree, ops that the
/// interpreter does not know.
mlir::FailureOr<InterpreterResult>
interpret(mlir::func::FuncOp function, llvm::MutableArrayRef<NDArray> arguments,
          const InterpreterOptions &options = {});

} // namespace tileir

#endif // TILEIR_INTERPRETER_INTERPRETER_H

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

#include <array>

namespace tileir {

/// How the errors begin that tell of an op, a form of one, or a type that
/// cannot be executed because there is no definition of it here.
inline constexpr llvm::StringLiteral
    kUnknownToInterpreter("the interpreter does not know ");

struct InterpreterOptions {
  /// Called now and then during long ops with what runs and the fraction done.
  llvm::function_ref<void(llvm::StringRef what, double fraction)> progress;
  /// Run the programs of a grid from the last to the first: no answer may
  /// change.
  bool reverseGrid = false;
  /// Called with what the program prints; without, it goes to standard output.
  llvm::function_ref<void(llvm::StringRef text)> print;
};

struct InterpreterResult {
  /// The results of the function, in order.
  llvm::SmallVector<runtime::NDArray> results;
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
interpret(mlir::func::FuncOp function,
          llvm::MutableArrayRef<runtime::NDArray> arguments,
          const InterpreterOptions &options = {});

/// Runs `kernel`, a function with `tile.kernel`, for each point of `grid` (x,
/// y, z), as a `tile.launch` of a host function does under interpret(). An
/// argument for a pointer is an array, of any shape, of the elements that it
/// points at; memrefs and scalars are as above. Programs run one after the
/// other, x fastest.
///
/// Besides what interpret() checks, an error, with the program and the element
/// of the tile, is
/// - an access out of the bounds of the argument that the pointer comes from,
/// - a read of an element that nothing has written (of memref.alloc),
/// - two programs that access one element, unless both read it, both change it
///   atomically, or a release and an acquire order them; two elements of one
///   store that go to one element,
/// - arguments that are not as `tile.multiple_of`, `tile.readonly` and
///   `tile.noalias` say, and values that are not as `tile.assume` says.
///   Allocations count as aligned to 256 bytes and no more,
/// - a dependence on poison, which an element of a `tile.psi` is for which no
///   predicate is true. What arith, math, select, psi, addptr and ops that move
///   elements compute from poison is poison; a store, a mask, an address, a
///   reduction, a dot, a branch, or any other op must not depend on it.
/// Accesses by other ops than those of tile, and loads and stores of memref,
/// affine and vector, are not checked for other programs.
mlir::FailureOr<InterpreterResult>
interpretKernel(mlir::func::FuncOp kernel, std::array<int64_t, 3> grid,
                llvm::MutableArrayRef<runtime::NDArray> arguments,
                const InterpreterOptions &options = {});

} // namespace tileir

#endif // TILEIR_INTERPRETER_INTERPRETER_H

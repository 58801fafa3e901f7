//===- Interp.cpp - Run the reference interpreter -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Interp/Interp.h"

#include "tileir/Execution/Cpu/Cpu.h"
#include "tileir/Execution/Progress.h"
#include "tileir/Interpreter/Interpreter.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::execution;

Expected<RunOutputs> execution::runInterpreter(func::FuncOp entry,
                                               ArrayRef<NDArray> arguments,
                                               double *seconds) {
  double start = now();
  InterpreterOptions options;
  Progress progress("interp");
  options.progress = progress;
  SmallVector<NDArray> copies(arguments);
  auto result = interpret(entry, copies, options);
  if (seconds)
    *seconds = now() - start;
  if (failed(result))
    return createStringError("the interpreter stopped");
  return RunOutputs{collectOutputs(entry, std::move(result->results), copies),
                    result->longestReduction};
}

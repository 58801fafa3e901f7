//===- Cpu.cpp - Run compiled code ----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Cpu/Cpu.h"

#include "tileir/Execution/Arguments.h"
#include "tileir/Execution/Progress.h"
#include "tileir/Target/PTX/Lowering.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::execution;

SmallVector<NDArray> execution::collectOutputs(func::FuncOp entry,
                                               SmallVector<NDArray> results,
                                               ArrayRef<NDArray> arguments) {
  for (unsigned i : getWritableArguments(entry))
    results.push_back(arguments[i]);
  return results;
}

Expected<RunOutputs>
execution::runProgram(CpuProgram &program, func::FuncOp entry,
                      ArrayRef<NDArray> arguments, unsigned warmUps,
                      unsigned repeat, RunReport &report,
                      llvm::function_ref<Error()> afterRun) {
  RunOutputs last;
  for (unsigned run = 0; run < warmUps + repeat; ++run) {
    SmallVector<NDArray> copies(arguments);
    double seconds;
    auto results = program.run(copies, &seconds);
    // An error of the run comes before what it led to.
    if (Error error = afterRun()) {
      consumeError(results.takeError());
      return std::move(error);
    }
    if (!results)
      return results.takeError();
    if (run >= warmUps)
      report.seconds.push_back(seconds);
    last.arrays = collectOutputs(entry, std::move(*results), copies);
  }
  return last;
}

Expected<RunOutputs> execution::runCpu(func::FuncOp entry,
                                       ArrayRef<NDArray> arguments,
                                       StringRef pipeline, unsigned repeat,
                                       RunReport &report) {
  double start = now();
  OwningOpRef<ModuleOp> lowered = entry->getParentOfType<ModuleOp>().clone();
  CpuProgram::prepare(lowered->lookupSymbol<func::FuncOp>(entry.getName()));
  if (Error error = runPasses(*lowered, pipeline))
    return std::move(error);
  if (Error error = checkLowered(*lowered, pipeline))
    return std::move(error);
  auto program =
      CpuProgram::compile(*lowered, entry.getName(), entry.getFunctionType());
  if (!program)
    return program.takeError();
  report.compileSeconds = now() - start;
  // Where several runs are timed, one before them starts threads and caches.
  return runProgram(**program, entry, arguments, /*warmUps=*/repeat > 1, repeat,
                    report, [] { return Error::success(); });
}

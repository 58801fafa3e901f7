//===- InterpBackend.cpp - Run the reference interpreter ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backends.h"
#include "tileir/Execution/Program.h"
#include "tileir/Interpreter/Interpreter.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;
using llvm::Expected;

namespace {

class InterpExecutable : public Executable {
public:
  InterpExecutable(func::FuncOp entry, const BackendOptions &options)
      : program(entry), progress(options.progress), quiet(options.quiet) {}

  Expected<RunResult> run(ArrayRef<NDArray> arguments) override {
    InterpreterOptions options;
    if (progress)
      options.progress = progress;
    auto drop = [](StringRef) {};
    if (quiet)
      options.print = drop;
    SmallVector<NDArray> copies(arguments);
    double start = now();
    auto result = interpret(program.entry, copies, options);
    double seconds = now() - start;
    if (failed(result))
      return llvm::createStringError("the interpreter stopped");
    RunResult run{std::move(result->results), seconds, result->longestReduction,
                  std::nullopt};
    for (unsigned i : getWritableArguments(program.entry))
      run.outputs.push_back(copies[i]);
    return run;
  }

private:
  ProgramCopy program;
  ProgressCallback progress;
  bool quiet;
};

class InterpBackend : public Backend {
public:
  explicit InterpBackend(BackendOptions options)
      : options(std::move(options)) {}

  StringRef getName() const override { return "interp"; }

  Expected<std::unique_ptr<Executable>> compile(func::FuncOp entry) override {
    return std::make_unique<InterpExecutable>(entry, options);
  }

private:
  BackendOptions options;
};

} // namespace

std::unique_ptr<Backend>
execution::createInterpBackend(BackendOptions options) {
  return std::make_unique<InterpBackend>(std::move(options));
}

//===- Bisect.cpp - Find the pass that changes the answer -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stages in dialects that the interpreter does not know are passed over: a
// later one may be known again, as after casts were reconciled, and is then
// compared with the last one that was right.
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Bisect.h"

#include "Backends.h"
#include "Cpu/HostProgram.h"
#include "tileir/Execution/Program.h"
#include "tileir/Interpreter/Interpreter.h"
#include "tileir/Target/PTX/Lowering.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::ptx;
using namespace tileir::runtime;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

std::string PipelineStage::describe() const {
  if (number == 0)
    return "the program";
  return "pass " + std::to_string(number) + ", '" + pass + "'";
}

std::string BisectResult::describe() const {
  const PipelineStage &before = lastSame, &after = *firstDifferent;
  unsigned first = before.number + 1, last = after.number - 1;
  std::string where = "after " + after.describe();
  if (first <= last)
    where = "between " + before.describe() + (before.number ? "," : "") +
            " and " + after.describe() + " (what " +
            (first == last ? "pass " + std::to_string(first) + " leaves"
                           : "passes " + std::to_string(first) + " to " +
                                 std::to_string(last) + " leave") +
            " cannot be executed)";
  return "the answer changes " + where + ": " + difference;
}

namespace {

/// The outcome of executing a stage.
struct Verdict {
  enum { Same, Different, Unknown } kind = Same;
  std::string reason;
};

class BisectInstrumentation : public PassInstrumentation {
public:
  BisectInstrumentation(func::FuncOp function, ArrayRef<NDArray> arguments,
                        const RunResult &expected,
                        std::optional<double> tolerance,
                        BisectProgress progress, BisectResult &result,
                        std::optional<PipelineStage> &failedStage)
      : module(function->getParentOfType<ModuleOp>()),
        entry(function.getName().str()), arguments(arguments),
        expected(expected), tolerance(tolerance), progress(progress),
        result(result), failedStage(failedStage),
        memrefArguments(getWritableArguments(function)) {}

  void runAfterPass(Pass *pass, Operation *) override {
    // The adaptors that run nested passes have no name.
    if (pass->getArgument().empty())
      return;
    ++result.numPasses;
    if (result.firstDifferent)
      return;
    StringRef name = pass->getArgument();
    // The name first: executing a program of loops may take a while.
    progress(result.numPasses, name, "");
    Verdict verdict = execute();
    if (verdict.kind == Verdict::Unknown) {
      progress(result.numPasses, name, "cannot be executed: " + verdict.reason);
      if (result.unknownReason.empty()) {
        result.unknownReason = verdict.reason;
        result.unknownFrom = name.str();
      }
      return;
    }
    ++result.numExecuted;
    result.unknownReason.clear();
    PipelineStage stage{result.numPasses, name.str(),
                        debugString(module) + "\n"};
    if (verdict.kind == Verdict::Same) {
      progress(result.numPasses, name, "same");
      result.lastSame = std::move(stage);
      return;
    }
    progress(result.numPasses, name, verdict.reason);
    result.firstDifferent = std::move(stage);
    result.difference = verdict.reason;
  }

  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      failedStage =
          PipelineStage{result.numPasses + 1, pass->getArgument().str(), ""};
  }

private:
  /// Runs the entry, and compares the answer.
  Verdict execute() {
    auto function = module.lookupSymbol<func::FuncOp>(entry);
    if (!function)
      return {Verdict::Unknown, "there is no func.func @" + entry};
    std::string message;
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &d) {
      if (message.empty() && d.getSeverity() == DiagnosticSeverity::Error)
        message = d.str();
      return success();
    });
    SmallVector<NDArray> copies(arguments);
    InterpreterOptions options;
    auto drop = [](StringRef) {};
    options.print = drop;
    auto results = interpret(function, copies, options);
    if (failed(results)) {
      if (StringRef(message).contains(kUnknownToInterpreter))
        return {Verdict::Unknown, message};
      return {Verdict::Different, "the interpreter stops: " + message};
    }
    // Arguments that were tensors may be memrefs now: what counts is the
    // results, and the memrefs that there were.
    RunResult got;
    got.outputs = std::move(results->results);
    for (unsigned argument : memrefArguments)
      got.outputs.push_back(copies[argument]);
    auto outcome = checkOutputs(arguments, got, expected, tolerance);
    if (!outcome)
      return {Verdict::Different, toString(outcome.takeError())};
    if (!outcome->passed)
      return {Verdict::Different, outcome->describeWorst()};
    return {};
  }

  ModuleOp module;
  std::string entry;
  ArrayRef<NDArray> arguments;
  const RunResult &expected;
  std::optional<double> tolerance;
  BisectProgress progress;
  BisectResult &result;
  std::optional<PipelineStage> &failedStage;
  SmallVector<unsigned> memrefArguments; // before the first pass
};

/// Turns off the threads of a context: the interpreter needs the whole module
/// between passes.
class SingleThread {
public:
  explicit SingleThread(MLIRContext &context)
      : context(context), wasEnabled(context.isMultithreadingEnabled()) {
    context.disableMultithreading();
  }
  ~SingleThread() { context.enableMultithreading(wasEnabled); }

private:
  MLIRContext &context;
  bool wasEnabled;
};

} // namespace

Expected<BisectResult> execution::bisect(func::FuncOp entry, StringRef pipeline,
                                         ArrayRef<NDArray> arguments,
                                         std::optional<double> tolerance,
                                         BisectProgress progress) {
  BackendOptions quiet;
  quiet.quiet = true;
  auto reference = createInterpBackend(std::move(quiet))->compile(entry);
  if (!reference)
    return reference.takeError();
  auto expected = (*reference)->run(arguments);
  if (!expected)
    return expected.takeError();
  SingleThread singleThread(*entry.getContext());
  ProgramCopy program(entry);
  HostProgram::prepare(program.entry);
  PassManager manager(entry.getContext());
  if (Error error = addPasses(manager, pipeline))
    return std::move(error);
  BisectResult result;
  result.lastSame.text = debugString(*program.module) + "\n";
  std::optional<PipelineStage> failedStage;
  manager.addInstrumentation(std::make_unique<BisectInstrumentation>(
      program.entry, arguments, *expected, tolerance, progress, result,
      failedStage));
  bool failedPass = failed(manager.run(*program.module));
  if (failedPass && !result.firstDifferent)
    return createStringError(
        (failedStage ? failedStage->describe() : "the pipeline") + " failed");
  return result;
}

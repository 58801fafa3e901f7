//===- Bisect.cpp - Find the pass that changes the answer -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every stage of a pipeline has a meaning: the interpreter runs it. So one run
// of the pipeline is enough, with the interpreter called between its passes.
// Stages in dialects that the interpreter does not know are passed over: a
// later one may be known again, as after casts were reconciled, and is then
// compared with the last one that was right.
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Bisect.h"

#include "tileir/Execution/Report.h"
#include "tileir/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::execution;

namespace {

/// The program after a pass, or before the first (whose number is 0).
struct Stage {
  unsigned number = 0;
  std::string pass;
  std::string text;

  std::string describe() const {
    if (number == 0)
      return "the program";
    return "pass " + std::to_string(number) + ", '" + pass + "'";
  }
};

/// What executing a stage gave.
struct Verdict {
  enum { Same, Different, Unknown } kind = Same;
  std::string why;
};

/// What is known so far.
struct BisectState {
  unsigned numPasses = 0, numExecuted = 0;
  Stage lastSame;
  std::optional<Stage> firstDifferent, failed;
  std::string difference;
  std::string unknown;     // why the last stages cannot be executed, if so
  std::string unknownFrom; // the pass after which this is so
};

std::string print(ModuleOp module) {
  std::string text;
  raw_string_ostream(text) << module << '\n';
  return text;
}

class BisectInstrumentation : public PassInstrumentation {
public:
  BisectInstrumentation(ModuleOp module, func::FuncOp function,
                        ArrayRef<NDArray> arguments, const RunOutputs &expected,
                        std::optional<double> tolerance, BisectState &state)
      : module(module), entry(function.getName().str()), arguments(arguments),
        expected(expected), tolerance(tolerance), state(state) {
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (isa<MemRefType>(type))
        memrefArguments.push_back(i);
  }

  void runAfterPass(Pass *pass, Operation *) override {
    // The adaptors that run nested passes have no name.
    if (pass->getArgument().empty())
      return;
    ++state.numPasses;
    if (state.firstDifferent)
      return;
    std::string name = pass->getArgument().str();
    // The name first: executing a program of loops may take a while.
    errs() << "[bisect] " << state.numPasses << ' ' << name << ": ";
    Verdict verdict = execute();
    if (verdict.kind == Verdict::Unknown) {
      errs() << "cannot be executed: " << verdict.why << '\n';
      if (state.unknown.empty()) {
        state.unknown = verdict.why;
        state.unknownFrom = name;
      }
      return;
    }
    ++state.numExecuted;
    state.unknown.clear();
    Stage stage{state.numPasses, name, print(module)};
    if (verdict.kind == Verdict::Same) {
      errs() << "same\n";
      state.lastSame = std::move(stage);
      return;
    }
    errs() << verdict.why << '\n';
    state.firstDifferent = std::move(stage);
    state.difference = verdict.why;
  }

  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      state.failed = Stage{state.numPasses + 1, pass->getArgument().str(), ""};
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
    auto result = interpret(function, copies);
    if (failed(result)) {
      if (StringRef(message).contains(kUnknownToInterpreter))
        return {Verdict::Unknown, message};
      return {Verdict::Different, "the interpreter stops: " + message};
    }
    // Arguments that were tensors may be memrefs now: what counts is the
    // results, and the memrefs that there were.
    RunOutputs got{std::move(result->results), result->longestReduction};
    for (unsigned argument : memrefArguments)
      got.arrays.push_back(copies[argument]);
    if (got.arrays.size() != expected.arrays.size())
      return {Verdict::Different, "the function has another number of results"};
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
  const RunOutputs &expected;
  std::optional<double> tolerance;
  BisectState &state;
  SmallVector<unsigned> memrefArguments; // before the first pass
};

} // namespace

/// Which passes change the answer, and how.
static std::string describe(const BisectState &state) {
  const Stage &before = state.lastSame, &after = *state.firstDifferent;
  unsigned first = before.number + 1, last = after.number - 1;
  std::string where = "after " + after.describe();
  if (first <= last)
    where = "between " + before.describe() + (before.number ? "," : "") +
            " and " + after.describe() + " (what " +
            (first == last ? "pass " + std::to_string(first) + " leaves"
                           : "passes " + std::to_string(first) + " to " +
                                 std::to_string(last) + " leave") +
            " cannot be executed)";
  return "the answer changes " + where + ": " + state.difference;
}

/// Writes a stage to a file, and tells of it.
static Error writeStage(const Stage &stage, StringRef prefix, StringRef which) {
  std::string path = (prefix + "-" + which + ".mlir").str();
  if (Error error = writeFile(path, [&](raw_ostream &os) { os << stage.text; }))
    return error;
  outs() << which << ": " << path << '\n';
  return Error::success();
}

Error execution::bisect(ModuleOp module, StringRef entry, PassManager &manager,
                        ArrayRef<NDArray> arguments, const RunOutputs &expected,
                        std::optional<double> tolerance, StringRef prefix) {
  // The interpreter needs the whole module, between passes.
  module.getContext()->disableMultithreading();
  BisectState state;
  state.lastSame.text = print(module);
  manager.addInstrumentation(std::make_unique<BisectInstrumentation>(
      module, module.lookupSymbol<func::FuncOp>(entry), arguments, expected,
      tolerance, state));
  bool failedPass = failed(manager.run(module));
  if (state.firstDifferent) {
    Error error = createStringError(describe(state));
    error = joinErrors(std::move(error),
                       writeStage(state.lastSame, prefix, "before"));
    error = joinErrors(std::move(error),
                       writeStage(*state.firstDifferent, prefix, "after"));
    outs() << "entry: " << entry << '\n';
    outs().flush(); // the error comes last
    return error;
  }
  if (failedPass)
    return createStringError(
        (state.failed ? state.failed->describe() : "the pipeline") + " failed");
  outs() << "bisect: no pass changes the answer; " << state.numExecuted
         << " of " << state.numPasses << " passes executed\n";
  if (!state.unknown.empty())
    outs() << "after '" << state.unknownFrom << "': " << state.unknown << '\n';
  return Error::success();
}

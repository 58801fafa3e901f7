//===- Bisect.cpp - Find the pass that changes the answer -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every stage of a pipeline has a meaning: the interpreter runs it. So one run
// of the pipeline is enough, with the interpreter called between its passes.
//
//===----------------------------------------------------------------------===//

#include "Bisect.h"

#include "tileir/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;

namespace {

/// What is known so far.
struct BisectState {
  unsigned numPasses = 0, numExecuted = 0;
  std::string finding;     // the pass that changes the answer, and how
  std::string unknown;     // why the rest cannot be executed
  std::string unknownFrom; // the pass after which this is so
};

class BisectInstrumentation : public PassInstrumentation {
public:
  BisectInstrumentation(func::FuncOp function, ArrayRef<NDArray> arguments,
                        const RunOutputs &expected,
                        std::optional<double> tolerance, BisectState &state)
      : entry(function.getName().str()), arguments(arguments),
        expected(expected), tolerance(tolerance), state(state) {
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (isa<MemRefType>(type))
        memrefArguments.push_back(i);
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    // The adaptors that run nested passes have no name.
    if (pass->getArgument().empty())
      return;
    ++state.numPasses;
    if (!state.finding.empty() || !state.unknown.empty())
      return;
    auto module = dyn_cast<ModuleOp>(op);
    if (!module)
      module = op->getParentOfType<ModuleOp>();
    std::string name = pass->getArgument().str();
    // The name first: executing a program of loops may take a while.
    errs() << "[bisect] " << state.numPasses << ' ' << name << ": ";
    std::string difference = execute(module);
    if (!state.unknown.empty()) {
      errs() << "cannot be executed\n";
      state.unknownFrom = name;
      return;
    }
    ++state.numExecuted;
    errs() << (difference.empty() ? "same" : difference) << '\n';
    if (!difference.empty())
      state.finding = "pass " + std::to_string(state.numPasses) + ", '" + name +
                      "': " + difference;
  }

private:
  /// Runs the entry. Returns how the answer differs, if it does.
  std::string execute(ModuleOp module) {
    auto function = module.lookupSymbol<func::FuncOp>(entry);
    if (!function) {
      state.unknown = "there is no func.func @" + entry + " any more";
      return "";
    }
    std::string message;
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &d) {
      if (message.empty() && d.getSeverity() == DiagnosticSeverity::Error)
        message = d.str();
      return success();
    });
    SmallVector<NDArray> copies(arguments);
    auto result = interpret(function, copies);
    if (failed(result)) {
      if (StringRef(message).contains(kUnknownToInterpreter)) {
        state.unknown = message;
        return "";
      }
      return "the interpreter stops: " + message;
    }
    // Arguments that were tensors may be memrefs now: what counts is the
    // results, and the memrefs that there were.
    RunOutputs got{std::move(result->results), result->longestReduction};
    for (unsigned argument : memrefArguments)
      got.arrays.push_back(copies[argument]);
    if (got.arrays.size() != expected.arrays.size())
      return "the function has another number of results";
    auto outcome = checkOutputs(arguments, got, expected, tolerance);
    if (!outcome)
      return toString(outcome.takeError());
    if (outcome->passed)
      return "";
    return outcome->describeWorst();
  }

  std::string entry;
  ArrayRef<NDArray> arguments;
  const RunOutputs &expected;
  std::optional<double> tolerance;
  BisectState &state;
  SmallVector<unsigned> memrefArguments; // before the first pass
};

} // namespace

Error tileir::bisect(ModuleOp module, StringRef entry, PassManager &manager,
                     ArrayRef<NDArray> arguments, const RunOutputs &expected,
                     std::optional<double> tolerance) {
  // The interpreter needs the whole module, between passes.
  module.getContext()->disableMultithreading();
  BisectState state;
  manager.addInstrumentation(std::make_unique<BisectInstrumentation>(
      module.lookupSymbol<func::FuncOp>(entry), arguments, expected, tolerance,
      state));
  bool failedPass = failed(manager.run(module));
  if (!state.finding.empty())
    return createStringError("the answer changes after " + state.finding);
  if (failedPass)
    return createStringError("a pass of the pipeline failed");
  outs() << "bisect: no pass changes the answer; " << state.numExecuted
         << " of " << state.numPasses << " passes executed\n";
  if (!state.unknown.empty())
    outs() << "after '" << state.unknownFrom << "': " << state.unknown << '\n';
  return Error::success();
}

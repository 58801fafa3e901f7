//===- Bisect.h - Find the pass that changes the answer ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every stage of a pipeline has a meaning, which the interpreter executes: so
// the pipeline runs once, and the interpreter after each of its passes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_BISECT_H
#define TILEIR_EXECUTION_BISECT_H

#include "tileir/Execution/Check.h"

namespace tileir::execution {

/// The program after a pass of a pipeline, or before the first.
struct PipelineStage {
  unsigned number = 0; ///< of the pass, from 1; 0 before the first
  std::string pass;    ///< its name
  std::string text;    ///< the program

  /// "pass 3, 'cse'", or "the program".
  std::string describe() const;
};

/// The findings about a pipeline.
struct BisectResult {
  unsigned numPasses = 0, numExecuted = 0;
  /// The last stage with the right answer, and the first with another one, if
  /// there is one.
  PipelineStage lastSame;
  std::optional<PipelineStage> firstDifferent;
  /// How the first other answer differs, or where its program stops.
  std::string difference;
  /// Where the last stages cannot be executed: the pass after which this is so,
  /// and why.
  std::string unknownFrom, unknownReason;

  /// Which passes change the answer, and how. For results with a
  /// `firstDifferent`.
  std::string describe() const;
};

/// Told of each pass twice: before the program is executed, with an empty
/// verdict, and after: "same", or what is different, or why it cannot be
/// executed.
using BisectProgress = llvm::function_ref<void(
    unsigned number, llvm::StringRef pass, llvm::StringRef verdict)>;

/// Runs the passes of `pipeline` on a copy of the module of `entry` and, after
/// each, `entry` by the interpreter on `arguments`; its outputs are compared
/// with those of the module as it is, within `tolerance` (Check.h). Stages in
/// dialects that the interpreter does not know are passed over. Fails if the
/// module as it is cannot be executed, the pipeline does not parse, or a pass
/// fails before the answer changes. Multithreading of the context is off
/// meanwhile.
llvm::Expected<BisectResult> bisect(
    mlir::func::FuncOp entry, llvm::StringRef pipeline,
    llvm::ArrayRef<runtime::NDArray> arguments,
    std::optional<double> tolerance = std::nullopt,
    BisectProgress progress = [](unsigned, llvm::StringRef, llvm::StringRef) {
    });

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_BISECT_H

//===- Report.h - Times, counts and checks of runs --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_REPORT_H
#define TILEIR_EXECUTION_REPORT_H

#include "tileir/Execution/Backend.h"
#include "tileir/Execution/Check.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace tileir::execution {

/// The report on a program and its runs.
struct RunReport {
  std::string file, entry, backend;
  double compileSeconds = 0;
  std::vector<double> seconds; ///< per run
  /// The time of the kernels of each run, where a GPU tells it.
  std::vector<double> kernelSeconds;
  /// The clock of the GPU's multiprocessors after the last run.
  std::optional<unsigned> megahertz;
  /// The additions and multiplications of all contractions of the program, two
  /// operands at a time; nothing if a size is not static or if there is no
  /// arithmetic.
  std::optional<double> flops;
  /// The contractions, {"spec": ..., "sizes": {index: size}}; null where a
  /// size is not static.
  llvm::json::Array contractions;
  std::optional<CheckOutcome> check;
  /// The report of the simulator on the last run.
  std::optional<SimReport> sim;

  /// Of the kernels, where their time is known, else of runs. Needs a run.
  double getMedianSeconds() const;
  /// The fields of `tile-run --report`. Needs a run.
  llvm::json::Value toJSON() const;
  /// Times, and the outcome of the check; not what the simulator tells. Needs a
  /// run.
  void print(llvm::raw_ostream &os) const;
};

/// A report of the program of `entry`, before it runs on the backend called
/// `backend`.
RunReport startReport(mlir::func::FuncOp entry, llvm::StringRef backend);

/// Runs `executable` on `arguments` `repeat` times, at least once, and gives
/// what the last run gave; but what the simulator tells, and times, go to
/// `report`. Where several runs are timed, one before them is not, if the
/// executable needs that. Fails at the first run that does.
llvm::Expected<RunResult> measure(Executable &executable,
                                  llvm::ArrayRef<runtime::NDArray> arguments,
                                  unsigned repeat, RunReport &report);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_REPORT_H

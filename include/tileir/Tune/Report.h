//===- Report.h - What came of tuning ---------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_REPORT_H
#define TILEIR_TUNE_REPORT_H

#include "tileir/Tune/Tuner.h"

#include "llvm/Support/raw_ostream.h"

namespace tileir::tune {

/// The results of a tuner, for those who read them.
class Report {
public:
  /// Both outlive it.
  Report(const Tuner &tuner, const Space &space, bool isEstimate)
      : tuner(tuner), space(space), isEstimate(isEstimate) {}

  /// The best ones as a table, and why others are not among them.
  void print(llvm::raw_ostream &os) const;
  /// All of them as CSV.
  void printCsv(llvm::raw_ostream &os) const;
  /// A page that needs nothing else: the table, the best cost over time, costs
  /// by each parameter, and by what was predicted. `command` runs the best one.
  void printHtml(llvm::raw_ostream &os, llvm::StringRef command) const;

private:
  void printClock(llvm::raw_ostream &os) const;
  llvm::StringRef getUnit() const { return isEstimate ? "us" : "ms"; }

  const Tuner &tuner;
  const Space &space;
  bool isEstimate;
};

} // namespace tileir::tune

#endif // TILEIR_TUNE_REPORT_H

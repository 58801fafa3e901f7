//===- Outcome.h - What came of a run ---------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_OUTCOME_H
#define TILEIR_TUNE_OUTCOME_H

#include <string>

namespace tileir::tune {

/// What came of a run.
struct Outcome {
  /// Why there is nothing; empty: all is right.
  std::string reason;
  /// The times of a run in milliseconds, and the estimate of all kernels on the
  /// simulated chip in microseconds, or 0.
  double median = 0, least = 0, most = 0, estimate = 0;
  /// The clock of the GPU's multiprocessors after it, or 0.
  double megahertz = 0;
  /// Whether it is what a whole search has chosen.
  bool isChosen = false;
};

} // namespace tileir::tune

#endif // TILEIR_TUNE_OUTCOME_H

//===- Check.h - Compare outputs with a reference ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_CHECK_H
#define TILEIR_EXECUTION_CHECK_H

#include "tileir/Execution/Backend.h"

#include <optional>
#include <string>

namespace tileir::execution {

/// The outcome of comparing outputs with a reference.
struct CheckOutcome {
  std::string against; ///< the backend that gave the reference
  /// The error of the worst output, max |got - expected| / max |expected|, and
  /// the largest error that it may have.
  double error = 0, tolerance = 0;
  bool passed = false; ///< no output is beyond its tolerance
  /// The worst element, of the worst output.
  unsigned output = 0;
  llvm::SmallVector<int64_t> index;
  double got = 0, expected = 0;

  /// "output 0 at [1, 2] is 3, expected 4"
  std::string describeWorst() const;
};

/// Compares the outputs of a run on `arguments` with those of a reference run,
/// which ran the same function. `tolerance` is the largest max |got - expected|
/// / max |expected| of an output that passes; without it that of the element
/// types and the length of the sums, and 0 for integers. NaN passes only
/// against NaN. Fails where numbers of outputs or shapes differ.
llvm::Expected<CheckOutcome>
checkOutputs(llvm::ArrayRef<runtime::NDArray> arguments, const RunResult &got,
             const RunResult &expected,
             std::optional<double> tolerance = std::nullopt);

/// Runs `entry` on `reference` and compares with what another backend gave.
llvm::Expected<CheckOutcome>
checkAgainst(Backend &reference, mlir::func::FuncOp entry,
             llvm::ArrayRef<runtime::NDArray> arguments, const RunResult &got,
             std::optional<double> tolerance = std::nullopt);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_CHECK_H

//===- Check.h - Compare outputs with a reference ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_CHECK_H
#define TILEIR_EXECUTION_CHECK_H

#include "tileir/Runtime/NDArray.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace tileir::execution {

/// The outcome of comparing outputs with a reference.
struct CheckOutcome {
  std::string against;
  double tolerance = 0, error = 0;
  bool passed = false;
  /// The worst element, of the worst output.
  unsigned output = 0;
  llvm::SmallVector<int64_t> index;
  double got = 0, expected = 0;

  /// "output 0 at [1, 2] is 3, expected 4"
  std::string describeWorst() const;
};

/// What a run gave: the results of a function, then its memref arguments.
struct RunOutputs {
  llvm::SmallVector<NDArray> arrays;
  /// The longest sum formed, if it is known: the K of error bounds.
  int64_t longestReduction = 1;
};

/// Compares outputs of a run on `arguments` with those of a reference run,
/// within `tolerance` or the default one for element types and length of sums.
/// Fails if shapes differ.
llvm::Expected<CheckOutcome> checkOutputs(llvm::ArrayRef<NDArray> arguments,
                                          const RunOutputs &got,
                                          const RunOutputs &expected,
                                          std::optional<double> tolerance);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_CHECK_H

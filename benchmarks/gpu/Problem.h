//===- Problem.h - What is measured -----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// index.json of a folder of bundles, which bench.py made: problems, each with
// our kernels for it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_PROBLEM_H
#define TILEIR_BENCHMARKS_PROBLEM_H

#include "tileir-launch/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tileir::bench {

using launch::Error;

/// A kernel of ours.
struct Bundle {
  std::string folder; ///< in that of the index
  std::string chip;   ///< that it was compiled for
  std::string options;
};

struct Problem {
  std::string name;
  /// The table that it is a row of, and what is computed.
  std::string set, task;
  std::vector<int64_t> size;
  /// Of the operands of products, as "mk, kn"; of images, nchw or nhwc.
  std::string order;
  /// Kernels that compute all of it.
  std::vector<Bundle> bundles;
  /// Kernels that compute a part, for what is compared: the only pointwise one,
  /// or the 1x1 convolution.
  std::vector<Bundle> parts;
};

/// Reads the problems of `folder`, each with the bundles of the newest chip
/// that a GPU of compute capability `major`.`minor` runs.
Error readProblems(const std::string &folder, int major, int minor,
                   std::vector<Problem> &problems);

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_PROBLEM_H

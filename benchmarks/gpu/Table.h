//===- Table.h - What was measured ------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CSV file: a row for each candidate of each problem, on each GPU. It is
// written as rows come, so that a run that ends early goes on where it was.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_TABLE_H
#define TILEIR_BENCHMARKS_TABLE_H

#include "tileir-launch/Error.h"

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace tileir::bench {

using launch::Error;

using Row = std::map<std::string, std::string>;

class Table {
public:
  /// Reads the rows that are there for a GPU.
  Error open(const std::string &path, const std::string &gpu);
  /// Writes rows at once: all of them or, if the program is ended, none.
  Error add(const std::vector<Row> &added);
  /// A row of `line`, which `format` gave, whose candidate has failed.
  static Error addFailure(const std::string &path, const std::string &line,
                          const std::string &why);
  static std::string format(Row row);

  /// Whether the problem was measured.
  bool isMeasured(const std::string &problem) const;
  /// The row of a candidate who was found not to be right, or null.
  const Row *findFault(const std::string &problem, const std::string &candidate,
                       const std::string &options) const;
  /// How many are wrong, and how many kernels of ours fail.
  size_t countFaults() const;

private:
  std::vector<Row> rows; ///< of this GPU
  std::ofstream file;
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_TABLE_H

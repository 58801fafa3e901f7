//===- CheckReports.h - Reports of failed run-time checks -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled code calls tileirReportCheck when a check fails (see
// convert-einsum-to-affine), possibly from many threads and many times, and
// goes on. A CheckCollector gathers what is reported while it lives.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_CHECKREPORTS_H
#define TILEIR_RUNTIME_CHECKREPORTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

/// The function that compiled code calls, with the number of the check and a
/// one-dimensional memref of 64-bit values. Without a collector the report is
/// dropped.
extern "C" void tileirReportCheck(int64_t site, int64_t *base, int64_t *aligned,
                                  int64_t offset, int64_t size, int64_t stride);

namespace tileir::runtime {

/// The message of a failed check: the template `sites[site]`, with {0}, {1},
/// ... replaced by the values.
std::string formatCheckMessage(llvm::ArrayRef<std::string> sites, int64_t site,
                               llvm::ArrayRef<int64_t> values);

/// Collects reports from construction to destruction. One at a time: a second
/// one waits for the first.
class CheckCollector {
public:
  CheckCollector();
  ~CheckCollector();
  CheckCollector(const CheckCollector &) = delete;
  CheckCollector &operator=(const CheckCollector &) = delete;

  void add(int64_t site, llvm::ArrayRef<int64_t> values);

  /// The message of the least report, by site and values (so that threads do
  /// not matter), and how many there were; nothing if there was none. `sites`
  /// are the templates of the module.
  std::optional<std::string> getMessage(llvm::ArrayRef<std::string> sites);

private:
  std::unique_lock<std::mutex> active;
  std::mutex mutex;
  int64_t count = 0;
  int64_t leastSite = 0;
  llvm::SmallVector<int64_t> leastValues;
};

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_CHECKREPORTS_H

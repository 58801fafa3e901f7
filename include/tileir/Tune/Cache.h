//===- Cache.h - What was measured before -----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file with a line of JSON for each configuration that was measured, failures
// too. Lines are added whole, under a lock, so that processes can share a file
// and files can be joined; of several lines for the same the last one holds. A
// line that is none is told of and left alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_CACHE_H
#define TILEIR_TUNE_CACHE_H

#include "tileir/Tune/Outcome.h"
#include "tileir/Tune/Purpose.h"

#include "llvm/ADT/StringMap.h"

#include <optional>
#include <vector>

namespace tileir::tune {

/// What is known to be fastest for a purpose.
struct Tuned {
  /// Of tile-run.
  std::vector<std::string> options;
  /// When it was measured: milliseconds, or estimated microseconds.
  double cost = 0;
};

class Cache {
public:
  /// The file of this user: tileir/tune.jsonl in $XDG_CACHE_HOME, or ~/.cache.
  static std::string getDefaultPath();

  /// `key` says what all configurations have in common, `purpose` what they are
  /// for. An empty path: no file.
  static llvm::Expected<Cache> open(std::string path, std::string key,
                                    Purpose purpose);

  /// What is fastest for what is run now, if that is known.
  static llvm::Expected<std::optional<Tuned>> findTuned(const std::string &path,
                                                        const Purpose &run);

  std::optional<Outcome> find(llvm::StringRef configuration) const;
  /// `options` of tile-run ask for it. Tells once if the file cannot be
  /// written, and goes on without.
  void add(llvm::StringRef configuration, llvm::ArrayRef<std::string> options,
           const Outcome &outcome);

private:
  llvm::Error write(llvm::StringRef configuration,
                    llvm::ArrayRef<std::string> options,
                    const Outcome &outcome);

  std::string path, key;
  Purpose purpose;
  llvm::StringMap<Outcome> outcomes;
};

} // namespace tileir::tune

#endif // TILEIR_TUNE_CACHE_H

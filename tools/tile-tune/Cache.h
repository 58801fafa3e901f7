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

#ifndef TILEIR_TOOLS_TILE_TUNE_CACHE_H
#define TILEIR_TOOLS_TILE_TUNE_CACHE_H

#include "Worker.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

namespace tileir::tune {

class Cache {
public:
  /// The file of this user: tileir/tune.jsonl in $XDG_CACHE_HOME, or ~/.cache.
  static std::string getDefaultPath();

  /// `key` says what all configurations have in common. An empty path: no file.
  static llvm::Expected<Cache> open(std::string path, std::string key);

  std::optional<Outcome> find(llvm::StringRef configuration) const;
  /// Tells once if the file cannot be written, and goes on without.
  void add(llvm::StringRef configuration, const Outcome &outcome);

private:
  llvm::Error write(llvm::StringRef configuration, const Outcome &outcome);

  std::string path, key;
  llvm::StringMap<Outcome> outcomes;
};

} // namespace tileir::tune

#endif // TILEIR_TOOLS_TILE_TUNE_CACHE_H

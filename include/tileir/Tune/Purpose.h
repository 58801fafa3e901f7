//===- Purpose.h - What a result of tuning is for ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By this, a tool that runs a program finds the options that were fastest for
// it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_PURPOSE_H
#define TILEIR_TUNE_PURPOSE_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>

namespace tileir::tune {

struct Purpose {
  /// A hash of the program's text.
  std::string program;
  /// A backend of tile-run, and its CPU or chip.
  std::string target;
  /// What arguments are, by their numbers: "i32:5", "100x20xf32". Those that
  /// are not said do not matter.
  std::map<std::string, std::string> arguments;

  /// Whether a result for this one is one for `run`.
  bool serves(const Purpose &run) const;
};

/// A hash of a text, as 16 digits.
std::string getHash(llvm::StringRef text);

/// The name of a target: of this CPU, or of a backend of tile-run and a chip.
std::string getTarget(llvm::StringRef backend, llvm::StringRef chip);

} // namespace tileir::tune

#endif // TILEIR_TUNE_PURPOSE_H

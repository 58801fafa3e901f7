//===- Progress.h - Say how far a slow run is -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_PROGRESS_H
#define TILEIR_EXECUTION_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace tileir::execution {

/// The time in seconds, from some point on.
inline double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Lines on stderr about a run, once it takes a while.
class Progress {
public:
  explicit Progress(llvm::StringRef who) : who(who) {}

  void operator()(llvm::StringRef what, double fraction) {
    if (now() - start < 3 || now() - lastLine < 2)
      return;
    lastLine = now();
    llvm::errs() << llvm::formatv("[{0}] {1}: {2:P0}\n", who, what, fraction);
  }

private:
  llvm::StringRef who;
  double start = now(), lastLine = start;
};

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_PROGRESS_H

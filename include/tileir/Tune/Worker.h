//===- Worker.h - A run of a configuration ----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each run is a process of tile-run with limits of time and memory: one that
// crashes, hangs, takes all memory or computes what is wrong costs itself
// alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_WORKER_H
#define TILEIR_TUNE_WORKER_H

#include "tileir/Tune/Outcome.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>

namespace tileir::tune {

struct Limits {
  unsigned seconds = 0, mebibytes = 0;
};

/// A process of tile-run. It is killed if it still runs in the end.
class Worker {
public:
  Worker();
  Worker(Worker &&);
  Worker &operator=(Worker &&);
  ~Worker();

  /// Begins to run tile-run, which is at `program`, with `arguments`. Fails if
  /// that cannot be: no such program, no temporary file.
  llvm::Error start(const std::string &program,
                    llvm::ArrayRef<std::string> arguments,
                    const Limits &limits);
  /// What came of it, once it has ended; kills it where it takes too long.
  std::optional<Outcome> poll();

private:
  struct Process;
  std::unique_ptr<Process> process;
};

} // namespace tileir::tune

#endif // TILEIR_TUNE_WORKER_H

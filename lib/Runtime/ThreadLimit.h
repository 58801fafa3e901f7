//===- ThreadLimit.h - Fewer threads beside busy cores ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads share a parallel loop evenly, and the one that began it waits for the
// others. One whose core another program keeps busy gets it back after some
// milliseconds, and a short loop takes several times as long as by one thread.
// So what threads lose by waiting is added up, less what they save, and loops
// get a thread less for a while when it exceeds 100 us. The while is four times
// what was lost, and doubles, up to a second, where the thread that is tried
// again does no better.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_RUNTIME_THREADLIMIT_H
#define TILEIR_LIB_RUNTIME_THREADLIMIT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <cstdint>

namespace tileir::runtime {

/// How many threads the parallel loops of one calling thread get.
class ThreadLimit {
public:
  using Clock = std::chrono::steady_clock;

  /// How many threads of the `wanted` ones a loop gets that begins at `now`.
  int32_t begin(int32_t wanted, Clock::time_point now);

  /// Tells that a loop has ended at `now`: how long its first thread worked,
  /// and then waited for the others of `threads`.
  void end(int32_t threads, Clock::duration work, Clock::duration wait,
           Clock::time_point now);

private:
  int32_t numLess = 0;
  /// By how much loops would have ended sooner with a thread less.
  Clock::duration lost{};
  Clock::duration pause{};
  /// When one more thread is tried.
  Clock::time_point until;
};

/// Adds OpenMP's functions that begin parallel regions, with a limit for each
/// thread that begins them; those of OpenMP itself where its environment
/// variable `OMP_DYNAMIC` is set, which is about who chooses how many threads
/// there are.
void addParallelRegions(llvm::function_ref<void(llvm::StringRef, void *)> add);

} // namespace tileir::runtime

#endif // TILEIR_LIB_RUNTIME_THREADLIMIT_H

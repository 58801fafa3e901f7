//===- ThreadLimit.cpp - Fewer threads beside busy cores ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions of compiled code are functions of OpenMP's interface that take one
// argument at most, a structure of all that they use, and have no barriers
// (openmp-skip-barriers): when one returns, its thread has done its part.
//
//===----------------------------------------------------------------------===//

#include "ThreadLimit.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

using std::chrono::microseconds;
using std::chrono::seconds;

extern "C" {
void __kmpc_fork_call(void *location, int32_t numArguments, void *region, ...);
int32_t __kmpc_global_thread_num(void *location);
void __kmpc_push_num_threads(void *location, int32_t thread, int32_t number);
int omp_get_max_threads();
}

int32_t ThreadLimit::begin(int32_t wanted, Clock::time_point now) {
  if (numLess > 0 && now >= until) {
    --numLess;
    until = now + pause;
  }
  return std::max(1, wanted - numLess);
}

void ThreadLimit::end(int32_t threads, Clock::duration work,
                      Clock::duration wait, Clock::time_point now) {
  constexpr Clock::duration kMostLost = microseconds(100);
  if (threads == 1)
    return;
  // One thread less takes that much of the work longer, or a quarter: parts are
  // not quite equal, and threads not quite alike.
  lost = std::max(lost + wait - work / std::min(threads - 1, 4), lost.zero());
  if (lost < kMostLost)
    return;
  bool isAgain = now < until;
  pause = std::min<Clock::duration>(
      std::max(4 * lost, isAgain ? 2 * pause : pause.zero()), seconds(1));
  until = now + pause;
  lost = lost.zero();
  ++numLess;
}

namespace {
using Region = void (*)(int32_t *, int32_t *, void *);

/// A region that says when its first thread has done its part.
struct TimedRegion {
  static void run(int32_t *globalThread, int32_t *thread, TimedRegion *timed) {
    timed->region(globalThread, thread, timed->argument);
    if (*thread == 0)
      timed->done = ThreadLimit::Clock::now();
  }

  Region region;
  void *argument;
  ThreadLimit::Clock::time_point done;
};

struct Caller {
  ThreadLimit limit;
  /// How many threads the next region asks for, if it does.
  int32_t wanted = 0;
};
} // namespace

static thread_local Caller caller;

static void pushThreads(void *, int32_t, int32_t number) {
  caller.wanted = number;
}

static void beginRegion(void *location, [[maybe_unused]] int32_t numArguments,
                        Region region, void *argument) {
  assert(numArguments <= 1 && "expected a structure of all arguments");
  int32_t wanted = std::exchange(caller.wanted, 0);
  ThreadLimit::Clock::time_point begin = ThreadLimit::Clock::now();
  int32_t threads =
      caller.limit.begin(wanted > 0 ? wanted : omp_get_max_threads(), begin);
  __kmpc_push_num_threads(location, __kmpc_global_thread_num(location),
                          threads);
  TimedRegion timed{region, argument, {}};
  __kmpc_fork_call(location, 1, reinterpret_cast<void *>(&TimedRegion::run),
                   &timed);
  ThreadLimit::Clock::time_point end = ThreadLimit::Clock::now();
  caller.limit.end(threads, timed.done - begin, end - timed.done, end);
}

void runtime::addParallelRegions(function_ref<void(StringRef, void *)> add) {
  bool isLimited = !std::getenv("OMP_DYNAMIC");
  add("__kmpc_push_num_threads",
      isLimited ? reinterpret_cast<void *>(&pushThreads)
                : reinterpret_cast<void *>(&__kmpc_push_num_threads));
  add("__kmpc_fork_call", isLimited
                              ? reinterpret_cast<void *>(&beginRegion)
                              : reinterpret_cast<void *>(&__kmpc_fork_call));
}

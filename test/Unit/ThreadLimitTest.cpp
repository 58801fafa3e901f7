//===- ThreadLimitTest.cpp - Tests of the number of threads ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops get a thread less after waiting has cost more than threads save, and
// try it again later. The times are made up, but for those of one region that
// OpenMP runs, whose second thread sleeps.
//
//===----------------------------------------------------------------------===//

#include "ThreadLimit.h"
#include "tileir/Runtime/Jit.h"

#include "llvm/ADT/StringMap.h"
#include "gtest/gtest.h"

#include <atomic>
#include <cstdlib>
#include <thread>

using namespace llvm;
using namespace tileir::runtime;

using std::chrono::microseconds;
using std::chrono::milliseconds;

extern "C" {
void __kmpc_fork_call(void *, int32_t, void *, ...);
void omp_set_num_threads(int);
}

namespace {
/// A caller whose clock goes on as its loops take time.
struct Caller {
  /// Runs a loop of so many threads at most, and returns how many it got.
  int32_t run(int32_t wanted, ThreadLimit::Clock::duration work,
              ThreadLimit::Clock::duration wait) {
    int32_t threads = limit.begin(wanted, now);
    now += threads > 1 ? work + wait : 2 * work;
    limit.end(threads, work, threads > 1 ? wait : wait.zero(), now);
    return threads;
  }

  /// For how long loops run with fewer threads than `wanted`.
  ThreadLimit::Clock::duration findPause(int32_t wanted) {
    ThreadLimit::Clock::time_point begin = now;
    while (limit.begin(wanted, now) < wanted)
      now += microseconds(100);
    return now - begin;
  }

  ThreadLimit limit;
  ThreadLimit::Clock::time_point now{std::chrono::hours(1)};
};
} // namespace

TEST(ThreadLimit, KeepsThreadsThatSaveTime) {
  Caller caller;
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(caller.run(2, microseconds(60), microseconds(50)), 2);
  // Less than was saved since; much more than a loop takes, but not 100 us.
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(caller.run(2, microseconds(10), microseconds(i % 10 ? 0 : 90)),
              2);
}

TEST(ThreadLimit, AddsUpShortWaits) {
  Caller caller;
  // 40 us are lost by each: the third exceeds 100.
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(caller.run(2, microseconds(10), microseconds(50)), 2);
  EXPECT_EQ(caller.run(2, microseconds(10), microseconds(50)), 1);
}

TEST(ThreadLimit, TriesAgainLessAndLessOften) {
  Caller caller;
  milliseconds expected(12);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(caller.run(2, microseconds(100), microseconds(3100)), 2);
    ThreadLimit::Clock::duration found = caller.findPause(2);
    EXPECT_LE(std::chrono::abs(found - expected), microseconds(100))
        << i << ": " << found.count();
    expected = std::min(2 * expected, milliseconds(1000));
  }
  // The core is free again for longer than the pause.
  for (int i = 0; i < 20000; ++i)
    EXPECT_EQ(caller.run(2, microseconds(100), microseconds(1)), 2);
  EXPECT_EQ(caller.run(2, microseconds(100), microseconds(3100)), 2);
  EXPECT_LE(caller.findPause(2), microseconds(12100));
}

TEST(ThreadLimit, TakesOneThreadOfMany) {
  Caller caller;
  EXPECT_EQ(caller.run(8, milliseconds(1), microseconds(200)), 8);
  // A quarter of the work is waited for: an eighth would be too little to tell.
  EXPECT_EQ(caller.run(8, milliseconds(1), microseconds(400)), 8);
  for (int32_t threads = 7; threads > 1; --threads)
    EXPECT_EQ(caller.run(8, milliseconds(1), milliseconds(2)), threads);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(caller.run(8, milliseconds(1), milliseconds(2)), 1);
  // Threads come back one by one.
  EXPECT_EQ(caller.limit.begin(8, caller.now + std::chrono::seconds(1)), 2);
  EXPECT_EQ(caller.limit.begin(8, caller.now + std::chrono::seconds(2)), 3);
}

static std::atomic<int32_t> numThreads;

/// A region of OpenMP whose second thread, if any, takes `argument` ms.
static void sleepInSecond(int32_t *, int32_t *thread, void *argument) {
  ++numThreads;
  if (*thread != 0)
    std::this_thread::sleep_for(milliseconds(*static_cast<int *>(argument)));
}

/// Runs a region whose second thread takes `sleep` ms with `wanted` threads, or
/// as many as OpenMP has, and returns how many there were.
static int32_t run(int32_t wanted, int sleep) {
  using Push = void (*)(void *, int32_t, int32_t);
  using Fork = void (*)(void *, int32_t, void *, ...);
  static auto push =
      reinterpret_cast<Push>(findHostFunction("__kmpc_push_num_threads"));
  static auto fork =
      reinterpret_cast<Fork>(findHostFunction("__kmpc_fork_call"));
  numThreads = 0;
  if (wanted)
    push(nullptr, 0, wanted);
  fork(nullptr, 1, reinterpret_cast<void *>(&sleepInSecond), &sleep);
  return numThreads;
}

TEST(ParallelRegions, RunWithFewerThreadsAfterAWait) {
  ASSERT_EQ(run(2, 200), 2);
  EXPECT_EQ(run(2, 0), 1);
  // After a second at most.
  int32_t found = 1;
  for (int i = 0; i < 100 && found == 1; ++i) {
    std::this_thread::sleep_for(milliseconds(50));
    found = run(2, 0);
  }
  EXPECT_EQ(found, 2);
}

TEST(ParallelRegions, AreAskedForOneByOne) {
  // A busy machine may have the second one run with fewer threads, but not with
  // fewer for each caller.
  int32_t found = 0;
  for (int i = 0; i < 50 && found != 3; ++i) {
    std::thread caller([&] {
      omp_set_num_threads(3);
      EXPECT_EQ(run(2, 0), 2);
      found = run(0, 0);
    });
    caller.join();
  }
  EXPECT_EQ(found, 3);
}

TEST(ParallelRegions, AreThoseOfOpenMPWhereItsUserChooses) {
  auto find = [] {
    StringMap<void *> functions;
    addParallelRegions(
        [&](StringRef name, void *function) { functions[name] = function; });
    return functions.lookup("__kmpc_fork_call");
  };
  auto *openmp = reinterpret_cast<void *>(&__kmpc_fork_call);
  unsetenv("OMP_DYNAMIC");
  EXPECT_NE(find(), openmp);
  setenv("OMP_DYNAMIC", "false", /*overwrite=*/1);
  EXPECT_EQ(find(), openmp);
  unsetenv("OMP_DYNAMIC");
}

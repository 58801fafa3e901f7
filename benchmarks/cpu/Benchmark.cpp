//===- Benchmark.cpp - Times, in turns ------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is measured for a candidate follows what was measured for another one,
// so it runs once before a clock looks, where that does not take long. Who is
// much slower than the fastest has few rounds, and leaves the time to others.
//
//===----------------------------------------------------------------------===//

#include "Benchmark.h"

#include <algorithm>
#include <chrono>
#include <limits>

using namespace tileir::bench;

/// Seconds of a run from which on it needs no other one before it.
static constexpr double kLongWarmUp = 5e-3;

namespace {
double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Something that runs as often as the clock needs.
struct Timed {
  const Run &run;
  uint64_t count = 1;
  double single = 0;

  Timed(const Run &run, double least) : run(run) {
    run(1);
    while ((single = time()) * double(count) < least)
      count *= 2;
    // An interruption would be taken for what is slow.
    if (single < kLongWarmUp)
      single = std::min({single, time(), time()});
  }
  double time() const {
    double begin = now();
    run(count);
    return (now() - begin) / double(count);
  }
};

/// What is timed before and after each candidate.
class Standards {
public:
  Standards(const Run &peak, double sample) {
    if (!peak)
      return;
    timed.emplace_back(peak, sample / 4);
    timed.emplace_back(probe, sample / 4);
  }

  /// `time` is still missing in the result.
  Sample measure() const {
    if (timed.empty())
      return {0, 1, 1};
    // An interruption would be taken for a lower clock.
    double peak = std::min(timed[0].time(), timed[0].time());
    double probe = std::min(timed[1].time(), timed[1].time());
    return {0, peak, peak / probe};
  }

private:
  static void doNothing(uint64_t count) {
    for (uint64_t i = 0; i < count; ++i)
      asm volatile(".rept 256\nnop\n.endr");
  }

  Run probe = doNothing;
  std::vector<Timed> timed;
};
} // namespace

std::vector<std::vector<Sample>>
tileir::bench::measure(const std::vector<Run> &runs, const Run &peak,
                       const Effort &effort) {
  constexpr double kSlow = 4;
  constexpr size_t kLeastRounds = 3;
  Standards standards(peak, effort.sample);
  std::vector<Timed> timed;
  for (const Run &run : runs)
    timed.emplace_back(run, effort.sample);
  double least = std::numeric_limits<double>::infinity();
  for (const Timed &candidate : timed)
    least = std::min(least, candidate.single);
  std::vector<std::vector<Sample>> samples(runs.size());
  std::vector<size_t> numQuiet(runs.size());
  double begin = now();
  for (size_t round = 0; round < effort.mostRounds; ++round) {
    auto isSlow = [&](size_t i) { return timed[i].single > kSlow * least; };
    bool isQuiet = true;
    for (size_t i = 0; i < timed.size(); ++i)
      isQuiet &= isSlow(i) || numQuiet[i] >= effort.leastQuiet;
    if (round >= kLeastRounds &&
        now() - begin > (isQuiet ? effort.budget : effort.longest))
      break;
    Sample before = standards.measure();
    for (size_t i = 0; i < timed.size(); ++i) {
      if (round >= kLeastRounds && isSlow(i))
        continue;
      if (timed[i].single < kLongWarmUp)
        timed[i].run(1);
      double time = timed[i].time();
      Sample after = standards.measure();
      Sample sample = {time, (before.peak + after.peak) / 2,
                       std::min(before.level, after.level)};
      samples[i].push_back(sample);
      numQuiet[i] += sample.level >= effort.quietLevel;
      before = after;
    }
  }
  return samples;
}

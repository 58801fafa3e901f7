//===- Benchmark.h - Times, in turns ----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All candidates of a problem in turns, A B C A B C. Before and after each of
// them two things are timed that tell of the processor at that moment:
//
// - the peak of fused multiply-adds, which is the clock, so that times can be
//   compared that were not measured at the same clock;
// - a probe of instructions that do nothing, as many as the core takes up: they
//   take longer, against the peak, while another program runs on the same
//   physical core, which no system of a virtual machine tells.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_CPU_BENCHMARK_H
#define TILEIR_BENCHMARKS_CPU_BENCHMARK_H

#include "Baseline.h"

namespace tileir::bench {

struct Effort {
  double budget = 1;         ///< seconds in all, about
  double longest = 4;        ///< seconds until enough is quiet
  double sample = 50e-6;     ///< seconds that the clock looks at, at least
  size_t mostRounds = 20000; ///< of each candidate
  double quietLevel = 0;     ///< the least of what is quiet
  size_t leastQuiet = 5;     ///< such samples of each, if there is time
};

/// A candidate in a round.
struct Sample {
  double time;  ///< seconds of a run
  double peak;  ///< seconds of a run of the peak, of before and after
  double level; ///< of the probe, against the peak: less is less quiet
};

/// Samples of each of `runs`, from the first round on; those of slow ones end
/// before the last round. Without a peak, all are quiet.
std::vector<std::vector<Sample>> measure(const std::vector<Run> &runs,
                                         const Run &peak, const Effort &effort);

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_CPU_BENCHMARK_H

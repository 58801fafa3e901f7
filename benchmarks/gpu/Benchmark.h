//===- Benchmark.h - Results compared, then times ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody is measured whose result was not compared before: at drawn places
// with exact sums on the host, and everywhere with that of the first candidate
// who is right.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_BENCHMARK_H
#define TILEIR_BENCHMARKS_BENCHMARK_H

#include "Task.h"

namespace tileir::bench {

struct Effort {
  uint64_t repeat = 100, warmUp = 10; ///< launches of each, at most
  uint64_t budget = 2000;             ///< milliseconds of a problem, about
};

class Benchmark {
public:
  Benchmark(Machine &machine, Task &task) : machine(machine), task(task) {}

  /// Lets a candidate compute. An error means that it cannot, and that the
  /// device may be lost. `wrong` says what is wrong with the result, if it is.
  Error check(Candidate &candidate, std::string &wrong);

  /// The microseconds of launches of those that are right, sorted: one after
  /// the other, in turns.
  Error measure(const std::vector<Candidate *> &right, const Effort &effort,
                std::vector<std::vector<double>> &times);

private:
  void computeSamples();
  Error timeRounds(const std::vector<Candidate *> &right, uint64_t numRounds,
                   std::vector<std::vector<double>> &times);

  Machine &machine;
  Task &task;
  /// Places in the result, and what is there.
  std::vector<std::pair<size_t, double>> samples;
  Halves found, reference;
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_BENCHMARK_H

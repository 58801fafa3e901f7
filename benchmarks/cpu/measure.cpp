//===- measure.cpp - What Python sees of this -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates are made one by one, run once for their results to be looked at,
// and then measured together. native.py is the other side. Torch's part is a
// function of Python: it is a candidate like others.
//
//===----------------------------------------------------------------------===//

#include "Benchmark.h"

#include <cstdio>
#include <dlfcn.h>

using namespace tileir::bench;

namespace {
std::vector<Run> &getRuns() {
  static std::vector<Run> runs;
  return runs;
}

/// A built-in baseline by its name, another one from its plugin.
MakeRun find(const std::string &baseline, std::string &text) {
  if (baseline == "peak")
    return makePeak;
  if (baseline == "ours")
    return makeOurs;
  if (baseline == "openblas")
    return makeOpenBlas;
  void *plugin = dlopen(baseline.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *function = plugin ? dlsym(plugin, "tileirBenchMake") : nullptr;
  if (!function) {
    const char *message = dlerror();
    text = message ? message : baseline + " has no tileirBenchMake";
  }
  return reinterpret_cast<MakeRun>(function);
}
} // namespace

extern "C" {
/// Makes a candidate. Returns its number, or -1 if there is none; `text`, of
/// `size` characters, says why, or how it computes.
[[gnu::visibility("default")]] int
tileirBenchAdd(const char *baseline, const char *problemText,
               const void *const *inputs, size_t numInputs, void *output,
               char *text, size_t size) {
  Problem problem(problemText);
  problem.inputs.assign(inputs, inputs + numInputs);
  problem.output = output;
  std::string message;
  Run run;
  MakeRun make = find(baseline, message);
  bool isMade = make && make(problem, run, message);
  std::snprintf(text, size, "%s", message.c_str());
  if (!isMade)
    return -1;
  getRuns().push_back(std::move(run));
  return int(getRuns().size()) - 1;
}

[[gnu::visibility("default")]] int
tileirBenchAddFunction(void (*function)(uint64_t)) {
  getRuns().push_back(function);
  return int(getRuns().size()) - 1;
}

[[gnu::visibility("default")]] void tileirBenchRun(int candidate,
                                                   uint64_t count) {
  getRuns()[size_t(candidate)](count);
}

/// Measures some of them, for which `peak` is the peak or -1. `samples` has
/// room for `mostRounds` of each, of three numbers: see Sample. `rounds` gets
/// how many each has.
[[gnu::visibility("default")]] void
tileirBenchMeasure(const int *candidates, size_t count, int peak, double budget,
                   double longest, double sample, size_t mostRounds,
                   double quietLevel, size_t leastQuiet, double *samples,
                   uint64_t *rounds) {
  std::vector<Run> runs;
  for (size_t i = 0; i < count; ++i)
    runs.push_back(getRuns()[size_t(candidates[i])]);
  Effort effort = {budget, longest, sample, mostRounds, quietLevel, leastQuiet};
  Run runOfPeak = peak < 0 ? Run() : getRuns()[size_t(peak)];
  std::vector<std::vector<Sample>> found = measure(runs, runOfPeak, effort);
  for (size_t i = 0; i < count; ++i) {
    rounds[i] = found[i].size();
    for (size_t round = 0; round < found[i].size(); ++round) {
      double *place = samples + 3 * (i * mostRounds + round);
      place[0] = found[i][round].time;
      place[1] = found[i][round].peak;
      place[2] = found[i][round].level;
    }
  }
}
}

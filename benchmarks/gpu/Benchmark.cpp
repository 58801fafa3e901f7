//===- Benchmark.cpp - Results compared, then times -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times are of events around each launch. A gate holds the GPU until some
// launches are begun, so that it does not wait for the host, which takes longer
// to begin a small kernel than the GPU to run it.
//
//===----------------------------------------------------------------------===//

#include "Benchmark.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

using namespace tileir::bench;
using namespace tileir::launch;

namespace {
/// A function of the host that the GPU waits for.
class Gate {
public:
  /// Holds what is begun from now on until `open`, but not for long: a library
  /// may itself wait for the GPU.
  int close(const Driver &driver) {
    isOpen = false;
    return driver.launchHostFunction(nullptr, hold, this);
  }
  void open() { isOpen = true; }

private:
  static void hold(void *gate) {
    constexpr std::chrono::milliseconds kLongest(20);
    auto end = std::chrono::steady_clock::now() + kLongest;
    while (!static_cast<Gate *>(gate)->isOpen &&
           std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  }

  std::atomic<bool> isOpen{true};
};
} // namespace

void Benchmark::computeSamples() {
  constexpr size_t kMaxSamples = 1024;
  size_t size = task.getResultSize();
  std::mt19937_64 generator(3);
  for (size_t i = 0; i < std::min(size, kMaxSamples); ++i) {
    // All of them, or the first, the last and some that are between.
    size_t place = size <= kMaxSamples ? i
                   : i < 2             ? i * (size - 1)
                                       : size_t(generator() % size);
    samples.emplace_back(place, task.getElement(place));
  }
}

Error Benchmark::check(Candidate &candidate, std::string &wrong) {
  if (samples.empty())
    computeSamples();
  if (Error error = candidate.prepare())
    return error;
  // What a kernel leaves out stays NaN.
  found.assign(task.getResultSize(), kNaN);
  if (Error error = task.getResult().write(found.data()))
    return error;
  if (Error error = candidate.launch())
    return error;
  if (Error error = task.getResult().read(found.data()))
    return error;

  auto compare = [&](double difference, const char *with) {
    double largest = getLargest(reference.empty() ? found : reference);
    double error = difference / largest;
    char text[128];
    std::snprintf(text, sizeof(text),
                  "expected a difference from %s of at most %g of the largest "
                  "element, found %.2g",
                  with, candidate.tolerance,
                  std::isfinite(largest) ? error : double(NAN));
    if (!(error <= candidate.tolerance) || !std::isfinite(largest))
      wrong = text;
    return wrong.empty();
  };
  double difference = 0;
  for (auto [place, exact] : samples) {
    double distance = std::fabs(toFloat(found[place]) - exact);
    difference = std::isfinite(distance) ? std::max(difference, distance) : NAN;
    if (std::isnan(difference))
      break;
  }
  if (!compare(difference, "sums on the host"))
    return Error();
  if (reference.empty())
    reference = found;
  else
    compare(getDifference(found, reference), "the first right result");
  return Error();
}

Error Benchmark::measure(const std::vector<Candidate *> &right,
                         const Effort &effort,
                         std::vector<std::vector<double>> &times) {
  // A round tells how many are within the budget.
  if (Error error = timeRounds(right, 1, times))
    return error;
  double round = 0;
  for (const std::vector<double> &list : times)
    round += list[0] * 1e-3;
  auto limit = [&](uint64_t wanted, double milliseconds) {
    double rounds = std::max(3.0, milliseconds / std::max(round, 1e-3));
    return std::min(wanted, uint64_t(rounds));
  };
  if (effort.warmUp)
    if (Error error = timeRounds(
            right, limit(effort.warmUp, 0.1 * double(effort.budget)), times))
      return error;
  if (Error error =
          timeRounds(right, limit(effort.repeat, double(effort.budget)), times))
    return error;
  for (std::vector<double> &list : times)
    std::sort(list.begin(), list.end());
  return Error();
}

Error Benchmark::timeRounds(const std::vector<Candidate *> &right,
                            uint64_t numRounds,
                            std::vector<std::vector<double>> &times) {
  const Device &device = machine.device;
  const Driver &driver = device.getDriver();
  // As many as the driver surely takes without waiting for the GPU.
  constexpr size_t kLaunchesOfGate = 64;
  size_t count = right.size(), numLaunches = numRounds * count;
  times.assign(count, {});
  std::vector<EventHandle> events(kLaunchesOfGate + 1);
  Gate gate;
  Error error;
  auto require = [&](int status, const char *call) {
    if (!error)
      error = device.check(status, call);
  };
  for (EventHandle &event : events)
    require(driver.createEvent(&event, 0), "cuEventCreate");
  for (size_t begin = 0; begin < numLaunches && !error;
       begin += kLaunchesOfGate) {
    size_t end = std::min(begin + kLaunchesOfGate, numLaunches);
    require(gate.close(driver), "cuLaunchHostFunc");
    require(driver.recordEvent(events[0], nullptr), "cuEventRecord");
    for (size_t i = begin; i < end && !error; ++i) {
      error = right[i % count]->launch();
      require(driver.recordEvent(events[i - begin + 1], nullptr),
              "cuEventRecord");
    }
    gate.open();
    require(driver.synchronizeEvent(events[end - begin]), "cuEventSynchronize");
    for (size_t i = begin; i < end && !error; ++i) {
      float elapsed = 0;
      require(
          driver.getElapsed(&elapsed, events[i - begin], events[i - begin + 1]),
          "cuEventElapsedTime");
      times[i % count].push_back(1e3 * elapsed);
    }
  }
  // The gate must not go while the GPU waits for it.
  require(driver.synchronizeStream(nullptr), "cuStreamSynchronize");
  for (EventHandle event : events)
    if (event)
      driver.destroyEvent(event);
  return error;
}

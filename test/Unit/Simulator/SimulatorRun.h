//===- SimulatorRun.h -------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel given as LLVM IR text on arrays, for the tests of the whole
// simulator.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORRUN_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORRUN_H

#include "tileir/Simulator/Simulator.h"

#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

namespace tileir::sim::test {

struct RunOptions {
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {32, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  const char *chip = "sm_80";
  SimulatorOptions simulator;
  bool cooperative = false;
  std::array<uint32_t, 3> cluster = {0, 0, 0};
  bool nonPortableCluster = false;
  /// Arguments by value, behind all others.
  std::vector<std::vector<uint32_t>> structs = {};
};

/// What happened; `error` is empty when the kernel ran.
struct RunResult {
  std::string error;
  std::vector<Finding> findings;
  LaunchCounters counters;

  /// The findings, a line each: "kind: message".
  std::string text() const {
    std::string lines;
    for (const Finding &finding : findings)
      lines +=
          std::string(getName(finding.kind)) + ": " + finding.message + "\n";
    return lines;
  }
};

/// Runs the only kernel of `ir`. Each array is one pointer argument, copied in
/// and back; scalars follow as they are.
template <typename T>
RunResult run(const std::string &ir, std::vector<std::vector<T>> &arrays,
              const RunOptions &options = {},
              std::vector<uint32_t> scalars = {}) {
  RunResult result;
  auto fail = [&](llvm::Error error) {
    result.error = llvm::toString(std::move(error));
    return result;
  };
  auto chip = tileir::machine::getGpu(options.chip);
  if (!chip)
    return fail(chip.takeError());
  Simulator simulator(**chip, options.simulator);
  auto module = simulator.load(llvm::MemoryBufferRef(ir, "test.ll"));
  if (!module)
    return fail(module.takeError());
  auto names = (*module)->getKernelNames();
  auto kernel = (*module)->getKernel(names.empty() ? "" : names.front());
  if (!kernel)
    return fail(kernel.takeError());
  std::vector<void *> buffers;
  std::vector<const void *> arguments;
  for (auto &array : arrays) {
    auto buffer = simulator.getMemory().allocate(array.size() * sizeof(T));
    if (!buffer)
      return fail(buffer.takeError());
    if (!array.empty())
      std::memcpy(*buffer, array.data(), array.size() * sizeof(T));
    buffers.push_back(*buffer);
  }
  for (void *&buffer : buffers)
    arguments.push_back(&buffer);
  for (uint32_t &scalar : scalars)
    arguments.push_back(&scalar);
  for (const std::vector<uint32_t> &bytes : options.structs)
    arguments.push_back(bytes.data());
  LaunchConfig config{
      options.grid,        options.block,   options.dynamicSharedBytes,
      options.cooperative, options.cluster, options.nonPortableCluster};
  auto launched = simulator.launch(**kernel, config, arguments);
  if (!launched)
    return fail(launched.takeError());
  result.findings = std::move(launched->findings);
  result.counters = std::move(launched->counters);
  for (auto [array, buffer] : llvm::zip(arrays, buffers))
    if (!array.empty())
      std::memcpy(array.data(), buffer, array.size() * sizeof(T));
  return result;
}

} // namespace tileir::sim::test

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORRUN_H

//===- Program.h - A bundle as a whole --------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launches of a bundle, one after the other, with memory of their own.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_PROGRAM_H
#define TILEIR_BENCHMARKS_PROGRAM_H

#include "tileir-launch/Launch.h"

#include <deque>
#include <map>
#include <memory>

namespace tileir::bench {

using launch::Error;

class Program {
public:
  Program(launch::Device &device, std::string folder)
      : device(device), folder(std::move(folder)) {}

  /// Once.
  Error load();
  /// Begins to run it. `computed` is what host code would compute.
  Error run(const std::vector<launch::Value> &arguments,
            const launch::Value &result = {},
            const launch::Value &computed = {}) const;

private:
  Error addTemporaries(const launch::Launch &launch,
                       const launch::Kernel &kernel);

  launch::Device &device;
  std::string folder;
  launch::Manifest manifest;
  std::map<std::string, std::unique_ptr<launch::LoadedKernel>> kernels;
  std::deque<launch::DeviceBuffer> buffers;
  std::map<std::string, launch::Value> temporaries;
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_PROGRAM_H

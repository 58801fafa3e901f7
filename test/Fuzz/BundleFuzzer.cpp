//===- BundleFuzzer.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text as a bundle's manifest, whose formulas are then evaluated, and as a
// file of NumPy.
//
//===----------------------------------------------------------------------===//

#include "tileir-launch/Manifest.h"
#include "tileir-launch/NumPyFile.h"

using namespace tileir::launch;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  Manifest manifest;
  if (!ManifestReader().parse(text, "fuzz", manifest)) {
    GetSize getSize = [](size_t argument, size_t axis) {
      return std::optional<int64_t>(int64_t(argument) * 1000 + int64_t(axis));
    };
    for (const Kernel &kernel : manifest.kernels) {
      for (const Formula &requirement : kernel.requirements)
        evaluate(requirement, getSize);
      if (kernel.grid)
        for (const Formula &extent : *kernel.grid)
          evaluate(extent, getSize);
    }
  }
  NumPyFile file;
  if (!NumPyParser(text, "fuzz").parse(file)) {
    std::string elements(file.elements.size(), 0);
    file.copyElements(elements.data());
  }
  return 0;
}

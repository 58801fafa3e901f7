//===- Clock.h - The clock that a GPU runs at -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NVML comes with the driver, and tells the clock of the multiprocessors now,
// which a GPU lowers as it gets warm.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_CLOCK_H
#define TILEIR_BENCHMARKS_CLOCK_H

#include "Library.h"

namespace tileir::bench {

class Clock {
public:
  /// Of the first GPU of the driver. Where NVML is not there, no clock is
  /// known.
  void open() {
    Library driver({"libcuda.so.1"}), library({"libnvidia-ml.so.1"});
    int (*getBus)(char *, int, int) = nullptr;
    int (*init)() = nullptr;
    int (*find)(const char *, void **) = nullptr;
    // NVML counts GPUs in another order than the driver, so that the place on
    // the bus tells which it is.
    char bus[32] = {};
    if (driver.find(getBus, "cuDeviceGetPCIBusId") &&
        library.find(init, "nvmlInit_v2")
            .find(find, "nvmlDeviceGetHandleByPciBusId_v2")
            .find(getClock, "nvmlDeviceGetClockInfo") &&
        getBus(bus, sizeof(bus), 0) == 0 && init() == 0 && find(bus, &gpu) != 0)
      gpu = nullptr;
  }

  /// In MHz; empty if it is not known.
  std::string read() const {
    constexpr int kMultiprocessors = 1;
    unsigned megahertz = 0;
    return gpu && getClock(gpu, kMultiprocessors, &megahertz) == 0
               ? std::to_string(megahertz)
               : std::string();
  }

private:
  void *gpu = nullptr;
  int (*getClock)(void *, int, unsigned *) = nullptr;
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_CLOCK_H

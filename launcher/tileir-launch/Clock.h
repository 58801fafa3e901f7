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

#ifndef TILEIR_LAUNCH_CLOCK_H
#define TILEIR_LAUNCH_CLOCK_H

#include <dlfcn.h>

#include <optional>

namespace tileir::launch {

class Clock {
public:
  /// Of the GPU that the driver counts as `ordinal`. Where NVML is not there,
  /// no clock is known.
  void open(int ordinal) {
    gpu = nullptr;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver || !library)
      return;
    int (*getBus)(char *, int, int) = nullptr;
    int (*init)() = nullptr;
    int (*find)(const char *, void **) = nullptr;
    // NVML counts GPUs in another order than the driver, so that the place on
    // the bus tells which it is.
    char bus[32] = {};
    if (look(driver, getBus, "cuDeviceGetPCIBusId") &&
        look(library, init, "nvmlInit_v2") &&
        look(library, find, "nvmlDeviceGetHandleByPciBusId_v2") &&
        look(library, getClock, "nvmlDeviceGetClockInfo") &&
        getBus(bus, sizeof(bus), ordinal) == 0 && init() == 0 &&
        find(bus, &gpu) != 0)
      gpu = nullptr;
  }

  /// In MHz.
  std::optional<unsigned> read() const {
    constexpr int kMultiprocessors = 1;
    unsigned megahertz = 0;
    if (!gpu || getClock(gpu, kMultiprocessors, &megahertz) != 0)
      return std::nullopt;
    return megahertz;
  }

private:
  template <typename Function>
  static bool look(void *library, Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }

  void *gpu = nullptr;
  int (*getClock)(void *, int, unsigned *) = nullptr;
};

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_CLOCK_H

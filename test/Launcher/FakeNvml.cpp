//===- FakeNvml.cpp - In the place of NVML --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Knows the clock of the GPU of FakeCuda.cpp.
//
//===----------------------------------------------------------------------===//

#include <cstring>

extern "C" {

int nvmlInit_v2() { return 0; }

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **gpu) {
  static int only;
  *gpu = &only;
  return std::strcmp(bus, "0000:07:00.0") == 0 ? 0 : 6;
}

int nvmlDeviceGetClockInfo(void *, int kind, unsigned *megahertz) {
  *megahertz = 1234;
  return kind == 1 ? 0 : 2;
}
}

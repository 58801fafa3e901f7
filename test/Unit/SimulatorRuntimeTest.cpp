//===- SimulatorRuntimeTest.cpp - GPU calls on the simulator --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What of memory and launches is checked. Whole programs are run by
// test/Tools/tile-run-sim*.test.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/SimulatorRuntime.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

namespace {

class SimulatorRuntimeTest : public testing::Test {
protected:
  sim::Simulator simulator{**tileir::machine::getGpu("sm_80")};
  SimulatorRuntime runtime{simulator};

  uint8_t *allocate(uint64_t bytes) {
    auto address = runtime.allocate(bytes, /*hostShared=*/false, nullptr);
    EXPECT_TRUE(bool(address));
    return static_cast<uint8_t *>(*address);
  }
  std::string copy(void *target, const void *source, uint64_t bytes) {
    return toString(runtime.copy(target, source, bytes, nullptr));
  }
  std::string fill(void *target, ArrayRef<uint8_t> pattern, uint64_t count) {
    return toString(runtime.fill(target, pattern, count, nullptr));
  }
};

TEST_F(SimulatorRuntimeTest, CopiesBetweenHostAndDevice) {
  uint8_t source[5] = {1, 2, 3, 4, 5}, target[5] = {};
  uint8_t *a = allocate(5), *b = allocate(7);
  EXPECT_EQ(copy(a, source, 5), "");
  EXPECT_EQ(copy(b + 2, a, 5), "");
  EXPECT_EQ(copy(target, b + 2, 5), "");
  EXPECT_TRUE(std::equal(source, source + 5, target));
}

TEST_F(SimulatorRuntimeTest, ChecksCopies) {
  uint8_t host[100] = {};
  uint8_t *a = allocate(5);
  EXPECT_EQ(copy(a + 2, host, 4),
            "mgpuMemcpy, to: expected memory of 4 bytes, found 3 bytes from "
            "byte 2 on of 'device buffer 0' (5 bytes)");
  EXPECT_EQ(copy(host, a, 6),
            "mgpuMemcpy, from: expected memory of 6 bytes, found 5 bytes from "
            "byte 0 on of 'device buffer 0' (5 bytes)");
  EXPECT_EQ(copy(nullptr, a, 1),
            "mgpuMemcpy, to: expected memory of 1 bytes, found a null pointer");
  EXPECT_EQ(copy(nullptr, nullptr, 0), "");
}

TEST_F(SimulatorRuntimeTest, ChecksFreedMemory) {
  uint8_t host[100] = {};
  uint8_t *a = allocate(64);
  EXPECT_EQ(toString(runtime.free(a, nullptr)), "");
  EXPECT_EQ(copy(host, a + 63, 1), "mgpuMemcpy, from: expected memory of 1 "
                                   "bytes, found a device buffer that was "
                                   "freed");
  EXPECT_NE(toString(runtime.free(a, nullptr)), "");
  EXPECT_EQ(toString(runtime.free(nullptr, nullptr)), "");
  // Memory that is new is not that which was freed, wherever it lies.
  for (int i = 0; i < 10; ++i) {
    uint8_t *b = allocate(64);
    EXPECT_EQ(copy(b, host, 64), "");
    EXPECT_EQ(toString(runtime.free(b, nullptr)), "");
  }
}

TEST_F(SimulatorRuntimeTest, LetsTheHostHaveWhatWasFreed) {
  uint8_t *a = allocate(4096), *b = allocate(4096);
  EXPECT_EQ(toString(runtime.free(a, nullptr)), "");
  void *host = mmap(a, 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ASSERT_EQ(host, a);
  EXPECT_EQ(copy(b, host, 4096), "");
  munmap(host, 4096);
  EXPECT_NE(copy(b, host, 4096), "");
}

TEST_F(SimulatorRuntimeTest, Fills) {
  uint8_t *a = allocate(8);
  uint8_t pattern[] = {1, 2};
  EXPECT_EQ(fill(a, {pattern, 2}, 4), "");
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(a[i], pattern[i % 2]);
  EXPECT_EQ(fill(a, {pattern, 2}, 5),
            "mgpuMemset: expected memory of 10 bytes, found 8 bytes from byte "
            "0 on of 'device buffer 0' (8 bytes)");
}

TEST_F(SimulatorRuntimeTest, RegistersHostMemory) {
  int32_t host[3] = {5, 6, 7};
  EXPECT_EQ(toString(runtime.registerHost(host, sizeof(host))), "");
  EXPECT_EQ(copy(host + 1, host, 12),
            "mgpuMemcpy, to: expected memory of 12 bytes, found 8 bytes from "
            "byte 4 on of 'host memory' (12 bytes)");
  EXPECT_EQ(toString(runtime.unregisterHost(host)), "");
  EXPECT_NE(toString(runtime.unregisterHost(host)), "");
  // A memref without elements.
  EXPECT_EQ(toString(runtime.registerHost(nullptr, 0)), "");
  EXPECT_EQ(toString(runtime.unregisterHost(nullptr)), "");
}

TEST_F(SimulatorRuntimeTest, RefusesWhatIsNoBitcode) {
  auto module = runtime.loadModule("//\n// PTX\n");
  EXPECT_EQ(toString(module.takeError()),
            "mgpuModuleLoad: expected the kernels as LLVM bitcode, as "
            "gpu-module-to-binary{format=llvm} gives them; found another "
            "format, which cannot be simulated");
  EXPECT_EQ(toString(runtime.unloadModule(nullptr)), "");
  EXPECT_EQ(toString(runtime.setDevice(0)), "");
  EXPECT_NE(toString(runtime.setDevice(-1)), "");
}

} // namespace

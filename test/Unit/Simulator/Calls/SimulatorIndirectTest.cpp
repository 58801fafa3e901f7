//===- SimulatorIndirectTest.cpp - Calls through pointers -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls through pointers: of tables in memory, that differ from lane to lane,
// and of what is no function.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

/// Thread i calls table[i % `count`] with x[i], unless `offset` bytes are added
/// to the pointer.
static std::string getKernel(unsigned count, int offset) {
  return R"(
    target triple = "nvptx64-nvidia-cuda"
    @table = addrspace(1) externally_initialized global [4 x ptr] [
      ptr @twice, ptr @square, ptr @other, ptr null]
    @llvm.compiler.used = appending global [2 x ptr] [
      ptr addrspacecast (ptr addrspace(1) @table to ptr), ptr @square],
      section "llvm.metadata"
    @other = alias i32 (i32), ptr @less
    define i32 @twice(i32 %x) noinline { %y = mul i32 %x, 2
      ret i32 %y }
    define i32 @square(i32 %x) { %y = mul i32 %x, %x
      ret i32 %y }
    define i32 @less(i32 %x) { %y = sub i32 %x, 1
      ret i32 %y }
    define void @unlike() { ret void }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define ptx_kernel void @k(ptr addrspace(1) %x) {
      %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %i = urem i32 %tid, )" +
         std::to_string(count) + R"(
      %place = getelementptr ptr, ptr addrspace(1) @table, i32 %i
      %entry = load ptr, ptr addrspace(1) %place
      %pointer = getelementptr i8, ptr %entry, i64 )" +
         std::to_string(offset) + R"(
      %xi = getelementptr i32, ptr addrspace(1) %x, i32 %tid
      %value = load i32, ptr addrspace(1) %xi
      %result = call i32 %pointer(i32 %value)
      store i32 %result, ptr addrspace(1) %xi
      ret void
    })";
}

static std::vector<std::vector<uint32_t>> getNumbers() {
  std::vector<std::vector<uint32_t>> arrays(1, std::vector<uint32_t>(32));
  for (uint32_t i = 0; i < 32; ++i)
    arrays[0][i] = i + 5;
  return arrays;
}

TEST(SimulatorIndirectTest, LanesCallDifferentFunctions) {
  for (bool optimize : {false, true}) {
    auto arrays = getNumbers();
    RunOptions options;
    options.simulator.optimize = optimize;
    RunResult result = run(getKernel(3, 0), arrays, options);
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(result.text(), "");
    for (uint32_t i = 0; i < 32; ++i) {
      uint32_t x = i + 5, expected[] = {2 * x, x * x, x - 1};
      EXPECT_EQ(arrays[0][i], expected[i % 3]);
    }
  }
}

TEST(SimulatorIndirectTest, PointersToNoFunction) {
  // Null, and the middle of a function.
  for (auto [count, offset] : {std::pair(4, 0), std::pair(3, 4)}) {
    auto arrays = getNumbers();
    RunResult result = run(getKernel(count, offset), arrays);
    ASSERT_EQ(result.error, "");
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.text(), "trap: a call through a pointer that is none to a "
                             "function of its type\n");
  }
}

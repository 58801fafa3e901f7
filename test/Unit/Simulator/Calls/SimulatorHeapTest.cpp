//===- SimulatorHeapTest.cpp - malloc and free in kernels -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that kernels allocate: its values, its end, and its misuse.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

/// Thread i gets %bytes = x[32] bytes at %p; `body` goes on, and may store to
/// %xi, the address of x[i].
static std::string getKernel(const std::string &body) {
  return R"(
    target triple = "nvptx64-nvidia-cuda"
    declare ptr @malloc(i64)
    declare void @free(ptr)
    declare ptr @_Znwm(i64)
    declare void @_ZdlPvm(ptr, i64)
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define ptx_kernel void @k(ptr addrspace(1) %x) {
      %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %last = getelementptr i32, ptr addrspace(1) %x, i32 32
      %size = load i32, ptr addrspace(1) %last
      %bytes = zext i32 %size to i64
      %xi = getelementptr i32, ptr addrspace(1) %x, i32 %tid
      %p = call ptr @malloc(i64 %bytes)
      %next = getelementptr i32, ptr %p, i32 1
    )" + body +
         "ret void\n}\n";
}

static std::vector<std::vector<uint32_t>> getArray(uint32_t bytes) {
  std::vector<std::vector<uint32_t>> arrays(1, std::vector<uint32_t>(33));
  arrays[0][32] = bytes;
  return arrays;
}

TEST(SimulatorHeapTest, AllocationsAreApart) {
  auto arrays = getArray(8);
  RunResult result = run(getKernel(R"(
      store volatile i32 %tid, ptr %p
      %square = mul i32 %tid, %tid
      store volatile i32 %square, ptr %next
      %a = load volatile i32, ptr %p
      %b = load volatile i32, ptr %next
      %sum = add i32 %a, %b
      %q = call ptr @_Znwm(i64 4)
      store volatile i32 %sum, ptr %q
      call void @free(ptr %p)
      %c = load volatile i32, ptr %q
      store i32 %c, ptr addrspace(1) %xi
      call void @_ZdlPvm(ptr %q, i64 4)
      call void @free(ptr null)
    )"),
                         arrays);
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.text(), "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(arrays[0][i], i + i * i);
}

TEST(SimulatorHeapTest, NoRoom) {
  // Of 8 MiB, 31 times 256 KiB and what lies between them.
  auto arrays = getArray(256 << 10);
  RunOptions options;
  options.simulator.optimize = false; // LLVM takes malloc to succeed
  RunResult result = run(getKernel(R"(
      %isNull = icmp eq ptr %p, null
      %flag = zext i1 %isNull to i32
      store i32 %flag, ptr addrspace(1) %xi
    )"),
                         arrays, options);
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.text(), "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(arrays[0][i], uint32_t(i == 31));
}

TEST(SimulatorHeapTest, MemoryIsUsedAgain) {
  // A million bytes, a thousand times.
  auto arrays = getArray(4);
  RunOptions options;
  options.block = {1, 1, 1};
  RunResult result = run(getKernel(R"(
      br label %loop
    loop:
      %i = phi i32 [0, %0], [%after, %loop]
      %large = call ptr @malloc(i64 1000000)
      store volatile i32 %i, ptr %large
      call void @free(ptr %large)
      %after = add i32 %i, 1
      %more = icmp ult i32 %after, 1000
      br i1 %more, label %loop, label %end
    end:
    )"),
                         arrays, options);
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.text(), "");
}

TEST(SimulatorHeapTest, Faults) {
  struct {
    const char *body;
    FindingKind kind;
    const char *message; ///< a part
  } cases[] = {
      {"store volatile i32 1, ptr %next\n", FindingKind::OutOfBounds,
       "0 bytes behind the end of buffer 'allocation"},
      {"%a = load volatile i32, ptr %p\n"
       "store i32 %a, ptr addrspace(1) %x\n",
       FindingKind::UninitializedGlobal, "allocation"},
      // What is told of it when its value is used, is of memory that is gone.
      {"%a = load volatile i32, ptr %p\ncall void @free(ptr %p)\n"
       "store i32 %a, ptr addrspace(1) %x\n",
       FindingKind::UninitializedGlobal, "at byte 0 of buffer 'allocation"},
      {"store volatile i32 1, ptr %p\ncall void @free(ptr %p)\n"
       "%a = load volatile i32, ptr %p\n",
       FindingKind::UseAfterFree, "in 4 bytes that were freed at test.ll:"},
      {"call void @free(ptr %p)\ncall void @free(ptr %p)\n",
       FindingKind::InvalidFree, "which was freed at test.ll:"},
      {"call void @free(ptr %next)\n", FindingKind::InvalidFree,
       "expected an address that malloc or new"},
      {"%g = addrspacecast ptr addrspace(1) %x to ptr\n"
       "call void @free(ptr %g)\n",
       FindingKind::InvalidFree, "in buffer"},
  };
  for (auto &test : cases) {
    auto arrays = getArray(4);
    RunOptions options;
    options.block = {1, 1, 1};
    options.simulator.optimize = false;
    RunResult result = run(getKernel(test.body), arrays, options);
    ASSERT_EQ(result.error, "");
    ASSERT_EQ(result.findings.size(), 1u) << test.body << result.text();
    EXPECT_EQ(result.findings[0].kind, test.kind) << result.text();
    EXPECT_NE(result.text().find(test.message), std::string::npos)
        << result.text();
  }
}

TEST(SimulatorHeapTest, EachThreadHasReadItsOwn) {
  auto arrays = getArray(4);
  RunOptions options;
  options.simulator.optimize = false;
  RunResult result = run(getKernel(R"(
      %a = load volatile i32, ptr %p
      %isFive = icmp eq i32 %tid, 5
      br i1 %isFive, label %use, label %end
    use:
      store i32 %a, ptr addrspace(1) %x
      br label %end
    end:
    )"),
                         arrays, options);
  ASSERT_EQ(result.error, "");
  ASSERT_EQ(result.findings.size(), 1u) << result.text();
  EXPECT_EQ(result.findings[0].lane, 5u);
  EXPECT_NE(result.text().find("at byte 0 of buffer 'allocation"),
            std::string::npos)
      << result.text();
}

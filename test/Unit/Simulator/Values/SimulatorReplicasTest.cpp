//===- SimulatorReplicasTest.cpp - Loads that nobody sees -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small tile that is updated in place, as Triton compiles it: both warps load
// it and compute, the first one stores. The load of the second warp is a race
// only if what it read gets anywhere.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

#include "gtest/gtest.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// x[lane] = 2 * x[lane] + shuffled by the first of two warps; `rest` is what
/// follows, with %load (of all threads), %new, %isSecond, %second (the address
/// of y[lane]).
std::string getKernel(const std::string &rest) {
  return R"(
    target triple = "nvptx64-nvidia-cuda"
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
    declare void @llvm.trap()
    define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y) {
      %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %lane = and i32 %tid, 31
      %isFirst = icmp ult i32 %tid, 32
      %isSecond = xor i1 %isFirst, true
      %first = getelementptr i32, ptr addrspace(1) %x, i32 %lane
      %second = getelementptr i32, ptr addrspace(1) %y, i32 %lane
      %load = call i32 asm sideeffect
        "mov.u32 $0, 0x0; @$2 ld.global.b32 { $0 }, [ $1 + 0 ];",
        "=r,l,b"(ptr addrspace(1) %first, i1 true)
      %twice = shl i32 %load, 1
      %other = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %load, i32 1,
                                                      i32 31)
      %new = add i32 %twice, %other
      call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };",
        "r,l,b"(i32 %new, ptr addrspace(1) %first, i1 %isFirst)
)" + rest +
         R"(
      ret void
    }
  )";
}

RunResult runKernel(const std::string &rest) {
  std::vector<std::vector<uint32_t>> arrays(2, std::vector<uint32_t>(64));
  for (unsigned i = 0; i < 64; ++i)
    arrays[0][i] = 3 * i;
  RunOptions options;
  options.block = {64, 1, 1};
  RunResult result = run(getKernel(rest), arrays, options);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(arrays[0][i], 6 * i + 3 * (i ^ 1));
  return result;
}

TEST(Replicas, LoadsThatNobodySeesAreNoRace) {
  RunResult result = runKernel("");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.text(), "");
}

TEST(Replicas, StoresOfOtherValuesTellNothing) {
  RunResult result = runKernel(
      R"(call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };",
           "r,l,b"(i32 7, ptr addrspace(1) %second, i1 %isSecond))");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.text(), "");
}

// The first warp loads an element twice before the second one stores to it. The
// finding is at the load whose value is stored.
TEST(Replicas, EachLoadHasItsStores) {
  auto getTwoLoads = [](const std::string &storesA,
                        const std::string &storesB) {
    return R"(
    target triple = "nvptx64-nvidia-cuda"
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    declare void @llvm.nvvm.bar.warp.sync(i32)
    define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y) {
      %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %lane = and i32 %tid, 31
      %isFirst = icmp ult i32 %tid, 32
      %never = icmp ugt i32 %lane, 31
      %at = getelementptr i32, ptr addrspace(1) %x, i32 %lane
      %outA = getelementptr i32, ptr addrspace(1) %y, i32 %lane
      %outB = getelementptr i32, ptr addrspace(1) %outA, i32 32
      br i1 %isFirst, label %first, label %second
    first:
      %a = load i32, ptr addrspace(1) %at
      call void @llvm.nvvm.bar.warp.sync(i32 -1)
      %b = load i32, ptr addrspace(1) %at
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      br i1 )" +
           storesA + R"(, label %storeA, label %next
    storeA:
      store i32 %a, ptr addrspace(1) %outA
      br label %next
    next:
      br i1 )" +
           storesB + R"(, label %storeB, label %end
    storeB:
      store i32 %b, ptr addrspace(1) %outB
      br label %end
    second:
      store i32 7, ptr addrspace(1) %at
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      br label %end
    end:
      ret void
    })";
  };
  constexpr uint32_t kLineA = 16, kLineB = 18;
  for (bool storesA : {false, true})
    for (bool storesB : {false, true}) {
      std::vector<std::vector<uint32_t>> arrays(2, std::vector<uint32_t>(64));
      RunOptions options;
      options.block = {64, 1, 1};
      options.simulator.optimize = false;
      RunResult result = run(getTwoLoads(storesA ? "%isFirst" : "%never",
                                         storesB ? "%isFirst" : "%never"),
                             arrays, options);
      EXPECT_EQ(result.error, "");
      std::vector<uint32_t> lines, expected;
      for (const Finding &finding : result.findings) {
        EXPECT_EQ(finding.kind, FindingKind::GlobalRace);
        lines.push_back(finding.location.line);
      }
      if (storesA)
        expected.push_back(kLineA);
      if (storesB)
        expected.push_back(kLineB);
      EXPECT_EQ(lines, expected) << result.text();
    }
}

TEST(Replicas, LoadsThatGetAnywhereAreRaces) {
  const char *uses[] = {
      // Stored by the warp that read it.
      R"(call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };",
           "r,l,b"(i32 %new, ptr addrspace(1) %second, i1 %isSecond))",
      // By a store of either value, which the first one's reaches, too.
      R"(%either = select i1 %isFirst, i32 7, i32 %new
         call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };",
           "r,l,b"(i32 %either, ptr addrspace(1) %second, i1 %isSecond))",
      // It decides.
      R"(%isOdd = icmp eq i32 %load, 12345
         br i1 %isOdd, label %bad, label %good
       bad:
         call void @llvm.trap()
         unreachable
       good:)",
      // An address.
      R"(%index = and i32 %load, 31
         %place = getelementptr i32, ptr addrspace(1) %y, i32 %index
         store atomic i32 1, ptr addrspace(1) %place monotonic, align 4)",
      // An atomic operation.
      R"(%old = atomicrmw add ptr addrspace(1) %second, i32 %load monotonic)",
  };
  for (const char *use : uses) {
    SCOPED_TRACE(use);
    RunResult result = runKernel(use);
    EXPECT_EQ(result.error, "");
    ASSERT_EQ(result.findings.size(), 1u) << result.text();
    EXPECT_EQ(result.findings[0].kind, FindingKind::GlobalRace);
    EXPECT_EQ(result.findings[0].warp, 1u);
    EXPECT_NE(result.findings[0].message.find("load of 4 bytes at byte 0"),
              std::string::npos)
        << result.findings[0].message;
  }
}

} // namespace

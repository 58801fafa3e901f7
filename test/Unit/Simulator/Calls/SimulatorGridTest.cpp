//===- SimulatorGridTest.cpp - Blocks that wait for each other ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cooperative launches: a barrier of the whole grid, as the headers of
// cooperative groups spell it, and what goes wrong with one.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {
/// A kernel of x, y, z, each with an element for each thread of the grid. The
/// first `syncs` of its barriers between three steps are there: x[i] = i + 1,
/// y[i] = x[last - i], z[i] = 3 * y[last - i].
std::string getKernel(bool first, bool second) {
  std::string sync = "  call void @sync()\n";
  return R"(
    target triple = "nvptx64-nvidia-cuda"
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.envreg1()
    declare i32 @llvm.nvvm.read.ptx.sreg.envreg2()
    declare void @llvm.nvvm.barrier.cta.sync.all(i32)
    define internal void @sync() convergent {
    entry:
      %low = call i32 @llvm.nvvm.read.ptx.sreg.envreg2()
      %high = call i32 @llvm.nvvm.read.ptx.sreg.envreg1()
      %low64 = zext i32 %low to i64
      %high64 = zext i32 %high to i64
      %shifted = shl i64 %high64, 32
      %address = or i64 %shifted, %low64
      %isNull = icmp eq i64 %address, 0
      br i1 %isNull, label %no, label %yes
    no:
      call void @llvm.trap()
      unreachable
    yes:
      %workspace = inttoptr i64 %address to ptr
      %barrier = getelementptr i8, ptr %workspace, i64 4
      call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
      %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %isFirst = icmp eq i32 %tid, 0
      br i1 %isFirst, label %meet, label %done
    meet:
      %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
      %isMaster = icmp eq i32 %block, 0
      %rest = sub i32 -2147483647, %blocks
      %add = select i1 %isMaster, i32 %rest, i32 1
      %old = call i32 asm sideeffect "atom.add.release.gpu.u32 $0,[$1],$2;",
        "=r,l,r,~{memory}"(ptr %barrier, i32 %add)
      br label %wait
    wait:
      %now = call i32 asm sideeffect "ld.acquire.gpu.u32 $0,[$1];",
        "=r,l,~{memory}"(ptr %barrier)
      %changed = xor i32 %old, %now
      %isOver = icmp slt i32 %changed, 0
      br i1 %isOver, label %done, label %wait
    done:
      call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
      ret void
    }
    declare void @llvm.trap()
    define ptx_kernel void @k(ptr addrspace(1) %x, ptr addrspace(1) %y,
                              ptr addrspace(1) %z) {
      %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
      %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
      %before = mul i32 %block, %threads
      %i = add i32 %before, %tid
      %size = mul i32 %blocks, %threads
      %last = sub i32 %size, 1
      %other = sub i32 %last, %i
      %xi = getelementptr i32, ptr addrspace(1) %x, i32 %i
      %number = add i32 %i, 1
      store i32 %number, ptr addrspace(1) %xi
    )" + (first ? sync : "") +
         R"(
      %xo = getelementptr i32, ptr addrspace(1) %x, i32 %other
      %a = load i32, ptr addrspace(1) %xo
      %yi = getelementptr i32, ptr addrspace(1) %y, i32 %i
      store i32 %a, ptr addrspace(1) %yi
    )" + (second ? sync : "") +
         R"(
      %yo = getelementptr i32, ptr addrspace(1) %y, i32 %other
      %b = load i32, ptr addrspace(1) %yo
      %c = mul i32 %b, 3
      %zi = getelementptr i32, ptr addrspace(1) %z, i32 %i
      store i32 %c, ptr addrspace(1) %zi
      ret void
    })";
}

struct Grid {
  uint32_t blocks, threads;
  std::vector<std::vector<uint32_t>> arrays;
  RunResult result;

  Grid(const std::string &kernel, uint32_t blocks, uint32_t threads,
       bool cooperative = true)
      : blocks(blocks), threads(threads),
        arrays(3, std::vector<uint32_t>(blocks * threads)) {
    RunOptions options;
    options.grid = {blocks, 1, 1};
    options.block = {threads, 1, 1};
    options.cooperative = cooperative;
    result = run(kernel, arrays, options);
  }
};
} // namespace

TEST(SimulatorGridTest, BarriersOfTheGrid) {
  for (uint32_t blocks : {1u, 2u, 13u, 216u}) {
    Grid grid(getKernel(true, true), blocks, 96);
    ASSERT_EQ(grid.result.error, "");
    EXPECT_EQ(grid.result.text(), "");
    const uint32_t size = blocks * 96;
    for (uint32_t i = 0; i < size; ++i) {
      EXPECT_EQ(grid.arrays[1][i], size - i);
      EXPECT_EQ(grid.arrays[2][i], 3 * (i + 1));
    }
  }
}

TEST(SimulatorGridTest, MissingBarriersAreRaces) {
  for (bool first : {false, true}) {
    Grid grid(getKernel(first, !first), 4, 64);
    ASSERT_EQ(grid.result.error, "");
    ASSERT_EQ(grid.result.findings.size(), 1u) << grid.result.text();
    EXPECT_EQ(grid.result.findings[0].kind, FindingKind::GlobalRace);
  }
}

TEST(SimulatorGridTest, GridsThatAreNotResident) {
  // An SM of sm_80 holds 2048 threads: 2 blocks.
  Grid fits(getKernel(false, false), 216, 1024);
  EXPECT_EQ(fits.result.error, "");
  Grid large(getKernel(true, true), 217, 1024);
  EXPECT_EQ(large.result.error,
            "cannot launch kernel @k: 217 blocks in a cooperative launch: "
            "expected at most 216, which sm_80 holds at once");
}

TEST(SimulatorGridTest, LaunchesThatAreNotCooperative) {
  Grid grid(getKernel(true, true), 2, 64, /*cooperative=*/false);
  ASSERT_EQ(grid.result.error, "");
  ASSERT_FALSE(grid.result.findings.empty());
  EXPECT_EQ(grid.result.findings[0].kind, FindingKind::Trap);
}

// Block 0 waits for block 1.
TEST(SimulatorGridTest, WaitingForALaterBlock) {
  const char *kernel = R"(
    target triple = "nvptx64-nvidia-cuda"
    declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    define ptx_kernel void @k(ptr addrspace(1) %flag) {
      %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %isFirst = icmp eq i32 %block, 0
      br i1 %isFirst, label %wait, label %set
    wait:
      %value = load atomic volatile i32, ptr addrspace(1) %flag acquire, align 4
      %isSet = icmp eq i32 %value, 1
      br i1 %isSet, label %done, label %wait
    set:
      store atomic volatile i32 1, ptr addrspace(1) %flag release, align 4
      br label %done
    done:
      ret void
    })";
  for (bool cooperative : {false, true}) {
    std::vector<std::vector<uint32_t>> arrays = {{0}};
    RunOptions options;
    options.grid = {2, 1, 1};
    options.cooperative = cooperative;
    options.simulator.threads = 1;
    options.simulator.stepLimit = 10000;
    RunResult result = run(std::string(kernel), arrays, options);
    ASSERT_EQ(result.error, "");
    if (cooperative) {
      EXPECT_EQ(result.text(), "");
      EXPECT_EQ(arrays[0][0], 1u);
      continue;
    }
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::StepLimit);
  }
}

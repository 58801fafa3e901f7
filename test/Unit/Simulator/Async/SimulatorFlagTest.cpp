//===- SimulatorFlagTest.cpp - Volatile flags -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A volatile flag in shared memory that a thread looks at once: right if it
// only decides whether the thread goes on, behind a fence, to what was written
// before the flag.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// Thread 32 writes 7 and raises the flag; thread 0 looks at the flag, before
/// or after, and gives what was written, or 0. `fences` are before the flag is
/// raised and behind it was seen.
std::string getKernel(bool isLate, std::pair<bool, bool> fences,
                      const std::string &result) {
  auto fence = [](bool isThere) {
    return isThere ? "call void @llvm.nvvm.membar.cta()\n" : "";
  };
  auto delay = [](const std::string &name, bool isThere,
                  const std::string &next) {
    if (!isThere)
      return "br label %" + next + "\n";
    return "br label %" + name + "\n" + name + ":\n  %i" + name +
           " = phi i32 [ 0, %" + name + "0 ], [ %j" + name + ", %" + name +
           " ]\n  %j" + name + " = add i32 %i" + name +
           ", 1\n  store volatile i32 0, ptr addrspace(1) %time\n  %c" + name +
           " = icmp ult i32 %j" + name + ", 20000\n  br i1 %c" + name +
           ", label %" + name + ", label %" + next + "\n";
  };
  return R"(
    target triple = "nvptx64-nvidia-cuda"
    @flag = addrspace(3) global i32 undef, align 4
    @data = addrspace(3) global i32 undef, align 4
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    declare void @llvm.nvvm.membar.cta()
    define ptx_kernel void @k(ptr addrspace(1) %out) {
      %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %time = getelementptr i32, ptr addrspace(1) %out, i32 %tid
      %isFirst = icmp eq i32 %tid, 0
      br i1 %isFirst, label %clear, label %meet
    clear:
      store i32 0, ptr addrspace(3) @flag
      br label %meet
    meet:
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %isSender = icmp eq i32 %tid, 32
      br i1 %isSender, label %slow0, label %other
    slow0:
      )" +
         delay("slow", !isLate, "send") + R"(
    send:
      store i32 7, ptr addrspace(3) @data
      )" +
         fence(fences.first) + R"(
      store volatile i32 1, ptr addrspace(3) @flag
      ret void
    other:
      br i1 %isFirst, label %late0, label %exit
    late0:
      )" +
         delay("late", isLate, "look") + R"(
    look:
      %seen = load volatile i32, ptr addrspace(3) @flag
      %raised = icmp ne i32 %seen, 0
      br i1 %raised, label %take, label %exit
    take:
      )" +
         fence(fences.second) + R"(
      %x = load i32, ptr addrspace(3) @data
      %value = )" +
         result + R"(
      store i32 %value, ptr addrspace(1) %out
      br label %exit
    exit:
      ret void
    })";
}

std::string findIn(bool isLate, std::pair<bool, bool> fences,
                   const std::string &result, uint32_t expected) {
  std::vector<std::vector<uint32_t>> arrays(1, std::vector<uint32_t>(64));
  RunOptions options;
  options.block = {64, 1, 1};
  RunResult found = run(getKernel(isLate, fences, result), arrays, options);
  EXPECT_EQ(arrays[0][0], expected);
  std::string kinds = found.error;
  for (const Finding &finding : found.findings)
    kinds += std::string(getName(finding.kind)) + " ";
  return kinds;
}

TEST(SimulatorFlag, IsLookedAtOnce) {
  EXPECT_EQ(findIn(true, {true, true}, "add i32 %x, 1", 8), "");
  EXPECT_EQ(findIn(false, {true, true}, "add i32 %x, 1", 0), "");
}

TEST(SimulatorFlag, NeedsFences) {
  EXPECT_EQ(findIn(true, {false, true}, "add i32 %x, 1", 8), "shared-race ");
  // Without a fence behind it, it is no flag.
  EXPECT_EQ(findIn(true, {true, false}, "add i32 %x, 1", 8),
            "unordered-volatile shared-race ");
  EXPECT_EQ(findIn(false, {true, false}, "add i32 %x, 1", 0),
            "unordered-volatile ");
}

TEST(SimulatorFlag, IsNoDatum) {
  EXPECT_EQ(findIn(true, {true, true}, "add i32 %x, %seen", 8),
            "unordered-volatile ");
}

} // namespace

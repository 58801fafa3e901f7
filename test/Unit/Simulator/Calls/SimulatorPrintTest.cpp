//===- SimulatorPrintTest.cpp ---------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// vprintf: what a launch prints, in which order, and where it ends.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// A kernel that prints `format`, whose arguments `stores` writes to %a: its
/// block and thread are %b and %t.
std::string makePrint(const std::string &format, const std::string &stores) {
  return "target triple = \"nvptx64-nvidia-cuda\"\n"
         "@text = private constant [5 x i8] c\"text\\00\"\n"
         "@format = private addrspace(1) constant [" +
         std::to_string(format.size() + 1) + " x i8] c\"" + format +
         "\\00\"\n"
         "declare i32 @vprintf(ptr, ptr)\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
         "define ptx_kernel void @k(ptr addrspace(1) %out) {\n"
         "  %a = alloca [64 x i8], align 8\n"
         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n" +
         stores +
         "  %n = call i32 @vprintf(ptr addrspacecast (ptr addrspace(1) @format "
         "to ptr), ptr %a)\n"
         "  store i32 %n, ptr addrspace(1) %out\n"
         "  ret void\n}\n";
}

std::string store(unsigned offset, const std::string &value) {
  std::string name = "%p" + std::to_string(offset);
  return "  " + name + " = getelementptr i8, ptr %a, i64 " +
         std::to_string(offset) + "\n  store " + value + ", ptr " + name + "\n";
}

struct PrintOutcome {
  std::string text, error, findings;
  uint32_t result = 0;
};
PrintOutcome runPrint(const std::string &ir, uint32_t blocks, uint32_t threads,
                      uint64_t limit = 1 << 20) {
  PrintOutcome outcome;
  std::vector<std::vector<uint32_t>> arrays = {{0}};
  RunOptions options;
  options.grid = {blocks, 1, 1};
  options.block = {threads, 1, 1};
  options.simulator.threads = 3;
  options.simulator.printLimit = limit;
  options.simulator.instrument = false; // threads write one result
  options.simulator.print = [&](llvm::StringRef text) {
    outcome.text += text.str();
  };
  RunResult result = run(ir, arrays, options);
  outcome.error = result.error;
  outcome.findings = result.text();
  outcome.result = arrays[0][0];
  return outcome;
}

TEST(SimulatorPrint, Conversions) {
  std::string stores =
      store(0, "i32 -5") + store(4, "i32 -1") + store(8, "i32 65") +
      store(16, "i64 -7") + store(24, "double 1.5") + store(32, "ptr @text") +
      store(40, "i32 7") + store(48, "double 0.125") + store(56, "i32 255");
  PrintOutcome outcome = runPrint(
      makePrint("%d %u %c 100%% %lld %.3f [%6s] %*.2e %#x!", stores), 1, 1);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.findings, "");
  EXPECT_EQ(outcome.text,
            "-5 4294967295 A 100% -7 1.500 [  text] 1.25e-01 0xff!");
  EXPECT_EQ(outcome.result, 9u);
}

TEST(SimulatorPrint, Order) {
  PrintOutcome outcome = runPrint(
      makePrint("%d.%d ", store(0, "i32 %b") + store(4, "i32 %t")), 40, 70);
  std::string expected;
  for (unsigned block = 0; block < 40; ++block)
    for (unsigned thread = 0; thread < 70; ++thread)
      expected += std::to_string(block) + "." + std::to_string(thread) + " ";
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.text, expected);
}

TEST(SimulatorPrint, Limit) {
  std::string expected;
  for (unsigned block = 10; block < 35; ++block)
    for (unsigned thread = 0; thread < 4; ++thread)
      expected += std::to_string(block);
  expected += "(60 more calls of printf: over 200 bytes)\n";
  std::string ir =
      makePrint("%d", "  %b10 = add i32 %b, 10\n" + store(0, "i32 %b10"));
  for (unsigned i = 0; i < 5; ++i)
    EXPECT_EQ(runPrint(ir, 40, 4, 200).text, expected);
}

/// What Triton makes of a print in a loop: an alloca each time.
std::string makeLoop(const std::string &use) {
  return "target triple = \"nvptx64-nvidia-cuda\"\n"
         "@format = private constant [4 x i8] c\"%d \\00\"\n"
         "declare i32 @vprintf(ptr, ptr)\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
         "define ptx_kernel void @k(ptr addrspace(1) %out) {\n"
         "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
         "  %end = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
         "  br label %loop\n"
         "loop:\n"
         "  %i = phi i32 [ 0, %0 ], [ %next, %loop ]\n"
         "  %a = alloca { i32 }, align 4\n"
         "  %value = add i32 %i, %t\n"
         "  store i32 %value, ptr %a\n" +
         use +
         "  %n = call i32 @vprintf(ptr @format, ptr %a)\n"
         "  %next = add i32 %i, 1\n"
         "  %more = icmp slt i32 %next, %end\n"
         "  br i1 %more, label %loop, label %exit\n"
         "exit:\n"
         "  ret void\n}\n";
}

TEST(SimulatorPrint, AllocaInLoop) {
  PrintOutcome outcome = runPrint(makeLoop(""), 1, 3);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.findings, "");
  EXPECT_EQ(outcome.text, "0 1 2 1 2 3 2 3 4 ");
  // An address that is kept could be one of an earlier time.
  outcome = runPrint(makeLoop("  store ptr %a, ptr addrspace(1) %out\n"), 1, 3);
  EXPECT_NE(outcome.error.find("cannot simulate alloca of a size that is only "
                               "known when it runs"),
            std::string::npos)
      << outcome.error;
}

TEST(SimulatorPrint, Refused) {
  for (std::string format : {"%y", "%", "%9999d", "%***d", "%5"}) {
    PrintOutcome outcome = runPrint(makePrint(format, ""), 1, 1);
    EXPECT_NE(outcome.error.find("cannot simulate vprintf of \"" + format),
              std::string::npos)
        << outcome.error;
  }
}

} // namespace

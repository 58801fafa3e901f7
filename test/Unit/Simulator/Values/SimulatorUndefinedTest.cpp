//===- SimulatorUndefinedTest.cpp - Values that nobody has written --------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load of memory that nobody has written is a finding if its value matters,
// and only then. Each way that a value takes, and each use that matters.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

#include "llvm/ADT/StringRef.h"

#include "gtest/gtest.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// In each of 64 threads %u is undefined, %d is the thread's number; %free and
/// %full are their places in shared memory. %out is x[thread].
std::string getKernel(const std::string &body) {
  return R"(
    target triple = "nvptx64-nvidia-cuda"
    @s = internal addrspace(3) global [256 x i32] undef, align 16
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
    declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
    declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
    declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
    declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    declare void @llvm.nvvm.bar.warp.sync(i32)
    declare i32 @llvm.fshl.i32(i32, i32, i32)
    declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(
      ptr addrspace(3))
    declare {float, float, float, float} @llvm.nvvm.mma.m16n8k8.row.col.f32.f32(
      <2 x half>, <2 x half>, <2 x half>, float, float, float, float)
    define ptx_kernel void @k(ptr addrspace(1) %x) {
    entry:
      %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %lane = and i32 %tid, 31
      %isFirst = icmp eq i32 %lane, 0
      %isLow = icmp ult i32 %lane, 16
      %isHigh = xor i1 %isLow, true
      %out = getelementptr i32, ptr addrspace(1) %x, i32 %tid
      %free = getelementptr i32, ptr addrspace(3) @s, i32 %tid
      %fullBase = getelementptr i32, ptr addrspace(3) @s, i32 128
      %full = getelementptr i32, ptr addrspace(3) %fullBase, i32 %tid
      %array = alloca [4 x i32], align 4
      store i32 %tid, ptr addrspace(3) %full
      %d = load i32, ptr addrspace(3) %full
      %u = load i32, ptr addrspace(3) %free ; LOAD
)" + body +
         R"(
      ret void
    }
  )";
}

/// The line on which a text stands.
unsigned getLine(llvm::StringRef kernel, llvm::StringRef marker) {
  return kernel.take_front(kernel.find(marker)).count('\n') + 1;
}

RunResult runBody(const std::string &body) {
  std::vector<std::vector<uint32_t>> arrays(1, std::vector<uint32_t>(64));
  RunOptions options;
  options.block = {64, 1, 1};
  options.simulator.optimize = false;
  return run(getKernel(body), arrays, options);
}

/// Stores %r, a function of %u.
std::string stored(const std::string &body) {
  return body + "store i32 %r, ptr addrspace(1) %out ; USE\n";
}

void expectSilent(const std::string &body) {
  RunResult result = runBody(body);
  EXPECT_EQ(result.error, "") << body;
  EXPECT_EQ(result.text(), "") << body;
}

/// One finding, at the load, that names the use.
void expectFound(const std::string &body, const std::string &use,
                 uint32_t lane = 0) {
  RunResult result = runBody(body);
  ASSERT_EQ(result.error, "") << body;
  ASSERT_EQ(result.findings.size(), 1u) << body << result.text();
  const Finding &finding = result.findings[0];
  const std::string kernel = getKernel(body);
  EXPECT_EQ(finding.kind, FindingKind::UninitializedShared) << result.text();
  EXPECT_EQ(finding.location.line, getLine(kernel, "; LOAD")) << body;
  EXPECT_EQ(finding.other.line, getLine(kernel, "; USE")) << body;
  EXPECT_EQ(finding.lane, lane) << body;
  EXPECT_EQ(finding.message.rfind(
                "load of 4 bytes at shared offset " + std::to_string(4 * lane) +
                    " reads bytes that this block has never "
                    "written; expected a store before it; its "
                    "value " +
                    use + " at test.ll:",
                0),
            0u)
      << body << result.text();
}

TEST(SimulatorUndefinedTest, Unused) {
  expectSilent("");
  expectSilent("%r = add i32 %u, %d\n");
  expectSilent("store i32 %d, ptr addrspace(1) %out\n");
}

TEST(SimulatorUndefinedTest, Arithmetic) {
  for (const char *body :
       {"%r = add i32 %u, 1\n", "%r = mul i32 %d, %u\n",
        "%r = call i32 @llvm.fshl.i32(i32 %d, i32 %d, i32 %u)\n",
        "%a = add i32 %u, %d\n%b = xor i32 %a, 5\n%r = lshr i32 %b, 3\n",
        "%w = zext i32 %u to i64\n%v = mul i64 %w, 3\n"
        "%r = trunc i64 %v to i32\n",
        "%w = zext i32 %u to i64\n%v = shl i64 %w, 32\n%h = lshr i64 %v, 32\n"
        "%r = trunc i64 %h to i32\n",
        "%f = bitcast i32 %u to float\n%g = fadd float %f, 1.0\n"
        "%r = bitcast float %g to i32\n",
        "%c = icmp ult i32 %u, %d\n%r = zext i1 %c to i32\n"})
    expectFound(stored(body), "is stored");
  // What takes its place is defined.
  expectSilent(stored("%r = sub i32 %d, 1\n"));
}

TEST(SimulatorUndefinedTest, Select) {
  expectFound(stored("%r = select i1 %isLow, i32 %d, i32 %u\n"), "is stored",
              16);
  expectFound(stored("%c = icmp eq i32 %u, 0\n"
                     "%r = select i1 %c, i32 %d, i32 7\n"),
              "is stored");
  expectSilent(stored("%never = icmp ugt i32 %lane, 31\n"
                      "%r = select i1 %never, i32 %u, i32 %d\n"));
}

/// `thread < n && s[thread] == 0` without a branch, and masks.
TEST(SimulatorUndefinedTest, Logic) {
  const std::string test = "%c = icmp eq i32 %u, 0\n"
                           "%never = icmp ugt i32 %lane, 31\n"
                           "%always = xor i1 %never, true\n";
  expectSilent(stored(test + "%a = and i1 %c, %never\n"
                             "%r = zext i1 %a to i32\n"));
  expectSilent(stored(test + "%a = or i1 %c, %always\n"
                             "%r = zext i1 %a to i32\n"));
  expectSilent(stored("%r = and i32 %u, 0\n"));
  expectFound(stored(test + "%a = and i1 %c, %always\n"
                            "%r = zext i1 %a to i32\n"),
              "is stored");
  expectFound(stored("%r = or i32 %u, 1\n"), "is stored");
}

TEST(SimulatorUndefinedTest, LanesOfABranch) {
  const std::string store = "br i1 %isHigh, label %then, label %end\n"
                            "then:\n"
                            "store i32 %r, ptr addrspace(1) %out ; USE\n"
                            "br label %end\n"
                            "end:\n";
  // A phi takes one of both.
  const std::string merge = "br i1 %isLow, label %low, label %join\n"
                            "low:\n"
                            "br label %join\n"
                            "join:\n";
  expectSilent(merge + "%r = phi i32 [%u, %low], [%d, %entry]\n" + store);
  expectFound(merge + "%r = phi i32 [%d, %low], [%u, %entry]\n" + store,
              "is stored", 16);
}

TEST(SimulatorUndefinedTest, Branch) {
  expectFound("%c = icmp eq i32 %u, 0\n"
              "br i1 %c, label %then, label %end ; USE\n"
              "then:\n"
              "br label %end\n"
              "end:\n",
              "decides the branch");
  expectFound("switch i32 %u, label %end [ i32 1, label %then ] ; USE\n"
              "then:\n"
              "br label %end\n"
              "end:\n",
              "decides the branch");
}

TEST(SimulatorUndefinedTest, Address) {
  expectFound("%i = and i32 %u, 63\n"
              "%p = getelementptr i32, ptr addrspace(3) @s, i32 %i\n"
              "%r = load i32, ptr addrspace(3) %p ; USE\n",
              "is an address");
  expectFound("%i = and i32 %u, 63\n"
              "%p = getelementptr i32, ptr addrspace(1) %x, i32 %i\n"
              "%same = load i32, ptr addrspace(1) %p ; USE\n",
              "is an address");
}

TEST(SimulatorUndefinedTest, Atomic) {
  expectFound("%r = atomicrmw add ptr addrspace(1) %out, i32 %u monotonic "
              "; USE\n",
              "is used");
  expectFound("%r = cmpxchg ptr addrspace(1) %out, i32 0, i32 %u monotonic "
              "monotonic ; USE\n",
              "is used");
  expectFound("%r = atomicrmw add ptr addrspace(3) %full, i32 %u monotonic "
              "; USE\n",
              "is used");
}

/// Lane 1 takes what lane 0 has, or the other way round; lane 0 alone stores.
TEST(SimulatorUndefinedTest, Shuffle) {
  const std::string value = "%v = select i1 %isFirst, i32 %u, i32 %d\n";
  const std::string storeFirst = "br i1 %isFirst, label %then, label %end\n"
                                 "then:\n"
                                 "store i32 %r, ptr addrspace(1) %out ; USE\n"
                                 "br label %end\n"
                                 "end:\n";
  auto shuffle = [](const std::string &from) {
    return "%r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 " +
           from + ", i32 31)\n";
  };
  expectSilent(value + shuffle("1") + storeFirst);
  expectFound(value + shuffle("0") + stored(""), "is stored");
  expectFound(value + shuffle("%u") + storeFirst, "is stored");
  // A scan: lane 0 keeps its own value, which is defined; the others do not.
  const std::string rest = "%v = select i1 %isFirst, i32 %d, i32 %u\n"
                           "%r = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, "
                           "i32 %v, i32 1, i32 0)\n";
  expectSilent(rest + storeFirst);
  expectFound(stored(rest), "is stored", 1);
}

TEST(SimulatorUndefinedTest, OtherCollectives) {
  expectFound(stored("%c = icmp eq i32 %u, 0\n"
                     "%r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 "
                     "%c)\n"),
              "is stored", 31);
  expectFound(stored("%r = call i32 @llvm.nvvm.redux.sync.add(i32 %u, i32 "
                     "-1)\n"),
              "is stored", 31);
  expectFound(stored("%r = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 "
                     "%u)\n"),
              "is stored", 31);
  expectSilent("%r = call i32 @llvm.nvvm.redux.sync.add(i32 %u, i32 -1)\n");
}

TEST(SimulatorUndefinedTest, SharedMemory) {
  // Stored and not read, or written again.
  expectSilent("store i32 %u, ptr addrspace(3) %free\n");
  expectSilent(stored("store i32 %u, ptr addrspace(3) %free\n"
                      "store i32 %d, ptr addrspace(3) %free\n"
                      "%r = load i32, ptr addrspace(3) %free\n"));
  expectFound(stored("store i32 %u, ptr addrspace(3) %full\n"
                     "%r = load i32, ptr addrspace(3) %full\n"),
              "is stored");
}

/// The second warp, which has read nothing else that is undefined, finds what
/// the first one has left.
TEST(SimulatorUndefinedTest, AcrossWarps) {
  const std::string leave =
      "%isOne = icmp ult i32 %tid, 32\n"
      "br i1 %isOne, label %one, label %met\n"
      "one:\n"
      "%n = load i32, ptr addrspace(3) %free\n"
      "%next = getelementptr i32, ptr addrspace(3) %full, i32 32\n"
      "br label %met\n"
      "met:\n"
      "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
      "br i1 %isOne, label %write, label %after\n"
      "write:\n"
      "%to = getelementptr i32, ptr addrspace(3) %full, i32 32\n"
      "store i32 %u, ptr addrspace(3) %to\n"
      "br label %after\n"
      "after:\n"
      "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
      "br i1 %isOne, label %end, label %two\n"
      "two:\n"
      "%r = load i32, ptr addrspace(3) %full\n";
  expectFound(leave + "store i32 %r, ptr addrspace(1) %out ; USE\n"
                      "br label %end\n"
                      "end:\n",
              "is stored");
  expectSilent(leave + "br label %end\nend:\n");
}

TEST(SimulatorUndefinedTest, LocalMemory) {
  const std::string place = "%i = and i32 %lane, 3\n"
                            "%p = getelementptr i32, ptr %array, i32 %i\n"
                            "store i32 %u, ptr %p\n";
  expectFound(stored(place + "%r = load i32, ptr %p\n"), "is stored");
  expectSilent(stored(place + "store i32 %d, ptr %p\n"
                              "%r = load i32, ptr %p\n"));
  expectSilent(place);
}

/// Elements of a vector are told apart.
TEST(SimulatorUndefinedTest, Vectors) {
  const std::string load =
      "%base = getelementptr i32, ptr addrspace(3) @s, i32 192\n"
      "%twice = shl i32 %lane, 1\n"
      "%pair = getelementptr i32, ptr addrspace(3) %base, i32 %twice\n"
      "%isOne = icmp ult i32 %tid, 32\n"
      "br i1 %isOne, label %one, label %end\n"
      "one:\n"
      "store i32 %d, ptr addrspace(3) %pair\n"
      "%both = load <2 x i32>, ptr addrspace(3) %pair, align 8\n";
  const std::string end = "br label %end\nend:\n";
  expectSilent(load + stored("%r = extractelement <2 x i32> %both, i32 0\n") +
               end);
  RunResult result = runBody(
      load + stored("%r = extractelement <2 x i32> %both, i32 1\n") + end);
  ASSERT_EQ(result.findings.size(), 1u) << result.error << result.text();
  EXPECT_NE(result.text().find("load of 8 bytes at shared offset 768"),
            std::string::npos)
      << result.text();
}

/// Rows of A that nobody has written reach the same rows of D only. Warp 0
/// writes the rows 0 to 3 of the two matrices of A, and B, which is row 0 of
/// the third.
TEST(SimulatorUndefinedTest, Products) {
  auto kernel = [](const std::string &column) {
    return "%base = getelementptr i32, ptr addrspace(3) @s, i32 64\n"
           "%isOne = icmp ult i32 %tid, 32\n"
           "br i1 %isOne, label %one, label %end\n"
           "one:\n"
           "%p0 = getelementptr i32, ptr addrspace(3) %free, i32 64\n"
           "br i1 %isLow, label %write, label %written\n"
           "write:\n"
           "store i32 0, ptr addrspace(3) %p0\n"
           "br label %written\n"
           "written:\n"
           "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
           "%row = and i32 %lane, 7\n"
           "%words = shl i32 %row, 2\n"
           "%at = getelementptr i32, ptr addrspace(3) %base, i32 %words\n"
           "%m = call {i32, i32, i32, i32} "
           "@llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) "
           "%at)\n"
           "%m0 = extractvalue {i32, i32, i32, i32} %m, 0\n"
           "%m1 = extractvalue {i32, i32, i32, i32} %m, 1\n"
           "%a0 = bitcast i32 %m0 to <2 x half>\n"
           "%a1 = bitcast i32 %m1 to <2 x half>\n"
           "%b = bitcast i32 " +
           column +
           " to <2 x half>\n"
           "%p = call {float, float, float, float} "
           "@llvm.nvvm.mma.m16n8k8.row.col.f32.f32(<2 x half> %a0, <2 x half> "
           "%a1, <2 x half> %b, float 0.0, float 0.0, float 0.0, float 0.0)\n"
           "%f = extractvalue {float, float, float, float} %p, 0\n"
           "%r = bitcast float %f to i32\n";
  };
  const std::string end = "br label %end\nend:\n";
  const std::string low = "br i1 %isLow, label %low, label %end\n"
                          "low:\n"
                          "store i32 %r, ptr addrspace(1) %out\n";
  expectSilent(kernel("0") + low + end);
  RunResult all = runBody(kernel("0") + stored("") + end);
  ASSERT_EQ(all.findings.size(), 1u) << all.error << all.text();
  EXPECT_NE(all.text().find("ldmatrix of 16 bytes at shared offset 320"),
            std::string::npos)
      << all.text();
  // Columns of B that nobody has written reach the last columns of D.
  const std::string firstColumns = "%t = and i32 %lane, 3\n"
                                   "%isLeft = icmp ult i32 %t, 2\n"
                                   "%isBoth = and i1 %isLeft, %isLow\n"
                                   "br i1 %isBoth, label %low, label %end\n"
                                   "low:\n"
                                   "store i32 %r, ptr addrspace(1) %out\n";
  expectSilent(kernel("%m0") + firstColumns + end);
  EXPECT_EQ(runBody(kernel("%m0") + low + end).findings.size(), 1u);
}

/// Values that loops carry: a scan of a warp over more places than were
/// written, as public code has it. The sums of the first half alone are stored.
TEST(SimulatorUndefinedTest, ScanOfAWarp) {
  std::string body = "br i1 %isLow, label %write, label %written\n"
                     "write:\n"
                     "store i32 1, ptr addrspace(3) %free\n"
                     "br label %written\n"
                     "written:\n"
                     "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"
                     "%v0 = load i32, ptr addrspace(3) %free\n";
  for (int step = 1, i = 0; step < 32; step *= 2, ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    body += "%o" + n +
            " = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v" + n +
            ", i32 " + std::to_string(step) + ", i32 0)\n%s" + n +
            " = add i32 %v" + n + ", %o" + n + "\n%c" + n +
            " = icmp uge i32 %lane, " + std::to_string(step) + "\n%v" + next +
            " = select i1 %c" + n + ", i32 %s" + n + ", i32 %v" + n + "\n";
  }
  body += "store i32 %v5, ptr addrspace(3) %free\n";
  expectSilent(body + "br i1 %isLow, label %low, label %end\n"
                      "low:\n"
                      "store i32 %v5, ptr addrspace(1) %out\n"
                      "br label %end\n"
                      "end:\n");
  RunResult result = runBody(body + "store i32 %v5, ptr addrspace(1) %out\n");
  ASSERT_EQ(result.findings.size(), 1u) << result.error << result.text();
  EXPECT_EQ(result.findings[0].lane, 16u);
}

/// Nothing stays from block to block.
TEST(SimulatorUndefinedTest, Blocks) {
  std::vector<std::vector<uint32_t>> arrays(1, std::vector<uint32_t>(64));
  RunOptions options;
  options.block = {64, 1, 1};
  options.grid = {3, 1, 1};
  options.simulator.optimize = false;
  options.simulator.threads = 1;
  // The blocks store the same values to x.
  RunResult result = run(getKernel("store i32 %u, ptr addrspace(3) %full\n"
                                   "store i32 %d, ptr addrspace(3) %free\n"
                                   "%r = load i32, ptr addrspace(3) %free\n"
                                   "store i32 %r, ptr addrspace(1) %out\n"),
                         arrays, options);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.text(), "");
}

/// Lane 3 of each warp divides by zero, as lanes do whose operands a mask has
/// left out. PTX leaves the result open.
TEST(SimulatorUndefinedTest, DivisionByZero) {
  auto runDivision = [](const std::string &operation, const std::string &body) {
    std::vector<std::vector<uint32_t>> arrays(1, std::vector<uint32_t>(64));
    RunOptions options;
    options.block = {64, 1, 1};
    options.simulator.optimize = false;
    RunResult result = run(R"(
    target triple = "nvptx64-nvidia-cuda"
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define ptx_kernel void @k(ptr addrspace(1) %x) {
    entry:
      %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %lane = and i32 %tid, 31
      %is3 = icmp eq i32 %lane, 3
      %is4 = icmp eq i32 %lane, 4
      %out = getelementptr i32, ptr addrspace(1) %x, i32 %tid
      %b = sub i32 %lane, 3
      %bw = zext i32 %b to i64
      %aw = zext i32 %tid to i64
)" + operation + body +
                               R"(
      ret void
    })",
                           arrays, options);
    EXPECT_EQ(result.error, "") << operation << body;
    return result;
  };
  const std::string stored = "store i32 %r, ptr addrspace(1) %out\n";
  for (const char *divide :
       {"%q = udiv i32 %tid, %b\n", "%q = srem i32 %tid, %b\n",
        "%w = sdiv i64 %aw, %bw\n%q = trunc i64 %w to i32\n",
        // The warp is tracked already, and %c has a mark.
        "%c = udiv i32 9, %b\n%n = select i1 %is4, i32 %c, i32 %tid\n"
        "%q = urem i32 %n, %b\n"}) {
    for (const char *silent :
         {"", "%r = select i1 %is3, i32 0, i32 %q\n",
          "%s = add i32 %q, 1\n%r = select i1 %is4, i32 %s, i32 5\n"}) {
      RunResult result =
          runDivision(divide, *silent ? silent + stored : std::string());
      EXPECT_EQ(result.text(), "") << divide << silent;
    }
    for (auto [use, how] : {std::pair("%r = add i32 %q, 1\n", "is stored"),
                            std::pair("%c2 = icmp ult i32 %q, 2\n"
                                      "br i1 %c2, label %then, label %end\n"
                                      "then:\nbr label %end\n"
                                      "end:\n%r = add i32 %tid, 1\n",
                                      "decides the branch")}) {
      RunResult result = runDivision(divide, use + stored);
      ASSERT_EQ(result.findings.size(), 1u) << divide << use << result.text();
      const Finding &finding = result.findings[0];
      EXPECT_EQ(finding.kind, FindingKind::DivisionByZero);
      EXPECT_EQ(finding.lane, 3u);
      EXPECT_EQ(finding.count, 2u);
      EXPECT_EQ(finding.message.rfind("integer division by zero; its value " +
                                          std::string(how) + " at test.ll:",
                                      0),
                0u)
          << finding.message;
    }
  }
}

} // namespace

//===- SimulatorMessagesTest.cpp ------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole kernels whose threads talk through atomics: flags, locks, counters of
// arrivals; the same with an order that is too weak; and asynchronous copies.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

#include <map>

using namespace tileir::sim;
using tileir::sim::test::run;
using tileir::sim::test::RunOptions;
using tileir::sim::test::RunResult;

namespace {

const char *const kHeader = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@data = internal addrspace(3) global [32 x i32] undef, align 4
@flag = internal addrspace(3) global i32 undef, align 4
@stages = internal addrspace(3) global [128 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
)";

/// Replaces each `$name` of the text.
std::string substitute(std::string text,
                       const std::map<std::string, std::string> &values) {
  for (const auto &[name, value] : values)
    for (size_t at; (at = text.find("$" + name)) != std::string::npos;)
      text.replace(at, name.size() + 1, value);
  return kHeader + text;
}

/// How often a finding of `kind` was made, where no other may be.
unsigned countOnly(const RunResult &result, FindingKind kind) {
  for (const Finding &finding : result.findings)
    EXPECT_EQ(finding.kind, kind) << finding.message;
  return result.findings.size();
}

/// Warp 0 writes 32 words, and lane 0 raises a flag that warp 1 waits for.
std::string flagKernel(const std::map<std::string, std::string> &values) {
  return substitute(R"(
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %clear, label %start
clear:
  store i32 0, ptr addrspace(3) @flag
  br label %start
start:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %sends = icmp ult i32 %tid, 32
  br i1 %sends, label %send, label %wait
send:
  %p = getelementptr i32, ptr addrspace(3) @data, i32 %tid
  %x = mul i32 %tid, 7
  store i32 %x, ptr addrspace(3) %p
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br i1 %first, label %raise, label %exit
raise:
  $before
  store atomic i32 1, ptr addrspace(3) @flag $store, align 4
  br label %exit
wait:
  %f = load atomic i32, ptr addrspace(3) @flag $load, align 4
  %up = icmp eq i32 %f, 1
  br i1 %up, label %receive, label %wait
receive:
  $after
  %lane = sub i32 63, %tid
  %q = getelementptr i32, ptr addrspace(3) @data, i32 %lane
  %y = load i32, ptr addrspace(3) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %y, ptr addrspace(1) %o
  br label %exit
exit:
  ret void
})",
                    values);
}

TEST(SimulatorMessages, Flag) {
  const std::string fence = "fence acq_rel";
  struct Case {
    std::string before, store, load, after;
    bool ordered;
  };
  const Case cases[] = {
      {"", "release", "acquire", "", true},
      {fence, "monotonic", "monotonic", fence, true},
      {"", "release", "monotonic", "fence acquire", true},
      {"fence release", "monotonic", "acquire", "", true},
      {"call void @llvm.nvvm.membar.gl()", "monotonic", "monotonic",
       "call void @llvm.nvvm.membar.gl()", true},
      {"", "monotonic", "monotonic", "", false},
      {"", "release", "monotonic", "", false},
      {"", "monotonic", "acquire", "", false},
      {fence, "monotonic", "monotonic", "", false},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.before + " " + c.store + ", " + c.load + " " + c.after);
    std::vector<std::vector<uint32_t>> arrays = {
        std::vector<uint32_t>(32, 1000)};
    RunOptions options;
    options.block = {64, 1, 1};
    RunResult result = run(flagKernel({{"before", c.before},
                                       {"store", c.store},
                                       {"load", c.load},
                                       {"after", c.after}}),
                           arrays, options);
    ASSERT_EQ(result.error, "");
    EXPECT_EQ(countOnly(result, FindingKind::SharedRace) == 0, c.ordered)
        << result.text();
    for (unsigned i = 0; i < 32; ++i)
      EXPECT_EQ(arrays[0][i], 7 * i);
  }
}

/// Every thread adds to a word under a lock, without an atomic addition.
TEST(SimulatorMessages, Lock) {
  auto kernel = [](const char *acquire, const char *release) {
    return substitute(R"(
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %clear, label %start
clear:
  store i32 0, ptr addrspace(3) @flag
  store i32 100, ptr addrspace(3) @data
  br label %start
start:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %try
try:
  %pair = cmpxchg ptr addrspace(3) @flag, i32 0, i32 1 $acquire monotonic
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %enter, label %retry
enter:
  %x = load i32, ptr addrspace(3) @data
  %y = add i32 %x, %tid
  store i32 %y, ptr addrspace(3) @data
  store atomic i32 0, ptr addrspace(3) @flag $release, align 4
  br label %retry
retry:
  %done = phi i1 [ true, %enter ], [ false, %try ]
  br i1 %done, label %end, label %try
end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %show, label %exit
show:
  %z = load i32, ptr addrspace(3) @data
  store i32 %z, ptr addrspace(1) %out
  br label %exit
exit:
  ret void
})",
                      {{"acquire", acquire}, {"release", release}});
  };
  RunOptions options;
  options.block = {37, 1, 1};
  std::vector<std::vector<uint32_t>> arrays = {{0}};
  RunResult result = run(kernel("acquire", "release"), arrays, options);
  ASSERT_EQ(result.error, "");
  EXPECT_TRUE(result.findings.empty()) << result.text();
  EXPECT_EQ(arrays[0][0], 100u + 36 * 37 / 2);
  result = run(kernel("monotonic", "release"), arrays, options);
  EXPECT_NE(countOnly(result, FindingKind::SharedRace), 0u);
  result = run(kernel("acquire", "monotonic"), arrays, options);
  EXPECT_NE(countOnly(result, FindingKind::SharedRace), 0u);
}

/// Blocks write their parts; the block that arrives last adds them up.
TEST(SimulatorMessages, LastBlock) {
  const std::string kernel = substitute(R"(
define ptx_kernel void @k(ptr addrspace(1) %parts, ptr addrspace(1) %count,
                          ptr addrspace(1) %sum) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %p = getelementptr i32, ptr addrspace(1) %parts, i32 %block
  %square = mul i32 %block, %block
  store i32 %square, ptr addrspace(1) %p
  call void @llvm.nvvm.membar.gl()
  %limit = sub i32 %blocks, 1
  %old = atomicrmw uinc_wrap ptr addrspace(1) %count, i32 %limit monotonic
  %last = icmp eq i32 %old, %limit
  br i1 %last, label %loop.start, label %exit
loop.start:
  call void @llvm.nvvm.membar.gl()
  br label %loop
loop:
  %i = phi i32 [ 0, %loop.start ], [ %next, %loop ]
  %s = phi i32 [ 0, %loop.start ], [ %t, %loop ]
  %q = getelementptr i32, ptr addrspace(1) %parts, i32 %i
  %x = load i32, ptr addrspace(1) %q
  %t = add i32 %s, %x
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %blocks
  br i1 %more, label %loop, label %done
done:
  store i32 %t, ptr addrspace(1) %sum
  br label %exit
exit:
  ret void
})",
                                        {});
  constexpr uint32_t kBlocks = 211;
  for (unsigned threads : {1u, 4u}) {
    RunOptions options;
    options.grid = {kBlocks, 1, 1};
    options.block = {1, 1, 1};
    options.simulator.threads = threads;
    std::vector<std::vector<uint32_t>> arrays = {
        std::vector<uint32_t>(kBlocks), {0}, {0}};
    RunResult result = run(kernel, arrays, options);
    ASSERT_EQ(result.error, "");
    EXPECT_TRUE(result.findings.empty()) << result.text();
    uint32_t sum = 0;
    for (uint32_t i = 0; i < kBlocks; ++i)
      sum += i * i;
    EXPECT_EQ(arrays[2][0], sum);
    EXPECT_EQ(arrays[1][0], 0u); // wrapped
  }
}

/// A histogram over blocks on several host threads, in narrow and wide types.
TEST(SimulatorMessages, Histogram) {
  struct Case {
    const char *type, *one, *operation;
    unsigned bytes;
  };
  for (const Case &c :
       {Case{"i32", "3", "add", 4}, Case{"i64", "4294967299", "add", 8},
        Case{"float", "2.0", "fadd", 4}, Case{"double", "0.5", "fadd", 8},
        Case{"i16", "5", "add", 2}}) {
    SCOPED_TRACE(c.type);
    constexpr uint32_t kBlocks = 37, kThreads = 96, kBins = 13;
    std::string kernel =
        substitute(R"(
define ptx_kernel void @k(ptr addrspace(1) %bins) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %a = mul i32 %block, 96
  %b = add i32 %a, %tid
  %bin = urem i32 %b, 13
  %p = getelementptr $type, ptr addrspace(1) %bins, i32 %bin
  %old = atomicrmw $op ptr addrspace(1) %p, $type $one monotonic
  ret void
})",
                   {{"type", c.type}, {"op", c.operation}, {"one", c.one}});
    RunOptions options;
    options.grid = {kBlocks, 1, 1};
    options.block = {kThreads, 1, 1};
    options.simulator.threads = 4;
    std::vector<std::vector<uint8_t>> arrays = {
        std::vector<uint8_t>(kBins * c.bytes)};
    RunResult result = run(kernel, arrays, options);
    ASSERT_EQ(result.error, "");
    EXPECT_TRUE(result.findings.empty()) << result.text();
    for (uint32_t bin = 0; bin < kBins; ++bin) {
      uint64_t count = (kBlocks * kThreads - bin + kBins - 1) / kBins;
      const uint8_t *at = arrays[0].data() + bin * c.bytes;
      auto read = [&](auto value) {
        std::memcpy(&value, at, sizeof(value));
        return value;
      };
      if (std::string(c.type) == "float")
        EXPECT_EQ(read(0.0f), 2.0f * count);
      else if (std::string(c.type) == "double")
        EXPECT_EQ(read(0.0), 0.5 * count);
      else if (c.bytes == 8)
        EXPECT_EQ(read(uint64_t(0)), 4294967299u * count);
      else if (c.bytes == 4)
        EXPECT_EQ(read(uint32_t(0)), 3 * count);
      else
        EXPECT_EQ(read(uint16_t(0)), uint16_t(5 * count));
    }
    EXPECT_EQ(result.counters.accesses.size(), 1u);
    EXPECT_TRUE(result.counters.accesses[0].isAtomic);
    EXPECT_EQ(result.counters.accesses[0].counters.lanes, kBlocks * kThreads);
  }
}

/// Chunks of 64 words go through two stages; each thread copies one word ahead
/// and reads its neighbour's.
TEST(SimulatorMessages, TwoStages) {
  auto kernel = [](const char *wait, const char *barrier, const char *reuse) {
    return substitute(R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = getelementptr i32, ptr addrspace(3) @stages, i32 %tid
  %firstIn = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %first, ptr addrspace(1) %firstIn)
  call void @llvm.nvvm.cp.async.commit.group()
  %turned = sub i32 63, %tid
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %join ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %ahead, label %join
ahead:
  %stage = and i32 %next, 1
  %into = mul i32 %stage, 64
  %into2 = add i32 %into, %tid
  %s = getelementptr i32, ptr addrspace(3) @stages, i32 %into2
  %from = mul i32 %next, 64
  %from2 = add i32 %from, %tid
  %f = getelementptr i32, ptr addrspace(1) %in, i32 %from2
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s, ptr addrspace(1) %f)
  br label %join
join:
  call void @llvm.nvvm.cp.async.commit.group()
  $wait
  $barrier
  %now = and i32 %i, 1
  %at = mul i32 %now, 64
  %at2 = add i32 %at, %turned
  %r = getelementptr i32, ptr addrspace(3) @stages, i32 %at2
  %x = load i32, ptr addrspace(3) %r
  %o = mul i32 %i, 64
  %o2 = add i32 %o, %tid
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %o2
  store i32 %x, ptr addrspace(1) %q
  $reuse
  br i1 %more, label %loop, label %exit
exit:
  ret void
})",
                      {{"wait", wait}, {"barrier", barrier}, {"reuse", reuse}});
  };
  const char *wait = "call void @llvm.nvvm.cp.async.wait.group(i32 1)";
  const char *barrier =
      "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";
  constexpr uint32_t kChunks = 5;
  auto go = [&](const std::string &ir, bool expectData) {
    RunOptions options;
    options.block = {64, 1, 1};
    std::vector<std::vector<uint32_t>> arrays = {
        std::vector<uint32_t>(kChunks * 64),
        std::vector<uint32_t>(kChunks * 64)};
    for (uint32_t i = 0; i < kChunks * 64; ++i)
      arrays[0][i] = i * i + 1;
    RunResult result = run(ir, arrays, options, {kChunks});
    EXPECT_EQ(result.error, "");
    bool same = true;
    for (uint32_t i = 0; i < kChunks * 64; ++i)
      same &= arrays[1][i] == arrays[0][i / 64 * 64 + 63 - i % 64];
    EXPECT_EQ(same, expectData);
    return result;
  };
  auto has = [](const RunResult &result, FindingKind kind) {
    return llvm::any_of(result.findings, [&](const Finding &finding) {
      return finding.kind == kind;
    });
  };
  RunResult result = go(kernel(wait, barrier, barrier), true);
  EXPECT_TRUE(result.findings.empty()) << result.text();
  result = go(kernel("", barrier, barrier), false);
  EXPECT_TRUE(has(result, FindingKind::MissingWait)) << result.text();
  // One group more may stay open than was meant to.
  result = go(kernel("call void @llvm.nvvm.cp.async.wait.group(i32 2)", barrier,
                     barrier),
              false);
  EXPECT_TRUE(has(result, FindingKind::MissingWait)) << result.text();
  // What the other warp has copied is not known to have arrived.
  result = go(kernel(wait, "", barrier), false);
  EXPECT_TRUE(has(result, FindingKind::MissingWait)) << result.text();
  // A stage is filled again while the other warp still reads it.
  result = go(kernel(wait, barrier, ""), false);
  EXPECT_FALSE(result.findings.empty());
}

} // namespace

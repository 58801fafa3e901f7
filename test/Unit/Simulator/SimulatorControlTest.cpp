//===- SimulatorControlTest.cpp -------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divergence and reconvergence, barriers, collectives, and launches, by kernels
// that run from end to end. Expected values come from plain loops.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

#include <random>

using namespace tileir::sim;
using namespace tileir::sim::test;
using Array = std::vector<uint32_t>;

namespace {

/// A kernel @k(ptr %out, ptr %in) around a body in which %tid, %lane, %outp
/// (the thread's element of %out) and %value (that of %in) are known.
std::string makeKernel(const std::string &body,
                       const std::string &declarations = "") {
  return R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
)" + declarations +
         R"(
define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %tid, 31
  %outp = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %inp = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %value = load i32, ptr addrspace(1) %inp
)" + body +
         "}\n";
}

struct Outcome {
  RunResult run;
  Array out;
};

Outcome runBody(const std::string &body, const std::string &declarations = "",
                uint32_t threads = 32, Array in = {},
                SimulatorOptions options = {}) {
  in.resize(threads, 0);
  std::vector<Array> arrays = {Array(threads, 0xdead), in};
  RunOptions runOptions;
  runOptions.block = {threads, 1, 1};
  options.threads = 1;
  runOptions.simulator = options;
  RunResult result = run(makeKernel(body, declarations), arrays, runOptions);
  EXPECT_EQ(result.error, "");
  return {std::move(result), arrays[0]};
}

Array makeRandom(unsigned count, uint32_t limit = ~0u) {
  std::mt19937 random(7);
  Array values(count);
  for (uint32_t &value : values)
    value = random() % limit;
  return values;
}

TEST(Divergence, NestedBranchesMeetAgain) {
  // Only if all 32 lanes meet at %join is the ballot full.
  Outcome o = runBody(R"(
  %low = icmp ult i32 %lane, 20
  br i1 %low, label %a, label %b
a:
  %odd = trunc i32 %lane to i1
  br i1 %odd, label %a1, label %a2
a1:
  call void @llvm.nvvm.nanosleep(i32 1)
  br label %aj
a2:
  call void @llvm.nvvm.nanosleep(i32 2)
  br label %aj
aj:
  %x = phi i32 [ 1, %a1 ], [ 2, %a2 ]
  %inner = call i32 @llvm.nvvm.activemask()
  br label %join
b:
  call void @llvm.nvvm.nanosleep(i32 3)
  br label %join
join:
  %y = phi i32 [ %x, %aj ], [ 3, %b ]
  %m = phi i32 [ %inner, %aj ], [ 0, %b ]
  %all = call i32 @llvm.nvvm.activemask()
  %full = icmp eq i32 %all, -1
  %f = select i1 %full, i32 100, i32 0
  %within = icmp eq i32 %m, 1048575
  %w = select i1 %within, i32 1000, i32 0
  %s = add i32 %y, %f
  %r = add i32 %s, %w
  store i32 %r, ptr addrspace(1) %outp
  ret void
)",
                      "declare void @llvm.nvvm.nanosleep(i32)\n"
                      "declare i32 @llvm.nvvm.activemask()\n");
  EXPECT_EQ(o.run.text(), "");
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(o.out[lane], lane >= 20 ? 103u : lane & 1 ? 1101u : 1102u);
}

TEST(Divergence, LoopsOfDifferentLengths) {
  Array in = makeRandom(32, 50);
  Outcome o = runBody(R"(
  %none = icmp eq i32 %value, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
  %sq = mul i32 %i, %i
  %sum1 = add i32 %sum, %sq
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %value
  br i1 %more, label %loop, label %exit
exit:
  %r = phi i32 [ 7, %entry ], [ %sum1, %loop ]
  %all = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %x = xor i32 %all, -1
  %s = add i32 %r, %x
  store i32 %s, ptr addrspace(1) %outp
  ret void
)",
                      "", 32, in);
  EXPECT_EQ(o.run.text(), "");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t expected = in[lane] ? 0 : 7;
    for (uint32_t i = 0; i < in[lane]; ++i)
      expected += i * i;
    EXPECT_EQ(o.out[lane], expected);
  }
}

TEST(Divergence, Switch) {
  Outcome o = runBody(R"(
  %m = urem i32 %lane, 5
  switch i32 %m, label %d [ i32 0, label %a
                            i32 3, label %b ]
a:
  call void asm sideeffect "", ""()
  br label %join
b:
  br label %join
d:
  %v = mul i32 %lane, 3
  br label %join
join:
  %r = phi i32 [ 10, %a ], [ 20, %b ], [ %v, %d ]
  store i32 %r, ptr addrspace(1) %outp
  ret void
)");
  EXPECT_EQ(o.run.text(), "");
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(o.out[lane], lane % 5 == 0 ? 10 : lane % 5 == 3 ? 20 : lane * 3);
}

TEST(Divergence, LanesThatReturnedDoNotHoldUpBarriers) {
  Outcome o = runBody(R"(
  %out5 = icmp ult i32 %tid, 5
  br i1 %out5, label %exit, label %on
exit:
  ret void
on:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  store i32 %b, ptr addrspace(1) %outp
  ret void
)",
                      "", 64);
  EXPECT_EQ(o.run.text(), "");
  for (uint32_t t = 0; t < 64; ++t)
    EXPECT_EQ(o.out[t], t < 5 ? 0xdeadu : t < 32 ? 0xffffffe0u : 0xffffffffu);
}

TEST(Divergence, ALaneThatSpinsDoesNotStarveTheOthers) {
  // Lane 0 waits in a loop that lies before the code that frees it.
  Outcome o = runBody(R"(
  %zero = icmp eq i32 %tid, 0
  br i1 %zero, label %spin, label %work
spin:
  %flag = load volatile i32, ptr addrspace(1) %in
  %set = icmp ne i32 %flag, 0
  br i1 %set, label %done, label %spin
work:
  store volatile i32 1, ptr addrspace(1) %in
  br label %done
done:
  store i32 5, ptr addrspace(1) %outp
  ret void
)");
  EXPECT_EQ(o.run.text(), "");
  EXPECT_EQ(o.out, Array(32, 5));
}

TEST(Divergence, LanesWaitThroughTheEndOfATimeSlice) {
  // Half of the lanes take a path of more instructions than a time slice has.
  // All are together again after it.
  Outcome o = runBody(R"(
  %low = icmp ult i32 %lane, 16
  br i1 %low, label %loop, label %join
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = load volatile i32, ptr addrspace(1) %in
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 5000
  br i1 %more, label %loop, label %join
join:
  %active = call i32 @llvm.nvvm.activemask()
  store i32 %active, ptr addrspace(1) %outp
  ret void
)",
                      "declare i32 @llvm.nvvm.activemask()\n");
  EXPECT_EQ(o.run.text(), "");
  EXPECT_EQ(o.out, Array(32, -1));
}

TEST(Barriers, DivergentOneIsFound) {
  Outcome o = runBody(R"(
  %low = icmp ult i32 %lane, 7
  br i1 %low, label %a, label %b
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %b
b:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
)",
                      "declare void @llvm.nvvm.bar.warp.sync(i32)\n");
  EXPECT_NE(o.run.text().find("divergent-barrier: reached by the lanes "
                              "0x0000007f only: expected 0xffffffff"),
            std::string::npos)
      << o.run.text();
}

TEST(Barriers, WarpsThatDisagreeOnTheCount) {
  Outcome o = runBody(R"(
  %w = lshr i32 %tid, 5
  %w1 = add i32 %w, 2
  %n = mul i32 %w1, 32
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 %n)
  ret void
)",
                      "", 128);
  EXPECT_NE(o.run.text().find("mismatched-barrier: barrier 1 for 96 threads: "
                              "expected 64 threads"),
            std::string::npos)
      << o.run.text();
}

TEST(Barriers, BadNumbers) {
  Outcome o = runBody(R"(
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 16)
  ret void
)");
  EXPECT_EQ(o.run.text(),
            "mismatched-barrier: barrier 16: expected one of 0 to 15\n");
  o = runBody(R"(
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 0, i32 33)
  ret void
)",
              "", 64);
  EXPECT_EQ(o.run.text(),
            "mismatched-barrier: barrier 0 for 33 threads: expected a multiple "
            "of 32 that is not above the block's 64\n");
}

TEST(Barriers, Deadlock) {
  Outcome o = runBody(R"(
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %wait, label %exit
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 3, i32 64)
  br label %exit
exit:
  ret void
)",
                      "", 64);
  EXPECT_EQ(o.run.text(),
            "deadlock: barrier 3 waits for ever: 1 warps arrived, "
            "expected 2 warps\n");
}

TEST(Barriers, ProducersArriveAndConsumersWait) {
  // Warps 0 and 1 write shared memory and arrive; 2 and 3 wait and read.
  // Between all four that is 128 threads at barrier 2.
  Outcome o = runBody(R"(
  %producer = icmp ult i32 %tid, 64
  %slot = and i32 %tid, 63
  %p = getelementptr i32, ptr addrspace(3) @buffer, i32 %slot
  br i1 %producer, label %produce, label %consume
produce:
  %v = mul i32 %tid, 3
  store i32 %v, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 2, i32 128)
  ret void
consume:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 128)
  %got = load i32, ptr addrspace(3) %p
  store i32 %got, ptr addrspace(1) %outp
  ret void
)",
                      "@buffer = internal addrspace(3) global [64 x i32] "
                      "undef\n",
                      128);
  EXPECT_EQ(o.run.text(), "");
  for (uint32_t t = 64; t < 128; ++t)
    EXPECT_EQ(o.out[t], (t - 64) * 3);
}

TEST(Barriers, AnArrivalReleasesOnlyWhatCameBefore) {
  Outcome o = runBody(R"(
  %producer = icmp ult i32 %tid, 32
  %p = getelementptr i32, ptr addrspace(3) @buffer, i32 %lane
  br i1 %producer, label %produce, label %consume
produce:
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 2, i32 64)
  store i32 %tid, ptr addrspace(3) %p
  ret void
consume:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 64)
  %got = load i32, ptr addrspace(3) %p
  store i32 %got, ptr addrspace(1) %outp
  ret void
)",
                      "@buffer = internal addrspace(3) global [32 x i32] "
                      "undef\n",
                      64);
  EXPECT_NE(o.run.text().find("shared-race"), std::string::npos)
      << o.run.text();
}

TEST(Barriers, Reductions) {
  const std::string declarations =
      "declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)\n"
      "declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)\n"
      "declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)\n";
  for (uint32_t ones : {0u, 1u, 41u, 96u}) {
    Array in(96, 0);
    std::fill(in.begin(), in.begin() + ones, 1);
    Outcome o = runBody(R"(
  %p = trunc i32 %value to i1
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %p)
  %a = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %p)
  %o = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %p)
  %a1 = select i1 %a, i32 1000, i32 0
  %o1 = select i1 %o, i32 2000, i32 0
  %s = add i32 %n, %a1
  %r = add i32 %s, %o1
  store i32 %r, ptr addrspace(1) %outp
  ret void
)",
                        declarations, 96, in);
    EXPECT_EQ(o.run.text(), "");
    uint32_t expected = ones + (ones == 96 ? 1000 : 0) + (ones > 0 ? 2000 : 0);
    EXPECT_EQ(o.out, Array(96, expected));
    EXPECT_EQ(o.run.counters.blockBarriers, 3u);
  }
}

TEST(Collectives, ShuffleModes) {
  // The rule of the PTX ISA, written out.
  auto expected = [](const std::string &mode, const Array &in, uint32_t b,
                     uint32_t c, uint32_t lane) {
    uint32_t segment = c >> 8 & 31, bound = c & 31;
    int minLane = lane & segment;
    int maxLane = (lane & segment) | (bound & ~segment & 31);
    int j;
    bool ok;
    if (mode == "up") {
      j = int(lane) - int(b & 31);
      ok = j >= maxLane;
    } else if (mode == "down") {
      j = int(lane) + int(b & 31);
      ok = j <= maxLane;
    } else if (mode == "bfly") {
      j = int(lane) ^ int(b & 31);
      ok = j <= maxLane;
    } else {
      j = minLane | int(b & 31 & ~segment);
      ok = j <= maxLane;
    }
    return in[ok ? j : lane] * 2 + ok;
  };
  Array in = makeRandom(32, 1 << 20);
  for (std::string mode : {"up", "down", "bfly", "idx"})
    for (uint32_t b : {0u, 1u, 5u, 16u, 31u})
      for (uint32_t c : {0u, 31u, 0x181fu, 0x1800u, 0x1c03u, 0x0707u}) {
        std::string name = "@llvm.nvvm.shfl.sync." + mode + ".i32p";
        Outcome o = runBody(
            "  %r = call {i32, i1} " + name + "(i32 -1, i32 %value, i32 " +
                std::to_string(b) + ", i32 " + std::to_string(c) + R"()
  %v = extractvalue {i32, i1} %r, 0
  %p = extractvalue {i32, i1} %r, 1
  %p1 = zext i1 %p to i32
  %v1 = mul i32 %v, 2
  %s = add i32 %v1, %p1
  store i32 %s, ptr addrspace(1) %outp
  ret void
)",
            "declare {i32, i1} " + name + "(i32, i32, i32, i32)\n", 32, in);
        EXPECT_EQ(o.run.text(), "");
        for (uint32_t lane = 0; lane < 32; ++lane)
          ASSERT_EQ(o.out[lane], expected(mode, in, b, c, lane))
              << mode << " b " << b << " c " << c << " lane " << lane;
      }
}

TEST(Collectives, VoteMatchRedux) {
  Array in = makeRandom(32, 4);
  Outcome o = runBody(R"(
  %low = icmp ult i32 %lane, 16
  %mask = select i1 %low, i32 65535, i32 -65536
  %p = icmp eq i32 %value, 2
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %p)
  %m = call i32 @llvm.nvvm.match.any.sync.i32(i32 %mask, i32 %value)
  %r = call i32 @llvm.nvvm.redux.sync.add(i32 %value, i32 %mask)
  %x = xor i32 %b, %m
  %y = mul i32 %r, 65537
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %outp
  ret void
)",
                      "declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)\n"
                      "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)\n",
                      32, in);
  EXPECT_EQ(o.run.text(), "");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t ballot = 0, match = 0, sum = 0;
    for (uint32_t other = lane / 16 * 16; other < lane / 16 * 16 + 16;
         ++other) {
      ballot |= uint32_t(in[other] == 2) << other;
      match |= uint32_t(in[other] == in[lane]) << other;
      sum += in[other];
    }
    EXPECT_EQ(o.out[lane], (ballot ^ match) + sum * 65537);
  }
}

TEST(Collectives, ALaneThatDoesNotNameItself) {
  Outcome o = runBody(R"(
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 1023, i1 true)
  store i32 %b, ptr addrspace(1) %outp
  ret void
)");
  EXPECT_NE(o.run.text().find("mismatched-collective: the lane's own bit"),
            std::string::npos);
  ASSERT_EQ(o.run.findings.size(), 1u);
  EXPECT_EQ(o.run.findings[0].lane, 10u);
}

TEST(Collectives, LanesThatNeverCome) {
  Outcome o = runBody(R"(
  %low = icmp ult i32 %lane, 16
  br i1 %low, label %a, label %b
a:
  %x = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  store i32 %x, ptr addrspace(1) %outp
  br label %b
b:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
)");
  EXPECT_NE(o.run.text().find("mismatched-collective: reached by the lanes "
                              "0x0000ffff only: expected 0xffffffff"),
            std::string::npos)
      << o.run.text();
}

TEST(Limits, EndlessLoop) {
  SimulatorOptions options;
  options.stepLimit = 200000;
  Outcome o = runBody(R"(
  br label %loop
loop:
  %x = load volatile i32, ptr addrspace(1) %in
  %go = icmp eq i32 %x, 0
  br i1 %go, label %loop, label %exit
exit:
  ret void
)",
                      "", 32, {}, options);
  EXPECT_NE(o.run.text().find("step-limit: the block has executed"),
            std::string::npos);
}

TEST(Limits, Trap) {
  Outcome o = runBody(R"(
  %bad = icmp eq i32 %tid, 9
  br i1 %bad, label %t, label %exit
t:
  call void @llvm.trap()
  unreachable
exit:
  ret void
)",
                      "declare void @llvm.trap()\n");
  ASSERT_EQ(o.run.findings.size(), 1u);
  EXPECT_EQ(o.run.findings[0].kind, FindingKind::Trap);
  EXPECT_EQ(o.run.findings[0].lane, 9u);
}

TEST(Launches, AreHeldToTheChip) {
  const std::string ir = makeKernel("  ret void\n");
  auto launch = [&](RunOptions options, unsigned arguments = 2) {
    std::vector<Array> arrays(arguments, Array(4096));
    return run(ir, arrays, options).error;
  };
  RunOptions options;
  options.block = {1025, 1, 1};
  EXPECT_EQ(launch(options),
            "cannot launch kernel @k: block.x = 1025: expected "
            "1 to 1024 on sm_80");
  options.block = {512, 4, 1};
  EXPECT_EQ(launch(options),
            "cannot launch kernel @k: 2048 threads in a block: "
            "expected at most 1024 on sm_80");
  options.block = {32, 1, 1};
  options.grid = {1, 70000, 1};
  EXPECT_EQ(launch(options),
            "cannot launch kernel @k: grid.y = 70000: expected "
            "1 to 65535 on sm_80");
  options.grid = {0, 1, 1};
  EXPECT_EQ(launch(options), "cannot launch kernel @k: grid.x = 0: expected 1 "
                             "to 2147483647 on sm_80");
  options.grid = {1, 1, 1};
  options.dynamicSharedBytes = 200000;
  EXPECT_EQ(launch(options),
            "cannot launch kernel @k: 200000 bytes of shared memory (0 static, "
            "200000 dynamic): expected at most 166912 on sm_80");
  options.dynamicSharedBytes = 0;
  EXPECT_EQ(launch(options, 3),
            "cannot launch kernel @k: 3 arguments: expected 2");
}

TEST(Launches, BlocksOverThreads) {
  // 37 blocks of 3 x 5 x 7 threads: each thread writes its own index.
  const std::string ir = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %scale) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %b7 = mul i32 %b, 7
  %bz = add i32 %b7, %z
  %bz5 = mul i32 %bz, 5
  %bzy = add i32 %bz5, %y
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bzyn = mul i32 %bzy, %n
  %i = add i32 %bzyn, %x
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = mul i32 %i, %scale
  store i32 %v, ptr addrspace(1) %p
  ret void
}
)";
  uint64_t instructions = 0;
  for (unsigned threads : {1u, 2u, 5u}) {
    std::vector<Array> arrays = {Array(37 * 105, 0)};
    RunOptions options;
    options.grid = {37, 1, 1};
    options.block = {3, 5, 7};
    options.simulator.threads = threads;
    RunResult result = run(ir, arrays, options, {11});
    EXPECT_EQ(result.error + result.text(), "");
    for (uint32_t i = 0; i < 37 * 105; ++i)
      ASSERT_EQ(arrays[0][i], i * 11);
    EXPECT_EQ(result.counters.warps, 37u * 4);
    if (threads == 1)
      instructions = result.counters.threadInstructions;
    EXPECT_EQ(result.counters.threadInstructions, instructions);
  }
}

} // namespace

//===- EstimateTest.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates of made-up counters, worked by hand.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/Gpu/Estimate.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace tileir::machine;
using llvm::StringRef;

namespace {

const Gpu &chip(StringRef name) { return *llvm::cantFail(getGpu(name)); }

uint64_t &of(Counters &counters, InstrClass instrClass) {
  return counters.warpInstructions[unsigned(instrClass)];
}

double timeOf(const Estimate &estimate, StringRef pipe) {
  for (const PipeTime &time : estimate.pipes)
    if (time.pipe == pipe)
      return time.microseconds;
  ADD_FAILURE() << "no pipe " << pipe.str();
  return -1;
}

TEST(Estimate, eachPipe) {
  // 160 blocks on 80 SMs: 122400 SM clocks a microsecond.
  const Gpu &v100 = chip("sm_70");
  auto run = [&](auto fill, StringRef pipe) {
    Counters counters;
    counters.grid = {160, 1, 1};
    counters.block = {128, 1, 1};
    fill(counters);
    Estimate e = estimate(counters, v100);
    EXPECT_EQ(e.pipes.size(), 10u);
    EXPECT_EQ(e.pipes[0].pipe, pipe);
    EXPECT_DOUBLE_EQ(e.pipes[0].microseconds, e.microseconds);
    EXPECT_TRUE(llvm::is_sorted(e.pipes, [](auto &a, auto &b) {
      return a.microseconds > b.microseconds;
    }));
    return e.microseconds;
  };
  constexpr double kClocks = 122400;
  EXPECT_DOUBLE_EQ(
      run([](Counters &c) { c.flops = c.mmaFlops = 2 * 512 * 122400 * 7; },
          "tensor"),
      7);
  // No tensor core of a V100 does tf32 (64 lanes do), i8 (64), f64 (32).
  EXPECT_DOUBLE_EQ(
      run([](Counters &c) { c.mmaFlops = c.mmaTf32Flops = 1024; }, "tensor"),
      8 / kClocks);
  EXPECT_DOUBLE_EQ(
      run([](Counters &c) { c.mmaFlops = c.mma8Flops = 1024; }, "tensor"),
      8 / kClocks);
  EXPECT_DOUBLE_EQ(
      run([](Counters &c) { c.mmaFlops = c.mma64Flops = 1024; }, "tensor"),
      16 / kClocks);
  EXPECT_DOUBLE_EQ(run(
                       [](Counters &c) {
                         of(c, InstrClass::Float32) = 600;
                         of(c, InstrClass::Half) = 400;
                       },
                       "fma32"),
                   500 / kClocks);
  EXPECT_DOUBLE_EQ(
      run([](Counters &c) { of(c, InstrClass::Float64) = 1000; }, "fma64"),
      1000 / kClocks);
  EXPECT_DOUBLE_EQ(
      run([](Counters &c) { of(c, InstrClass::Special) = 1000; }, "special"),
      2000 / kClocks);
  EXPECT_DOUBLE_EQ(
      run([](Counters &c) { of(c, InstrClass::Integer) = 1000; }, "integer"),
      500 / kClocks);
  EXPECT_DOUBLE_EQ(
      run([](Counters &c) { c.shared.wavefronts = 1000; }, "shared"),
      1000 / kClocks);
  EXPECT_DOUBLE_EQ(
      run([](Counters &c) { of(c, InstrClass::Control) = 1000; }, "issue"),
      250 / kClocks);
  // 900 GB/s are 900000 bytes a microsecond, however many SMs work.
  EXPECT_DOUBLE_EQ(run([](Counters &c) { c.deviceBytes = 4500000; }, "global"),
                   5);
  // L2 gives each SM 32 bytes a clock.
  EXPECT_DOUBLE_EQ(run([](Counters &c) { c.globalBytes = 32 * 122400; }, "l2"),
                   1);
  // An SM has two blocks at the same time, each of which waits 10 times.
  EXPECT_DOUBLE_EQ(run([](Counters &c) { c.roundTrips = 160 * 10; }, "latency"),
                   10 * 500 / 1530.0);
}

TEST(Estimate, residentBlocksWaitTogether) {
  Counters c;
  c.grid = {108 * 4, 1, 1};
  c.block = {128, 1, 1};
  c.roundTrips = 108 * 4 * 141;
  auto time = [&](uint64_t sharedBytes) {
    c.sharedBytes = sharedBytes;
    return timeOf(estimate(c, chip("sm_80")), "latency");
  };
  EXPECT_DOUBLE_EQ(time(16 * 1024), 50);
  EXPECT_DOUBLE_EQ(time(64 * 1024), 100);
  EXPECT_DOUBLE_EQ(time(128 * 1024), 200);
}

TEST(Estimate, ratesOfTypes) {
  Counters c;
  c.grid = {108, 1, 1};
  c.block = {128, 1, 1};
  c.mmaTf32Flops = 2 * 512 * 10;
  c.mma8Flops = 2 * 2048 * 100;
  c.mma64Flops = 2 * 64 * 1000;
  c.mmaFlops = c.mmaTf32Flops + c.mma8Flops + c.mma64Flops + 2 * 1024 * 10000;
  EXPECT_DOUBLE_EQ(timeOf(estimate(c, chip("sm_80")), "tensor"),
                   11110 / (108 * 1410.0));
  // On H100 mma.sync reaches 62 % of what wgmma does.
  Counters f16;
  f16.grid = {132, 1, 1};
  f16.block = {128, 1, 1};
  f16.mmaFlops = 2 * 2048 * 62;
  EXPECT_DOUBLE_EQ(timeOf(estimate(f16, chip("sm_90a")), "tensor"),
                   100 / (132 * 1830.0));
  f16.wgmmaFlops = f16.mmaFlops;
  f16.wgmmaWavefronts = 132 * 183;
  EXPECT_DOUBLE_EQ(timeOf(estimate(f16, chip("sm_90a")), "tensor"),
                   62 / (132 * 1830.0));
  EXPECT_DOUBLE_EQ(timeOf(estimate(f16, chip("sm_90a")), "shared"), 0.1);
}

TEST(Estimate, bindsAndSlack) {
  Counters c;
  c.grid = {80, 1, 1};
  c.block = {128, 1, 1};
  c.shared.wavefronts = 1000;
  c.mmaFlops = 2 * 512 * 750;
  of(c, InstrClass::Mma) = 400;
  Estimate e = estimate(c, chip("sm_70"));
  EXPECT_EQ(e.pipes[0].pipe, "shared");
  EXPECT_EQ(e.pipes[1].pipe, "tensor");
  EXPECT_EQ(e.pipes[2].pipe, "issue");
  EXPECT_DOUBLE_EQ(e.slack, 0.75);

  Estimate nothing = estimate(Counters(), chip("sm_70"));
  EXPECT_EQ(nothing.microseconds, 0);
  EXPECT_EQ(nothing.slack, 0);
}

TEST(Estimate, fewBlocksFillFewSms) {
  Counters c;
  c.shared.wavefronts = 1530 * 12;
  auto time = [&](uint32_t blocks) {
    c.grid = {blocks, 1, 1};
    return timeOf(estimate(c, chip("sm_70")), "shared");
  };
  EXPECT_DOUBLE_EQ(time(1), 12);
  EXPECT_DOUBLE_EQ(time(3), 4);
  EXPECT_DOUBLE_EQ(time(80), 0.15);
}

TEST(Estimate, tailOfTheLastWave) {
  // One SM has two of 81 blocks, and of 160, so that 81 take 160 / 81 times as
  // long for the same work.
  Counters c;
  c.shared.wavefronts = 1530 * 12;
  auto time = [&](uint32_t blocks) {
    c.grid = {blocks, 1, 1};
    return timeOf(estimate(c, chip("sm_70")), "shared");
  };
  EXPECT_DOUBLE_EQ(time(81), 12 * 2 / 81.);
  EXPECT_DOUBLE_EQ(time(160), 0.15);
  EXPECT_DOUBLE_EQ(time(161), 12 * 3 / 161.);
  // Of device memory all SMs have a share.
  c.deviceBytes = 900000;
  c.grid = {81, 1, 1};
  EXPECT_DOUBLE_EQ(timeOf(estimate(c, chip("sm_70")), "global"), 1);
}

TEST(Estimate, fewWarpsLeaveSchedulersIdle) {
  Counters c;
  c.mmaFlops = 2 * 512 * 1530;
  c.shared.wavefronts = 1530;
  auto time = [&](uint32_t blocks, uint32_t threads, StringRef pipe) {
    c.grid = {blocks, 1, 1};
    c.block = {threads, 1, 1};
    return timeOf(estimate(c, chip("sm_70")), pipe);
  };
  EXPECT_DOUBLE_EQ(time(1, 128, "tensor"), 1);
  EXPECT_DOUBLE_EQ(time(1, 1024, "tensor"), 1);
  EXPECT_DOUBLE_EQ(time(1, 64, "tensor"), 2);
  EXPECT_DOUBLE_EQ(time(1, 1, "tensor"), 4);
  EXPECT_DOUBLE_EQ(time(1, 32, "shared"), 1); // all schedulers share it
  // Two blocks of one SM keep two schedulers busy, unless it holds one only.
  EXPECT_DOUBLE_EQ(time(160, 32, "tensor"), 2 / 80.);
  c.sharedBytes = 64 * 1024;
  EXPECT_DOUBLE_EQ(time(160, 32, "tensor"), 4 / 80.);
}

TEST(Estimate, waves) {
  Counters c;
  c.grid = {40, 2, 2};
  c.block = {16, 4, 1};
  auto waves = [&](StringRef name) { return estimate(c, chip(name)).waves; };
  EXPECT_DOUBLE_EQ(waves("sm_70"), 160 / (80 * 32.)); // by warps and blocks
  EXPECT_DOUBLE_EQ(waves("sm_89"), 160 / (58 * 24.)); // by either
  c.block = {1000, 1, 1};                             // 32 warps
  EXPECT_DOUBLE_EQ(waves("sm_70"), 160 / (80 * 2.));
  EXPECT_DOUBLE_EQ(waves("sm_86"), 160 / 72.);
  c.block = {32, 1, 1};
  c.sharedBytes = 32 * 1024; // with the reserved KB, four do not fit in 132 KB
  EXPECT_DOUBLE_EQ(waves("sm_70"), 160 / (80 * 3.));
  EXPECT_DOUBLE_EQ(waves("sm_80"), 160 / (108 * 4.));
  EXPECT_DOUBLE_EQ(waves("sm_86"), 160 / (72 * 3.));
  c.sharedBytes = 227 * 1024;
  EXPECT_DOUBLE_EQ(waves("sm_90"), 160 / 132.);
  EXPECT_DOUBLE_EQ(waves("sm_70"), 160 / 80.); // too much: as if it fitted
}

} // namespace

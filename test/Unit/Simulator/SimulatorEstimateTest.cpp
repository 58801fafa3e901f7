//===- SimulatorEstimateTest.cpp ------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of chips against the guide's values written out again, and
// estimates of made-up counters worked by hand.
//
//===----------------------------------------------------------------------===//

#include "SimulatorChips.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace tileir::sim;
using namespace tileir::sim::test;
using llvm::StringRef;

namespace {

//===----------------------------------------------------------------------===//
// Chips
//===----------------------------------------------------------------------===//

TEST(Chip, limitsOfTheProgrammingGuide) {
  struct Limits {
    const char *name;
    uint32_t capability, sharedPerSm, sharedPerBlock, warps, blocks;
  };
  for (Limits e : {Limits{"sm_70", 70, 98304, 98304, 64, 32},
                   {"sm_75", 75, 65536, 65536, 32, 16},
                   {"sm_80", 80, 167936, 166912, 64, 32},
                   {"sm_86", 86, 102400, 101376, 48, 16},
                   {"sm_89", 89, 102400, 101376, 48, 24},
                   {"sm_90", 90, 233472, 232448, 64, 32},
                   {"sm_90a", 90, 233472, 232448, 64, 32}}) {
    const Chip &c = chip(e.name);
    EXPECT_EQ(c.name, e.name);
    EXPECT_EQ(c.computeCapability, e.capability) << e.name;
    EXPECT_EQ(c.sharedPerSm, e.sharedPerSm) << e.name;
    EXPECT_EQ(c.maxSharedPerBlock, e.sharedPerBlock) << e.name;
    EXPECT_EQ(c.maxWarpsPerSm, e.warps) << e.name;
    EXPECT_EQ(c.maxBlocksPerSm, e.blocks) << e.name;
    EXPECT_EQ(c.maxThreadsPerBlock, 1024u) << e.name;
    EXPECT_EQ(c.maxBlockDim[0], 1024u) << e.name;
    EXPECT_EQ(c.maxBlockDim[1], 1024u) << e.name;
    EXPECT_EQ(c.maxBlockDim[2], 64u) << e.name;
    EXPECT_EQ(c.maxGridDim[0], 2147483647u) << e.name;
    EXPECT_EQ(c.maxGridDim[1], 65535u) << e.name;
    EXPECT_EQ(c.maxGridDim[2], 65535u) << e.name;
    EXPECT_EQ(c.maxStaticShared, 49152u) << e.name;
    EXPECT_EQ(c.registersPerSm, 65536u) << e.name;
    EXPECT_EQ(c.special, 16) << e.name;
    EXPECT_EQ(c.integer, 64) << e.name;
    EXPECT_EQ(c.issue, 4) << e.name;
    EXPECT_EQ(c.sharedWavefronts, 1) << e.name;
  }
}

TEST(Chip, peaksOfTheDataSheets) {
  // Tflop/s of dense products of f16 and tf32, of f32 lanes and f64 lanes, and
  // Top/s of i8; 0: the chip has none. H100's f32 and f64 peaks are given for
  // 1.98 GHz, its tensor peaks for 1.83 GHz.
  struct Peaks {
    const char *name;
    double f16, tf32, i8, f32, f64, clockOfLanes;
  };
  for (Peaks e : {Peaks{"sm_70", 125, 0, 0, 15.7, 7.8, 1.53},
                  {"sm_75", 65, 0, 130, 8.1, 0.254, 1.59},
                  {"sm_80", 312, 156, 624, 19.5, 9.7, 1.41},
                  {"sm_86", 125, 62.5, 250, 31.2, 0.488, 1.695},
                  {"sm_89", 121, 60.5, 242, 30.3, 0.473, 2.04},
                  {"sm_90a", 989.4, 494.7, 1978.9, 66.9, 33.5, 1.98}}) {
    const Chip &c = chip(e.name);
    double clocks = 2e-3 * c.sms * c.clockGHz;
    double laneClocks = 2e-3 * c.sms * e.clockOfLanes;
    EXPECT_NEAR(c.mma16 * clocks, e.f16, 0.005 * e.f16) << e.name;
    EXPECT_NEAR(c.mmaTf32 * clocks, e.tf32, 0.005 * e.tf32) << e.name;
    EXPECT_NEAR(c.mma8 * clocks, e.i8, 0.005 * e.i8) << e.name;
    EXPECT_NEAR(c.fma32 * laneClocks, e.f32, 0.01 * e.f32) << e.name;
    EXPECT_NEAR(c.fma64 * laneClocks, e.f64, 0.01 * e.f64) << e.name;
  }
  EXPECT_EQ(chip("sm_70").globalGBs, 900);
  EXPECT_EQ(chip("sm_80").globalGBs, 1555);
  EXPECT_EQ(chip("sm_90").globalGBs, 3350);
}

TEST(Chip, unknownName) {
  auto unknown = getChip("sm_61");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "unknown chip 'sm_61': expected one of sm_70, sm_75, sm_80, sm_86, "
            "sm_89, sm_90, sm_90a");
  EXPECT_EQ(&chip("sm_90"), &chip("sm_90")); // one object each
}

//===----------------------------------------------------------------------===//
// Estimates
//===----------------------------------------------------------------------===//

double timeOf(const Estimate &estimate, StringRef pipe) {
  for (const PipeTime &time : estimate.pipes)
    if (time.pipe == pipe)
      return time.microseconds;
  ADD_FAILURE() << "no pipe " << pipe.str();
  return -1;
}

TEST(Estimate, eachPipe) {
  // 160 blocks on 80 SMs: 122400 SM clocks a microsecond.
  const Chip &v100 = chip("sm_70");
  auto run = [&](auto fill, StringRef pipe) {
    Counters counters;
    counters.grid = {160, 1, 1};
    counters.block = {128, 1, 1};
    fill(counters);
    Estimate e = estimate(counters, v100);
    EXPECT_EQ(e.pipes.size(), 8u);
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
  EXPECT_DOUBLE_EQ(run([](Counters &c) { c.globalBytes = 4500000; }, "global"),
                   5);
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
  c.globalBytes = 900000;
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

//===- CalibrationTest.cpp - Costs fitted to times ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times here are what other costs say they are: these are to be found again.
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Calibration.h"

#include "gtest/gtest.h"

using namespace tileir;
using namespace tileir::tune;
using machine::CpuCosts;

namespace {

/// Contractions whose kernels have tiles, and copy, in different numbers. A
/// cycle takes `secondsOf(case)`.
std::vector<CalibrationCase>
makeCases(const CpuCosts &truth, llvm::function_ref<double(int)> secondsOf) {
  std::vector<CalibrationCase> cases;
  for (int i = 0; i < 12; ++i) {
    CalibrationCase &one = cases.emplace_back();
    one.isHeldOut = i % 4 == 3;
    for (int kernel = 0; kernel < 9; ++kernel) {
      CalibrationSample &sample = one.samples.emplace_back();
      double tiles = (1 + kernel * 7 % 5) * (10 + i),
             bytes = kernel * 11 % 6 * (9000 + 400 * i);
      sample.estimate = [=](const CpuCosts &costs) {
        return 1000 + tiles * costs.tileCycles + bytes * costs.packByte;
      };
      sample.seconds = secondsOf(i) * sample.estimate(truth);
    }
  }
  return cases;
}

TEST(Calibration, FindsTheCostsOfTimes) {
  CpuCosts begin, truth;
  truth.tileCycles = 55;
  truth.packByte = 0.07;
  auto cases = makeCases(truth, [](int i) { return (1 + 0.1 * i) * 1e-9; });
  CpuCosts fitted = fitCosts(cases, begin);
  EXPECT_NEAR(fitted.tileCycles, truth.tileCycles, 0.1 * truth.tileCycles);
  EXPECT_NEAR(fitted.packByte, truth.packByte, 0.1 * truth.packByte);
  EXPECT_TRUE(areBetter(cases, fitted, begin));
  EXPECT_FALSE(areBetter(cases, begin, fitted));
  for (bool heldOut : {false, true}) {
    CalibrationQuality before = getQuality(cases, heldOut, begin),
                       after = getQuality(cases, heldOut, fitted);
    EXPECT_GT(before.error, 0.05);
    EXPECT_LT(after.error, 0.02);
    EXPECT_GE(before.loss, 1);
    EXPECT_NEAR(after.loss, 1, 1e-9);
  }
  // What no time depends on stays.
  fitted.tileCycles = begin.tileCycles;
  fitted.packByte = begin.packByte;
  EXPECT_TRUE(fitted == begin);
}

TEST(Calibration, LeavesCostsThatAreRight) {
  CpuCosts begin;
  auto cases = makeCases(begin, [](int) { return 1e-9; });
  EXPECT_TRUE(fitCosts(cases, begin) == begin);
  EXPECT_NEAR(getQuality(cases, /*heldOut=*/false, begin).error, 0, 1e-12);
}

TEST(Calibration, StaysNearForOneTimeThatWasDisturbed) {
  CpuCosts begin;
  auto cases = makeCases(begin, [](int) { return 1e-9; });
  cases[0].samples[2].seconds *= 30;
  CpuCosts fitted = fitCosts(cases, begin);
  EXPECT_NEAR(fitted.tileCycles, begin.tileCycles, 0.15 * begin.tileCycles);
  EXPECT_NEAR(fitted.packByte, begin.packByte, 0.15 * begin.packByte);
}

} // namespace

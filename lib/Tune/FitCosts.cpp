//===- FitCosts.cpp - Costs by which kernels are told apart ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Coordinate descent: each cost in turn is multiplied and divided by a factor,
// which becomes smaller, and keeps what makes the errors smaller. Errors are
// logarithms of proportions. Costs that no sample depends on stay; others are
// held back by how far they are from where they began, as few samples tell
// little of many costs.
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Calibration.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace tileir;
using namespace tileir::tune;
using machine::CpuCosts;
using machine::NamedCost;

/// What a factor of e counts between the means of contractions, where 1 is that
/// of a sample, and away from where a cost began.
static constexpr double kBetween = 0.1, kAway = 0.002;
/// The largest error that counts, for one sample that was disturbed.
static constexpr double kMostError = 0.5;
/// A cost stays within this factor of what it was.
static constexpr double kMostFactor = 4;
static constexpr double kFactors[] = {1.6, 1.25, 1.1, 1.05};
static constexpr unsigned kMostRounds = 6;
/// What counts as the same, in proportion.
static constexpr double kSame = 0.01;

/// The errors of the samples of a contraction, and their mean: how much longer
/// than is said one takes.
static std::pair<std::vector<double>, double>
getErrors(const CalibrationCase &one, const CpuCosts &costs) {
  std::vector<double> errors;
  double sum = 0;
  for (const CalibrationSample &sample : one.samples) {
    errors.push_back(std::log(sample.seconds / sample.estimate(costs)));
    sum += errors.back();
  }
  return {errors, sum / double(errors.size())};
}

static const CalibrationSample &findFastest(const CalibrationCase &one) {
  return *llvm::min_element(one.samples, [](const auto &a, const auto &b) {
    return a.seconds < b.seconds;
  });
}

CalibrationQuality tune::getQuality(llvm::ArrayRef<CalibrationCase> cases,
                                    bool heldOut, const CpuCosts &costs) {
  double error = 0, loss = 0;
  size_t numSamples = 0, numCases = 0;
  for (const CalibrationCase &one : cases) {
    if (one.isHeldOut != heldOut)
      continue;
    auto [errors, mean] = getErrors(one, costs);
    for (double value : errors)
      error += std::abs(value - mean);
    numSamples += errors.size();
    const CalibrationSample &chosen =
        *llvm::min_element(one.samples, [&](const auto &a, const auto &b) {
          return a.estimate(costs) < b.estimate(costs);
        });
    loss += std::log(chosen.seconds / findFastest(one).seconds);
    ++numCases;
  }
  if (numCases == 0)
    return {};
  return {error / double(numSamples), std::exp(loss / double(numCases))};
}

/// What is made small.
static double getObjective(llvm::ArrayRef<CalibrationCase> cases,
                           const CpuCosts &costs, const CpuCosts &begin) {
  double within = 0, weights = 0;
  std::vector<double> means;
  for (const CalibrationCase &one : cases) {
    if (one.isHeldOut)
      continue;
    auto [errors, mean] = getErrors(one, costs);
    means.push_back(mean);
    double least = findFastest(one).seconds;
    for (auto [error, sample] : llvm::zip_equal(errors, one.samples)) {
      // Which of the fast ones is faster matters.
      double weight = least / sample.seconds;
      double size = std::min(std::abs(error - mean), kMostError);
      within += weight * size * size;
      weights += weight;
    }
  }
  double all = 0, between = 0, away = 0;
  for (double mean : means)
    all += mean / double(means.size());
  for (double mean : means) {
    double size = std::min(std::abs(mean - all), kMostError);
    between += size * size / double(means.size());
  }
  for (const NamedCost &named : machine::getNamedCosts()) {
    double distance = std::log(costs.*named.cost / begin.*named.cost);
    away += distance * distance;
  }
  return within / weights + kBetween * between + kAway * away;
}

/// Whether the system tells it.
static bool isTold(const NamedCost &named) {
  return named.cost == &CpuCosts::l1Way || named.cost == &CpuCosts::l2Way;
}

/// Three digits: more are not known.
static double roundDigits(double value) {
  double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

CpuCosts tune::fitCosts(llvm::ArrayRef<CalibrationCase> cases,
                        const CpuCosts &begin) {
  CpuCosts best = begin;
  double least = getObjective(cases, best, begin);
  for (double factor : kFactors)
    for (unsigned i = 0; i < kMostRounds; ++i) {
      double before = least;
      for (const NamedCost &named : machine::getNamedCosts()) {
        if (isTold(named))
          continue;
        for (double by : {factor, 1 / factor}) {
          CpuCosts tried = best;
          double &cost = tried.*named.cost;
          cost = std::clamp(roundDigits(cost * by),
                            begin.*named.cost / kMostFactor,
                            begin.*named.cost * kMostFactor);
          double objective = getObjective(cases, tried, begin);
          if (objective < least) {
            best = tried;
            least = objective;
            break;
          }
        }
      }
      if (least > before * 0.999)
        break;
    }
  // What has come back, but for digits, has not moved.
  for (const NamedCost &named : machine::getNamedCosts())
    if (std::abs(best.*named.cost / begin.*named.cost - 1) < kSame)
      best.*named.cost = begin.*named.cost;
  return best;
}

bool tune::areBetter(llvm::ArrayRef<CalibrationCase> cases,
                     const CpuCosts &costs, const CpuCosts &others) {
  auto [error, loss] = getQuality(cases, /*heldOut=*/true, costs);
  auto [otherError, otherLoss] = getQuality(cases, /*heldOut=*/true, others);
  return error < otherError && loss <= otherLoss * (1 + kSame);
}

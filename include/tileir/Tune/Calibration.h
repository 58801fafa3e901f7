//===- Calibration.h - The costs of the CPU at hand -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fits the costs by which einsum-choose-schedule tells kernels apart to the CPU
// that this runs on: several kernels of each of some contractions are timed, in
// turns, and costs are moved until what the model says of the kernels of a
// contraction has the proportions of their times. Each fourth contraction is
// left out of that, and tells whether it was worth it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_CALIBRATION_H
#define TILEIR_TUNE_CALIBRATION_H

#include "tileir/Target/Cpu/Cpu.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace tileir::tune {

/// A kernel of a contraction.
struct CalibrationSample {
  /// "lanes=n rows=m tile=6,2 ..."
  std::string config;
  /// The least time, in seconds.
  double seconds = 0;
  /// What the model says with other costs, in cycles.
  std::function<double(const machine::CpuCosts &)> estimate;
};

/// A contraction, and kernels of it.
struct CalibrationCase {
  /// "mk, kn -> mn 64x64 64x64"
  std::string name;
  std::vector<CalibrationSample> samples;
  /// Whether it is left out of fitting.
  bool isHeldOut = false;
};

/// How well costs tell kernels apart.
struct CalibrationQuality {
  /// The mean of the error of what is said of a kernel in proportion to the
  /// others of its contraction, as a fraction.
  double error = 0;
  /// The geometric mean of the time of the kernel that is chosen, over that of
  /// the fastest one.
  double loss = 1;
};

CalibrationQuality getQuality(llvm::ArrayRef<CalibrationCase> cases,
                              bool heldOut, const machine::CpuCosts &costs);

/// Times kernels on this CPU, `cpu`, for about so many seconds. Tells how far
/// it is on stderr. Interrupted, it returns the cases that are complete.
llvm::Expected<std::vector<CalibrationCase>>
measureCases(const machine::Cpu &cpu, double seconds);

/// Moves costs, from `costs`, until kernels of the `cases` that are not held
/// out are told apart best.
machine::CpuCosts fitCosts(llvm::ArrayRef<CalibrationCase> cases,
                           const machine::CpuCosts &costs);

/// Whether kernels of the `cases` that are held out are told apart better with
/// `costs` than with `others`.
bool areBetter(llvm::ArrayRef<CalibrationCase> cases,
               const machine::CpuCosts &costs, const machine::CpuCosts &others);

} // namespace tileir::tune

#endif // TILEIR_TUNE_CALIBRATION_H

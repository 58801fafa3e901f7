//===- Estimate.h - The time of a launch ------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The estimate is a roofline over the pipes of one chip: the time that each
// pipe needs for the counted work if it were always busy; the largest binds.
// docs/simulator.md says what it leaves out.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_GPU_ESTIMATE_H
#define TILEIR_TARGET_GPU_ESTIMATE_H

#include "tileir/Target/Gpu/Counters.h"
#include "tileir/Target/Gpu/Gpu.h"

namespace tileir::machine {

/// The time that one pipe needs, in microseconds.
struct PipeTime {
  llvm::StringRef pipe; ///< "tensor", "fma", "shared", "global", "issue", ...
  double microseconds = 0;
};

struct Estimate {
  llvm::SmallVector<PipeTime> pipes; ///< the one that binds first
  double microseconds = 0;           ///< of the pipe that binds
  /// Time of the second pipe / time of the first: 1 is a tie.
  double slack = 0;
  double waves = 0; ///< blocks / blocks that the chip holds at once
};

/// Blocks that the chip holds at once: a wave.
uint64_t getBlocksOfWave(const Counters &counters, const Gpu &chip);

Estimate estimate(const Counters &counters, const Gpu &chip);

} // namespace tileir::machine

#endif // TILEIR_TARGET_GPU_ESTIMATE_H

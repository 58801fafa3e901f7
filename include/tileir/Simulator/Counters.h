//===- Counters.h - What the simulator counts -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work of a launch as all cost models know it, and its places: by access
// instruction and by source line.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_SIMULATOR_COUNTERS_H
#define TILEIR_SIMULATOR_COUNTERS_H

#include "tileir/Simulator/Findings.h"
#include "tileir/Target/Gpu/Counters.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace tileir::sim {

using machine::AccessCounters;
using machine::InstrClass;
using machine::kNumInstrClasses;

/// One access instruction of the kernel, for the table.
struct AccessSummary {
  SourceLocation location;
  InstrClass space = InstrClass::Global;
  bool isStore = false, isAtomic = false;
  unsigned width = 0; ///< bytes of one lane's access
  AccessCounters counters;
};

/// One source line.
struct LineSummary {
  SourceLocation location; ///< column 0
  machine::InstrCounts warpInstructions = {};
  uint64_t threadInstructions = 0;
  AccessCounters shared, global;

  uint64_t getWarpInstructions() const {
    return machine::sumInstructions(warpInstructions);
  }
};

/// A kernel's launch.
struct LaunchCounters : machine::Counters {
  std::string kernel;
  std::vector<AccessSummary> accesses; ///< by instruction order
  std::vector<LineSummary> lines;      ///< by file and line
  uint64_t bulkBytes = 0;              ///< that cp.async.bulk copies
  uint64_t blocksRun = 0;              ///< the counts are those of all blocks
  double seconds = 0;                  ///< host time of the launch
  double decodeSeconds = 0; ///< host time to decode; 0 when it was cached
};

/// The blocks of a grid.
uint64_t getNumBlocks(llvm::ArrayRef<uint32_t> grid);

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_COUNTERS_H

//===- Report.h - Counters as tables, JSON, pictures, estimates -*- C++ -*-===//
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

#ifndef TILEIR_SIMULATOR_REPORT_H
#define TILEIR_SIMULATOR_REPORT_H

#include "tileir/Simulator/Counters.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::sim {

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

Estimate estimate(const Counters &counters, const machine::Gpu &chip);

/// A table that fits 100 columns: summary, instruction mix, accesses, lines.
void printCounters(const Counters &counters, const machine::Gpu &chip,
                   llvm::raw_ostream &os);
llvm::json::Value toJSON(const Counters &counters, const machine::Gpu &chip);
llvm::json::Value toJSON(const Finding &finding);
/// A roofline picture: arithmetic intensity (flop/byte of global memory)
/// against Gflop/s, one point per launch.
void drawRoofline(llvm::ArrayRef<Counters> launches, const machine::Gpu &chip,
                  llvm::raw_ostream &os);

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_REPORT_H

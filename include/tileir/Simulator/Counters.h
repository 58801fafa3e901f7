//===- Counters.h - What the simulator counts -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All counts are of the kernel's LLVM IR as it goes to PTX: estimates of what
// the machine does, exact as counts. A "warp instruction" is one instruction
// executed by one warp under some mask; a "thread instruction" counts each
// active lane.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_SIMULATOR_COUNTERS_H
#define TILEIR_SIMULATOR_COUNTERS_H

#include "tileir/Simulator/Findings.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tileir::sim {

/// The pipe of the machine that an instruction goes to.
enum class InstrClass : uint8_t {
  Free,    ///< renames, copies of SSA form, casts that cost nothing
  Integer, ///< integer, logic, address and predicate arithmetic; conversions
  Float32,
  Float64,
  Half,    ///< f16 and bf16 arithmetic
  Special, ///< approximate math: ex2, lg2, sin, rcp, rsqrt, tanh, ...
  Mma,
  Global, ///< loads, stores and atomics of global and constant memory
  Shared, ///< loads, stores and atomics of shared memory, ldmatrix
  Local,
  AsyncCopy, ///< cp.async
  Shuffle,   ///< shfl, vote, match, redux
  Barrier,   ///< of blocks and warps; fences
  Control,   ///< branches, exits
};
constexpr unsigned kNumInstrClasses = unsigned(InstrClass::Control) + 1;
/// "integer", "mma", ...: the name in reports.
const char *getName(InstrClass instrClass);

/// The counts of one memory instruction.
struct AccessCounters {
  uint64_t warps = 0, lanes = 0; ///< executions, and the active lanes of them
  uint64_t wavefronts = 0;       ///< shared: passes that the 32 banks need
  uint64_t idealWavefronts = 0;  ///< shared: passes without any conflict
  uint64_t sectors = 0;          ///< global: sectors of 32 bytes touched
  uint64_t idealSectors = 0;     ///< global: if the bytes lay side by side
  uint64_t bytes = 0;            ///< asked for by the lanes, in all

  /// Passes beyond the ideal ones.
  uint64_t getConflicts() const {
    return wavefronts > idealWavefronts ? wavefronts - idealWavefronts : 0;
  }
  AccessCounters &operator+=(const AccessCounters &other);
};

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
  std::array<uint64_t, kNumInstrClasses> warpInstructions = {};
  uint64_t threadInstructions = 0;
  AccessCounters shared, global;

  uint64_t getWarpInstructions() const; ///< all classes but Free
};

/// A kernel's launch.
struct Counters {
  std::string kernel;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint64_t sharedBytes = 0; ///< static and dynamic, a block
  uint64_t warps = 0;       ///< warps that ran
  std::array<uint64_t, kNumInstrClasses> warpInstructions = {};
  uint64_t threadInstructions = 0;
  uint64_t blockBarriers = 0; ///< block barriers completed, all blocks
  uint64_t mma = 0;           ///< warp-level mma instructions
  /// 2 a multiply-add, also of mma (i8 too), 1 of other f* arithmetic.
  uint64_t flops = 0;
  uint64_t mmaFlops = 0; ///< the share of mma in flops
  /// The shares of tf32, i8 and f64 in that; the rest is f16 and bf16.
  uint64_t mmaTf32Flops = 0, mma8Flops = 0, mma64Flops = 0;
  AccessCounters shared, global;
  uint64_t globalBytes = 0;            ///< 32 * sectors
  std::vector<AccessSummary> accesses; ///< by instruction order
  std::vector<LineSummary> lines;      ///< by file and line
  double seconds = 0;                  ///< host time of the launch
  double decodeSeconds = 0; ///< host time to decode; 0 when it was cached

  uint64_t getWarpInstructions() const; ///< all classes but Free
};

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_COUNTERS_H

//===- Counters.h - The work of a kernel's launch ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the simulator counts and cost models predict, so that one model of time
// (Estimate.h) serves both. All counts are of the kernel's LLVM IR as it goes
// to PTX: estimates of what the machine does, exact as counts. A "warp
// instruction" is one instruction executed by one warp under some mask; a
// "thread instruction" counts each active lane.
//
// Plain C++ without LLVM, as the simulator's execution.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_GPU_COUNTERS_H
#define TILEIR_TARGET_GPU_COUNTERS_H

#include <array>
#include <cstdint>

namespace tileir::machine {

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

/// How many warp instructions there are of each class.
using InstrCounts = std::array<uint64_t, kNumInstrClasses>;
/// The sum over all classes but Free.
uint64_t sumInstructions(const InstrCounts &counts);

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

/// The work of a launch.
struct Counters {
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint64_t sharedBytes = 0; ///< static and dynamic, a block
  uint64_t warps = 0;       ///< warps that ran
  InstrCounts warpInstructions = {};
  uint64_t threadInstructions = 0;
  uint64_t blockBarriers = 0; ///< block barriers completed, all blocks
  uint64_t mma = 0;           ///< warp-level mma instructions
  /// 2 a multiply-add, also of mma (i8 too), 1 of other f* arithmetic.
  uint64_t flops = 0;
  uint64_t mmaFlops = 0; ///< the share of mma in flops
  /// The shares of tf32, of bytes (i8 and f8) and of f64 in that; the rest is
  /// f16 and bf16.
  uint64_t mmaTf32Flops = 0, mma8Flops = 0, mma64Flops = 0;
  /// wgmma by warps, four for each of a warpgroup, and its share in mmaFlops.
  uint64_t wgmma = 0, wgmmaFlops = 0;
  /// Passes of shared memory that give wgmma its operands, 128 bytes each.
  uint64_t wgmmaWavefronts = 0;
  AccessCounters shared, global;
  uint64_t globalBytes = 0; ///< 32 * sectors
  /// Bytes that device memory moves, as L2 serves the rest: those of the
  /// sectors that each wave of blocks touches, once a wave, or, if L2 holds the
  /// sectors of all waves, once altogether.
  uint64_t deviceBytes = 0;
  /// How often blocks wait for copies to arrive one after another, all blocks:
  /// of a block, the most copies each of which began when another had arrived.
  uint64_t roundTrips = 0;

  uint64_t getWarpInstructions() const {
    return sumInstructions(warpInstructions);
  }
};

} // namespace tileir::machine

#endif // TILEIR_TARGET_GPU_COUNTERS_H

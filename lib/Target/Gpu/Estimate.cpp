//===- Estimate.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each pipe: counted work / peak rate, on the SM that has most to do:
// blocks are taken to cost the same and to be dealt out in turn, so it has
// ceil(blocks / SMs) of them. The schedulers of an SM share its lanes and
// tensor cores among them, and a warp stays with one: fewer warps than
// schedulers leave some idle. Device memory serves all SMs at its full
// bandwidth. Copies that begin when others have arrived take turns; the blocks
// that an SM holds at once wait at the same time.
//
// Left out: latencies of all but asynchronous copies, L1, limits by registers,
// and what the assembler makes of an instruction (a division is one here, and
// the matrix instructions of older chips are software on later ones). So it
// ranks variants of a kernel that are alike in these, and is a lower bound on
// time where L1 serves little.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/Gpu/Estimate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace tileir::machine;

static double product(const std::array<uint32_t, 3> &extents) {
  return double(extents[0]) * extents[1] * extents[2];
}

static uint64_t getWarpsOfBlock(const Counters &counters) {
  return llvm::divideCeil(uint64_t(product(counters.block)), 32);
}

/// Blocks that an SM holds at once, by its shared memory, warps and slots.
static uint64_t getBlocksPerSm(const Counters &counters, const Gpu &chip) {
  uint64_t warps = getWarpsOfBlock(counters);
  uint64_t blocks = std::min<uint64_t>(
      chip.maxBlocksPerSm, chip.maxWarpsPerSm / std::max<uint64_t>(warps, 1));
  // The system reserves a part of each block's shared memory.
  uint64_t reserved = chip.sharedPerSm - chip.maxSharedPerBlock;
  if (uint64_t bytes = counters.sharedBytes + reserved)
    blocks = std::min(blocks, chip.sharedPerSm / bytes);
  return std::max<uint64_t>(blocks, 1);
}

uint64_t tileir::machine::getBlocksOfWave(const Counters &counters,
                                          const Gpu &chip) {
  return chip.sms * getBlocksPerSm(counters, chip);
}

/// Clocks of one SM for the counted mma; what its tensor cores cannot do, plain
/// multiply-adds have to. Of each type the same share is wgmma.
static double getMmaClocks(const Counters &counters, const Gpu &chip) {
  const double wgmma =
      counters.mmaFlops ? double(counters.wgmmaFlops) / counters.mmaFlops : 0;
  const double reached = 1 / (wgmma + (1 - wgmma) / chip.mmaSync);
  auto clocks = [&](uint64_t flops, double rate, double plainRate) {
    return flops / 2.0 / (rate ? rate * reached : plainRate);
  };
  uint64_t flops16 = counters.mmaFlops - counters.mmaTf32Flops -
                     counters.mma8Flops - counters.mma64Flops;
  return clocks(flops16, chip.mma16, chip.fma32) +
         clocks(counters.mmaTf32Flops, chip.mmaTf32, chip.fma32) +
         clocks(counters.mma8Flops, chip.mma8, chip.integer) +
         clocks(counters.mma64Flops, chip.mma64, chip.fma64);
}

Estimate tileir::machine::estimate(const Counters &counters, const Gpu &chip) {
  double blocks = product(counters.grid);
  // The blocks of the SM that has most, and of those the ones that it holds at
  // once.
  double most = std::ceil(blocks / chip.sms);
  double resident = std::min<double>(most, getBlocksPerSm(counters, chip));
  double busySchedulers =
      std::min(1.0, resident * getWarpsOfBlock(counters) / chip.issue);
  double clocksPerMicrosecond = blocks / most * chip.clockGHz * 1e3;
  auto ofClass = [&](InstrClass instrClass) {
    return counters.warpInstructions[unsigned(instrClass)];
  };

  Estimate result;
  auto add = [&](llvm::StringRef pipe, double microseconds) {
    result.pipes.push_back({pipe, microseconds});
  };
  // `work` is of the whole launch, `rate` of one SM and clock.
  auto addSm = [&](llvm::StringRef pipe, double work, double rate) {
    add(pipe, work / rate / clocksPerMicrosecond);
  };
  auto addScheduled = [&](llvm::StringRef pipe, double work, double rate) {
    addSm(pipe, work, rate * busySchedulers);
  };
  // A warp occupies its 32 lanes of a pipe, whether or not all are active.
  addScheduled("tensor", getMmaClocks(counters, chip), 1);
  addScheduled("fma32",
               32.0 *
                   (ofClass(InstrClass::Float32) + ofClass(InstrClass::Half)),
               chip.fma32);
  addScheduled("fma64", 32.0 * ofClass(InstrClass::Float64), chip.fma64);
  addScheduled("special", 32.0 * ofClass(InstrClass::Special), chip.special);
  addScheduled("integer", 32.0 * ofClass(InstrClass::Integer), chip.integer);
  addSm("shared", counters.shared.wavefronts + counters.wgmmaWavefronts,
        chip.sharedWavefronts);
  addScheduled("issue", counters.getWarpInstructions(), chip.issue);
  addSm("l2", counters.globalBytes, chip.l2SmBytes);
  add("global", counters.deviceBytes / (chip.globalGBs * 1e3));
  double trips = std::ceil(most / resident) * counters.roundTrips / blocks;
  add("latency", trips * chip.copyLatency / (chip.clockGHz * 1e3));

  llvm::sort(result.pipes, [](const PipeTime &a, const PipeTime &b) {
    return std::tie(b.microseconds, a.pipe) < std::tie(a.microseconds, b.pipe);
  });
  result.microseconds = result.pipes[0].microseconds;
  if (result.microseconds > 0)
    result.slack = result.pipes[1].microseconds / result.microseconds;
  result.waves = blocks / getBlocksOfWave(counters, chip);
  return result;
}

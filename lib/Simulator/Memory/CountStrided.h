//===- CountStrided.h -------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is counted of an access to global memory by all lanes of a warp whose
// addresses go up or down by one stride: its bytes and sectors, from its first
// and last address alone. Most accesses are such, so this is a part of the
// handlers of loads and stores, which include it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_COUNTSTRIDED_H
#define TILEIR_LIB_SIMULATOR_MEMORY_COUNTSTRIDED_H

#include "Memory/Memory.h"

namespace tileir::sim {

/// Counts an access by all lanes, from `low` to `high`, which all of them may
/// access.
static inline __attribute__((always_inline)) void
countStrided(Warp &warp, const Instr *instr, const Access &access,
             WarpAccess::Pattern pattern, int64_t stride, Buffer &buffer,
             uint64_t low, uint64_t high) {
  Worker &worker = *warp.worker;
  AccessCounters &counters = worker.accesses[instr->extra];
  const uint32_t bytes = access.bytes;
  ++counters.warps;
  counters.lanes += kLanes;
  counters.bytes += kLanes * bytes;
  if (access.space == Space::Generic)
    worker.accessSpace[instr->extra] = InstrClass::Global;
  const uint64_t first = (low >> kSectorShift) - (buffer.begin >> kSectorShift);
  const uint64_t last = (high >> kSectorShift) - (buffer.begin >> kSectorShift);
  // An access is aligned, so that it lies in one sector; each lane has other
  // bytes, or all have the same.
  counters.idealSectors += pattern == WarpAccess::Same ? 1 : bytes;
  if (stride >= int64_t(kSectorBytes) || stride <= -int64_t(kSectorBytes)) {
    counters.sectors += kLanes;
    return noteSpreadSectors(warp, buffer, low, stride < 0 ? -stride : stride);
  }
  counters.sectors += last - first + 1;
  const uint32_t *waves = __atomic_load_n(&buffer.waves, __ATOMIC_ACQUIRE);
  const uint32_t wave = warp.block->wave;
  uint32_t other = waves ? 0 : 1;
  for (uint64_t i = first; i <= last && waves; ++i)
    other |= __atomic_load_n(waves + i, __ATOMIC_RELAXED) ^ wave;
  if (__builtin_expect(other != 0, 0))
    noteSectors(warp, buffer, first, last);
}

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_COUNTSTRIDED_H

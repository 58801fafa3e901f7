//===- AccessCounts.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of one access of a warp. Shared memory has 32 banks of 4 bytes;
// lanes whose accesses make up 128 bytes are served together, in as many passes
// (wavefronts) as one bank has different words to give. Global memory is asked
// for in sectors of 32 bytes.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Memory/Memory.h"
#include "Memory/SharedShadow.h"
#include "Memory/Textures.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <vector>

using namespace tileir::sim;

constexpr uint32_t kBankBytes = 4, kNumBanks = 32;

/// Lanes whose accesses shared memory handles together: 128 bytes of them.
static uint32_t getGroupLanes(uint32_t bytes) {
  return kBankBytes * kNumBanks / std::max(bytes, kBankBytes);
}

uint32_t tileir::sim::countIdealWavefronts(uint32_t lanes, uint32_t bytes) {
  uint32_t groupLanes = getGroupLanes(bytes), groups = 0;
  for (uint32_t first = 0; first < kLanes; first += groupLanes)
    groups +=
        (lanes >> first & llvm::maskTrailingOnes<uint32_t>(groupLanes)) != 0;
  return groups;
}

uint32_t tileir::sim::countWavefronts(const uint64_t *addresses, uint32_t lanes,
                                      uint32_t bytes) {
  // Wide accesses go by units of their size, up to 16 bytes: banks side by side
  // work together.
  uint32_t unit = std::clamp(bytes, kBankBytes, 16u);
  uint32_t unitShift = llvm::Log2_32(unit), banks = 128 >> unitShift;
  uint32_t groupLanes = getGroupLanes(bytes), wavefronts = 0;
  uint64_t units[kNumBanks][kLanes]; // distinct ones, of each bank
  for (uint32_t first = 0; first < kLanes; first += groupLanes) {
    uint32_t group = lanes & llvm::maskTrailingOnes<uint32_t>(groupLanes)
                                 << first;
    // Mostly each lane has banks of its own.
    uint32_t used = 0, shared = 0;
    for (uint32_t left = group; left; left &= left - 1) {
      uint64_t word = addresses[llvm::countr_zero(left)] >> unitShift;
      uint32_t bank = 1u << (word & (banks - 1));
      shared |= used & bank;
      used |= bank;
    }
    if (!shared && bytes <= unit) {
      wavefronts += group != 0;
      continue;
    }
    uint8_t counts[kNumBanks] = {};
    uint32_t most = 0;
    for (uint32_t left = group; left; left &= left - 1) {
      uint64_t address = addresses[llvm::countr_zero(left)];
      for (uint32_t part = 0; part < bytes; part += unit) {
        uint64_t word = (address + part) >> unitShift;
        uint32_t bank = word & (banks - 1), count = counts[bank];
        if (std::find(units[bank], units[bank] + count, word) !=
            units[bank] + count)
          continue;
        units[bank][count] = word;
        counts[bank] = ++count;
        most = std::max(most, count);
      }
    }
    wavefronts += most;
  }
  return wavefronts;
}

/// Returns how many different values `get(lane)` has over the lanes.
template <typename Get> static uint32_t countDistinct(uint32_t lanes, Get get) {
  if (!lanes)
    return 0;
  // Mostly they do not go down from lane to lane.
  uint32_t distinct = 1, left = lanes & (lanes - 1);
  uint64_t last = get(llvm::countr_zero(lanes));
  for (; left; left &= left - 1) {
    uint64_t value = get(llvm::countr_zero(left));
    if (value < last)
      break;
    distinct += value != last;
    last = value;
  }
  if (!left)
    return distinct;
  uint64_t table[64];
  uint64_t used = 0; // entries of the table
  for (left = lanes; left; left &= left - 1) {
    uint64_t value = get(llvm::countr_zero(left));
    uint32_t place = value * 0x9e3779b97f4a7c15 >> 58;
    while ((used >> place & 1) && table[place] != value)
      place = (place + 1) % 64;
    used |= uint64_t(1) << place;
    table[place] = value;
  }
  return llvm::popcount(used);
}

uint32_t tileir::sim::countSectors(const uint64_t *addresses, uint32_t lanes,
                                   uint32_t bytes) {
  // An access is aligned, so that it lies in one sector.
  return countDistinct(
      lanes, [&](uint32_t lane) { return addresses[lane] / kSectorBytes; });
}

static void countLanes(AccessCounters &counters, uint32_t lanes,
                       uint32_t bytes) {
  const uint32_t count = lanes == kAllLanes ? kLanes : llvm::popcount(lanes);
  ++counters.warps;
  counters.lanes += count;
  counters.bytes += count * bytes;
}

static void countShared(AccessCounters &counters, const WarpAccess &access,
                        uint32_t bytes) {
  uint32_t ideal = countIdealWavefronts(access.lanes, bytes);
  counters.idealWavefronts += ideal;
  counters.wavefronts +=
      access.pattern == WarpAccess::Same ||
              access.pattern == WarpAccess::Consecutive
          ? ideal
          : countWavefronts(access.addresses, access.lanes, bytes);
}

static void countGlobal(AccessCounters &counters, const WarpAccess &access,
                        uint32_t bytes) {
  const uint64_t *addresses = access.addresses;
  uint32_t sectors, distinct;
  switch (access.pattern) {
  case WarpAccess::Consecutive:
    distinct = kLanes;
    sectors =
        addresses[kLanes - 1] / kSectorBytes - addresses[0] / kSectorBytes + 1;
    break;
  case WarpAccess::Same:
    distinct = sectors = 1;
    break;
  case WarpAccess::Strided:
  case WarpAccess::Any:
    sectors = countSectors(addresses, access.lanes, bytes);
    distinct = countDistinct(access.lanes,
                             [&](uint32_t lane) { return addresses[lane]; });
    break;
  }
  counters.sectors += sectors;
  counters.idealSectors += llvm::divideCeil(distinct * bytes, kSectorBytes);
}

void tileir::sim::countGlobal(Warp &warp, const Instr *instr,
                              const uint64_t *addresses, uint32_t bytes) {
  AccessCounters &counters = warp.worker->accesses[instr->extra];
  WarpAccess access;
  access.addresses = addresses;
  for (uint32_t left = warp.active; left; left &= left - 1)
    if (getSpace(addresses[llvm::countr_zero(left)]) == Space::Global)
      access.lanes |= left & -left;
  countLanes(counters, access.lanes, bytes);
  ::countGlobal(counters, access, bytes);
}

void tileir::sim::countTexels(Warp &warp, const Instr *instr,
                              const uint32_t *lanes,
                              const uint64_t (*addresses)[kLanes],
                              uint32_t bytes, unsigned count) {
  AccessCounters &counters = warp.worker->accesses[instr->extra];
  countLanes(counters, warp.active, bytes);
  std::vector<uint64_t> texels, sectors;
  for (unsigned i = 0; i < count; ++i)
    for (uint32_t left = lanes[i]; left; left &= left - 1) {
      const uint64_t address = addresses[i][llvm::countr_zero(left)];
      texels.push_back(address);
      for (uint64_t sector = address / kSectorBytes;
           sector <= (address + bytes - 1) / kSectorBytes; ++sector)
        sectors.push_back(sector);
    }
  auto countDifferent = [](std::vector<uint64_t> &values) {
    std::sort(values.begin(), values.end());
    return std::unique(values.begin(), values.end()) - values.begin();
  };
  counters.sectors += countDifferent(sectors);
  counters.idealSectors +=
      llvm::divideCeil(countDifferent(texels) * bytes, kSectorBytes);
}

void tileir::sim::observe(Warp &warp, const Instr *instr, const Access &access,
                          const WarpAccess &done) {
  Worker &worker = *warp.worker;
  AccessCounters &counters = worker.accesses[instr->extra];
  const uint32_t bytes = access.bytes;
  const bool atomic = access.isAtomic || access.isVolatile;
  // It does not race with atomics, but orders nothing.
  const bool isRelaxed = atomic || access.isHint;
  countLanes(counters, done.lanes, bytes);
  if (atomic && !done.isStore)
    noteAtomicLoad(warp, access, done.lanes, done.addresses);
  InstrClass met = InstrClass::Global;
  switch (done.space) {
  case Space::Shared:
    met = InstrClass::Shared;
    ::countShared(counters, done, bytes);
    if (warp.block->remote)
      checkRemote(warp, instr, done.lanes, done.addresses, bytes, done.isStore,
                  isRelaxed);
    warp.block->shadow->access(
        warp, instr, done.lanes, done.addresses, bytes, done.isStore, isRelaxed,
        done.pattern == WarpAccess::Consecutive, done.words);
    break;
  case Space::Cluster:
    met = InstrClass::Shared;
    ::countShared(counters, done, bytes);
    noteRemote(warp, instr, done.lanes, done.addresses, bytes, done.isStore,
               isRelaxed);
    break;
  case Space::Local:
    met = InstrClass::Local;
    break;
  default:
    ::countGlobal(counters, done, bytes);
    if (done.buffer) {
      noteGlobal(warp, instr, done.lanes, *done.buffer, done.addresses, bytes,
                 done.isStore, isRelaxed, done.words);
      break;
    }
    for (uint32_t left = done.lanes; left; left &= left - 1) {
      uint64_t address = done.addresses[llvm::countr_zero(left)];
      noteGlobal(warp, instr, left & -left, *findBuffer(warp, address),
                 done.addresses, bytes, done.isStore, isRelaxed, done.words);
    }
    break;
  }
  if (access.space == Space::Generic)
    worker.accessSpace[instr->extra] = met;
  if (atomic && done.isStore)
    noteAtomicStore(warp, access, done.lanes, done.addresses);
}

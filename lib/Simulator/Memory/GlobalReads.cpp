//===- GlobalReads.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of each granule the loads are kept that are not ordered before a later one:
// a store that is ordered behind that one is ordered behind them, too. Those
// whose value is only stored stand for others of their group alone, as they
// may turn out to be no race.
//
//===----------------------------------------------------------------------===//

#include "Memory/GlobalReads.h"
#include "Memory/Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tileir::sim;

/// Granules of a block, and loads of a granule, that are remembered: more of
/// them are not compared with stores.
constexpr uint32_t kMaxGranules = 1u << 20;
constexpr size_t kMaxReads = 4 * kMaxWarps;

void GlobalReads::reset() {
  if (!reads.empty())
    reads.clear();
  newest = lookedAt = 0;
}

/// Drops all loads once each warp that may still store knows of them.
void GlobalReads::forget(const Block &block) {
  if (reads.empty() || lookedAt == block.now)
    return;
  lookedAt = block.now;
  for (uint32_t w = 0; w < block.numWarps; ++w)
    if ((block.aliveWarps >> w & 1) &&
        *std::min_element(block.known[w], block.known[w] + block.numWarps) <
            newest)
      return;
  reads.clear();
}

void GlobalReads::add(List &list, const GlobalRead &read, const Warp &warp) {
  const Block &block = *warp.block;
  const auto &accesses = block.launch->program->accesses;
  auto getGroup = [&](const GlobalRead &of) {
    return accesses[block.launch->program->code[of.instr].extra].storedGroup;
  };
  const uint32_t *known = block.known[warp.index];
  const uint32_t newGroup = getGroup(read);
  llvm::erase_if(list, [&](GlobalRead &old) {
    if (newGroup && newGroup != getGroup(old))
      return false;
    if (old.warp == read.warp && old.stamp != read.stamp)
      old.lanes &= ~read.lanes;
    return !old.lanes || old.stamp <= known[old.warp];
  });
  for (GlobalRead &old : list)
    if (old.warp == read.warp && old.stamp == read.stamp) {
      const uint32_t group = getGroup(old);
      if (group && newGroup && group != newGroup)
        continue;
      // A load whose value decides something is the one to tell of.
      if (!newGroup)
        old.instr = read.instr;
      old.lanes |= read.lanes;
      return;
    }
  if (list.size() < kMaxReads)
    list.push_back(read);
}

void GlobalReads::load(const Warp &warp, const Instr *instr, uint32_t lanes,
                       const uint64_t *addresses, uint32_t bytes,
                       uint32_t shift) {
  const Block &block = *warp.block;
  forget(block);
  newest = block.now;
  const uint32_t group =
      block.launch->program->accesses[instr->extra].storedGroup;
  GlobalRead read = {block.now, 0, indexOf(block, instr), warp.index,
                     group ? warp.groupStores[group] : 0};
  for (uint32_t left = lanes; left;) {
    // Neighbours with the same address are done together.
    const uint32_t first = llvm::countr_zero(left);
    const uint64_t address = addresses[first];
    uint32_t end = first + 1;
    while (end < kLanes && (left >> end & 1) && addresses[end] == address)
      ++end;
    read.lanes = llvm::maskTrailingOnes<uint32_t>(end) &
                 ~llvm::maskTrailingOnes<uint32_t>(first);
    left &= ~read.lanes;
    for (uint64_t granule = address >> shift;
         granule <= (address + bytes - 1) >> shift; ++granule) {
      if (reads.size() < kMaxGranules) {
        add(reads[granule], read, warp);
        continue;
      }
      auto found = reads.find(granule);
      if (found != reads.end())
        add(found->second, read, warp);
    }
  }
}

bool GlobalReads::anyUnordered(
    const Warp &warp, uint32_t lane, uint64_t granule,
    llvm::function_ref<bool(const GlobalRead &, uint32_t)> test) const {
  auto found = reads.find(granule);
  if (found == reads.end())
    return false;
  for (const GlobalRead &read : found->second)
    for (uint32_t left = read.lanes; left; left &= left - 1) {
      const uint32_t readLane = llvm::countr_zero(left);
      if (warp.block->isOrdered(read.warp, readLane, read.stamp, warp, lane))
        continue;
      if (test(read, readLane))
        return true;
      break;
    }
  return false;
}

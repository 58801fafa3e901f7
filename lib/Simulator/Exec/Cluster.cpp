//===- Cluster.cpp --------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// barrier.cluster: an arrival releases what its warp has done, and the wait
// hands that to the block.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tileir::sim;
using llvm::formatv;

void tileir::sim::startCluster(Cluster &cluster) {
  cluster.phase = 1;
  std::fill_n(cluster.arrived, kMaxClusterBlocks, 0);
  for (auto &row : cluster.released)
    row.assign(cluster.blocks[0]->rowSize, 0);
  for (uint32_t of = 0; of < cluster.size; ++of) {
    Block &block = *cluster.blocks[of];
    for (uint32_t w = 0; w < block.numWarps; ++w) {
      block.warps[w].clusterPhase = 0;
      block.warps[w].fenced.clear();
    }
    for (uint32_t w = 0; w < block.numWarps; ++w)
      for (uint32_t rank = 0; rank < cluster.size; ++rank)
        if (rank != of)
          std::fill_n(block.getRow(w) + rank * kMaxClocks, kMaxClocks,
                      cluster.blocks[rank]->start + 1);
  }
}

bool tileir::sim::hasBegun(const Warp &warp, const Block &block) {
  auto isLater = [&](uint32_t stamp) { return stamp > block.start + 1; };
  const uint32_t *known = getKnown(warp, block);
  const uint32_t *earlier = known + block.timeOffset;
  return std::any_of(known, known + kMaxClocks, isLater) ||
         std::any_of(earlier, earlier + kMaxClocks, isLater);
}

void tileir::sim::fenceCluster(Warp &warp) {
  Block &block = *warp.block;
  const uint32_t *row = block.getRow(warp.index);
  warp.fenced.assign(row, row + block.rowSize);
  warp.fenced[block.rank * kMaxClocks + warp.index] = block.now++;
}

void tileir::sim::releaseFenced(const Warp &warp, uint32_t *clocks) {
  const Block &block = *warp.block;
  if (!warp.fenced.empty())
    joinClocks(clocks, warp.fenced.data(), block.rowSize);
  if (block.timeOffset)
    joinClocks(clocks + block.timeOffset, block.getRow(warp.index),
               block.timeOffset);
}

const Instr *tileir::sim::arriveAtCluster(Warp &warp, const Instr *instr,
                                          bool isRelaxed) {
  Block &block = *warp.block;
  Cluster &cluster = *block.cluster;
  if (warp.clusterPhase)
    return abortBlock(warp, instr, llvm::countr_zero(warp.active),
                      FindingKind::MismatchedBarrier,
                      "barrier.cluster.arrive for the second time; expected "
                      "barrier.cluster.wait between them");
  uint32_t *released = cluster.released[cluster.phase % 2].data();
  uint32_t *own = released + block.rank * kMaxClocks + warp.index;
  const uint32_t *row = block.getRow(warp.index);
  if (!isRelaxed)
    joinClocks(released, row, block.rowSize);
  else
    releaseFenced(warp, released);
  if (block.timeOffset) // all that it did comes earlier, whoever may see it
    own[block.timeOffset] = block.now;
  if (!isRelaxed)
    *own = block.now;
  ++block.now;
  cluster.arrived[block.rank] |= 1u << warp.index;
  warp.clusterPhase = cluster.phase;
  tryCompleteCluster(cluster);
  return instr + 1;
}

void tileir::sim::tryCompleteCluster(Cluster &cluster) {
  bool any = false;
  for (uint32_t rank = 0; rank < cluster.size; ++rank) {
    any |= cluster.arrived[rank] != 0;
    if (cluster.blocks[rank]->aliveWarps & ~cluster.arrived[rank])
      return;
  }
  if (!any)
    return;
  ++cluster.phase;
  std::fill_n(cluster.arrived, kMaxClusterBlocks, 0);
  auto &next = cluster.released[cluster.phase % 2];
  std::fill(next.begin(), next.end(), 0);
  for (uint32_t rank = 0; rank < cluster.size; ++rank) {
    Block &block = *cluster.blocks[rank];
    for (uint32_t w = 0; w < block.numWarps; ++w)
      for (uint32_t i = 0; i < block.warps[w].numGroups; ++i)
        if (block.warps[w].groups[i].state == GroupState::Cluster)
          block.warps[w].groups[i].state = GroupState::Ready;
  }
}

const Instr *tileir::sim::waitForCluster(Warp &warp, const Instr *instr) {
  Block &block = *warp.block;
  Cluster &cluster = *block.cluster;
  if (!warp.clusterPhase)
    return abortBlock(warp, instr, llvm::countr_zero(warp.active),
                      FindingKind::MismatchedBarrier,
                      "barrier.cluster.wait without an arrival; expected "
                      "barrier.cluster.arrive before it");
  if (warp.clusterPhase == cluster.phase)
    return suspend(warp, instr, GroupState::Cluster, 0);
  const auto &released = cluster.released[warp.clusterPhase % 2];
  warp.clusterPhase = 0;
  joinClocks(block.getRow(warp.index), released.data(), block.rowSize);
  return instr + 1;
}

bool tileir::sim::reportStuckCluster(Block &block) {
  const Cluster &cluster = *block.cluster;
  for (uint32_t w = 0; w < block.numWarps; ++w)
    for (uint32_t i = 0; i < block.warps[w].numGroups; ++i) {
      const Group &group = block.warps[w].groups[i];
      if (group.state != GroupState::Cluster)
        continue;
      std::string missing;
      for (uint32_t rank = 0; rank < cluster.size; ++rank)
        if (uint32_t warps =
                cluster.blocks[rank]->aliveWarps & ~cluster.arrived[rank])
          missing += formatv("{0}{1} of rank {2}", missing.empty() ? "" : ", ",
                             formatv("{0} warps", llvm::popcount(warps)), rank);
      abortBlock(block.warps[w], group.pc, llvm::countr_zero(group.mask),
                 FindingKind::Deadlock,
                 "barrier.cluster.wait waits for ever: expected "
                 "barrier.cluster.arrive by all warps of the cluster, not yet "
                 "by " +
                     missing);
      return true;
    }
  return false;
}

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

static void join(uint32_t *into, const uint32_t *from) {
  for (uint32_t c = 0; c < kMaxClocks; ++c)
    into[c] = std::max(into[c], from[c]);
}

void tileir::sim::startCluster(Cluster &cluster) {
  cluster.phase = 1;
  std::fill_n(cluster.arrived, kMaxClusterBlocks, 0);
  for (auto &phase : cluster.released)
    for (auto &row : phase)
      std::fill_n(row, kMaxClocks, 0);
  for (uint32_t of = 0; of < cluster.size; ++of) {
    Block &block = *cluster.blocks[of];
    block.hasMet = 0;
    for (uint32_t w = 0; w < block.numWarps; ++w) {
      block.warps[w].clusterPhase = 0;
      block.warps[w].fencedStamp = 0;
    }
    for (uint32_t rank = 0; rank < cluster.size; ++rank)
      std::fill_n(block.remoteKnown[rank], kMaxClocks,
                  cluster.blocks[rank]->start + 1);
  }
}

void tileir::sim::addKnown(const Warp &warp, uint32_t rank, uint32_t *clocks) {
  const Block &block = *warp.block;
  join(clocks,
       rank == block.rank ? block.known[warp.index] : block.remoteKnown[rank]);
}

void tileir::sim::learnRemote(Block &block, const uint32_t *clocks) {
  const Cluster &cluster = *block.cluster;
  for (uint32_t rank = 0; rank < cluster.size; ++rank) {
    if (rank == block.rank)
      continue;
    uint32_t *known = block.remoteKnown[rank];
    join(known, clocks + rank * kMaxClocks);
    const uint32_t most = *std::max_element(known, known + kMaxClocks);
    if (most > cluster.blocks[rank]->start + 1)
      block.hasMet |= 1u << rank;
  }
}

void tileir::sim::fenceCluster(Warp &warp) {
  warp.fencedStamp = warp.block->now++;
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
  auto &released = cluster.released[cluster.phase % 2];
  if (!isRelaxed)
    for (uint32_t rank = 0; rank < cluster.size; ++rank)
      addKnown(warp, rank, released[rank]);
  uint32_t &own = released[block.rank][warp.index];
  own = std::max(own, isRelaxed ? warp.fencedStamp : block.now++);
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
  for (auto &row : cluster.released[cluster.phase % 2])
    std::fill_n(row, kMaxClocks, 0);
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
  join(block.known[warp.index], released[block.rank]);
  for (uint32_t rank = 0; rank < cluster.size; ++rank)
    if (rank != block.rank)
      join(block.remoteKnown[rank], released[rank]);
  block.hasMet = ~0u;
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

//===- Cluster.h ------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of a thread block cluster: one worker runs them in turns, so that
// they may access each other's shared memory. The shared memory of each rank
// has a window of addresses of its own.
//
// A block has clocks of its own. A warp knows those of all blocks of its
// cluster (Warp.h), and hands that on wherever it synchronises.
//
// Plain C++ without LLVM, see Program.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_CLUSTER_H
#define TILEIR_LIB_SIMULATOR_EXEC_CLUSTER_H

#include "Exec/Warp.h"
#include "tileir/Simulator/Buffer.h"

#include <cstdint>
#include <vector>

namespace tileir::sim {

struct Cluster {
  uint32_t size = 1; ///< blocks
  Block *blocks[kMaxClusterBlocks] = {};
  /// The phase of barrier.cluster that is not complete.
  uint64_t phase = 1;
  /// The warps of each rank that have arrived in it.
  uint32_t arrived[kMaxClusterBlocks] = {};
  /// What the arrivals of a phase release, a row of clocks: of the one that is
  /// not complete, and the one before.
  std::vector<uint32_t> released[2];
};

/// Whether an address is in the window of a rank.
inline bool isClusterAddress(uint64_t address) {
  return address >= kClusterBase && address < kClusterEnd;
}
inline uint32_t getRank(uint64_t clusterAddress) {
  return uint32_t((clusterAddress - kClusterBase) / kSharedWindow);
}
/// The address in the window of `rank` of an address of shared memory.
inline uint64_t mapToRank(uint64_t address, uint32_t rank) {
  return kClusterBase + rank * kSharedWindow + address % kSharedWindow;
}
/// The same address in the block's own window, where it leads there.
inline uint64_t toOwnWindow(const Block &block, uint64_t address) {
  return isClusterAddress(address) && getRank(address) == block.rank
             ? kSharedBase + address % kSharedWindow
             : address;
}

/// All blocks of the cluster have begun.
void startCluster(Cluster &cluster);
/// barrier.cluster.arrive of a warp, all of whose live lanes are active. Gives
/// the next instruction, null after a finding.
const Instr *arriveAtCluster(Warp &warp, const Instr *instr, bool isRelaxed);
/// barrier.cluster.wait of it.
const Instr *waitForCluster(Warp &warp, const Instr *instr);
/// A warp has ended, of which the barrier does not wait any more.
void tryCompleteCluster(Cluster &cluster);
/// Reports the waits of the block for barrier.cluster. False: there are none.
bool reportStuckCluster(Block &block);

/// A fence of the warp: relaxed arrivals release what was before it.
void fenceCluster(Warp &warp);
/// What a relaxed arrival makes known is added to a row of clocks.
void releaseFenced(const Warp &warp, uint32_t *clocks);
/// Whether the warp knows that the block has begun.
bool hasBegun(const Warp &warp, const Block &block);

// Accesses to the shared memory of another block (Memory/RemoteShared.cpp).

/// The place of an access at a cluster address; null after a finding.
uint8_t *resolveRemote(Warp &warp, const Instr *instr, uint32_t lane,
                       uint64_t address, uint32_t bytes, uint32_t alignment);
/// Notes accesses by `lanes` at addresses in windows of other ranks; reports
/// those that nothing orders.
void noteRemote(Warp &warp, const Instr *instr, uint32_t lanes,
                const uint64_t *addresses, uint32_t bytes, bool isStore,
                bool atomic);
/// Accesses of a block to its own shared memory: reports accesses by other
/// blocks that nothing orders with them.
void checkRemote(Warp &warp, const Instr *instr, uint32_t lanes,
                 const uint64_t *addresses, uint32_t bytes, bool isStore,
                 bool atomic);
/// Accesses of the async proxy to the shared memory of `owner`: the same, and
/// whoever's it is; they are not noted.
void checkRemoteRange(Warp &warp, const Instr *instr, uint32_t lane,
                      Block &owner, uint32_t offset, uint32_t bytes,
                      bool isStore, bool atomic);
/// The block has ended: reports accesses to its shared memory that may come
/// later.
void endRemote(Block &block);
/// Notes that a lane arrives at an mbarrier of another block, which may not end
/// before.
void noteRemoteArrival(const Warp &warp, const Instr *instr, uint32_t lane,
                       Block &owner, uint32_t offset);

RemoteAccesses *createRemoteAccesses();
void resetRemoteAccesses(RemoteAccesses &accesses);
void destroyRemoteAccesses(RemoteAccesses *accesses);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_CLUSTER_H

//===- Atomics.cpp --------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Order of threads through memory. An atomic store with release order, or a
// relaxed one after a fence, leaves at its address what its warp knows: its row
// of clocks, with its own present stamp. An atomic load with acquire
// order, or a relaxed one with a fence after it, takes that over into the row
// of its own warp (PTX ISA, memory consistency model: release and acquire
// patterns).
//
// Warps are taken as a whole, which can hide races but finds none that are not
// there: a release counts for all lanes of the warp, and so does an acquire
// from another warp. An acquire from the own warp (a lock that goes from lane
// to lane) counts for the acquiring lanes alone. Scopes are looked at between
// the blocks of a cluster, which share the variables: what is of the block
// alone orders nothing between them. Other blocks have variables of their own.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Memory/Memory.h"
#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <vector>

using namespace tileir::sim;

namespace {
/// A row of clocks.
using Clocks = std::vector<uint32_t>;
constexpr uint32_t kNone = ~0u;
} // namespace

class tileir::sim::SyncVariables {
public:
  explicit SyncVariables(uint32_t numBlocks) : warps(numBlocks * kMaxWarps) {}
  void reset();
  void load(Warp &warp, bool acquire, bool isWide, uint32_t lanes,
            const uint64_t *addresses);
  void store(Warp &warp, bool release, bool isWide, bool isRmw, uint32_t lanes,
             const uint64_t *addresses);
  void fence(Warp &warp, bool isWide);

private:
  /// The clocks released at the addresses that `uses` counts: many addresses
  /// share one snapshot, as the lanes of an instruction do.
  struct Snapshot {
    Clocks clocks;
    uint32_t uses = 0;
    uint32_t rank = 0;   ///< of the block that released it
    bool isWide = false; ///< to other blocks, too
  };
  struct WarpState {
    uint32_t fenced = kNone; ///< snapshot of the last fence
    /// The clocks that relaxed loads of these lanes have seen since their last
    /// fence.
    uint32_t seenBy = 0;
    Clocks seen;
  };

  WarpState &getState(const Warp &warp) {
    return warps[warp.block->rank * kMaxWarps + warp.index];
  }
  uint32_t make(const uint32_t *clocks, const Warp &warp, bool isWide);
  /// A new snapshot of all that the lanes of the warp did; what they do next is
  /// later.
  uint32_t makePresent(Warp &warp, bool isWide, uint32_t lanes);
  void drop(uint32_t snapshot);
  /// Sets what the variable refers to.
  void assign(uint32_t &variable, uint32_t snapshot);

  llvm::DenseMap<uint64_t, uint32_t> variables; // address to snapshot
  std::vector<Snapshot> snapshots;
  std::vector<uint32_t> unused; // indices in snapshots
  std::vector<WarpState> warps; ///< of all blocks of the cluster
};

/// Whether all of `a` comes before `b`.
static bool isWithin(const Clocks &a, const Clocks &b) {
  bool within = true;
  for (size_t w = 0; w < a.size(); ++w)
    within &= a[w] <= b[w];
  return within;
}
static void join(Clocks &into, const Clocks &from) {
  into.resize(from.size());
  joinClocks(into.data(), from.data(), from.size());
}
/// The name of a place that all blocks of the cluster have for it.
static uint64_t getKey(const Block &block, uint64_t address) {
  return block.timeOffset && getSpace(address) == Space::Shared
             ? mapToRank(address, block.rank)
             : address;
}

void tileir::sim::learn(Warp &warp, uint32_t lanes, const uint32_t *clocks) {
  Block &block = *warp.block;
  uint32_t *known = block.known[warp.index];
  uint32_t own = known[warp.index];
  joinClocks(block.getRow(warp.index), clocks, block.usedRow());
  clocks += block.rank * kMaxClocks;
  if (lanes == warp.alive || clocks[warp.index] <= own)
    return;
  // Only these lanes are behind what other lanes of their warp did.
  known[warp.index] = own;
  for (; lanes; lanes &= lanes - 1) {
    uint32_t *row = warp.getLaneKnown(llvm::countr_zero(lanes));
    for (uint32_t other = 0; other < kLanes; ++other)
      row[other] = std::max(row[other], clocks[warp.index]);
  }
}

void SyncVariables::reset() {
  variables.clear();
  snapshots.clear();
  unused.clear();
  for (WarpState &state : warps)
    state = {};
}

uint32_t SyncVariables::make(const uint32_t *clocks, const Warp &warp,
                             bool isWide) {
  uint32_t index = snapshots.size();
  if (unused.empty()) {
    snapshots.emplace_back();
  } else {
    index = unused.back();
    unused.pop_back();
  }
  Snapshot &snapshot = snapshots[index];
  snapshot.clocks.assign(clocks, clocks + warp.block->rowSize);
  snapshot.uses = 1;
  snapshot.rank = warp.block->rank;
  snapshot.isWide = isWide;
  return index;
}

uint32_t SyncVariables::makePresent(Warp &warp, bool isWide, uint32_t lanes) {
  Block &block = *warp.block;
  block.noteRelease(warp, lanes);
  uint32_t snapshot = make(block.getRow(warp.index), warp, isWide);
  snapshots[snapshot].clocks[block.rank * kMaxClocks + warp.index] =
      block.now++;
  return snapshot;
}

void SyncVariables::drop(uint32_t snapshot) {
  if (snapshot != kNone && --snapshots[snapshot].uses == 0)
    unused.push_back(snapshot);
}

void SyncVariables::assign(uint32_t &variable, uint32_t snapshot) {
  ++snapshots[snapshot].uses;
  drop(variable);
  variable = snapshot;
}

void SyncVariables::load(Warp &warp, bool acquire, bool isWide, uint32_t lanes,
                         const uint64_t *addresses) {
  if (variables.empty())
    return;
  WarpState &state = getState(warp);
  // Neighbours mostly see the same snapshot.
  uint32_t last = kNone, lastLanes = 0;
  auto take = [&] {
    if (last == kNone)
      return;
    const Snapshot &snapshot = snapshots[last];
    if (snapshot.rank != warp.block->rank && !(isWide && snapshot.isWide))
      return;
    const Clocks &clocks = snapshot.clocks;
    if (acquire)
      return learn(warp, lastLanes, clocks.data());
    state.seenBy |= lastLanes;
    join(state.seen, clocks);
  };
  for (; lanes; lanes &= lanes - 1) {
    uint32_t lane = llvm::countr_zero(lanes);
    auto it = variables.find(getKey(*warp.block, addresses[lane]));
    if (it == variables.end())
      continue;
    if (it->second != last) {
      take();
      last = it->second;
      lastLanes = 0;
    }
    lastLanes |= 1u << lane;
  }
  take();
}

void SyncVariables::store(Warp &warp, bool release, bool isWide, bool isRmw,
                          uint32_t lanes, const uint64_t *addresses) {
  uint32_t snapshot =
      release ? makePresent(warp, isWide, lanes) : getState(warp).fenced;
  if (snapshot == kNone) {
    // A store that releases nothing ends what was released at its address.
    if (!isRmw && !variables.empty())
      for (; lanes; lanes &= lanes - 1) {
        auto it = variables.find(
            getKey(*warp.block, addresses[llvm::countr_zero(lanes)]));
        if (it == variables.end())
          continue;
        drop(it->second);
        variables.erase(it);
      }
    return;
  }
  for (; lanes; lanes &= lanes - 1) {
    uint32_t &variable =
        variables
            .try_emplace(
                getKey(*warp.block, addresses[llvm::countr_zero(lanes)]), kNone)
            .first->second;
    if (!isRmw || variable == kNone ||
        isWithin(snapshots[variable].clocks, snapshots[snapshot].clocks)) {
      assign(variable, snapshot);
      continue;
    }
    if (isWithin(snapshots[snapshot].clocks, snapshots[variable].clocks))
      continue;
    Clocks both = snapshots[variable].clocks;
    join(both, snapshots[snapshot].clocks);
    const bool isBothWide =
        snapshots[variable].isWide || snapshots[snapshot].isWide;
    drop(variable);
    variable = make(both.data(), warp, isBothWide);
  }
  if (release)
    drop(snapshot); // its maker's use
}

void SyncVariables::fence(Warp &warp, bool isWide) {
  WarpState &state = getState(warp);
  if (uint32_t lanes = state.seenBy & warp.active) {
    learn(warp, lanes, state.seen.data());
    state.seenBy &= ~lanes;
    if (!state.seenBy)
      state.seen.clear();
  }
  drop(state.fenced);
  state.fenced = makePresent(warp, isWide, warp.active);
}

//===----------------------------------------------------------------------===//
// The functions that handlers call
//===----------------------------------------------------------------------===//

void tileir::sim::noteAtomicLoad(Warp &warp, const Access &access,
                                 uint32_t lanes, const uint64_t *addresses) {
  warp.block->fenced |= access.acquiresFromBlocks();
  warp.block->readAtomic = true;
  if (SyncVariables *syncs = warp.block->syncs)
    syncs->load(warp, access.acquire, access.scope != Scope::Block, lanes,
                addresses);
}

void tileir::sim::noteAtomicStore(Warp &warp, const Access &access,
                                  uint32_t lanes, const uint64_t *addresses,
                                  bool isRmw) {
  if (access.releasesToBlocks())
    publish(warp, lanes);
  if (SyncVariables *syncs = warp.block->syncs)
    if (lanes)
      syncs->store(warp, access.release, access.scope != Scope::Block, isRmw,
                   lanes, addresses);
}

void tileir::sim::fence(Warp &warp, Scope scope) {
  // Other blocks are other host threads.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (scope != Scope::Block) {
    warp.block->fenced |= warp.block->readAtomic;
    publish(warp, warp.active);
  }
  // Alone in its cluster, the block is all that an mbarrier may tell.
  if (scope != Scope::Block || !warp.block->timeOffset)
    fenceCluster(warp);
  if (SyncVariables *syncs = warp.block->syncs)
    syncs->fence(warp, scope != Scope::Block);
}

SyncVariables *tileir::sim::createSyncVariables(uint32_t numBlocks) {
  return new SyncVariables(numBlocks);
}
void tileir::sim::resetSyncVariables(SyncVariables &syncs) { syncs.reset(); }
void tileir::sim::destroySyncVariables(SyncVariables *syncs) { delete syncs; }

/// The lanes of an atomic instruction that meet at a bank take turns, at the
/// same address too: the largest number of lanes at one bank, of each half of
/// the warp where 8 bytes wide.
static void countSharedAtomic(AccessCounters &counters, uint32_t lanes,
                              const uint64_t *addresses, uint32_t bytes) {
  const uint32_t bankBytes = std::max(bytes, 4u);
  const uint32_t lanesAtOnce = 128 / bankBytes;
  for (uint32_t first = 0; first < kLanes; first += lanesAtOnce) {
    uint32_t part = lanes >> first;
    if (lanesAtOnce < kLanes)
      part &= (1u << lanesAtOnce) - 1;
    if (!part)
      continue;
    uint32_t turns[kLanes] = {}, most = 0;
    for (; part; part &= part - 1) {
      uint64_t address = addresses[first + llvm::countr_zero(part)];
      most = std::max(most, ++turns[address / bankBytes % lanesAtOnce]);
    }
    counters.wavefronts += most;
    ++counters.idealWavefronts;
  }
  ++counters.warps;
  counters.lanes += llvm::popcount(lanes);
  counters.bytes += uint64_t(llvm::popcount(lanes)) * bytes;
}

void tileir::sim::noteAtomics(Warp &warp, const Instr *instr,
                              const Access &access, uint32_t lanes,
                              uint32_t stored, const uint64_t *addresses) {
  const uint32_t bytes = access.elementBytes;
  uint32_t shared = 0, remote = 0, global = 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = llvm::countr_zero(left);
    Space space = getSpace(addresses[lane]);
    shared |= uint32_t(space == Space::Shared) << lane;
    remote |= uint32_t(space == Space::Cluster) << lane;
    global |= uint32_t(space == Space::Global) << lane;
  }
  noteAtomicLoad(warp, access, shared | remote | global, addresses);
  const bool reads = access.opcode == Opcode::AtomicCmpXchg ||
                     access.atomicOp != AtomicOp::Exchange;
  if (shared && reads)
    noteShared(warp, instr, shared, addresses, bytes, false, true);
  if (remote)
    noteRemote(warp, instr, remote, addresses, bytes, (remote & stored) != 0,
               true);
  if (shared & stored)
    noteShared(warp, instr, shared & stored, addresses, bytes, true, true);
  for (uint32_t left = global; left;) {
    Buffer &buffer =
        *warp.block->launch->memory->find(addresses[llvm::countr_zero(left)]);
    uint32_t here = 0;
    for (uint32_t rest = left; rest; rest &= rest - 1) {
      uint32_t lane = llvm::countr_zero(rest);
      here |= uint32_t(addresses[lane] - buffer.begin < buffer.size) << lane;
    }
    left &= ~here;
    if (here & ~stored)
      noteGlobal(warp, instr, here & ~stored, buffer, addresses, bytes, false,
                 true);
    if (here & stored)
      noteGlobal(warp, instr, here & stored, buffer, addresses, bytes, true,
                 true);
  }
  noteAtomicStore(warp, access, stored & (shared | remote | global), addresses,
                  true);
  if (shared | remote)
    countSharedAtomic(warp.worker->accesses[instr->extra], shared | remote,
                      addresses, bytes);
  if (global)
    countGlobal(warp, instr, addresses, bytes);
  if (access.space == Space::Generic)
    warp.worker->accessSpace[instr->extra] = shared | remote
                                                 ? InstrClass::Shared
                                             : global ? InstrClass::Global
                                                      : InstrClass::Local;
}

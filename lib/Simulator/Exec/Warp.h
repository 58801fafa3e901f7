//===- Warp.h ---------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of execution: a launch is run by workers (host threads); a worker
// runs one block at a time, or some that have to be resident together, warp
// after warp, each until it has to wait.
//
// Within a warp, lanes at the same place form a group; one group is active, the
// others wait. The group with the smallest program counter runs first, and
// groups meet again at the same basic block: blocks lie in an order in which
// that is where the hardware would reconverge.
//
// Order between threads (happens-before) is kept as clocks: `now` of a block
// goes up with each synchronisation; an access is stamped with the `now` it was
// made at; known(w, v) = s says that whatever warp v did at stamps <= s comes
// before what warp w does next. In a cluster a warp knows the clocks of all its
// blocks: a row has a part of each rank, and these parts twice. The second ones
// say what is earlier in time only, as bytes that arrive tell of it: enough for
// the phases of mbarriers, not for memory.
//
// Plain C++ without LLVM, see Program.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_WARP_H
#define TILEIR_LIB_SIMULATOR_EXEC_WARP_H

#include "Program.h"
#include "tileir/Simulator/Buffer.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace tileir::sim {

class DeviceHeap;
class DeviceMemory;
class SharedShadow;
class GlobalReads;
class AsyncCopies;
class SyncVariables;
class TextureTable;
class Warpgroups;
class MBarriers;
class BulkCopies;
class RemoteAccesses;
class UndefinedValues;
class TensorMapLog;
struct Cluster;
struct Buffer;
struct Worker;
struct Launch;
struct Block;

constexpr unsigned kMaxWarps = 32;
/// A block's clocks: those of its warps, then those of bytes that arrive at
/// mbarriers.
constexpr unsigned kMaxClocks = 2 * kMaxWarps;
constexpr unsigned kNumBarriers = 16;

enum class GroupState : uint8_t {
  Ready,
  Barrier,    ///< at a block barrier that has not completed
  Collective, ///< at a warp collective, until the lanes `needs` are there
  Warpgroup,  ///< until the other warps of its warpgroup are there
  Registers,  ///< at setmaxnreg.inc, until others give registers back
  MBarrier,   ///< at an mbarrier whose phase is not complete
  Cluster,    ///< at barrier.cluster.wait
};

/// Lanes at one place that are not active.
struct Group {
  const Instr *pc = nullptr;
  uint32_t mask = 0;
  uint32_t needs = 0;
  GroupState state = GroupState::Ready;
};

/// A load that met another warp's store, or atomics of another block, and whose
/// value does no more than be stored: a race only if its warp comes to one of
/// the stores of its group (Access::storedGroup).
struct DeferredRace {
  const Instr *instr = nullptr;
  FindingKind kind = FindingKind::GlobalRace;
  const Buffer *buffer = nullptr;
  uint64_t address = 0, writer = 0; ///< `writer`: a word of GlobalShadow.cpp
  uint32_t bytes = 0, lane = 0;
};

struct Warp {
  uint32_t *registers = nullptr; ///< numSlots * 32 words
  uint32_t active = 0;           ///< lanes that execute
  /// The smallest pc of the ready groups that wait; a Block instruction at or
  /// behind it merges or switches. Null: no group waits.
  const Instr *reconverge = nullptr;
  uint32_t alive = 0; ///< lanes that have not returned
  uint32_t index = 0; ///< in the block
  uint32_t fuel = 0;  ///< instructions left of the time slice
  uint64_t steps = 0; ///< instructions at the end of the time slice
  uint32_t numGroups = 0;
  Group groups[kLanes];
  Block *block = nullptr;
  Worker *worker = nullptr;
  /// Lane masks of the active lanes as vectors, for blends: 0 or ~0.
  alignas(128) uint32_t activeLanes[kLanes] = {};
  uint8_t *local = nullptr; ///< localBytes of lane 0, then of lane 1, ...
  /// Stamps at which the lanes of this warp last met by warp synchronisation of
  /// a part of them, [lane][lane]; null until there is one.
  uint32_t *laneKnown = nullptr;
  /// The thread indices x, y, z of the lanes.
  const uint32_t *threadIndex[3] = {nullptr, nullptr, nullptr};
  /// The time slice ended, rather than that the warp waits for others.
  bool sliceEnded = false;
  /// The lanes that were behind each barrier site, Instr::extra of a Barrier
  /// less 1, and where each lane returned; see SkippedBarriers.cpp.
  uint32_t passed[kMaxBarrierSites] = {};
  const Instr *exits[kLanes] = {};
  /// At most one of an instruction and kind.
  std::vector<DeferredRace> deferredRaces;
  std::vector<uint32_t> groupStores; ///< of each group: those it has executed
  /// Lanes whose wait for an mbarrier is to give up, see MBarriers.h.
  uint32_t timedOut = 0;
  /// The wait for an mbarrier that failed last.
  const Instr *failedWait = nullptr;
  /// Time slices that ended since all ready lanes were last together. After
  /// some the group that has waited longest goes next, so that lanes which spin
  /// cannot starve the lanes they wait for.
  uint32_t slicesApart = 0;

  /// Lanes whose load, which is executed now, reads what nobody has written;
  /// whether the warp has executed such a load (UndefinedValues.h).
  uint32_t undefinedLanes = 0;
  bool isTracked = false;

  /// The phase of barrier.cluster that it has arrived in and not waited for;
  /// 0: none. What it knew at its last fence that other blocks may see, a row.
  uint64_t clusterPhase = 0;
  std::vector<uint32_t> fenced;

  /// The stamps at which `lane` met the others.
  uint32_t *getLaneKnown(uint32_t lane) {
    if (!laneKnown)
      laneKnown = new uint32_t[kLanes * kLanes]();
    return laneKnown + lane * kLanes;
  }

  /// Makes `mask` the active lanes.
  void setActive(uint32_t mask) {
    active = mask;
    for (unsigned i = 0; i < kLanes; ++i)
      activeLanes[i] = 0u - (mask >> i & 1);
  }
};

/// A block barrier that some warps have reached.
struct BarrierState {
  uint32_t arrived = 0;  ///< warps
  uint32_t waiting = 0;  ///< of them those that wait (not barrier.arrive)
  uint32_t expected = 0; ///< warps; 0: all that are alive
  uint32_t arrivals = 0; ///< how often a warp arrived
  uint32_t threads = 0, votes = 0; ///< that arrived, and with a true predicate
  const Instr *first = nullptr;    ///< the instruction of the first to arrive
  /// What those that arrived know, a row, with their own work.
  uint32_t *released = nullptr;
};

/// Adds what one row of clocks says to another one.
inline void joinClocks(uint32_t *into, const uint32_t *from, uint32_t count) {
  for (uint32_t c = 0; c < count; ++c)
    into[c] = into[c] < from[c] ? from[c] : into[c];
}

/// Releases at the stamps `first` to `last`, by a part of a warp: of what the
/// warp has done after `since`, when its lanes last met or released together,
/// who acquires them knows what these lanes have done.
struct LaneRelease {
  uint32_t first = 0, last = 0, since = 0, lanes = 0;
};

struct Block {
  Launch *launch = nullptr;
  Worker *worker = nullptr;
  uint32_t index[3] = {0, 0, 0};
  uint64_t linear = 0; ///< x fastest
  uint32_t wave = 1;   ///< of blocks that the chip holds at once, from 1
  uint32_t numThreads = 0, numWarps = 0;
  Warp *warps = nullptr;
  uint32_t aliveWarps = 0; ///< mask
  BarrierState barriers[kNumBarriers];
  bool aborted = false; ///< after a finding that it cannot go on from
  uint64_t steps = 0;   ///< warp instructions that it has executed
  uint64_t rounds = 0;  ///< turns that its warps have had

  uint8_t *shared = nullptr; ///< static and dynamic shared memory
  uint32_t sharedBytes = 0;
  SharedShadow *shadow = nullptr; ///< who accessed it; null: not instrumented
  AsyncCopies *copies = nullptr;  ///< cp.async that has not been waited for
  SyncVariables *syncs = nullptr; ///< releases through atomics
  GlobalReads *reads = nullptr;   ///< of global memory
  MBarriers *mbarriers = nullptr;
  BulkCopies *bulk = nullptr; ///< cp.async.bulk that has not been waited for
  Warpgroups *warpgroups = nullptr; ///< wgmma; null until there is one
  /// Null: reads of what nobody has written are reported at once.
  UndefinedValues *undefined = nullptr;

  uint32_t now = 1;
  uint32_t start = 0; ///< stamps of this block are larger
  /// It ran an acquiring atomic, or a fence behind an atomic read: other blocks
  /// may be ordered before what it does next.
  bool fenced = false;
  bool readAtomic = false; ///< it ran an atomic (or volatile) read
  uint32_t numClocks = 0;  ///< that are in use, those of warps first
  /// What each warp knows of this block's clocks: the part of its row.
  uint32_t *known[kMaxWarps] = {};
  std::vector<LaneRelease> laneReleases[kMaxWarps]; ///< by time
  uint32_t wholeReleases[kMaxWarps] = {}; ///< the last of each whole warp
  bool anyLaneRelease = false;
  uint32_t rowSize = kMaxClocks; ///< words of a row
  /// Where in a row the parts begin that are of time only; 0: there are none,
  /// the cluster has one block.
  uint32_t timeOffset = 0;
  std::unique_ptr<uint32_t[]> rows; ///< of the warps, then of the barriers

  // Exec/Cluster.h.
  Cluster *cluster = nullptr;
  uint32_t rank = 0; ///< in the cluster
  /// The accesses of other blocks; null: the cluster has one block.
  RemoteAccesses *remote = nullptr;

  /// Makes the rows of clocks, for a cluster of so many blocks.
  void makeRows(uint32_t clusterSize) {
    timeOffset = clusterSize > 1 ? clusterSize * kMaxClocks : 0;
    rowSize = clusterSize > 1 ? 2 * timeOffset : kMaxClocks;
    rows.reset(new uint32_t[(numWarps + kNumBarriers) * rowSize]());
    for (uint32_t w = 0; w < numWarps; ++w)
      known[w] = getRow(w) + rank * kMaxClocks;
    for (uint32_t i = 0; i < kNumBarriers; ++i)
      barriers[i].released = getRow(numWarps + i);
  }
  uint32_t *getRow(uint32_t warp) const { return rows.get() + warp * rowSize; }
  /// Words of a row that may say anything.
  uint32_t usedRow() const { return timeOffset ? rowSize : numClocks; }

  /// Whether what lane `fromLane` of warp `from` did at `stamp` comes before
  /// what lane `lane` of warp `warp` does now.
  bool isOrdered(uint32_t from, uint32_t fromLane, uint32_t stamp,
                 const Warp &warp, uint32_t lane) const {
    if (stamp <= known[warp.index][from])
      return !anyLaneRelease || from == warp.index ||
             (getReleased(from, known[warp.index][from], stamp) >> fromLane &
              1);
    if (from != warp.index)
      return false;
    return fromLane == lane ||
           (warp.laneKnown &&
            stamp <= warp.laneKnown[lane * kLanes + fromLane]);
  }
  /// The lanes in the mask of one warp have met.
  void synchronizeLanes(Warp &warp, uint32_t laneMask);
  /// Lanes of a warp release now, by an atomic or a fence.
  void noteRelease(const Warp &warp, uint32_t lanes);
  /// What those know who know the clock of a warp up to `clock`: the release
  /// that they have that from, if it is one by lanes.
  const LaneRelease *findLaneRelease(uint32_t warp, uint32_t clock) const;
  /// The lanes whose accesses at `stamp` they know.
  uint32_t getReleased(uint32_t warp, uint32_t clock, uint32_t stamp) const {
    const LaneRelease *release = findLaneRelease(warp, clock);
    return release && stamp > release->since ? release->lanes : ~0u;
  }
};

/// What a warp knows of the clocks of a block of its cluster.
inline const uint32_t *getKnown(const Warp &warp, const Block &of) {
  return warp.block->getRow(warp.index) + of.rank * kMaxClocks;
}

/// What the blocks of one host thread printed (Print.h).
struct Printed {
  struct Call {
    uint64_t block;
    uint32_t thread;
    uint64_t order; ///< of a block's calls, in time
    std::string text;
  };
  std::vector<Call> calls;
  uint64_t block = ~uint64_t(0);       ///< that printed last
  uint64_t bytes = 0, bytesBefore = 0; ///< in all, and before that block
  uint64_t dropped = 0;                ///< calls
};

/// The counters and the state of one host thread. Counter arrays are indexed
/// like the Program's arrays.
struct Worker {
  Launch *launch = nullptr;
  Block block;
  /// The blocks beside `block` that are resident with it (ResidentBlocks.h).
  std::unique_ptr<Block[]> others;
  Cluster *clusters = nullptr;                  ///< of these blocks
  std::vector<uint64_t> blockWarps, blockLanes; ///< executions of BasicBlocks
  std::vector<AccessCounters> accesses;         ///< of Program::accesses
  std::vector<Buffer *> lastBuffer;    ///< of each access: where it went last
  std::vector<InstrClass> accessSpace; ///< which space a generic access met
  uint64_t blockBarriers = 0, warpsRun = 0, roundTrips = 0;
  /// Sectors that no block of the wave, or of the launch, had accessed before.
  uint64_t sectorsOfWaves = 0, sectorsOfLaunch = 0;
  uint64_t *blockWarpsData = nullptr, *blockLanesData = nullptr;
  Printed printed;
};

struct Launch {
  const Program *program = nullptr;
  DeviceMemory *memory = nullptr;
  FindingLog *findings = nullptr;
  uint32_t grid[3] = {1, 1, 1}, blockDim[3] = {1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  bool instrument = true;
  uint64_t numBlocks = 1; ///< that run, the first ones of the grid
  bool sameValueStores = false, earlyReturns = false, atomicReads = false;
  uint64_t stepLimit = 0;
  MmaModel mmaModel;
  uint64_t printLimit = 0; ///< bytes that printf may print
  uint32_t numSms = 1;
  DeviceHeap *heap = nullptr;             ///< of malloc; null: there is none
  const TextureTable *textures = nullptr; ///< null: there are none
  TensorMapLog *tensorMaps = nullptr;     ///< that the launch writes
  /// Blocks that one worker runs in turns, since they may wait for each other.
  uint64_t numResident = 1;
  uint32_t cluster[3] = {1, 1, 1};
  uint32_t clusterSize = 1;
  bool isExplicitCluster = false;
  /// What the cooperative groups of the grid meet at, in device memory; 0: the
  /// launch is not cooperative.
  uint64_t gridWorkspace = 0;
  /// Blocks that the chip holds at once; those of a wave end before the next
  /// one begins.
  uint64_t blocksOfWave = 1;
  std::atomic<uint64_t> blocksDone{0};
  uint64_t l2Bytes = 0;
  /// The stamp, from the start of its block, up to which each warp of each
  /// block has published its work to other blocks by a release or fence. Null
  /// where blocks do not communicate.
  std::atomic<uint32_t> *released = nullptr;
  /// Of the same, where it was a part of the warp that released: the lanes, and
  /// above them the stamp behind which only theirs is published; 0: it is all.
  /// Set before `released`, and read behind it.
  std::atomic<uint64_t> *releasedLanes = nullptr;
  uint64_t numWorkers = 1;
  uint32_t blockBits = 32; ///< that hold the number of blocks
  /// How often a store by another block was waited for in vain, see
  /// GlobalShadow.cpp.
  std::atomic<uint32_t> waits{0};
  /// A finding that ends the launch was made: no further block is started.
  std::atomic<bool> aborted{false};
};

/// The position of `instr` in its program.
inline uint32_t indexOf(const Block &block, const Instr *instr) {
  return uint32_t(instr - block.launch->program->code.data());
}

/// Records a finding at `instr`; `lane` of `warp` made it. `other` is the
/// instruction that it collides with, if that is known.
void report(const Warp &warp, const Instr *instr, uint32_t lane,
            FindingKind kind, uint64_t address, std::string message,
            const Instr *other = nullptr);
/// The same, and ends the block: what follows would mean nothing. Always null,
/// so that handlers can return it.
const Instr *abortBlock(Warp &warp, const Instr *instr, uint32_t lane,
                        FindingKind kind, std::string message);

// Control of groups (LaneGroups.cpp).

/// The active group leaves: the ready group with the smallest pc becomes the
/// active one, and groups at that pc with it. Null if none is ready.
const Instr *nextGroup(Warp &warp);
/// The active group waits in `state` at `instr`; then nextGroup.
const Instr *suspend(Warp &warp, const Instr *instr, GroupState state,
                     uint32_t needs);
/// Called by a Block instruction that is at or behind warp.reconverge: merges
/// with the groups there, or lets them catch up.
const Instr *reconverge(Warp &warp, const Instr *instr);
/// Splits the active lanes: those of `taken` go to `target`, the rest to
/// `other`. Both are not empty.
const Instr *diverge(Warp &warp, uint32_t taken, const Instr *target,
                     const Instr *other);
/// The warp can go on: its next pc, or null. Called at the start of a slice.
const Instr *resume(Warp &warp);
/// The active lanes return from the kernel, at `instr`.
const Instr *retire(Warp &warp, const Instr *instr);
/// For a collective that names the lanes `mask`: true if they are all active
/// now (lanes that waited at this instruction have been joined in). Otherwise
/// the caller returns `next`.
bool collect(Warp &warp, const Instr *instr, uint32_t mask, const Instr *&next);

/// A load has read what nobody has written, or a division has no result: runs
/// the warp from the next instruction on until it waits, following what the
/// values do (UndefinedValues.h). The next instruction where that is done
/// already, else null.
const Instr *trackWarp(Warp &warp, const Instr *source);
/// Lanes divide integers by zero: a finding if the result matters.
void noteDivisionByZero(Warp &warp, const Instr *instr, uint32_t lanes);

// Blocks (Block.cpp).

/// The warp, all of whose live lanes are active, arrives at a block barrier
/// (instr->imm is the BarrierMode). `threads` is 0 for all threads of the
/// block; `votes` are the lanes whose predicate is true, for reductions. Gives
/// the next instruction, null while the warp waits.
const Instr *arrive(Warp &warp, const Instr *instr, uint32_t barrier,
                    uint32_t threads, uint32_t votes);
/// Makes the block, whose index is set, ready to run.
void startBlock(Block &block);
/// Lets each warp run for at most `slice` instructions. False: none can go on.
bool runWarps(Block &block, uint32_t slice);
/// Reports why no warp of the block can go on, and aborts it.
void reportStuck(Block &block);
/// Counts what is known at the end of a block.
void endBlock(Block &block);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_WARP_H

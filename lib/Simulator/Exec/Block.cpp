//===- Block.cpp ----------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block runs its warps in turn, each for a time slice or until it waits.
// Barriers and clocks are here: an arrival at a barrier releases what the warp
// has done, and the completed barrier hands that to every warp that waited.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Exec/ResidentBlocks.h"
#include "Exec/UndefinedValues.h"
#include "Exec/Warpgroups.h"
#include "Memory/BulkCopies.h"
#include "Memory/MBarriers.h"
#include "Memory/Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tileir::sim;
using llvm::formatv;

/// Rounds over all warps after which waits for mbarriers give up.
constexpr uint64_t kRoundsOfWaits = 64;

/// The lanes that a warp begins with.
static uint32_t getLanes(const Block &block, uint32_t warp) {
  uint32_t lanes = std::min(block.numThreads - warp * kLanes, kLanes);
  return lanes == kLanes ? kAllLanes : (1u << lanes) - 1;
}

void Block::synchronizeLanes(Warp &warp, uint32_t laneMask) {
  if (laneMask == warp.alive || laneMask == kAllLanes) {
    known[warp.index][warp.index] = now++;
    return;
  }
  // Each lane of the mask learns what all of them know of their warp.
  uint32_t met[kLanes] = {};
  for (uint32_t l = 0; l < kLanes; ++l)
    if (laneMask >> l & 1)
      for (uint32_t k = 0; k < kLanes; ++k)
        met[k] = std::max(met[k], warp.getLaneKnown(l)[k]);
  for (uint32_t l = 0; l < kLanes; ++l)
    if (laneMask >> l & 1)
      met[l] = now;
  for (uint32_t l = 0; l < kLanes; ++l)
    if (laneMask >> l & 1)
      std::copy(met, met + kLanes, warp.getLaneKnown(l));
  ++now;
}

void Block::noteRelease(const Warp &warp, uint32_t lanes) {
  uint32_t &whole = wholeReleases[warp.index];
  if (lanes == getLanes(*this, warp.index)) {
    whole = now;
    return;
  }
  const uint32_t since = std::max(known[warp.index][warp.index], whole);
  for (uint32_t l = 0; l < kLanes && warp.laneKnown; ++l)
    for (uint32_t k = 0; k < kLanes && lanes >> l & 1; ++k)
      lanes |= uint32_t(warp.laneKnown[l * kLanes + k] > since) << k;
  std::vector<LaneRelease> &releases = laneReleases[warp.index];
  LaneRelease *last = releases.empty() ? nullptr : &releases.back();
  if (last && last->since == since) {
    lanes |= last->lanes;
    if (lanes == last->lanes) {
      last->last = now;
      return;
    }
  }
  releases.push_back({now, now, since, lanes});
  anyLaneRelease = true;
}

const LaneRelease *Block::findLaneRelease(uint32_t warp, uint32_t clock) const {
  if (warp >= numWarps)
    return nullptr;
  const std::vector<LaneRelease> &releases = laneReleases[warp];
  auto found = llvm::partition_point(releases, [&](const LaneRelease &release) {
    return release.last < clock;
  });
  return found != releases.end() && found->first <= clock ? &*found : nullptr;
}

void tileir::sim::report(const Warp &warp, const Instr *instr, uint32_t lane,
                         FindingKind kind, uint64_t address,
                         std::string message, const Instr *other) {
  const Block &block = *warp.block;
  const Program &program = *block.launch->program;
  Finding finding;
  finding.kind = kind;
  finding.kernel = program.kernel;
  finding.location = program.locations[instr->location];
  if (other)
    finding.other = program.locations[other->location];
  finding.block = {block.index[0], block.index[1], block.index[2]};
  finding.warp = warp.index;
  finding.lane = lane;
  finding.address = address;
  finding.message = std::move(message);
  block.launch->findings->add(indexOf(block, instr), std::move(finding));
}

const Instr *tileir::sim::abortBlock(Warp &warp, const Instr *instr,
                                     uint32_t lane, FindingKind kind,
                                     std::string message) {
  report(warp, instr, lane, kind, 0, std::move(message));
  warp.block->aborted = true;
  warp.block->launch->aborted = true;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// The result of a barrier that reduces predicates.
static uint32_t reduceVotes(const BarrierState &barrier, BarrierMode mode) {
  switch (mode) {
  case BarrierMode::RedAnd:
    return barrier.votes == barrier.threads;
  case BarrierMode::RedOr:
    return barrier.votes != 0;
  default:
    return barrier.votes;
  }
}

/// Makes the barrier one that nobody has reached.
static void clear(const Block &block, BarrierState &barrier) {
  uint32_t *released = barrier.released;
  std::fill_n(released, block.usedRow(), 0);
  barrier = BarrierState();
  barrier.released = released;
}

/// Lets the warp go on that waits at the barrier.
static void release(Block &block, Warp &warp, const BarrierState &barrier) {
  joinClocks(block.getRow(warp.index), barrier.released, block.usedRow());
  for (uint32_t i = 0; i < warp.numGroups; ++i) {
    Group &group = warp.groups[i];
    if (group.state != GroupState::Barrier)
      continue;
    if (group.pc->dst != kNoRegister)
      for (uint32_t lane = 0; lane < kLanes; ++lane)
        if (group.mask >> lane & 1)
          warp.registers[group.pc->dst * kLanes + lane] =
              reduceVotes(barrier, BarrierMode(group.pc->imm));
    group.state = GroupState::Ready;
    ++group.pc;
  }
}

/// Reports threads that a barrier of all threads completes without because they
/// have returned: those that went round it, and, if they are asked for, others.
static void reportSkipped(Block &block, const Instr *barrier) {
  const bool isMarked = barrier->extra != 0;
  const bool areWanted = block.launch->earlyReturns;
  if (!isMarked && !areWanted)
    return;
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    const Warp &warp = block.warps[w];
    const uint32_t all = getLanes(block, w);
    const uint32_t returned = all & ~warp.alive;
    uint32_t skipped =
        isMarked ? returned & warp.passed[barrier->extra - 1] : 0;
    const bool isEarly = !skipped && areWanted;
    if (isEarly)
      skipped = returned;
    if (!skipped)
      continue;
    uint32_t lane = llvm::countr_zero(skipped);
    const Instr *exit = warp.exits[lane];
    report(warp, barrier, lane,
           isEarly ? FindingKind::EarlyReturn : FindingKind::SkippedBarrier, 0,
           formatv("{0} {1} at {2}; expected all threads of the block at it",
                   skipped == all
                       ? std::string("the warp")
                       : formatv("the lanes {0:x8} of the warp", skipped).str(),
                   isEarly ? "returned before this barrier,"
                           : "went round this barrier and returned",
                   block.launch->program->locations[exit->location].str()),
           exit);
    return;
  }
}

/// Completes the barrier if everyone is there, and lets those go that wait.
static bool tryComplete(Block &block, BarrierState &barrier) {
  if (barrier.arrivals == 0)
    return false;
  bool complete = barrier.expected ? barrier.arrivals == barrier.expected
                                   : (block.aliveWarps & ~barrier.arrived) == 0;
  if (!complete)
    return false;
  if (barrier.expected == 0)
    reportSkipped(block, barrier.first);
  // A warp that waits has done nothing since it arrived. The same stamp for all
  // of them lets one comparison find everything of before the barrier.
  for (uint32_t w = 0; w < block.numWarps; ++w)
    if (barrier.waiting >> w & 1)
      barrier.released[block.rank * kMaxClocks + w] = block.now - 1;
  for (uint32_t w = 0; w < block.numWarps; ++w)
    if (barrier.waiting >> w & 1)
      release(block, block.warps[w], barrier);
  clear(block, barrier);
  ++block.worker->blockBarriers;
  return true;
}

const Instr *tileir::sim::arrive(Warp &warp, const Instr *instr,
                                 uint32_t barrierIndex, uint32_t threads,
                                 uint32_t votes) {
  Block &block = *warp.block;
  uint32_t lane = llvm::countr_zero(warp.active);
  if (barrierIndex >= kNumBarriers)
    return abortBlock(warp, instr, lane, FindingKind::MismatchedBarrier,
                      formatv("barrier {0}: expected one of 0 to {1}",
                              barrierIndex, kNumBarriers - 1));
  if (threads % kLanes != 0 || threads > llvm::alignTo(block.numThreads, 32))
    return abortBlock(
        warp, instr, lane, FindingKind::MismatchedBarrier,
        formatv("barrier {0} for {1} threads: expected a multiple "
                "of 32 that is not above the block's {2}",
                barrierIndex, threads, block.numThreads));
  BarrierState &barrier = block.barriers[barrierIndex];
  uint32_t expected = threads / kLanes;
  if (barrier.arrivals == 0) {
    barrier.expected = expected;
    barrier.first = instr;
  } else if (barrier.expected != expected) {
    auto text = [](uint32_t warps) {
      return warps ? formatv("{0} threads", warps * kLanes).str()
                   : std::string("all threads");
    };
    return abortBlock(
        warp, instr, lane, FindingKind::MismatchedBarrier,
        formatv(
            "barrier {0} for {1}: expected {2}, as the warp that arrived "
            "at {3} said",
            barrierIndex, text(expected), text(barrier.expected),
            block.launch->program->locations[barrier.first->location].str()));
  }
  joinClocks(barrier.released, block.getRow(warp.index), block.usedRow());
  barrier.released[block.rank * kMaxClocks + warp.index] = block.now++;
  barrier.arrived |= 1u << warp.index;
  ++barrier.arrivals;
  barrier.threads += llvm::popcount(warp.active);
  barrier.votes += llvm::popcount(votes);
  if (BarrierMode(instr->imm) == BarrierMode::Arrive) {
    tryComplete(block, barrier);
    return instr + 1;
  }
  barrier.waiting |= 1u << warp.index;
  warp.groups[warp.numGroups++] = {instr, warp.active, 0, GroupState::Barrier};
  tryComplete(block, barrier);
  return nextGroup(warp);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

void tileir::sim::reportStuck(Block &block) {
  bool reported = reportStuckMBarriers(block);
  reported |= reportStuckCluster(block);
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    Warp &warp = block.warps[w];
    // The lanes that are missing wait for an mbarrier, which is the cause.
    if (std::any_of(warp.groups, warp.groups + warp.numGroups,
                    [](const Group &group) {
                      return group.state == GroupState::MBarrier;
                    }))
      continue;
    for (uint32_t i = 0; i < warp.numGroups; ++i) {
      const Group &group = warp.groups[i];
      if (group.state != GroupState::Collective)
        continue;
      bool isBarrier = group.pc->opcode == Opcode::Barrier ||
                       group.pc->opcode == Opcode::ClusterArrive ||
                       group.pc->opcode == Opcode::ClusterWait ||
                       group.pc->opcode == Opcode::Mma ||
                       group.pc->opcode == Opcode::Wgmma ||
                       group.pc->opcode == Opcode::SetMaxRegisters ||
                       group.pc->opcode == Opcode::LdMatrix ||
                       group.pc->opcode == Opcode::StMatrix;
      abortBlock(
          warp, group.pc, llvm::countr_zero(group.mask),
          isBarrier ? FindingKind::DivergentBarrier
                    : FindingKind::MismatchedCollective,
          formatv("reached by the lanes {0:x8} only: expected {1:x8}, "
                  "all that {2}",
                  group.mask, group.needs & warp.alive,
                  isBarrier ? "are left of the warp" : "its mask names"));
      reported = true;
    }
  }
  if (reported)
    return;
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    Warp &warp = block.warps[w];
    for (uint32_t i = 0; i < warp.numGroups; ++i)
      if (warp.groups[i].state == GroupState::Registers) {
        abortBlock(warp, warp.groups[i].pc, 0, FindingKind::Deadlock,
                   describeRegisters(warp, warp.groups[i].pc));
        return;
      } else if (warp.groups[i].state == GroupState::Warpgroup) {
        abortBlock(warp, warp.groups[i].pc, 0,
                   FindingKind::MismatchedCollective,
                   formatv("{0} waits for ever: expected all four warps of the "
                           "warpgroup, {1} to {2}, at it",
                           getVerb(*warp.groups[i].pc),
                           w / kWarpsOfGroup * kWarpsOfGroup,
                           w / kWarpsOfGroup * kWarpsOfGroup + 3));
        return;
      }
  }
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    Warp &warp = block.warps[w];
    if (warp.numGroups == 0)
      continue;
    const Instr *instr = warp.groups[0].pc;
    for (const BarrierState &barrier : block.barriers)
      if (barrier.waiting >> w & 1)
        abortBlock(
            warp, instr, llvm::countr_zero(warp.groups[0].mask),
            FindingKind::Deadlock,
            formatv("barrier {0} waits for ever: {1} arrived, expected {2}",
                    &barrier - block.barriers,
                    formatv("{0} warps", barrier.arrivals),
                    barrier.expected
                        ? formatv("{0} warps", barrier.expected).str()
                        : formatv("all {0} that have not ended",
                                  llvm::popcount(block.aliveWarps))
                              .str()));
    return;
  }
}

static void startWarps(Block &block) {
  block.aliveWarps =
      block.numWarps == 32 ? kAllLanes : (1u << block.numWarps) - 1;
  for (BarrierState &barrier : block.barriers)
    clear(block, barrier);
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    Warp &warp = block.warps[w];
    warp.alive = getLanes(block, w);
    std::fill_n(warp.passed, kMaxBarrierSites, 0);
    warp.deferredRaces.clear();
    warp.groupStores.assign(block.launch->program->numStoredGroups, 0);
    warp.numGroups = 1;
    warp.groups[0] = {block.launch->program->code.data(), warp.alive, 0,
                      GroupState::Ready};
    warp.sliceEnded = false;
    warp.slicesApart = 0;
    warp.steps = 0;
    warp.failedWait = nullptr;
    warp.timedOut = 0;
    delete[] warp.laneKnown;
    warp.laneKnown = nullptr;
  }
}

void tileir::sim::startBlock(Block &block) {
  for (std::vector<LaneRelease> &releases : block.laneReleases)
    releases.clear();
  block.anyLaneRelease = false;
  std::fill_n(block.wholeReleases, kMaxWarps, 0);
  block.wave = block.linear / block.launch->blocksOfWave + 1;
  beginBlock(block);
  startWarps(block);
  if (block.launch->instrument && !block.undefined)
    block.undefined = new UndefinedValues(block);
  if (block.undefined)
    block.undefined->reset();
  block.aborted = false;
  block.steps = block.rounds = 0;
  block.worker->warpsRun += block.numWarps;
}

bool tileir::sim::runWarps(Block &block, uint32_t slice) {
  bool progress = false;
  for (uint32_t w = 0; w < block.numWarps && !block.aborted; ++w) {
    Warp &warp = block.warps[w];
    if (!(block.aliveWarps >> w & 1))
      continue;
    warp.fuel = slice;
    warp.steps += slice;
    const Instr *instr = resume(warp);
    if (!instr)
      continue;
    progress = true;
    const Instr *last = instr;
    if (warp.isTracked)
      last = block.undefined->run(warp, instr);
    else
      while (instr) {
        last = instr;
        instr = instr->handler(warp, instr);
      }
    block.steps += slice - warp.fuel;
    warp.steps -= warp.fuel;
    if (block.steps > block.launch->stepLimit && !block.aborted)
      abortBlock(warp, last, warp.alive ? llvm::countr_zero(warp.alive) : 0,
                 FindingKind::StepLimit,
                 formatv("the block has executed {0} warp instructions: "
                         "expected an end before the limit of {1}",
                         block.steps, block.launch->stepLimit));
    if (warp.alive == 0) {
      block.aliveWarps &= ~(1u << w);
      for (BarrierState &barrier : block.barriers)
        tryComplete(block, barrier);
      tryCompleteCluster(*block.cluster);
      if (block.aliveWarps == 0 && block.remote && !block.aborted)
        endRemote(block);
    }
  }
  // The others may wait for what a failed wait does next. Who may go on then
  // is not stuck.
  if (++block.rounds % kRoundsOfWaits == 0)
    progress |= giveUpWaits(block);
  return progress;
}

void tileir::sim::endBlock(Block &block) {
  finishWarpgroups(block);
  if (!block.aborted)
    finishBulk(block);
  block.worker->roundTrips += getRoundTrips(*block.copies);
}

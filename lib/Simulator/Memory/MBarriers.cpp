//===- MBarriers.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Phases of mbarriers, and what may be wrong about their use. Warps are taken
// as a whole, as by atomics (Atomics.cpp): an arrival of one lane releases what
// its warp has done.
//
//===----------------------------------------------------------------------===//

#include "Memory/MBarriers.h"
#include "Exec/Cluster.h"
#include "Memory/BulkCopies.h"
#include "Memory/Memory.h"
#include "Memory/SharedShadow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <utility>

using namespace tileir::sim;
using llvm::formatv;

/// The most arrivals, and the most bytes, that an mbarrier counts (PTX ISA).
constexpr uint32_t kMaxCount = (1 << 20) - 1;
constexpr uint32_t kCountBits = 20;
/// Waits that fail so often, and nothing changes, fail for ever.
constexpr uint32_t kMaxTimeouts = 64;

static std::string getPlace(const Warp &warp, const Instr *instr) {
  return warp.block->launch->program->locations[instr->location].str();
}

/// A clock for bytes that arrive at a new mbarrier. Where there are too many of
/// them, they share clocks.
static uint32_t makeClock(Block &block) {
  if (block.numClocks < kMaxClocks)
    return block.numClocks++;
  const uint32_t own = kMaxClocks - block.numWarps;
  return block.numWarps + block.mbarriers->objects.size() % own;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

MBarrierAccess::MBarrierAccess(Warp &warp, const Instr *instr, uint32_t lane,
                               uint64_t address)
    : warp(warp), owner(warp.block), instr(instr), lane(lane) {
  Block &block = *warp.block;
  address = toOwnWindow(block, address);
  if (isClusterAddress(address)) {
    if (!resolveRemote(warp, instr, lane, address, kMBarrierBytes,
                       kMBarrierBytes))
      return;
    owner = block.cluster->blocks[getRank(address)];
  } else if (!resolveShared(warp, instr, lane, address, kMBarrierBytes)) {
    return;
  }
  offset = address % kSharedWindow;
  auto &objects = owner->mbarriers->objects;
  auto found = objects.find(offset);
  if (found == objects.end()) {
    misuse("where there is no mbarrier; expected mbarrier.init before");
    return;
  }
  barrier = &found->second;
  if (isRemote()
          ? barrier->initStamp > getKnown(warp, *owner)[barrier->initWarp]
          : !block.isOrdered(barrier->initWarp, barrier->initLane,
                             barrier->initStamp, warp, lane))
    report(warp, instr, lane, FindingKind::SharedRace, address,
           formatv("{0} at shared offset {1} is not ordered with the "
                   "mbarrier.init by warp {2}, lane {3} at {4}; expected a "
                   "barrier between them",
                   getVerb(*instr), offset, barrier->initWarp,
                   barrier->initLane, getPlace(warp, barrier->init)),
           barrier->init);
}

void MBarrierAccess::misuse(const std::string &what) const {
  report(warp, instr, lane, FindingKind::MBarrierMisuse, kSharedBase + offset,
         formatv("{0} at shared offset {1} {2}", getVerb(*instr), offset, what),
         barrier ? barrier->init : nullptr);
}

void tileir::sim::initMBarrier(Warp &warp, const Instr *instr, uint32_t lane,
                               uint64_t address, uint32_t count) {
  if (!resolveShared(warp, instr, lane, address, kMBarrierBytes))
    return;
  Block &block = *warp.block;
  const uint32_t offset = address - kSharedBase;
  auto [entry, isNew] = block.mbarriers->objects.try_emplace(offset);
  MBarrier &barrier = entry->second;
  auto misuse = [&](const std::string &what) {
    report(warp, instr, lane, FindingKind::MBarrierMisuse, address,
           formatv("mbarrier.init at shared offset {0} {1}", offset, what),
           barrier.init);
  };
  if (!isNew)
    misuse(formatv("meets the mbarrier of the mbarrier.init by warp {0}, lane "
                   "{1} at {2}; expected one of them, or mbarrier.inval "
                   "between them",
                   barrier.initWarp, barrier.initLane,
                   getPlace(warp, barrier.init)));
  if (count == 0 || count > kMaxCount)
    misuse(formatv("for {0} arrivals; expected 1 to {1}", count, kMaxCount));
  const uint32_t clock = isNew ? makeClock(block) : barrier.clock;
  barrier = MBarrier();
  barrier.expected = barrier.pending = count;
  barrier.clock = clock;
  barrier.init = instr;
  barrier.initWarp = warp.index;
  barrier.initLane = lane;
  barrier.initStamp = block.now;
  barrier.arrived.assign(block.rowSize, 0);
  barrier.completed.assign(block.rowSize, 0);
  ++block.mbarriers->changes;
  if (block.shadow)
    block.shadow->setObject(warp, instr, lane, address, isNew);
}

void tileir::sim::invalidateMBarrier(Warp &warp, const Instr *instr,
                                     uint32_t lane, uint64_t address) {
  MBarrierAccess access(warp, instr, lane, address);
  if (!access.barrier)
    return;
  Block &block = *warp.block;
  block.mbarriers->objects.erase(access.offset);
  ++block.mbarriers->changes;
  if (block.shadow)
    block.shadow->endObject(warp, instr, lane, address);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// Lets those go on that wait for a phase.
static void wake(Block &block) {
  for (uint32_t w = 0; w < block.numWarps; ++w)
    for (uint32_t i = 0; i < block.warps[w].numGroups; ++i) {
      Group &group = block.warps[w].groups[i];
      if (group.state == GroupState::MBarrier)
        group.state = GroupState::Ready;
    }
}

void MBarrierAccess::finishPhase() {
  Block &block = *owner;
  const int64_t before = int64_t(barrier->phase) - 1;
  const uint32_t *arrived = barrier->arrived.data() + block.rank * kMaxClocks;
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    const MBarrier::Observation &seen = barrier->seen[w];
    if (seen.phase != before ||
        seen.stamp <= std::max({arrived[w], arrived[block.timeOffset + w],
                                barrier->arrivals[w]}))
      continue;
    report(warp, instr, lane, FindingKind::PhaseLapped, kSharedBase + offset,
           formatv("{0} completes phase {1} of the mbarrier at shared offset "
                   "{2}, and no arrival is ordered behind the wait of warp {3} "
                   "at {4}, which saw the phase before: in another schedule it "
                   "waits for ever; expected an arrival at what this waits for "
                   "behind it",
                   getVerb(*instr), barrier->phase, offset, w,
                   getPlace(warp, seen.instr)),
           seen.instr);
    break;
  }
  joinClocks(barrier->completed.data(), barrier->arrived.data(),
             block.usedRow());
  ++barrier->phase;
  barrier->pending = barrier->expected;
  std::fill(barrier->arrived.begin(), barrier->arrived.end(), 0);
  wake(block);
}

void MBarrierAccess::tryFinish() {
  ++owner->mbarriers->changes;
  if (barrier->pending == 0 && barrier->bytes == 0 && barrier->expected != 0)
    finishPhase();
}

void MBarrierAccess::checkOrder() {
  const Block &block = *warp.block;
  const uint32_t *known = block.getRow(warp.index);
  const uint32_t own = block.rank * kMaxClocks + warp.index;
  const uint32_t count = block.timeOffset ? block.timeOffset : block.numClocks;
  for (uint32_t c = 0; c < count; ++c) {
    if (c == own || barrier->completed[c] <=
                        std::max(known[c], known[block.timeOffset + c]))
      continue;
    report(warp, instr, lane, FindingKind::PhaseLapped, kSharedBase + offset,
           formatv("{0} for phase {1} of the mbarrier at shared offset {2} is "
                   "not ordered behind the completion of the phase before: in "
                   "another schedule it counts for that one; expected a wait "
                   "between them",
                   getVerb(*instr), barrier->phase, offset),
           barrier->init);
    return;
  }
}

/// Tells the barrier what the warp has done.
void MBarrierAccess::release(bool isVisible) {
  Block &block = *warp.block;
  uint32_t *arrived = barrier->arrived.data();
  uint32_t *own = arrived + block.rank * kMaxClocks + warp.index;
  if (isVisible) {
    joinClocks(arrived, block.getRow(warp.index), block.usedRow());
    *own = block.now;
  } else {
    releaseFenced(warp, arrived);
  }
  if (block.timeOffset)
    own[block.timeOffset] = block.now;
  if (!isRemote())
    barrier->arrivals[warp.index] = block.now;
  ++block.now;
}

uint64_t MBarrierAccess::arrive(uint32_t count, bool isRelease, bool drops,
                                bool noComplete) {
  Block &block = *owner;
  // Only copies hold up the phase before: they have arrived by now, or this
  // would be one arrival too many.
  if (barrier->pending == barrier->ofCopies.size())
    performCopies(block, offset);
  checkOrder();
  const uint64_t state = barrier->phase << kCountBits | barrier->pending;
  if (count > barrier->pending - barrier->ofCopies.size()) {
    misuse(formatv("arrives {0} times in phase {1}, where {2} of {3} arrivals "
                   "and {4} bytes are pending; expected no more arrivals than "
                   "those",
                   count, barrier->phase, barrier->pending, barrier->expected,
                   barrier->bytes));
    count = barrier->pending - barrier->ofCopies.size();
  }
  barrier->pending -= count;
  if (drops)
    barrier->expected -= std::min(count, barrier->expected);
  if (isRemote())
    noteRemoteArrival(warp, instr, lane, *owner, offset);
  release(isRelease);
  if (noComplete && barrier->pending == 0)
    misuse(
        formatv("with .noComplete is the last arrival of phase {0}; expected "
                "an arrival behind it",
                barrier->phase));
  tryFinish();
  return state;
}

void MBarrierAccess::arriveCopies(bool increments) {
  Block &block = *owner;
  if (isRemote())
    return misuse("of another block; expected an mbarrier of its own block");
  if (barrier->pending == barrier->ofCopies.size())
    performCopies(block, offset);
  checkOrder();
  if (increments ? barrier->pending >= kMaxCount
                 : barrier->pending == barrier->ofCopies.size())
    return misuse(formatv("arrives in phase {0}, where {1} of {2} arrivals "
                          "are pending; expected {3}",
                          barrier->phase, barrier->pending, barrier->expected,
                          increments ? "fewer, as it adds one"
                                     : "one for it, as .noinc adds none"));
  barrier->pending += increments;
  ArrivalOfCopies arrival;
  arrival.warp = warp.index;
  arrival.lane = lane;
  arrival.instr = instr;
  arrival.copies = getLastCopy(warp);
  arrival.stamp = block.now;
  const uint32_t *row = block.getRow(warp.index);
  arrival.row.assign(row, row + block.rowSize);
  arrival.row[block.rank * kMaxClocks + warp.index] = block.now++;
  barrier->ofCopies.push_back(std::move(arrival));
  ++block.mbarriers->numOfCopies;
  ++block.mbarriers->changes;
}

bool tileir::sim::performArrivals(Block &block, uint32_t offset) {
  MBarrier &barrier = block.mbarriers->objects.at(offset);
  const uint64_t phase = barrier.phase;
  auto arrivals = std::exchange(barrier.ofCopies, {});
  block.mbarriers->numOfCopies -= arrivals.size();
  for (const ArrivalOfCopies &arrival : arrivals) {
    Warp &warp = block.warps[arrival.warp];
    performCopiesOf(warp, arrival.lane, arrival.copies, barrier.clock);
    MBarrierAccess at(warp, arrival.instr, arrival.lane, kSharedBase + offset);
    if (!at.barrier)
      continue;
    uint32_t *arrived = barrier.arrived.data();
    joinClocks(arrived, arrival.row.data(), block.usedRow());
    arrived[block.rank * kMaxClocks + barrier.clock] = block.now++;
    barrier.arrivals[arrival.warp] =
        std::max(barrier.arrivals[arrival.warp], arrival.stamp);
    --barrier.pending;
    at.tryFinish();
  }
  return barrier.phase != phase;
}

void tileir::sim::noteWaitOfCopies(Warp &warp, uint32_t lanes) {
  Block &block = *warp.block;
  if (!block.mbarriers->numOfCopies)
    return;
  for (auto &[offset, barrier] : block.mbarriers->objects)
    for (ArrivalOfCopies &arrival : barrier.ofCopies)
      if (arrival.warp == warp.index && lanes >> arrival.lane & 1)
        arrival.row[block.rank * kMaxClocks + warp.index] = block.now;
  ++block.now;
}

void MBarrierAccess::expect(int64_t bytes) {
  if (barrier->pending == barrier->ofCopies.size())
    performCopies(*owner, offset);
  if (bytes > kMaxCount || barrier->bytes + bytes > kMaxCount)
    misuse(formatv("expects {0} bytes more, {1} altogether; expected at most "
                   "{2}",
                   bytes, barrier->bytes + bytes, kMaxCount));
  barrier->bytes += bytes;
  ++owner->mbarriers->changes;
}

void MBarrierAccess::complete(int64_t bytes, const uint32_t *earlier) {
  Block &block = *owner;
  uint32_t *arrived = barrier->arrived.data();
  if (earlier)
    joinClocks(arrived + block.timeOffset, earlier, block.timeOffset);
  barrier->bytes -= bytes;
  if (instr->opcode == Opcode::MBarrierComplete && !isRemote())
    barrier->arrivals[warp.index] = block.now;
  arrived[block.rank * kMaxClocks + barrier->clock] = block.now++;
  if (barrier->bytes < -int64_t(kMaxCount) ||
      (barrier->bytes < 0 && barrier->pending == 0)) {
    misuse(formatv("gets {0} bytes in phase {1}, {2} more than it expects; "
                   "expected an expect_tx of as many as are copied",
                   bytes, barrier->phase, -barrier->bytes));
    barrier->bytes = 0;
  }
  tryFinish();
}

bool tileir::sim::waitMBarrier(Warp &warp, const Instr *instr, uint32_t lanes,
                               uint64_t address, uint64_t stateOrParity) {
  const Access &access = warp.block->launch->program->accesses[instr->extra];
  const uint32_t lane = llvm::countr_zero(lanes);
  MBarrierAccess at(warp, instr, lane, address);
  MBarrier *barrier = at.barrier;
  if (!barrier)
    return true; // the finding is enough
  if (at.owner != warp.block) {
    at.misuse("of another block; expected a wait for an mbarrier of its own "
              "block");
    return true;
  }
  if (access.isParity && stateOrParity > 1)
    at.misuse(
        formatv("waits for the parity {0}; expected 0 or 1", stateOrParity));
  const uint64_t phase = stateOrParity >> kCountBits;
  auto isOver = [&] {
    return access.isParity ? (barrier->phase & 1) != (stateOrParity & 1)
                           : barrier->phase != phase;
  };
  if (!isOver() && barrier->pending == barrier->ofCopies.size())
    performCopies(*warp.block, at.offset);
  if (!isOver())
    return false;
  if (!access.isParity && barrier->phase != phase + 1)
    report(
        warp, instr, lane, FindingKind::PhaseLapped, address,
        formatv("{0} at shared offset {1} waits for phase {2}, and phase {3} "
                "is complete; expected a wait for the phase that is not "
                "complete, or the one before",
                getVerb(*instr), at.offset, phase, barrier->phase - 1),
        barrier->init);
  Block &block = *warp.block;
  if (access.acquire) {
    learn(warp, lanes, barrier->completed.data());
  } else if (block.timeOffset) {
    const uint32_t *completed = barrier->completed.data();
    uint32_t *earlier = block.getRow(warp.index) + block.timeOffset;
    joinClocks(earlier, completed, block.timeOffset);
    joinClocks(earlier, completed + block.timeOffset, block.timeOffset);
  }
  barrier->seen[warp.index] = {int64_t(barrier->phase) - 1, block.now++, instr};
  return true;
}

uint32_t tileir::sim::getPendingCount(uint64_t state) {
  return state & kMaxCount;
}

//===----------------------------------------------------------------------===//
// Blocks that cannot go on
//===----------------------------------------------------------------------===//

bool tileir::sim::giveUpWaits(Block &block) {
  bool any = false;
  for (uint32_t w = 0; w < block.numWarps; ++w)
    for (uint32_t i = 0; i < block.warps[w].numGroups; ++i) {
      Group &group = block.warps[w].groups[i];
      if (group.state != GroupState::MBarrier)
        continue;
      group.state = GroupState::Ready;
      block.warps[w].timedOut |= group.mask;
      any = true;
    }
  return any;
}

bool tileir::sim::timeOutWaits(Block &block) {
  const uint64_t changes = block.mbarriers->changes +
                           block.worker->blockBarriers + kMaxWarps -
                           llvm::popcount(block.aliveWarps);
  MBarriers &barriers = *block.mbarriers;
  if (std::exchange(barriers.changesAtTimeout, changes) != changes)
    barriers.timeouts = 0;
  return ++barriers.timeouts <= kMaxTimeouts && giveUpWaits(block);
}

/// Reports what one lane waits for.
static void reportWait(Warp &warp, const Instr *instr, uint32_t lane) {
  const Program &program = *warp.block->launch->program;
  const Access &access = program.accesses[instr->extra];
  auto get64 = [&](uint32_t slot) {
    return reinterpret_cast<const uint64_t *>(warp.registers +
                                              slot * kLanes)[lane];
  };
  const uint64_t address = get64(instr->a) + instr->imm;
  const uint64_t which = access.isParity
                             ? warp.registers[instr->b * kLanes + lane]
                             : get64(instr->b) >> kCountBits;
  auto found = warp.block->mbarriers->objects.find(address % kSharedWindow);
  if (found == warp.block->mbarriers->objects.end())
    return;
  const MBarrier &barrier = found->second;
  const int64_t next = barrier.seen[warp.index].phase < 0
                           ? 0
                           : barrier.seen[warp.index].phase + 1;
  const bool isLapped = access.isParity && int64_t(barrier.phase) > next &&
                        ((next ^ which) & 1) == 0;
  std::string text =
      formatv("{0} for {1} {2} of the mbarrier at shared offset {3} waits for "
              "ever: its "
              "phase {4} has {5} of {6} arrivals and {7} bytes pending",
              getVerb(*instr), access.isParity ? "parity" : "phase", which,
              address - kSharedBase, barrier.phase, barrier.pending,
              barrier.expected, barrier.bytes);
  if (isLapped)
    text += formatv(
        ", and phase {0}, which it should have seen, is over; expected no "
        "arrival at phase {1} before that",
        next, next + 1);
  abortBlock(warp, instr, lane,
             isLapped ? FindingKind::PhaseLapped : FindingKind::Deadlock, text);
}

bool tileir::sim::reportStuckMBarriers(Block &block) {
  bool any = false;
  for (uint32_t w = 0; w < block.numWarps; ++w)
    for (uint32_t i = 0; i < block.warps[w].numGroups; ++i) {
      const Group &group = block.warps[w].groups[i];
      if (group.state != GroupState::MBarrier)
        continue;
      reportWait(block.warps[w], group.pc, llvm::countr_zero(group.mask));
      any = true;
    }
  return any;
}

MBarriers *tileir::sim::createMBarriers() { return new MBarriers; }
void tileir::sim::resetMBarriers(MBarriers &barriers) { barriers = {}; }
void tileir::sim::destroyMBarriers(MBarriers *barriers) { delete barriers; }

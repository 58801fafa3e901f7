//===- MBarriers.h ----------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mbarriers of a block: objects of 8 bytes in shared memory. A phase is
// complete when all its arrivals have come and all bytes that it expects; the
// next one begins at once. An arrival releases what its warp has done; a wait
// that succeeds acquires that, and the bytes.
//
// Bytes arrive at the latest time that is legal: when a wait is held up by
// nothing else (BulkCopies.h). A wait that fails for the second time suspends
// its lanes until the phase is complete, or until no warp of the block can go
// on: then it gives up, as try_wait may at any time, and if that changes
// nothing it is a deadlock.
//
// Parities repeat every second phase. So a phase must not complete before all
// who waited for the one before have seen that one complete, whatever the
// schedule: their observations have to be ordered before an arrival
// (phase-lapped). For the same reason an arrival has to be ordered behind the
// completion of the phase before.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_MBARRIERS_H
#define TILEIR_LIB_SIMULATOR_MEMORY_MBARRIERS_H

#include "Exec/Warp.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tileir::sim {

constexpr uint32_t kMBarrierBytes = 8;

/// cp.async.mbarrier.arrive of a thread, which is to arrive.
struct ArrivalOfCopies {
  uint32_t warp = 0, lane = 0;
  const Instr *instr = nullptr;
  uint64_t copies = 0; ///< cp.async up to this one (getLastCopy)
  uint32_t stamp = 0;
  std::vector<uint32_t> row; ///< what its warp knew
};

struct MBarrier {
  uint32_t expected = 0, pending = 0; ///< arrivals of each phase; still to come
  int64_t bytes = 0;                  ///< that are still to come, tx-count
  uint64_t phase = 0;                 ///< the incomplete one, from 0
  /// The clock of bytes that have arrived here, see Block::known.
  uint32_t clock = 0;
  /// Who made it.
  uint32_t initWarp = 0, initLane = 0, initStamp = 0;
  const Instr *init = nullptr;
  /// What arrivals of this phase released, and what was known when the phase
  /// before was complete: rows of clocks.
  std::vector<uint32_t> arrived, completed;
  /// Among those that are pending: they arrive when all else has.
  std::vector<ArrivalOfCopies> ofCopies;
  /// When each warp arrived last, .relaxed too.
  uint32_t arrivals[kMaxWarps] = {};
  /// The phase that each warp saw complete last, and when.
  struct Observation {
    int64_t phase = -2;
    uint32_t stamp = 0;
    const Instr *instr = nullptr;
  } seen[kMaxWarps];
};

class MBarriers {
public:
  std::map<uint32_t, MBarrier> objects; ///< by offset in shared memory
  /// Goes up whenever one changes.
  uint64_t changes = 0;
  uint32_t numOfCopies = 0; ///< ArrivalOfCopies of all
  /// `changes`, barriers and warps of the block when waits last gave up, and
  /// how often they have since then.
  uint64_t changesAtTimeout = ~uint64_t(0);
  uint32_t timeouts = 0;
};

/// An instruction of one lane on an mbarrier, which it finds. After a finding,
/// `barrier` is null.
struct MBarrierAccess {
  MBarrierAccess(Warp &warp, const Instr *instr, uint32_t lane,
                 uint64_t address);

  /// Reports misuse of it.
  void misuse(const std::string &what) const;
  /// Arrives `count` times; gives the state before.
  uint64_t arrive(uint32_t count, bool isRelease, bool drops, bool noComplete);
  /// cp.async.mbarrier.arrive.
  void arriveCopies(bool increments);
  void expect(int64_t bytes);
  /// Bytes have arrived: as mbarrier.complete_tx. `earlier`: half a row, what
  /// came before their copy in time; null: nothing is known.
  void complete(int64_t bytes, const uint32_t *earlier = nullptr);
  /// An arrival, or bytes, that do not know of the phase before may count for
  /// that one.
  void checkOrder();

  Warp &warp;
  Block *owner; ///< whose shared memory it is in
  const Instr *instr;
  uint32_t lane;
  uint32_t offset = 0;
  MBarrier *barrier = nullptr;

private:
  friend bool performArrivals(Block &block, uint32_t offset);
  void release(bool isVisible);
  void finishPhase();
  void tryFinish();
  bool isRemote() const { return owner != warp.block; }
};

void initMBarrier(Warp &warp, const Instr *instr, uint32_t lane,
                  uint64_t address, uint32_t count);
void invalidateMBarrier(Warp &warp, const Instr *instr, uint32_t lane,
                        uint64_t address);
/// Whether the phase is complete that `lanes` wait for, all at one address:
/// that of the state or of the parity. Performs copies that alone hold it up.
bool waitMBarrier(Warp &warp, const Instr *instr, uint32_t lanes,
                  uint64_t address, uint64_t stateOrParity);
/// Lets cp.async.mbarrier.arrive arrive at the mbarrier at `offset`, with their
/// copies. True: that completed the phase.
bool performArrivals(Block &block, uint32_t offset);
/// The lanes have waited for cp.async: so their arrivals tell of what was
/// copied.
void noteWaitOfCopies(Warp &warp, uint32_t lanes);
/// The arrivals that were pending before the arrival that gave the state.
uint32_t getPendingCount(uint64_t state);

/// Lets all waits of the block give up. False: there are none.
bool giveUpWaits(Block &block);
/// No warp of the block can go on: the same. False: there are none,
/// or nothing has changed since they did the last time.
bool timeOutWaits(Block &block);
/// Reports mbarriers that are waited for in vain. False: there are none.
bool reportStuckMBarriers(Block &block);

MBarriers *createMBarriers();
void resetMBarriers(MBarriers &barriers);
void destroyMBarriers(MBarriers *barriers);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_MBARRIERS_H

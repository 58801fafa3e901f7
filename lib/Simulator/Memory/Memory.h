//===- Memory.h -------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way from the address of one lane to bytes of this process, with every
// check and its finding, which all accesses share. Handlers of loads and stores
// have their own paths for whole warps; whatever is not plain comes here.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_MEMORY_H
#define TILEIR_LIB_SIMULATOR_MEMORY_MEMORY_H

#include "Exec/Warp.h"
#include "tileir/Simulator/Buffer.h"

#include <cstdint>

namespace tileir::sim {

/// What global memory is asked for in.
constexpr uint32_t kSectorShift = 5, kSectorBytes = 1u << kSectorShift;

/// Returns the space that an address leads to.
inline Space getSpace(uint64_t address) {
  if (address >= kGlobalBase)
    return Space::Global;
  if (address >= kSharedBase && address < kSharedEnd)
    return Space::Shared;
  if (address >= kClusterBase && address < kClusterEnd)
    return Space::Cluster;
  if (address >= kLocalBase && address < kLocalEnd)
    return Space::Local;
  return Space::Generic; // nowhere
}

/// The name of an access in messages: "load", "cp.async".
const char *getVerb(const Instr &instr);

/// The buffer that holds `address`, or null.
Buffer *findBuffer(const Warp &warp, uint64_t address);

/// Checks an access of `bytes` bytes by one lane: that it lies in a buffer
/// (shared memory, or a local variable), is aligned to `bytes` (to `alignment`
/// where not 0), and is not a store to read-only memory. Null after a finding:
/// a load then gives 0, a store does nothing. Counts nothing, and does not
/// touch the shadows.
uint8_t *resolve(Warp &warp, const Instr *instr, const Access &access,
                 uint32_t lane, uint64_t address, uint32_t bytes, bool isStore,
                 uint32_t alignment = 0);

/// The same for an access of all active lanes, reporting only the first lane of
/// each kind of finding. Gives the good lanes, and where theirs are in `hosts`.
uint32_t resolveLanes(Warp &warp, const Instr *instr, const Access &access,
                      const uint64_t *addresses, bool isStore, uint64_t *hosts);

/// Tells the shadow of shared memory of an access by one lane at `offset` bytes
/// from kSharedBase, and reports races, reads of bytes that were never written,
/// and of bytes that cp.async is still to write. `instr` is where it is
/// reported; `atomic` accesses (volatile ones too) do not race with each other.
/// Nothing if the launch is not instrumented.
void noteShared(Warp &warp, const Instr *instr, uint32_t lane, uint32_t offset,
                uint32_t bytes, bool isStore, bool atomic);
/// noteShared for the lanes of one access, at `addresses` in the window of
/// shared memory; much cheaper than lane by lane. `words`: what a store will
/// write, see WarpAccess; null: not known.
void noteShared(Warp &warp, const Instr *instr, uint32_t lanes,
                const uint64_t *addresses, uint32_t bytes, bool isStore,
                bool atomic, const uint32_t *words = nullptr);
/// The bytes are now to be written by cp.async: reads before its wait are
/// findings (and see NaN patterns). noteShared of a store by the same lanes,
/// with the cp.async as `instr`, ends that.
void notePending(Warp &warp, const Instr *instr, uint32_t lanes,
                 const uint64_t *addresses, uint32_t bytes);

/// One load or store by the lanes of a warp, all of them checked.
struct WarpAccess {
  Space space = Space::Global; ///< where all of them lead: not Generic
  uint32_t lanes = 0;
  const uint64_t *addresses = nullptr; ///< of all 32 lanes
  bool isStore = false;
  /// All `lanes` access the same bytes. All 32 lanes access bytes side by side
  /// in order; at addresses that go up or down by another stride.
  enum Pattern : uint8_t { Any, Same, Consecutive, Strided } pattern = Any;
  Buffer *buffer = nullptr; ///< that holds all of it, if that is known
  /// What a store is to write: word k of a lane is words[k * kLanes + lane].
  const uint32_t *words = nullptr;
};

/// The same for global memory: races of plain stores between blocks, and
/// between threads of a block that nothing orders; reads of what another block
/// wrote in this launch (unless Block::fenced). Counts the sectors that are new
/// to a wave of blocks.
void noteGlobal(Warp &warp, const Instr *instr, uint32_t lane, Buffer &buffer,
                uint64_t address, uint32_t bytes, bool isStore, bool atomic);
/// The same for the lanes of one access, all to one buffer. `words`: what a
/// store will write, see WarpAccess; null: not known.
void noteGlobal(Warp &warp, const Instr *instr, uint32_t lanes, Buffer &buffer,
                const uint64_t *addresses, uint32_t bytes, bool isStore,
                bool atomic, const uint32_t *words = nullptr);

/// The shadow's part of noteGlobal, for an access whose sectors are counted.
void watchGlobal(Warp &warp, const Instr *instr, Buffer &buffer,
                 const WarpAccess &access, uint32_t bytes, bool atomic);
/// Whether loads of a buffer have to be told to watchGlobal.
inline bool isWatched(const Buffer &buffer) {
  return __atomic_load_n(&buffer.writers, __ATOMIC_ACQUIRE) ||
         buffer.isTracked || buffer.isStored;
}
/// Counts the sectors that are new to a wave of blocks: those from the buffer's
/// `first` to its `last` one; those of 32 addresses from `low` on.
void noteSectors(Warp &warp, Buffer &buffer, uint64_t first, uint64_t last);
void noteSpreadSectors(Warp &warp, Buffer &buffer, uint64_t low,
                       uint64_t stride);

/// Reports reads by `lanes` of bytes of a tracked buffer that neither the host
/// nor a kernel has written (UnwrittenGlobal.cpp): those of loads when their
/// values matter (Exec/UndefinedValues.h).
void checkWritten(Warp &warp, const Instr *instr, uint32_t lanes,
                  const Buffer &buffer, const uint64_t *addresses,
                  uint32_t bytes);

/// `offset`: of the read in the buffer of this name.
std::string describeUnwritten(const Instr &instr, llvm::StringRef buffer,
                              uint64_t offset, uint32_t bytes);

/// Counts one access by the active lanes whose `addresses` are global.
void countGlobal(Warp &warp, const Instr *instr, const uint64_t *addresses,
                 uint32_t bytes);
/// Passes over the 32 banks, those without any conflict, and sectors of 32
/// bytes, that the addresses of `lanes` need.
uint32_t countWavefronts(const uint64_t *addresses, uint32_t lanes,
                         uint32_t bytes);
uint32_t countIdealWavefronts(uint32_t lanes, uint32_t bytes);
uint32_t countSectors(const uint64_t *addresses, uint32_t lanes,
                      uint32_t bytes);

/// Whether two lanes of one store, not done yet, write the same byte: byte
/// `byte` of `lane`, and the byte at the same address of `other`.
inline bool isSameByte(const uint32_t *words, const uint64_t *addresses,
                       uint32_t lane, uint32_t other, uint32_t byte) {
  auto get = [&](uint32_t of, uint64_t i) {
    return uint8_t(words[i / 4 * kLanes + of] >> (8 * (i % 4)));
  };
  return get(lane, byte) ==
         get(other, addresses[lane] + byte - addresses[other]);
}
/// Whether `lane` writes to byte `byte` what is at `memory`.
inline bool isSameByte(const uint32_t *words, uint32_t lane, uint32_t byte,
                       const uint8_t *memory) {
  return uint8_t(words[byte / 4 * kLanes + lane] >> (8 * (byte % 4))) ==
         __atomic_load_n(memory, __ATOMIC_RELAXED);
}
/// All that an instrumented launch records of it: counters, shadows, and the
/// order that atomic accesses make.
void observe(Warp &warp, const Instr *instr, const Access &access,
             const WarpAccess &done);

/// A release or fence by lanes of the warp, not of scope Block: what they know
/// of is published to the other blocks of the launch. Comes before the store
/// that other blocks may see.
void publish(const Warp &warp, uint32_t lanes);

/// Clears the shared memory of a block to NaN patterns, its shadow, copies and
/// clocks: before a block runs.
void beginBlock(Block &block);
/// Makes what a worker's blocks need: shared memory, shadows.
void allocateBlockMemory(Block &block);
void freeBlockMemory(Block &block);
/// Drops the writers that the launch left in the buffers, once tracked buffers
/// know what was written.
void endLaunch(const Launch &launch, DeviceMemory &memory);

// Atomics (Atomics.cpp): order of threads through memory. All hooks do nothing
// if block.syncs is null.

/// The lanes learn what clocks say, which are like a row of Block::known.
void learn(Warp &warp, uint32_t lanes, const uint32_t *clocks);
/// An atomic or volatile load of `lanes`, before it is noted in a shadow: takes
/// over what was released at these addresses (with acquire order now, otherwise
/// at the next fence).
void noteAtomicLoad(Warp &warp, const Access &access, uint32_t lanes,
                    const uint64_t *addresses);
/// An atomic or volatile store of `lanes`, after it is noted in a shadow:
/// releases at these addresses what the warp knows (with release order), or
/// what it knew at its last fence. `isRmw`: it goes on with what was released
/// there before; a plain store ends that.
void noteAtomicStore(Warp &warp, const Access &access, uint32_t lanes,
                     const uint64_t *addresses, bool isRmw = false);
/// A fence by the active lanes: what the warp did before it is released by its
/// next atomic stores, and what was released to its atomic loads comes before
/// what it does next.
void fence(Warp &warp, Scope scope);

/// The object that block.syncs points at; `reset` forgets all before a block
/// runs.
SyncVariables *createSyncVariables(uint32_t numBlocks);
void resetSyncVariables(SyncVariables &syncs);
void destroySyncVariables(SyncVariables *syncs);

/// Tells shadows, clocks and counters of an atomic instruction that `lanes`
/// have executed at `addresses`, `stored` of them with a store.
void noteAtomics(Warp &warp, const Instr *instr, const Access &access,
                 uint32_t lanes, uint32_t stored, const uint64_t *addresses);

// cp.async and matrices (AsyncCopies.cpp).

/// Checks that the `bytes` bytes at `address` are shared memory and aligned to
/// `bytes`: what cp.async, ldmatrix and stmatrix ask for. Null after a finding.
uint8_t *resolveShared(Warp &warp, const Instr *instr, uint32_t lane,
                       uint64_t address, uint32_t bytes);
/// Like collect() with all 32 lanes, which have to be alive.
bool collectWarp(Warp &warp, const Instr *instr, const Instr *&next);
/// The rows of 16 bytes that the first `count` lanes name for ldmatrix or
/// stmatrix; counted and noted. Null after a finding. `words`: what a store
/// will write, see WarpAccess, each row as that of a lane; null for a load.
void resolveRows(Warp &warp, const Instr *instr, const uint64_t *addresses,
                 uint32_t count, const uint32_t *words, uint8_t **rows);
/// cp.async of the active lanes: from `sources` to `destinations`, in shared
/// memory, `sourceBytes` (null: all) bytes and then zeros. The destination
/// shows NaN patterns until waitCopies performs the copy.
void issueCopies(Warp &warp, const Instr *instr, const uint64_t *destinations,
                 const uint64_t *sources, const uint32_t *sourceBytes);
/// Closes the open group of the active lanes.
void commitCopies(Warp &warp);
/// Performs what `groups` (-1: none, open ones too) groups of cp.async may not
/// leave open, for the active lanes.
void waitCopies(Warp &warp, int64_t groups);

/// How many cp.async the warp's block has issued.
uint64_t getLastCopy(const Warp &warp);
/// Performs the lane's cp.async up to the number `last`, as those of an
/// mbarrier whose clock is given.
void performCopiesOf(Warp &warp, uint32_t lane, uint64_t last, uint32_t clock);

/// The object that block.copies points at. cp.async needs it, whether or not
/// the launch is instrumented.
AsyncCopies *createAsyncCopies();
void resetAsyncCopies(AsyncCopies &copies);
/// How often a warp has waited for copies that began when others had arrived:
/// of the warp that did most.
uint32_t getRoundTrips(const AsyncCopies &copies);
void destroyAsyncCopies(AsyncCopies *copies);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_MEMORY_H

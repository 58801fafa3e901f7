//===- SharedShadow.h -------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who accessed the shared memory of a block, for races, reads of what was never
// written and missing waits of cp.async.
//
// Memory is watched in granules, the size of the kernel's smallest access. Of
// each granule the last plain store is kept, and since then, for each warp, the
// stamp of its last load and the lanes that made it; the same for atomic
// accesses, which do not race with each other. That suffices to find the first
// race of each granule: whoever is ordered behind the last plain store is
// ordered behind all that the store was ordered behind.
//
// Stamps (Block::now) go on from block to block: what an earlier block did is
// ordered before everything, so nothing has to be cleared between blocks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_SHAREDSHADOW_H
#define TILEIR_LIB_SIMULATOR_MEMORY_SHAREDSHADOW_H

#include "Exec/Warp.h"
#include "tileir/Simulator/Buffer.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace tileir::sim {

/// Arrays that begin as zeros, in memory that is not touched before its use.
struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};
using StampArray = std::unique_ptr<int32_t[], FreeMemory>;

class SharedShadow {
public:
  SharedShadow(uint32_t bytes, uint32_t granule, uint32_t numWarps);

  /// Forgets cp.async that the block before has not waited for.
  void dropPending();
  /// Bytes that are written before the block's threads begin, at a stamp that
  /// all know.
  void initialize(uint32_t offset, uint32_t bytes, int32_t stamp);
  /// Reports what an access by a warp of another block than `owner`, whose
  /// memory this is, is not ordered with. True: it did.
  bool checkAccess(Warp &warp, const Instr *instr, uint32_t lane,
                   const Block &owner, uint32_t offset, uint32_t bytes,
                   bool isStore, bool atomic);
  /// The bytes hold what a load of undefined bytes has read
  /// (UndefinedValues.h), until the next store to them.
  void setUndefined(uint32_t offset, uint32_t bytes, uint32_t mark);
  /// Another block has written bytes.
  void markWritten(const Block &owner, uint32_t offset, uint32_t bytes);
  /// A load or store by `lanes`; addresses are in the shared window.
  /// `sideBySide`: those of all 32 lanes, in order. `words`: what a store will
  /// write, see WarpAccess; null: not known.
  void access(Warp &warp, const Instr *instr, uint32_t lanes,
              const uint64_t *addresses, uint32_t bytes, bool isStore,
              bool atomic, bool sideBySide = false,
              const uint32_t *words = nullptr);
  /// cp.async by `lanes` begins to write, and has written.
  void pend(Warp &warp, const Instr *instr, uint32_t lanes,
            const uint64_t *addresses, uint32_t bytes);
  void complete(Warp &warp, const Instr *instr, uint32_t lanes,
                const uint64_t *addresses, uint32_t bytes);
  /// wgmma of four warps begins to read chunks of 16 bytes, as number `number`
  /// of its warpgroup (Warpgroups.h).
  void readAsync(Warp *first, const Instr *instr, uint32_t warpgroup,
                 int32_t number, const uint32_t *offsets, uint32_t count);

  /// An mbarrier is made at an address (none was there before, if `isNew`), and
  /// goes. Between these, other accesses to its bytes are findings.
  void setObject(Warp &warp, const Instr *instr, uint32_t lane,
                 uint64_t address, bool isNew);
  void endObject(Warp &warp, const Instr *instr, uint32_t lane,
                 uint64_t address);

  // Ranges that bulk copies access (Memory/BulkCopies.h).

  /// A copy, maybe of another block, begins to write to `owner`, and has
  /// written, which those see whose clock of the mbarrier (Block::known) has
  /// come to now.
  void beginWrite(Warp &warp, const Instr *instr, uint32_t lane,
                  const Block &owner, uint32_t offset, uint32_t bytes,
                  bool reduces = false);
  void endWrite(const Block &block, const Instr *instr, uint32_t offset,
                uint32_t bytes, uint32_t clock, bool reduces = false);
  /// A copy is to read, and has read, as loads of the lane.
  void beginRead(Warp &warp, const Instr *instr, uint32_t lane, uint32_t offset,
                 uint32_t bytes);
  void endRead(Warp &warp, const Instr *instr, uint32_t lane, uint32_t offset,
               uint32_t bytes);
  /// The same, of a copy whose end only those know who wait in another block:
  /// it leaves nothing behind.
  void dropRead(uint32_t offset, uint32_t bytes);
  /// Reports a store of the generic proxy in the range that no fence is behind.
  void checkFenced(Warp &warp, const Instr *instr, uint32_t lane,
                   uint32_t offset, uint32_t bytes);

private:
  /// Accesses of one kind since the last plain store to each granule.
  struct Table {
    StampArray last;  ///< of each granule: the stamp of the last access
    StampArray warps; ///< the warps that made one, as a mask
    /// For each warp and granule: its last access, the lanes that made one
    /// which is not ordered with the rest of the warp, and the instruction.
    StampArray stamps, lanes, instrs;
    /// For each warp: the stamps of [granule][lane], from when on parts of the
    /// warp synchronise on their own.
    StampArray laneStamps[kMaxWarps];

    explicit operator bool() const { return last != nullptr; }
  };
  /// One access: the part that its lanes have in common.
  struct Event {
    Event(Warp &warp, const Instr *instr, uint32_t bytes, bool isStore,
          bool atomic, const Block &owner);
    /// Whether what the lane of warp `from` of `block` did comes before.
    bool isOrdered(uint32_t from, uint32_t fromLane, uint32_t stampThen,
                   uint32_t lane) const {
      return isRemote ? stampThen <= known[from]
                      : block.isOrdered(from, fromLane, stampThen, warp, lane);
    }
    /// Reports the first finding of each kind; `message()` says what it is.
    template <typename Message>
    void report(FindingKind kind, uint32_t lane, uint64_t offset,
                Message message, const Instr *other = nullptr);

    Warp &warp;
    const Block &block; ///< whose memory it is
    const Instr *instr;
    uint32_t bytes;
    bool isRemote;         ///< the warp is of another block
    const uint32_t *known; ///< what it knows of the clocks of `block`
    bool isStore, atomic;
    /// Volatile, without being an atomic access of the source, nor one that
    /// waits for a value: see UnorderedVolatile.
    bool isVolatile;
    const uint64_t *addresses = nullptr; ///< and `words` of a store
    const uint32_t *words = nullptr;
    int32_t start; ///< stamps of this block are larger
    int32_t now;
    int32_t stamp, flags = 0; ///< of a plain store
    int32_t index;            ///< of the instruction
    int32_t own;              ///< what the whole warp did up to here is ordered
    int32_t floor;            ///< what all warps did
    uint32_t reported = 0;    ///< kinds of findings
    /// The last wgmma of each warpgroup that is ordered before a store.
    int32_t retired[kMaxWarps / 4];
  };
  /// An access that an event is not ordered with.
  struct Other {
    const char *what = nullptr; ///< "load", "store"; null: none
    uint32_t warp = 0, lanes = 0, instr = 0;
  };

  /// A flag of a writer, which is warp * kLanes + lane: cp.async is still to
  /// write.
  static constexpr int32_t kPending = 1 << 16;
  /// The same: the bytes are an mbarrier.
  static constexpr int32_t kObject = 1 << 17;
  /// The same: bulk copies are still to read.
  static constexpr int32_t kReading = 1 << 18;
  /// The same: they are red.async, which do not race with atomic accesses.
  static constexpr int32_t kReducing = 1 << 19;
  /// All but these; and where the rank plus 1 of a copy of another block is,
  /// while it is still to write.
  static constexpr int32_t kWriter = kPending - 1;
  static constexpr int32_t kRankShift = 20;
  /// The stamp of granules with such flags: later than all others.
  static constexpr int32_t kPendingStamp = 0x7fffffff;

  void allocate(Table &table) const;
  Table &getTable(bool isStore, bool atomic);
  template <unsigned N>
  void load(Event &event, uint32_t lanes, const uint64_t *addresses);
  template <unsigned N>
  void store(Event &event, uint32_t lanes, const uint64_t *addresses);
  template <unsigned N>
  void record(const Event &event, Table &table, uint32_t lanes, uint32_t begin);
  template <typename P>
  void recordPart(const Event &event, Table &table, uint32_t granule,
                  typename P::V lanes);
  void setRetired(Event &event) const;
  bool reportRead(Event &event, uint32_t lane, uint64_t offset,
                  uint32_t granule) const;
  template <unsigned N>
  void complete(Event &event, uint32_t lanes, const uint64_t *addresses);
  template <unsigned N>
  void setWriter(const Event &event, uint32_t lane, uint32_t begin);
  template <typename P>
  void setWriterPart(const Event &event, uint32_t granule, typename P::V lanes);
  void forget(uint32_t granule, uint32_t count);
  void clearMarks(uint32_t offset, uint32_t bytes) {
    if (marks)
      setUndefined(offset, bytes, 0);
  }
  void noteMarks(Warp &warp, const Instr *instr, uint32_t lanes,
                 const uint64_t *addresses, uint32_t bytes, bool isStore);
  /// Plain accesses of all lanes in order. False, and nothing done, if one of
  /// them may be a finding.
  template <unsigned N>
  bool accessSideBySide(const Event &event, uint32_t begin);
  template <typename Run> void dispatch(uint32_t bytes, Run run);

  uint32_t getGranule(uint64_t address) const {
    return uint32_t(address - kSharedBase) >> shift;
  }
  // Single granules (SharedShadowCheck.cpp).
  /// When a granule was written.
  int32_t getWriteStamp(uint32_t granule) const {
    return writers[granule] & kReading ? stampsBefore[granule]
                                       : writeStamps[granule];
  }
  void check(Event &event, uint32_t lane, uint64_t offset, uint32_t granule);
  Other findWriter(const Event &event, uint32_t lane, uint32_t granule) const;
  bool isSameValue(const Event &event, uint32_t lane, uint32_t granule) const;
  Other findOther(const Event &event, const Table &table, const char *what,
                  uint32_t lane, uint32_t granule) const;

  uint32_t numGranules, pitch, shift, numWarps;
  bool anyPending = false;
  /// The last plain store: its stamp, warp and lane and flags, instruction.
  StampArray writeStamps, writers, writeInstrs;
  /// The cp.async that are still to write; null until there is one.
  StampArray copies;
  /// The last wgmma of each warpgroup that reads a granule; null until there is
  /// one.
  StampArray wgmmas[kMaxWarps / 4];
  bool anyWgmma = false;
  /// The bulk copies that are still to read, the last of them, and the stamp of
  /// the granule before; null until there is one.
  StampArray reads, readInstrs, stampsBefore;
  /// The marks of undefined values; null until there is one.
  StampArray marks;
  Table plainLoads, atomicLoads, atomicStores;
  /// Those of atomicLoads and atomicStores whose Event::isVolatile is set.
  Table volatileLoads, volatileStores;
};

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_SHAREDSHADOW_H

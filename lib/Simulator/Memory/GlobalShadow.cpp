//===- GlobalShadow.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last writer of each granule of a buffer in the present launch, in one
// word, so that host threads need no lock, and the last wave of blocks that
// accessed each sector. Nothing orders blocks of a launch
// but fences and atomics: what a warp has published by a release or fence is
// taken to be known to every block that has run one that acquires, whichever
// address they met at.
//
//===----------------------------------------------------------------------===//

#include "Memory/GlobalReads.h"
#include "Memory/Memory.h"
#include "tileir/Simulator/Buffer.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

using namespace tileir::sim;
using llvm::formatv;

namespace {
/// A word: from the top the access, as far as there is room, and block + 1,
/// both in 32 bits; stamp in 21, atomic in 1, warp and lane in 5 each. Stamps
/// count from the start of the block.
struct Writer {
  static constexpr uint32_t kMaxStamp = (1u << 21) - 1;

  static uint64_t make(const Warp &warp, const Instr *instr, bool atomic) {
    const Block &block = *warp.block;
    const uint32_t blockBits = block.launch->blockBits;
    uint64_t access = uint64_t(instr->extra) + 1;
    if (access >> (32 - blockBits))
      access = 0; // not known
    uint64_t stamp = std::min(block.now - block.start, kMaxStamp);
    return (access << blockBits | (block.linear + 1)) << 32 | stamp << 11 |
           uint64_t(atomic) << 10 | warp.index << 5;
  }

  uint64_t word;
  const Launch &launch;

  uint64_t block() const {
    return (word >> 32 & ((uint64_t(1) << launch.blockBits) - 1)) - 1;
  }
  bool isOf(const Block &of) const {
    return uint32_t(block()) == uint32_t(of.linear);
  }
  /// Null if it is not known.
  const Instr *instr() const {
    const uint64_t access = word >> 32 >> launch.blockBits;
    if (access == 0)
      return nullptr;
    const Program &program = *launch.program;
    return &program.code[program.accesses[access - 1].instr];
  }
  uint32_t stamp() const { return word >> 11 & kMaxStamp; }
  bool isAtomic() const { return word >> 10 & 1; }
  uint32_t warp() const { return word >> 5 & 31; }
  uint32_t lane() const { return word & 31; }

  /// The block as x,y,z.
  std::string describeBlock() const {
    uint64_t linear = block();
    return formatv("({0},{1},{2})", linear % launch.grid[0],
                   linear / launch.grid[0] % launch.grid[1],
                   linear / launch.grid[0] / launch.grid[1]);
  }
};
} // namespace

/// The granules of an address range in its buffer.
static uint64_t getGranule(const Buffer &buffer, uint64_t address,
                           uint32_t shift) {
  return (address >> shift) - (buffer.begin >> shift);
}

/// The words of a buffer's granules, made by the first host thread that asks.
/// Null if the host has no room for them: then races are not found, or sectors
/// not counted.
template <typename Word>
static Word *makeWords(Word *&words, const Buffer &buffer, uint32_t shift) {
  uint64_t size = getGranule(buffer, buffer.end() - 1, shift) + 1;
  auto *made = static_cast<Word *>(std::calloc(size, sizeof(Word)));
  Word *there = nullptr;
  if (!made)
    return nullptr;
  if (__atomic_compare_exchange_n(&words, &there, made, /*weak=*/false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return made;
  std::free(made);
  return there;
}

static uint32_t *getWaves(Buffer &buffer) {
  uint32_t *waves = __atomic_load_n(&buffer.waves, __ATOMIC_ACQUIRE);
  return waves ? waves : makeWords(buffer.waves, buffer, kSectorShift);
}

static inline void noteSector(Warp &warp, uint32_t *place) {
  const uint32_t wave = warp.block->wave;
  if (__atomic_load_n(place, __ATOMIC_RELAXED) == wave)
    return;
  const uint32_t old = __atomic_exchange_n(place, wave, __ATOMIC_RELAXED);
  warp.worker->sectorsOfWaves += old != wave;
  warp.worker->sectorsOfLaunch += old == 0;
}

void tileir::sim::noteSectors(Warp &warp, Buffer &buffer, uint64_t first,
                              uint64_t last) {
  if (uint32_t *waves = getWaves(buffer))
    for (uint64_t sector = first; sector <= last; ++sector)
      noteSector(warp, waves + sector);
}

void tileir::sim::noteSpreadSectors(Warp &warp, Buffer &buffer, uint64_t low,
                                    uint64_t stride) {
  uint32_t *waves = getWaves(buffer);
  if (!waves)
    return;
  for (uint32_t i = 0; i < kLanes; ++i, low += stride)
    noteSector(warp, waves + getGranule(buffer, low, kSectorShift));
}

/// The same for those of any addresses.
static void noteSectors(Warp &warp, uint32_t lanes, Buffer &buffer,
                        const uint64_t *addresses) {
  uint32_t *waves = getWaves(buffer);
  if (!waves)
    return;
  uint64_t last = ~uint64_t(0);
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint64_t sector =
        getGranule(buffer, addresses[llvm::countr_zero(left)], kSectorShift);
    if (sector == last)
      continue;
    last = sector;
    noteSector(warp, waves + sector);
  }
}

/// Whether what `writer`, of another block, stored comes before what the block
/// does now.
static bool isPublished(const Block &block, Writer writer) {
  const Launch &launch = *block.launch;
  if (!block.fenced || !launch.released)
    return block.fenced;
  const uint64_t index = writer.block() * block.numWarps + writer.warp();
  const uint32_t known = launch.released[index];
  if (writer.stamp() == Writer::kMaxStamp)
    return true;
  if (writer.stamp() > known)
    return false;
  const uint64_t lanes = launch.releasedLanes[index];
  return writer.stamp() <= lanes >> 32 || !uint32_t(lanes) ||
         (lanes >> writer.lane() & 1);
}

/// Whether an access must not meet what `writer` stored.
static bool isRace(const Warp &warp, uint32_t lane, bool isStore, bool atomic,
                   Writer writer) {
  const Block &block = *warp.block;
  if (atomic && writer.isAtomic())
    return false;
  // Algorithms that bear old values are written so: see checkAtomics.
  if (!writer.isOf(block))
    return !(writer.isAtomic() && !isStore) && !isPublished(block, writer);
  return writer.stamp() < Writer::kMaxStamp &&
         !block.isOrdered(writer.warp(), writer.lane(),
                          block.start + writer.stamp(), warp, lane);
}

void tileir::sim::publish(const Warp &warp, uint32_t lanes) {
  Block &block = *warp.block;
  Launch &launch = *block.launch;
  if (!launch.released)
    return;
  block.noteRelease(warp, lanes);
  const uint64_t first = block.linear * block.numWarps;
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    const uint32_t clock =
        w == warp.index ? block.now : block.known[warp.index][w];
    const uint32_t stamp = clock - block.start;
    // Only this host thread writes the stamps of this block.
    if (clock <= block.start || stamp <= launch.released[first + w])
      continue;
    const LaneRelease *release = block.findLaneRelease(w, clock);
    uint64_t part = 0;
    if (release)
      part = uint64_t(std::max(release->since, block.start) - block.start)
                 << 32 |
             release->lanes;
    launch.releasedLanes[first + w] = part;
    launch.released[first + w] = stamp;
  }
}

/// Whether a store to the granule at `begin` will write the bytes that
/// `writer`, a plain store, has written or will write there.
LLVM_ATTRIBUTE_NOINLINE static bool
isSameValue(const Warp &warp, const Instr *instr, uint32_t lane,
            const uint64_t *addresses, const uint32_t *words, uint32_t bytes,
            uint64_t begin, uint32_t granule, Writer writer) {
  if (!words || writer.isAtomic() || !writer.instr())
    return false;
  const uint64_t end = std::min(begin + granule, addresses[lane] + bytes);
  const uint32_t first = std::max(begin, addresses[lane]) - addresses[lane];
  const uint32_t last = end - addresses[lane];
  // The writer is a lane of this very store, which has not reached memory yet.
  const uint32_t writerLane = writer.lane();
  bool isNow = writer.instr() == instr && writer.isOf(*warp.block) &&
               writer.warp() == warp.index && writerLane < lane &&
               warp.active >> writerLane & 1 &&
               addresses[lane] + first - addresses[writerLane] < bytes;
  auto isSame = [&] {
    for (uint32_t i = first; i < last; ++i)
      if (isNow ? !isSameByte(words, addresses, lane, writerLane, i)
                : !isSameByte(
                      words, lane, i,
                      reinterpret_cast<const uint8_t *>(addresses[lane] + i)))
        return false;
    return true;
  };
  if (isSame())
    return true;
  // A block that another host thread runs may have told of its store, but not
  // have done it yet. Where some have not, the kernel is wrong anyway.
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPatience(10);
  constexpr uint32_t kMaxWaits = 4;
  Launch &launch = *warp.block->launch;
  if (isNow || writer.isOf(*warp.block) || launch.numWorkers == 1 ||
      launch.waits >= kMaxWaits)
    return false;
  for (auto start = Clock::now(); Clock::now() - start < kPatience;) {
    std::this_thread::yield();
    if (isSame())
      return true;
  }
  ++launch.waits;
  return false;
}

LLVM_ATTRIBUTE_NOINLINE static void
reportRace(const Warp &warp, const Instr *instr, uint32_t lane,
           FindingKind kind, const Buffer &buffer, uint64_t address,
           uint32_t bytes, Writer writer) {
  bool isSameBlock = writer.isOf(*warp.block);
  const Launch &launch = *warp.block->launch;
  report(warp, instr, lane, kind, address,
         formatv("{0} of {1} bytes at byte {2} of buffer '{3}' is not ordered "
                 "with the {4} by {5}, warp {6}, lane {7} at {9}; expected {8}",
                 getVerb(*instr), bytes, address - buffer.begin, buffer.name,
                 writer.isAtomic() ? "atomic store" : "store",
                 isSameBlock ? std::string("the same block")
                             : "block " + writer.describeBlock(),
                 writer.warp(), writer.lane(),
                 isSameBlock ? "a barrier between them"
                 : kind == FindingKind::AtomicRead
                     ? "a release by that block and an acquire between them"
                     : "blocks to access different bytes",
                 (writer.instr()
                      ? launch.program->locations[writer.instr()->location]
                      : SourceLocation())
                     .str()),
         writer.instr());
}

/// The group of a load or store whose values are only stored; 0: none.
static uint32_t getStoredGroup(const Warp &warp, const Instr *instr) {
  return instr->opcode == Opcode::Load || instr->opcode == Opcode::Store
             ? warp.block->launch->program->accesses[instr->extra].storedGroup
             : 0;
}

/// Whether a race of a load is one only if the warp stores its value from now
/// on; keeps it until then.
LLVM_ATTRIBUTE_NOINLINE static bool deferRace(Warp &warp, const Instr *instr,
                                              uint32_t lane, FindingKind kind,
                                              const Buffer &buffer,
                                              uint64_t address, uint32_t bytes,
                                              Writer writer) {
  if (instr->opcode != Opcode::Load || !getStoredGroup(warp, instr) ||
      (kind != FindingKind::AtomicRead &&
       (!writer.isOf(*warp.block) || writer.isAtomic())))
    return false;
  if (llvm::none_of(warp.deferredRaces, [&](const DeferredRace &race) {
        return race.instr == instr && race.kind == kind;
      }))
    warp.deferredRaces.push_back(
        {instr, kind, &buffer, address, writer.word, bytes, lane});
  return true;
}

/// Reports those whose value a store of `group` may have.
LLVM_ATTRIBUTE_NOINLINE static void reportDeferredRaces(Warp &warp,
                                                        uint32_t group) {
  llvm::erase_if(warp.deferredRaces, [&](const DeferredRace &race) {
    if (getStoredGroup(warp, race.instr) != group)
      return false;
    reportRace(warp, race.instr, race.lane, race.kind, *race.buffer,
               race.address, race.bytes, {race.writer, *warp.block->launch});
    return true;
  });
}

/// Reports that a store, whose word is `word`, is not ordered behind a load of
/// its block, and gives true; or keeps that until the load's warp stores its
/// value, where nobody else could see what it read.
LLVM_ATTRIBUTE_NOINLINE static bool
reportLoad(Warp &warp, const Instr *instr, uint32_t lane, FindingKind kind,
           const Buffer &buffer, uint64_t address, uint32_t bytes,
           const GlobalRead &read, uint32_t readLane, uint64_t word) {
  const Program &program = *warp.block->launch->program;
  const Instr &load = program.code[read.instr];
  if (const uint32_t group = getStoredGroup(warp, &load)) {
    // The lanes of a warp have loaded before one of them stores.
    if (read.warp == warp.index)
      return false;
    Warp &reader = warp.block->warps[read.warp];
    if (reader.groupStores[group] == read.stores) {
      deferRace(reader, &load, readLane, FindingKind::GlobalRace, buffer,
                address, bytes, {word, *warp.block->launch});
      return false;
    }
  }
  report(warp, instr, lane, kind, address,
         formatv("{0} of {1} bytes at byte {2} of buffer '{3}' is not ordered "
                 "with the load by the same block, warp {4}, lane {5} at {6}; "
                 "expected a barrier between them",
                 getVerb(*instr), bytes, address - buffer.begin, buffer.name,
                 read.warp, readLane, program.locations[load.location].str()),
         &load);
  return true;
}

/// Compares a plain store with the loads of its block, which it ends. True if
/// it was reported.
static bool checkLoads(Warp &warp, const Instr *instr, uint32_t lane,
                       Buffer &buffer, const WarpAccess &access, uint32_t bytes,
                       uint64_t granule, uint32_t shift, uint64_t word) {
  GlobalReads &reads = *warp.block->reads;
  const bool isReported = reads.anyUnordered(
      warp, lane, granule, [&](const GlobalRead &read, uint32_t readLane) {
        const uint64_t address = access.addresses[lane];
        const uint64_t begin = std::max(granule << shift, address);
        const uint64_t end = std::min((granule + 1) << shift, address + bytes);
        // Nobody can tell whether it came before a store of what was there.
        bool isSame = access.words != nullptr;
        for (uint64_t at = begin; at < end && isSame; ++at)
          isSame = isSameByte(access.words, lane, at - address,
                              reinterpret_cast<const uint8_t *>(at));
        if (isSame && !warp.block->launch->sameValueStores)
          return false;
        return reportLoad(warp, instr, lane,
                          isSame ? FindingKind::SameValueStore
                                 : FindingKind::GlobalRace,
                          buffer, address, bytes, read, readLane, word);
      });
  reads.erase(granule);
  return isReported;
}

/// Compares a plain load with the atomic stores of other blocks to a granule.
/// True if it was reported, or will be if its value is stored.
LLVM_ATTRIBUTE_NOINLINE static bool
checkAtomics(Warp &warp, const Instr *instr, uint32_t lane,
             const Buffer &buffer, uint64_t address, uint32_t bytes,
             uint64_t granule, uint64_t last) {
  const Block &block = *warp.block;
  const uint64_t *atomics = __atomic_load_n(&buffer.atomics, __ATOMIC_ACQUIRE);
  const uint64_t before =
      atomics ? __atomic_load_n(atomics + granule, __ATOMIC_RELAXED) : 0;
  for (uint64_t word : {last, before}) {
    const Writer writer{word, *block.launch};
    if (!word || !writer.isAtomic() || writer.isOf(block) ||
        isPublished(block, writer))
      continue;
    if (!deferRace(warp, instr, lane, FindingKind::AtomicRead, buffer, address,
                   bytes, writer))
      reportRace(warp, instr, lane, FindingKind::AtomicRead, buffer, address,
                 bytes, writer);
    return true;
  }
  return false;
}

/// Keeps the atomic store that one of `warp` is to follow. A plain store is
/// ordered behind all atomic ones, or it is a race itself.
static void keepAtomic(const Warp &warp, Buffer &buffer, uint64_t granule,
                       uint32_t shift, bool atomic, Writer writer) {
  const bool isKept = atomic && writer.isAtomic();
  uint64_t *atomics = __atomic_load_n(&buffer.atomics, __ATOMIC_ACQUIRE);
  if (!atomics && isKept)
    atomics = makeWords(buffer.atomics, buffer, shift);
  if (!atomics || (isKept && writer.isOf(*warp.block)))
    return;
  __atomic_store_n(atomics + granule, isKept ? writer.word : 0,
                   __ATOMIC_RELAXED);
}

void tileir::sim::noteGlobal(Warp &warp, const Instr *instr, uint32_t lanes,
                             Buffer &buffer, const uint64_t *addresses,
                             uint32_t bytes, bool isStore, bool atomic,
                             const uint32_t *words) {
  if (!warp.block->launch->instrument || !bytes)
    return;
  ::noteSectors(warp, lanes, buffer, addresses);
  watchGlobal(warp, instr, buffer,
              {Space::Global, lanes, addresses, isStore, WarpAccess::Any,
               &buffer, words},
              bytes, atomic);
}

void tileir::sim::watchGlobal(Warp &warp, const Instr *instr, Buffer &buffer,
                              const WarpAccess &access, uint32_t bytes,
                              bool atomic) {
  const uint32_t lanes = access.lanes;
  const uint64_t *addresses = access.addresses;
  const bool isStore = access.isStore;
  GlobalReads *reads = atomic ? nullptr : warp.block->reads;
  if (LLVM_UNLIKELY(buffer.isTracked && !isStore))
    checkWritten(warp, instr, lanes, buffer, addresses, bytes);
  uint32_t shift = llvm::Log2_32(warp.block->launch->program->globalGranule);
  uint64_t *writers = __atomic_load_n(&buffer.writers, __ATOMIC_ACQUIRE);
  if (!writers && isStore)
    writers = makeWords(buffer.writers, buffer, shift);
  // What copies read they may have read before they are noted here.
  if (reads && !isStore && instr->opcode == Opcode::Load &&
      (writers || buffer.isStored))
    reads->load(warp, instr, lanes, addresses, bytes, shift);
  if (!writers) {
    // Nobody knows what was written.
    buffer.isTracked &= !isStore;
    return;
  }
  const uint32_t group = getStoredGroup(warp, instr);
  if (isStore && group) {
    if (LLVM_UNLIKELY(!warp.deferredRaces.empty()))
      reportDeferredRaces(warp, group);
    ++warp.groupStores[group];
  }
  const bool checksLoads = isStore && reads && !reads->empty();
  const Launch &launch = *warp.block->launch;
  // What other blocks have added up, and is only stored, is a result.
  const bool checksAtomics =
      !isStore && !atomic && (launch.atomicReads || group != 0);
  const bool keepsAtomics =
      isStore && (launch.atomicReads || launch.program->numStoredGroups > 1);
  const uint64_t word = Writer::make(warp, instr, atomic);
  bool reported = false;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = llvm::countr_zero(left);
    uint64_t address = addresses[lane];
    uint64_t *begin = writers + getGranule(buffer, address, shift);
    uint64_t *end = writers + getGranule(buffer, address + bytes - 1, shift);
    for (uint64_t *place = begin; place <= end; ++place) {
      uint64_t old = __atomic_load_n(place, __ATOMIC_RELAXED);
      const Writer writer{old, *warp.block->launch};
      if (LLVM_UNLIKELY(old && !reported &&
                        isRace(warp, lane, isStore, atomic, writer))) {
        const uint64_t granule = ((buffer.begin >> shift) + (place - writers))
                                 << shift;
        const bool isSame =
            isStore && !atomic &&
            isSameValue(warp, instr, lane, addresses, access.words, bytes,
                        granule, 1u << shift, writer);
        const bool isWanted = !isSame || warp.block->launch->sameValueStores;
        if (isWanted && !deferRace(warp, instr, lane, FindingKind::GlobalRace,
                                   buffer, address, bytes, writer))
          reportRace(warp, instr, lane,
                     isSame ? FindingKind::SameValueStore
                            : FindingKind::GlobalRace,
                     buffer, address, bytes, writer);
        reported = isWanted;
      }
      if (LLVM_UNLIKELY(checksLoads && !reported))
        reported = checkLoads(warp, instr, lane, buffer, access, bytes,
                              (buffer.begin >> shift) + (place - writers),
                              shift, word | lane);
      if (LLVM_UNLIKELY(checksAtomics && !reported))
        reported = checkAtomics(warp, instr, lane, buffer, address, bytes,
                                place - writers, old);
      if (LLVM_UNLIKELY(keepsAtomics && old))
        keepAtomic(warp, buffer, place - writers, shift, atomic, {old, launch});
      if (isStore)
        __atomic_store_n(place, word | lane, __ATOMIC_RELAXED);
    }
  }
}

void tileir::sim::noteGlobal(Warp &warp, const Instr *instr, uint32_t lane,
                             Buffer &buffer, uint64_t address, uint32_t bytes,
                             bool isStore, bool atomic) {
  uint64_t addresses[kLanes];
  addresses[lane] = address;
  noteGlobal(warp, instr, 1u << lane, buffer, addresses, bytes, isStore,
             atomic);
}

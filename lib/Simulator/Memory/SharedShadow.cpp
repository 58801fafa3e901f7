//===- SharedShadow.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An access is first compared with `floor`, the stamp up to which everything of
// every warp is known: between full barriers that is all there is to do. Only
// granules with younger accesses are looked at one by one (`check`). Each lane
// handles the N granules of its access as vectors.
//
//===----------------------------------------------------------------------===//

#include "Memory/SharedShadow.h"
#include "Exec/UndefinedValues.h"
#include "Exec/Warpgroups.h"
#include "Memory/MBarriers.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemAlloc.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace tileir::sim;

/// Vectors of a part of the N granules of one access.
template <unsigned N> struct Part {
  typedef int32_t V __attribute__((vector_size(16), aligned(4), may_alias));
};
template <> struct Part<1> {
  typedef int32_t V __attribute__((vector_size(4), aligned(4), may_alias));
};
template <> struct Part<2> {
  typedef int32_t V __attribute__((vector_size(8), aligned(4), may_alias));
};

/// The part of an array from `i` on. P and not P::V is the parameter: types
/// lose their attributes as template arguments.
template <typename P>
static inline typename P::V &at(const StampArray &array, size_t i) {
  return *reinterpret_cast<typename P::V *>(array.get() + i);
}

template <typename V> static inline bool isAny(V value) {
  if constexpr (sizeof(V) == 16) {
    uint64_t words[2];
    std::memcpy(words, &value, 16);
    return (words[0] | words[1]) != 0;
  } else {
    uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(V));
    return word != 0;
  }
}

static StampArray makeArray(size_t size) {
  return StampArray(
      static_cast<int32_t *>(llvm::safe_calloc(size, sizeof(int32_t))));
}

inline SharedShadow::Event::Event(Warp &warp, const Instr *instr,
                                  uint32_t bytes, bool isStore, bool atomic,
                                  const Block &owner)
    : warp(warp), block(owner), instr(instr), bytes(bytes),
      isRemote(&owner != warp.block), known(getKnown(warp, owner)),
      isStore(isStore), atomic(atomic), isVolatile(false), start(block.start),
      now(block.now), stamp(now), index(indexOf(block, instr)) {
  own = known[warp.index];
  floor = *std::min_element(known, known + block.numClocks);
  for (uint32_t w = 0; block.anyLaneRelease && w < block.numWarps; ++w)
    if (const LaneRelease *release = block.findLaneRelease(w, known[w]))
      floor = std::min(floor, int32_t(release->since));
  if (atomic) {
    const Access &access = block.launch->program->accesses[instr->extra];
    isVolatile = access.isVolatile && !access.isAtomic && !access.isPolled;
  }
}

SharedShadow::SharedShadow(uint32_t bytes, uint32_t granule, uint32_t numWarps)
    : numGranules(llvm::divideCeil(bytes, granule)),
      // A row is no power of two, or all rows would share a cache set.
      pitch(llvm::alignTo(numGranules, 32) + 16), shift(llvm::Log2_32(granule)),
      numWarps(numWarps), writeStamps(makeArray(pitch)),
      writers(makeArray(pitch)), writeInstrs(makeArray(pitch)) {
  allocate(plainLoads);
}

void SharedShadow::allocate(Table &table) const {
  table.last = makeArray(pitch);
  table.warps = makeArray(pitch);
  table.stamps = makeArray(size_t(pitch) * numWarps);
  table.lanes = makeArray(size_t(pitch) * numWarps);
  table.instrs = makeArray(size_t(pitch) * numWarps);
}

SharedShadow::Table &SharedShadow::getTable(bool isStore, bool atomic) {
  Table &table = !atomic ? plainLoads : (isStore ? atomicStores : atomicLoads);
  if (!table)
    allocate(table);
  return table;
}

/// Drops the accesses to granules before a plain store.
inline void SharedShadow::forget(uint32_t granule, uint32_t count) {
  for (Table *table :
       {&atomicLoads, &atomicStores, &volatileLoads, &volatileStores})
    if (*table)
      for (uint32_t g = granule; g < granule + count; ++g)
        table->last[g] = table->warps[g] = 0;
}

void SharedShadow::dropPending() {
  marks.reset();
  if (anyPending)
    for (uint32_t g = 0; g < numGranules; ++g) {
      if (writers[g] & (kPending | kObject | kReading))
        writers[g] = writeStamps[g] = 0;
      if (copies)
        copies[g] = 0;
      if (reads)
        reads[g] = 0;
    }
  anyPending = false;
}

void SharedShadow::initialize(uint32_t offset, uint32_t bytes, int32_t stamp) {
  for (uint32_t g = offset >> shift; g <= (offset + bytes - 1) >> shift; ++g)
    writeStamps[g] = stamp;
}

//===----------------------------------------------------------------------===//
// Undefined values
//===----------------------------------------------------------------------===//

void SharedShadow::setUndefined(uint32_t offset, uint32_t bytes,
                                uint32_t mark) {
  if (!marks)
    marks = makeArray(pitch);
  for (uint32_t g = offset >> shift; g <= (offset + bytes - 1) >> shift; ++g)
    marks[g] = int32_t(mark);
}

/// Loads give the marks of what they read to those who follow values; stores
/// clear those of what they write.
void SharedShadow::noteMarks(Warp &warp, const Instr *instr, uint32_t lanes,
                             const uint64_t *addresses, uint32_t bytes,
                             bool isStore) {
  for (uint32_t left = lanes; left; left &= left - 1) {
    const uint32_t lane = llvm::countr_zero(left);
    const uint32_t offset = addresses[lane] - kSharedBase;
    if (isStore) {
      clearMarks(offset, bytes);
      continue;
    }
    const uint32_t size = 1u << shift;
    for (uint32_t at = 0; at < bytes; at += size)
      if (uint32_t mark = marks[(offset + at) >> shift])
        warp.block->undefined->noteMarked(warp, instr, lane, at,
                                          std::min(size, bytes), mark);
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Adds accesses to P's granules from `granule` on by the lanes given for each.
template <typename P>
inline void SharedShadow::recordPart(const Event &event, Table &table,
                                     uint32_t granule, typename P::V lanes) {
  using V = typename P::V;
  size_t place = size_t(event.warp.index) * pitch + granule;
  V &stamps = at<P>(table.stamps, place);
  V &kept = at<P>(table.lanes, place);
  kept = ((stamps > event.own) & kept) | lanes;
  stamps = V{} + event.now;
  at<P>(table.instrs, place) = V{} + event.index;
  at<P>(table.last, granule) = V{} + event.now;
  at<P>(table.warps, granule) |= int32_t(1u << event.warp.index);
}

template <unsigned N>
inline void SharedShadow::record(const Event &event, Table &table,
                                 uint32_t lanes, uint32_t begin) {
  using P = Part<N>;
  using V = typename P::V;
  for (uint32_t g = begin; g < begin + N; g += sizeof(V) / 4)
    recordPart<P>(event, table, g, V{} + int32_t(lanes));
  if (!event.warp.laneKnown)
    return;
  StampArray &laneStamps = table.laneStamps[event.warp.index];
  if (!laneStamps)
    laneStamps = makeArray(size_t(pitch) * kLanes);
  for (uint32_t g = begin; g < begin + N; ++g)
    for (uint32_t left = lanes; left; left &= left - 1)
      laneStamps[size_t(g) * kLanes + llvm::countr_zero(left)] = event.now;
}

template <unsigned N>
void SharedShadow::load(Event &event, uint32_t lanes,
                        const uint64_t *addresses) {
  using P = Part<N>;
  using V = typename P::V;
  Table &table = getTable(false, event.atomic);
  bool checkAtomics = !event.atomic && atomicStores;
  bool checkVolatiles = event.isVolatile && volatileStores;
  if (event.isVolatile && !volatileLoads)
    allocate(volatileLoads);
  V bad = {};
  for (uint32_t left = lanes; left;) {
    // Neighbours with the same address are done together.
    uint32_t first = llvm::countr_zero(left), end = first + 1;
    uint64_t address = addresses[first];
    while (end < kLanes && (left >> end & 1) && addresses[end] == address)
      ++end;
    uint32_t together = llvm::maskTrailingOnes<uint32_t>(end) &
                        ~llvm::maskTrailingOnes<uint32_t>(first);
    left &= ~together;
    uint32_t begin = getGranule(address);
    for (uint32_t g = begin; g < begin + N; g += sizeof(V) / 4) {
      V stamps = at<P>(writeStamps, g);
      bad |= (stamps > event.floor) | (stamps <= event.start);
      if (checkAtomics)
        bad |= at<P>(atomicStores.last, g) > event.floor;
      if (checkVolatiles)
        bad |= at<P>(volatileStores.last, g) > event.floor;
    }
    record<N>(event, table, together, begin);
    if (event.isVolatile)
      record<N>(event, volatileLoads, together, begin);
  }
  if (!isAny(bad))
    return;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = llvm::countr_zero(left);
    uint32_t begin = getGranule(addresses[lane]);
    for (uint32_t g = begin; g < begin + N; ++g)
      check(event, lane, addresses[lane] - kSharedBase, g);
  }
}

/// Makes the lanes given for each the writers of P's granules from `granule`
/// on.
template <typename P>
inline void SharedShadow::setWriterPart(const Event &event, uint32_t granule,
                                        typename P::V lanes) {
  using V = typename P::V;
  at<P>(writeStamps, granule) = V{} + event.stamp;
  at<P>(writers, granule) =
      lanes + (int32_t(event.warp.index * kLanes) | event.flags);
  at<P>(writeInstrs, granule) = V{} + event.index;
  at<P>(plainLoads.last, granule) = at<P>(plainLoads.warps, granule) = V{};
  if (atomicLoads || atomicStores)
    forget(granule, sizeof(V) / 4);
}

template <unsigned N>
inline void SharedShadow::setWriter(const Event &event, uint32_t lane,
                                    uint32_t begin) {
  using P = Part<N>;
  using V = typename P::V;
  for (uint32_t g = begin; g < begin + N; g += sizeof(V) / 4)
    setWriterPart<P>(event, g, V{} + int32_t(lane));
}

template <unsigned N>
void SharedShadow::store(Event &event, uint32_t lanes,
                         const uint64_t *addresses) {
  using P = Part<N>;
  using V = typename P::V;
  if (anyWgmma)
    setRetired(event);
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = llvm::countr_zero(left);
    uint32_t begin = getGranule(addresses[lane]);
    V bad = {};
    for (uint32_t g = begin; g < begin + N; g += sizeof(V) / 4) {
      bad |= (at<P>(writeStamps, g) > event.floor) |
             (at<P>(plainLoads.last, g) > event.floor);
      if (!event.atomic && atomicLoads)
        bad |= at<P>(atomicLoads.last, g) > event.floor;
      if (!event.atomic && atomicStores)
        bad |= at<P>(atomicStores.last, g) > event.floor;
      if (event.isVolatile && volatileLoads)
        bad |= at<P>(volatileLoads.last, g) > event.floor;
      for (uint32_t i = 0; anyWgmma && i < kMaxWarpgroups; ++i)
        if (wgmmas[i])
          bad |= at<P>(wgmmas[i], g) > event.retired[i];
    }
    if (isAny(bad))
      for (uint32_t g = begin; g < begin + N; ++g)
        check(event, lane, addresses[lane] - kSharedBase, g);
    if (event.isVolatile) {
      if (!volatileStores)
        allocate(volatileStores);
      record<N>(event, volatileStores, 1u << lane, begin);
    }
    if (event.atomic)
      record<N>(event, getTable(true, true), 1u << lane, begin);
    else
      setWriter<N>(event, lane, begin);
  }
}

template <unsigned N>
bool SharedShadow::accessSideBySide(const Event &event, uint32_t begin) {
  using P = Part<4>;
  using V = P::V;
  const uint32_t size = kLanes * N;
  V bad = {};
  for (uint32_t g = begin; g < begin + size; g += 4) {
    V stamps = at<P>(writeStamps, g);
    bad |= stamps > event.floor;
    bad |= event.isStore ? at<P>(plainLoads.last, g) > event.floor
                         : stamps <= event.start;
  }
  if (isAny(bad))
    return false;
  // The lanes of the first four granules, then of the next ones.
  V lanes = N == 1 ? V{0, 1, 2, 3} : (N == 2 ? V{0, 0, 1, 1} : V{});
  for (uint32_t i = 0; i < size; i += 4) {
    int32_t lane = i / N;
    if (event.isStore)
      setWriterPart<P>(event, begin + i, lanes + lane);
    else
      recordPart<P>(event, plainLoads, begin + i, (V{} + 1) << (lanes + lane));
  }
  return true;
}

/// Calls `run` with the granules of an access of `bytes` bytes, as a constant.
template <typename Run> void SharedShadow::dispatch(uint32_t bytes, Run run) {
  switch (std::max(bytes >> shift, 1u)) {
#define SIM_CASE(N)                                                            \
  case N:                                                                      \
    return run(std::integral_constant<unsigned, N>())
    SIM_CASE(1);
    SIM_CASE(2);
    SIM_CASE(4);
    SIM_CASE(8);
    SIM_CASE(16);
    SIM_CASE(32);
#undef SIM_CASE
  }
  llvm_unreachable("accesses have 1 to 32 bytes, a power of two");
}

void SharedShadow::access(Warp &warp, const Instr *instr, uint32_t lanes,
                          const uint64_t *addresses, uint32_t bytes,
                          bool isStore, bool atomic, bool sideBySide,
                          const uint32_t *words) {
  if (marks)
    noteMarks(warp, instr, lanes, addresses, bytes, isStore);
  Event event(warp, instr, bytes, isStore, atomic, *warp.block);
  event.addresses = addresses;
  event.words = words;
  if (atomic || atomicLoads || atomicStores || warp.laneKnown ||
      (isStore && anyWgmma))
    sideBySide = false;
  dispatch(bytes, [&](auto n) {
    if (sideBySide && accessSideBySide<n>(event, getGranule(addresses[0])))
      return;
    if (isStore)
      store<n>(event, lanes, addresses);
    else
      load<n>(event, lanes, addresses);
  });
}

void SharedShadow::setRetired(Event &event) const {
  for (uint32_t i = 0; i < kMaxWarpgroups; ++i)
    if (wgmmas[i])
      event.retired[i] = getRetiredWgmma(event.block, i, event.warp);
}

void SharedShadow::readAsync(Warp *first, const Instr *instr,
                             uint32_t warpgroup, int32_t number,
                             const uint32_t *offsets, uint32_t count) {
  constexpr uint32_t kChunkBytes = 16;
  anyWgmma = true;
  if (!wgmmas[warpgroup])
    wgmmas[warpgroup] = makeArray(pitch);
  const Block &block = *first->block;
  // What all four warps know of each clock.
  std::vector<uint32_t> known(block.known[first->index],
                              block.known[first->index] + block.numClocks);
  for (uint32_t w = 1; w < kWarpsOfGroup; ++w)
    for (uint32_t i = 0; i < block.numClocks; ++i)
      known[i] = std::min(known[i], uint32_t(block.known[first[w].index][i]));
  // A granule has at most 4 bytes.
  const uint32_t granules = kChunkBytes >> shift;
  // The last that was looked at: its neighbours are mostly alike.
  int32_t lastWriter = -1, lastStamp = -1;
  for (uint32_t i = 0; i < count; ++i) {
    bool isNew = false;
    for (uint32_t g = offsets[i] >> shift, end = g + granules; g < end; ++g) {
      wgmmas[warpgroup][g] = number;
      const int32_t stamp = writeStamps[g], writer = writers[g] / kLanes;
      if (stamp == lastStamp && writer == lastWriter)
        continue;
      const bool isGood = !(writers[g] & (kPending | kObject | kReading)) &&
                          uint32_t(stamp) > block.start &&
                          uint32_t(writer) < known.size() &&
                          uint32_t(stamp) <= known[writer];
      isNew = true;
      if (isGood) {
        lastStamp = stamp;
        lastWriter = writer;
        continue;
      }
      for (uint32_t w = 0; w < kWarpsOfGroup; ++w) {
        Event event(first[w], instr, kChunkBytes, /*isStore=*/false,
                    /*atomic=*/false, block);
        check(event, 0, offsets[i], g);
      }
    }
    if (isNew)
      checkFenced(*first, instr, 0, offsets[i], kChunkBytes);
  }
}

void SharedShadow::pend(Warp &warp, const Instr *instr, uint32_t lanes,
                        const uint64_t *addresses, uint32_t bytes) {
  Event event(warp, instr, bytes, /*isStore=*/true, /*atomic=*/false,
              *warp.block);
  event.stamp = kPendingStamp;
  event.flags = kPending;
  anyPending = true;
  if (!copies)
    copies = makeArray(pitch);
  dispatch(bytes, [&](auto n) {
    store<n>(event, lanes, addresses);
    using P = Part<n>;
    for (uint32_t left = lanes; left; left &= left - 1) {
      uint32_t begin = getGranule(addresses[llvm::countr_zero(left)]);
      for (uint32_t g = begin; g < begin + n; g += sizeof(typename P::V) / 4)
        at<P>(copies, g) += 1;
    }
  });
}

template <unsigned N>
void SharedShadow::complete(Event &event, uint32_t lanes,
                            const uint64_t *addresses) {
  using P = Part<N>;
  using V = typename P::V;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = llvm::countr_zero(left);
    uint32_t begin = getGranule(addresses[lane]);
    int32_t writer = int32_t(event.warp.index * kLanes + lane) | kPending;
    V others = {}, open = {};
    for (uint32_t g = begin; g < begin + N; g += sizeof(V) / 4) {
      others |= at<P>(writers, g) != writer;
      open |= at<P>(copies, g) -= 1;
    }
    // Whatever touched the bytes since `pend` has been reported.
    if (isAny(others))
      for (uint32_t g = begin; g < begin + N; ++g)
        if (writers[g] != writer)
          check(event, lane, addresses[lane] - kSharedBase, g);
    if (!isAny(open)) {
      setWriter<N>(event, lane, begin);
      continue;
    }
    // Copies that overlap this one are still to write.
    for (uint32_t g = begin; g < begin + N; ++g)
      if (copies[g] == 0)
        setWriterPart<Part<1>>(event, g, Part<1>::V{} + int32_t(lane));
  }
}

void SharedShadow::complete(Warp &warp, const Instr *instr, uint32_t lanes,
                            const uint64_t *addresses, uint32_t bytes) {
  Event event(warp, instr, bytes, /*isStore=*/true, /*atomic=*/false,
              *warp.block);
  for (uint32_t left = marks ? lanes : 0; left; left &= left - 1)
    clearMarks(addresses[llvm::countr_zero(left)] - kSharedBase, bytes);
  dispatch(bytes, [&](auto n) { complete<n>(event, lanes, addresses); });
}

void SharedShadow::setObject(Warp &warp, const Instr *instr, uint32_t lane,
                             uint64_t address, bool isNew) {
  Event event(warp, instr, kMBarrierBytes, /*isStore=*/true, /*atomic=*/false,
              *warp.block);
  event.stamp = kPendingStamp;
  event.flags = kObject;
  anyPending = true;
  uint64_t addresses[kLanes];
  addresses[lane] = address;
  dispatch(kMBarrierBytes, [&](auto n) {
    if (isNew)
      store<n>(event, 1u << lane, addresses);
    else
      setWriter<n>(event, lane, getGranule(address));
  });
}

void SharedShadow::endObject(Warp &warp, const Instr *instr, uint32_t lane,
                             uint64_t address) {
  Event event(warp, instr, kMBarrierBytes, /*isStore=*/true, /*atomic=*/false,
              *warp.block);
  dispatch(kMBarrierBytes,
           [&](auto n) { setWriter<n>(event, lane, getGranule(address)); });
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

void SharedShadow::beginWrite(Warp &warp, const Instr *instr, uint32_t lane,
                              const Block &owner, uint32_t offset,
                              uint32_t bytes, bool reduces) {
  Event event(warp, instr, bytes, /*isStore=*/true, /*atomic=*/reduces, owner);
  event.stamp = kPendingStamp;
  event.flags = reduces ? kPending | kReducing : kPending;
  if (event.isRemote)
    event.flags |= int32_t(warp.block->rank + 1) << kRankShift;
  anyPending = true;
  if (!copies)
    copies = makeArray(pitch);
  if (anyWgmma)
    setRetired(event);
  const uint32_t end = (offset + bytes - 1) >> shift;
  for (uint32_t g = offset >> shift; g <= end; ++g) {
    bool isRead = false;
    for (uint32_t i = 0; anyWgmma && i < kMaxWarpgroups; ++i)
      isRead |= wgmmas[i] && wgmmas[i][g] > event.retired[i];
    if (isRead || writeStamps[g] > event.floor ||
        plainLoads.last[g] > event.floor ||
        (atomicLoads && atomicLoads.last[g] > event.floor) ||
        (atomicStores && atomicStores.last[g] > event.floor))
      check(event, lane, offset, g);
    setWriterPart<Part<1>>(event, g, Part<1>::V{} + int32_t(lane));
    ++copies[g];
  }
}

void SharedShadow::endWrite(const Block &block, const Instr *instr,
                            uint32_t offset, uint32_t bytes, uint32_t clock,
                            bool reduces) {
  const int32_t index = indexOf(block, instr);
  clearMarks(offset, bytes);
  const uint32_t end = (offset + bytes - 1) >> shift;
  for (uint32_t g = offset >> shift; g <= end; ++g) {
    // Whatever touched the bytes since they were pending has been reported.
    if (--copies[g] > 0)
      continue;
    writeStamps[g] = block.now;
    writers[g] = int32_t(clock * kLanes) | (reduces ? kReducing : 0);
    writeInstrs[g] = index;
    plainLoads.last[g] = plainLoads.warps[g] = 0;
    forget(g, 1);
  }
}

void SharedShadow::beginRead(Warp &warp, const Instr *instr, uint32_t lane,
                             uint32_t offset, uint32_t bytes) {
  Event event(warp, instr, bytes, /*isStore=*/false, /*atomic=*/false,
              *warp.block);
  anyPending = true;
  if (!reads) {
    reads = makeArray(pitch);
    readInstrs = makeArray(pitch);
    stampsBefore = makeArray(pitch);
  }
  const uint32_t end = (offset + bytes - 1) >> shift;
  for (uint32_t g = offset >> shift; g <= end; ++g) {
    if (writeStamps[g] > event.floor || writeStamps[g] <= event.start ||
        (atomicStores && atomicStores.last[g] > event.floor))
      check(event, lane, offset, g);
    readInstrs[g] = event.index;
    ++reads[g];
    if (writers[g] & (kPending | kObject | kReading))
      continue;
    stampsBefore[g] = writeStamps[g];
    writeStamps[g] = kPendingStamp;
    writers[g] |= kReading;
  }
}

void SharedShadow::endRead(Warp &warp, const Instr *instr, uint32_t lane,
                           uint32_t offset, uint32_t bytes) {
  Event event(warp, instr, bytes, /*isStore=*/false, /*atomic=*/false,
              *warp.block);
  const uint32_t end = (offset + bytes - 1) >> shift;
  for (uint32_t g = offset >> shift; g <= end; ++g) {
    if (--reads[g] == 0 && writers[g] & kReading) {
      writers[g] &= ~kReading;
      writeStamps[g] = stampsBefore[g];
    }
    record<1>(event, plainLoads, 1u << lane, g);
  }
}

void SharedShadow::dropRead(uint32_t offset, uint32_t bytes) {
  const uint32_t end = (offset + bytes - 1) >> shift;
  for (uint32_t g = offset >> shift; g <= end; ++g)
    if (--reads[g] == 0 && writers[g] & kReading) {
      writers[g] &= ~kReading;
      writeStamps[g] = stampsBefore[g];
    }
}

//===----------------------------------------------------------------------===//
// Other blocks
//===----------------------------------------------------------------------===//

bool SharedShadow::checkAccess(Warp &warp, const Instr *instr, uint32_t lane,
                               const Block &owner, uint32_t offset,
                               uint32_t bytes, bool isStore, bool atomic) {
  Event event(warp, instr, bytes, isStore, atomic, owner);
  event.isVolatile = false;
  if (isStore && anyWgmma)
    setRetired(event);
  for (uint32_t g = offset >> shift; g <= (offset + bytes - 1) >> shift; ++g)
    check(event, lane, offset, g);
  return event.reported != 0;
}

void SharedShadow::markWritten(const Block &owner, uint32_t offset,
                               uint32_t bytes) {
  clearMarks(offset, bytes);
  for (uint32_t g = offset >> shift; g <= (offset + bytes - 1) >> shift; ++g)
    if (uint32_t(writeStamps[g]) <= owner.start)
      writeStamps[g] = owner.start + 1;
}

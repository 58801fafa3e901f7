//===- SharedShadowCheck.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lane's access to one granule, against everyone who accessed it before;
// and what is said of it.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Exec/UndefinedValues.h"
#include "Exec/Warpgroups.h"
#include "Memory/BulkCopies.h"
#include "Memory/Memory.h"
#include "Memory/SharedShadow.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tileir::sim;
using llvm::formatv;

template <typename Message>
void SharedShadow::Event::report(FindingKind kind, uint32_t lane,
                                 uint64_t offset, Message message,
                                 const Instr *other) {
  uint32_t bit = 1u << unsigned(kind);
  if (!(reported & bit))
    sim::report(warp, instr, lane, kind,
                isRemote ? mapToRank(offset, block.rank) : kSharedBase + offset,
                formatv("{0} of {1} bytes at shared offset {2}{3} {4}",
                        getVerb(*instr), bytes, offset,
                        isRemote ? formatv(" of rank {0}", block.rank).str()
                                 : std::string(),
                        std::string(message())),
                other);
  reported |= bit;
}

SharedShadow::Other SharedShadow::findWriter(const Event &event, uint32_t lane,
                                             uint32_t granule) const {
  uint32_t writer = writers[granule] & kWriter;
  uint32_t warp = writer / kLanes, writerLane = writer % kLanes;
  if (event.atomic && writers[granule] & kReducing)
    return {};
  if (event.isOrdered(warp, writerLane, getWriteStamp(granule), lane))
    return {};
  return {"store", warp, 1u << writerLane, uint32_t(writeInstrs[granule])};
}

/// Whether the bytes that a store will write to a granule are those that its
/// last writer, a plain store, has written or will write there.
bool SharedShadow::isSameValue(const Event &event, uint32_t lane,
                               uint32_t granule) const {
  const Program &program = *event.block.launch->program;
  const Opcode wrote = program.code[writeInstrs[granule]].opcode;
  if (!event.words || (wrote != Opcode::Store && wrote != Opcode::StMatrix))
    return false;
  const uint64_t begin = kSharedBase + (uint64_t(granule) << shift);
  const uint32_t first = begin - event.addresses[lane], count = 1u << shift;
  uint32_t writer = writers[granule], writerLane = writer % kLanes;
  // The writer is a lane of this very store, which has not reached memory yet.
  bool isNow = writeInstrs[granule] == event.index &&
               writeStamps[granule] == event.now && writerLane < lane &&
               writer / kLanes == event.warp.index &&
               event.warp.active >> writerLane & 1 &&
               begin - event.addresses[writerLane] < event.bytes;
  for (uint32_t i = first; i < first + count; ++i)
    if (isNow ? !isSameByte(event.words, event.addresses, lane, writerLane, i)
              : !isSameByte(event.words, lane, i,
                            event.block.shared +
                                (event.addresses[lane] - kSharedBase) + i))
      return false;
  return true;
}

SharedShadow::Other SharedShadow::findOther(const Event &event,
                                            const Table &table,
                                            const char *what, uint32_t lane,
                                            uint32_t granule) const {
  if (!table)
    return {};
  const uint32_t *known = event.known;
  for (uint32_t left = table.warps[granule]; left; left &= left - 1) {
    uint32_t w = llvm::countr_zero(left);
    size_t place = size_t(w) * pitch + granule;
    uint32_t stamp = table.stamps[place], lanes = table.lanes[place];
    if (stamp <= event.block.start)
      continue;
    if (stamp <= known[w]) {
      if (!event.block.anyLaneRelease || event.isRemote ||
          w == event.warp.index)
        continue;
      lanes &= ~event.block.getReleased(w, known[w], stamp);
    }
    if (w == event.warp.index && !event.isRemote) {
      lanes &= ~(1u << lane);
      const int32_t *laneStamps = table.laneStamps[w].get();
      for (uint32_t l = 0; l < kLanes && event.warp.laneKnown; ++l) {
        // An access before the first synchronisation of a part of the warp has
        // no stamp of its own, and is older than any such synchronisation.
        uint32_t own = laneStamps ? laneStamps[granule * kLanes + l] : 0;
        if (std::max(own, 1u) <= event.warp.laneKnown[lane * kLanes + l])
          lanes &= ~(1u << l);
      }
    }
    if (lanes)
      return {what, w, lanes, uint32_t(table.instrs[place])};
  }
  return {};
}

/// Reports a store to what a wgmma may still read.
bool SharedShadow::reportRead(Event &event, uint32_t lane, uint64_t offset,
                              uint32_t granule) const {
  for (uint32_t i = 0; i < kMaxWarpgroups; ++i) {
    if (!wgmmas[i] || wgmmas[i][granule] <= event.retired[i])
      continue;
    const Instr *reader = getWgmma(event.block, i, wgmmas[i][granule]);
    if (!reader)
      continue;
    const Program &program = *event.block.launch->program;
    event.report(
        FindingKind::SharedRace, lane, offset,
        [&]() -> std::string {
          return formatv(
              "meets bytes that the wgmma.mma_async by the warps {0} "
              "to {1} at {2} may still read; expected its "
              "wgmma.wait_group, and a barrier, between them",
              i * kWarpsOfGroup, i * kWarpsOfGroup + 3,
              program.locations[reader->location].str());
        },
        reader);
    return true;
  }
  return false;
}

void SharedShadow::check(Event &event, uint32_t lane, uint64_t offset,
                         uint32_t granule) {
  if (event.isStore && anyWgmma && reportRead(event, lane, offset, granule))
    return;
  const Program &program = *event.block.launch->program;
  auto getPlace = [&](uint32_t instr) {
    return program.locations[program.code[instr].location].str();
  };
  auto getLanes = [](uint32_t lanes) -> std::string {
    if (llvm::has_single_bit(lanes))
      return formatv("lane {0}", llvm::countr_zero(lanes));
    return formatv("lanes {0:x8}", lanes);
  };
  if (writers[granule] & kObject)
    return event.report(
        FindingKind::MBarrierMisuse, lane, offset,
        [&]() -> std::string {
          uint32_t writer = writers[granule] & kWriter;
          return formatv("meets the mbarrier of the mbarrier.init by warp {0}, "
                         "lane {1} at {2}; expected only mbarrier instructions "
                         "at it, up to mbarrier.inval",
                         writer / kLanes, writer % kLanes,
                         getPlace(writeInstrs[granule]));
        },
        &program.code[writeInstrs[granule]]);
  if (writers[granule] & kPending &&
      !(event.atomic && writers[granule] & kReducing))
    return event.report(
        event.isStore ? FindingKind::SharedRace : FindingKind::MissingWait,
        lane, offset,
        [&]() -> std::string {
          uint32_t writer = writers[granule] & kWriter;
          uint32_t rank = uint32_t(writers[granule]) >> kRankShift;
          return formatv(
              "meets bytes that the {3} by warp {0}, lane {1}{4} at "
              "{2} is still to write; expected its wait, and a "
              "barrier, between them",
              writer / kLanes, writer % kLanes, getPlace(writeInstrs[granule]),
              getVerb(program.code[writeInstrs[granule]]),
              rank ? formatv(" of rank {0}", rank - 1).str() : std::string());
        },
        &program.code[writeInstrs[granule]]);
  if (writers[granule] & kReading && event.isStore)
    return event.report(
        FindingKind::SharedRace, lane, offset,
        [&]() -> std::string {
          const Instr &reader = program.code[readInstrs[granule]];
          return formatv("meets bytes that the {0} at {1} is still to read; "
                         "expected cp.async.bulk.wait_group.read, and a "
                         "barrier, between them",
                         getVerb(reader), getPlace(readInstrs[granule]));
        },
        &program.code[readInstrs[granule]]);
  auto describe = [&](const Other &other) -> std::string {
    if (other.warp >= numWarps) // a bulk copy has written
      return formatv("is not ordered with the {0} at {1}; expected a wait for "
                     "its mbarrier between them",
                     getVerb(program.code[other.instr]), getPlace(other.instr));
    if (event.isRemote)
      return formatv("is not ordered with the {0} by warp {1} of rank {2} at "
                     "{3}; expected barrier.cluster or an mbarrier between "
                     "them",
                     other.what, other.warp, event.block.rank,
                     getPlace(other.instr));
    bool isSameWarp = other.warp == event.warp.index;
    if (isSameWarp && other.instr == uint32_t(event.index) && event.isStore)
      return formatv("meets the {0} of {1} of the same warp by the same "
                     "instruction; expected different bytes, or a barrier "
                     "between them",
                     other.what, getLanes(other.lanes));
    return formatv(
        "is not ordered with the {0} by warp {1}, {2} at {3}; "
        "expected a {4} between them",
        other.what, other.warp, getLanes(other.lanes), getPlace(other.instr),
        isSameWarp ? "barrier or a warp synchronisation" : "barrier");
  };
  auto reportOther = [&](FindingKind kind, const Other &other) {
    event.report(
        kind, lane, offset, [&] { return describe(other); },
        &program.code[other.instr]);
  };
  Other other = findWriter(event, lane, granule);
  if (other.what && event.isStore && !event.atomic &&
      isSameValue(event, lane, granule)) {
    if (event.block.launch->sameValueStores)
      reportOther(FindingKind::SameValueStore, other);
    other = {};
  }
  if (!other.what && !event.atomic)
    other = findOther(event, atomicStores, "atomic store", lane, granule);
  if (!other.what && event.isStore)
    other = findOther(event, plainLoads, "load", lane, granule);
  if (!other.what && event.isStore && !event.atomic)
    other = findOther(event, atomicLoads, "atomic load", lane, granule);
  if (other.what)
    return reportOther(FindingKind::SharedRace, other);
  if (event.isVolatile) {
    other =
        event.isStore
            ? findOther(event, volatileLoads, "volatile load", lane, granule)
            : findOther(event, volatileStores, "volatile store", lane, granule);
    if (other.what)
      return event.report(
          FindingKind::UnorderedVolatile, lane, offset,
          [&]() -> std::string {
            return formatv(
                "is volatile, which orders nothing, and depends on {0} the {1} "
                "by warp {2}, {3} at {4}; expected a {5} between them",
                other.warp == event.warp.index ? "lock-step with"
                                               : "the time of",
                other.what, other.warp, getLanes(other.lanes),
                getPlace(other.instr),
                other.warp == event.warp.index ? "warp synchronisation"
                                               : "barrier");
          },
          &program.code[other.instr]);
  }
  bool isWritten = getWriteStamp(granule) > event.start ||
                   (atomicStores && atomicStores.last[granule] > event.start);
  if (event.isStore || isWritten)
    return;
  UndefinedValues *undefined = event.warp.block->undefined;
  if (undefined && !event.isRemote &&
      UndefinedValues::isDeferred(*event.instr)) {
    const uint64_t first = std::max<uint64_t>(granule << shift, offset);
    const uint64_t end = std::min<uint64_t>(uint64_t(granule + 1) << shift,
                                            offset + event.bytes);
    return undefined->noteLoad(event.warp, event.instr, lane,
                               kSharedBase + offset, first - offset,
                               end - first, /*buffer=*/nullptr);
  }
  event.report(FindingKind::UninitializedShared, lane, offset, [&] {
    return event.isRemote
               ? "reads bytes that have never been written; expected a store "
                 "before it"
               : "reads bytes that this block has never written; expected a "
                 "store before it";
  });
}

void SharedShadow::checkFenced(Warp &warp, const Instr *instr, uint32_t lane,
                               uint32_t offset, uint32_t bytes) {
  const Block &block = *warp.block;
  const Program &program = *block.launch->program;
  const uint32_t end = (offset + bytes - 1) >> shift;
  uint32_t lastWriter = ~0u, lastStamp = 0;
  for (uint32_t g = offset >> shift; g <= end; ++g) {
    const uint32_t writer = writers[g] & kWriter, stamp = getWriteStamp(g);
    if (writers[g] & (kPending | kObject) || stamp <= block.start ||
        writer / kLanes >= numWarps)
      continue;
    if (writer / kLanes == lastWriter && stamp == lastStamp)
      continue; // as the granule before
    lastWriter = writer / kLanes;
    lastStamp = stamp;
    if (isFenced(warp, writer / kLanes, stamp))
      continue;
    const Instr &store = program.code[writeInstrs[g]];
    return sim::report(
        warp, instr, lane, FindingKind::MissingProxyFence,
        kSharedBase + (uint64_t(g) << shift),
        formatv("{0} reads at shared offset {1} what the store by warp {2}, "
                "lane {3} at {4} has written by the generic proxy; expected "
                "fence.proxy.async behind the store",
                getVerb(*instr), g << shift, writer / kLanes, writer % kLanes,
                program.locations[store.location].str()),
        &store);
  }
}

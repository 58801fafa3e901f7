//===- RemoteShared.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses to the shared memory of other blocks of a cluster. Each block keeps
// who of the others accessed which granule of it: what nothing orders with an
// access by another block is a race, and with the block's begin or end an
// access to memory that may not be there.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Memory/Memory.h"
#include "Memory/SharedShadow.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tileir::sim;
using llvm::formatv;

namespace {
/// The last access of a kind by a warp of another block.
struct Remote {
  uint32_t rank, warp, lane, stamp;
  const Instr *instr;
  bool isStore, atomic;
};
} // namespace

class tileir::sim::RemoteAccesses {
public:
  llvm::DenseMap<uint32_t, llvm::SmallVector<Remote, 2>> granules;
  /// The last arrivals at each mbarrier, by its offset.
  llvm::DenseMap<uint32_t, llvm::SmallVector<Remote, 2>> arrivals;
};

/// Replaces what the same warp has done in the same way before.
static void note(llvm::SmallVectorImpl<Remote> &all, const Remote &now) {
  auto found = llvm::find_if(all, [&](const Remote &other) {
    return other.rank == now.rank && other.warp == now.warp &&
           other.isStore == now.isStore && other.atomic == now.atomic;
  });
  if (found == all.end())
    all.push_back(now);
  else
    *found = now;
}

static Block &getOwner(const Block &block, uint64_t address) {
  return *block.cluster->blocks[getRank(address)];
}

static std::string describeInstr(const Warp &warp, const Instr *instr) {
  return warp.block->launch->program->locations[instr->location].str();
}

uint8_t *tileir::sim::resolveRemote(Warp &warp, const Instr *instr,
                                    uint32_t lane, uint64_t address,
                                    uint32_t bytes, uint32_t alignment) {
  const Block &block = *warp.block;
  const uint32_t size = block.cluster ? block.cluster->size : 1;
  const uint32_t rank = getRank(address);
  const uint64_t offset = address % kSharedWindow;
  auto fail = [&](FindingKind kind, const std::string &what) {
    report(warp, instr, lane, kind, address,
           formatv("{0} of {1} bytes at shared offset {2} of rank {3}{4}",
                   getVerb(*instr), bytes, offset, rank, what));
    return nullptr;
  };
  if (rank >= size)
    return fail(FindingKind::OutOfBounds,
                formatv("; expected a rank below {0}, the blocks of the "
                        "cluster",
                        size));
  const Block &owner = getOwner(block, address);
  if (offset >= owner.sharedBytes || bytes > owner.sharedBytes - offset)
    return fail(
        FindingKind::OutOfBounds,
        formatv(", outside its {0} bytes of shared memory", owner.sharedBytes));
  if (offset % alignment)
    return fail(FindingKind::Misaligned,
                formatv("; expected an address that {0} divides", alignment));
  if (!owner.aliveWarps && &owner != &block)
    return fail(FindingKind::BlockLifetime,
                ", a block that has ended; expected barrier.cluster between "
                "this and its end");
  if (&owner != &block && !hasBegun(warp, owner))
    fail(FindingKind::BlockLifetime,
         ", a block that may not have begun; expected barrier.cluster before "
         "the first access");
  return owner.shared + offset;
}

/// Whether two accesses of one place may not meet.
static bool isConflict(bool isStore, bool atomic, bool otherStores,
                       bool otherAtomic) {
  return (isStore || otherStores) && !(atomic && otherAtomic);
}

static void reportRace(Warp &warp, const Instr *instr, uint32_t lane,
                       uint64_t address, uint32_t bytes, uint32_t rank,
                       const char *what, uint32_t otherRank, uint32_t otherWarp,
                       const Instr *other) {
  report(warp, instr, lane, FindingKind::SharedRace, address,
         formatv("{0} of {1} bytes at shared offset {2} of rank {3} is not "
                 "ordered with the {4} by warp {5} of rank {6} at {7}; "
                 "expected barrier.cluster or an mbarrier between them",
                 getVerb(*instr), bytes, address % kSharedWindow, rank, what,
                 otherWarp, otherRank, describeInstr(warp, other)),
         other);
}

/// Reports the first access by other blocks to a granule of `owner` that is not
/// ordered before what the warp does now.
static bool findRace(Warp &warp, const Instr *instr, uint32_t lane,
                     uint64_t address, uint32_t bytes, const Block &owner,
                     llvm::ArrayRef<Remote> accesses, bool isStore,
                     bool atomic) {
  const Block &block = *warp.block;
  for (const Remote &other : accesses) {
    if (!isConflict(isStore, atomic, other.isStore, other.atomic))
      continue;
    const bool isOrdered =
        other.rank == block.rank
            ? block.isOrdered(other.warp, other.lane, other.stamp, warp, lane)
            : other.stamp <=
                  getKnown(warp,
                           *block.cluster->blocks[other.rank])[other.warp];
    if (isOrdered ||
        (other.instr == instr && other.warp == warp.index &&
         other.rank == block.rank && other.stamp == block.now && !isStore))
      continue;
    reportRace(warp, instr, lane, address, bytes, owner.rank,
               other.isStore ? (other.atomic ? "atomic store" : "store")
                             : (other.atomic ? "atomic load" : "load"),
               other.rank, other.warp, other.instr);
    return true;
  }
  return false;
}

void tileir::sim::noteRemote(Warp &warp, const Instr *instr, uint32_t lanes,
                             const uint64_t *addresses, uint32_t bytes,
                             bool isStore, bool atomic) {
  Block &block = *warp.block;
  bool isReported = false;
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t lane = llvm::countr_zero(lanes);
    Block &owner = getOwner(block, addresses[lane]);
    if (!owner.remote || !owner.shadow)
      continue;
    const uint32_t offset = addresses[lane] % kSharedWindow;
    if (!isReported)
      isReported = owner.shadow->checkAccess(warp, instr, lane, owner, offset,
                                             bytes, isStore, atomic);
    const uint32_t granule = block.launch->program->sharedGranule;
    for (uint32_t g = offset / granule; g <= (offset + bytes - 1) / granule;
         ++g) {
      auto &all = owner.remote->granules[g];
      if (!isReported)
        isReported = findRace(warp, instr, lane, addresses[lane], bytes, owner,
                              all, isStore, atomic);
      note(all,
           {block.rank, warp.index, lane, block.now, instr, isStore, atomic});
    }
    if (isStore)
      owner.shadow->markWritten(owner, offset, bytes);
  }
}

void tileir::sim::checkRemote(Warp &warp, const Instr *instr, uint32_t lanes,
                              const uint64_t *addresses, uint32_t bytes,
                              bool isStore, bool atomic) {
  Block &block = *warp.block;
  auto &granules = block.remote->granules;
  if (granules.empty())
    return;
  const uint32_t granule = block.launch->program->sharedGranule;
  for (; lanes; lanes &= lanes - 1) {
    const uint32_t lane = llvm::countr_zero(lanes);
    const uint32_t offset = addresses[lane] % kSharedWindow;
    for (uint32_t g = offset / granule; g <= (offset + bytes - 1) / granule;
         ++g) {
      auto found = granules.find(g);
      if (found != granules.end() &&
          findRace(warp, instr, lane, addresses[lane], bytes, block,
                   found->second, isStore, atomic))
        return;
    }
  }
}

void tileir::sim::checkRemoteRange(Warp &warp, const Instr *instr,
                                   uint32_t lane, Block &owner, uint32_t offset,
                                   uint32_t bytes, bool isStore, bool atomic) {
  auto &granules = owner.remote->granules;
  if (granules.empty())
    return;
  const uint32_t granule = owner.launch->program->sharedGranule;
  for (uint32_t g = offset / granule; g <= (offset + bytes - 1) / granule;
       ++g) {
    auto found = granules.find(g);
    if (found != granules.end() &&
        findRace(warp, instr, lane, mapToRank(offset, owner.rank), bytes, owner,
                 found->second, isStore, atomic))
      return;
  }
}

/// Whether the access comes before the end of the block: some warp of it knows
/// that it was earlier.
static bool isBeforeEnd(const Block &block, const Remote &access) {
  const uint32_t place = access.rank * kMaxClocks + access.warp;
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    const uint32_t *row = block.getRow(w);
    if (access.stamp <= std::max(row[place], row[block.timeOffset + place]))
      return true;
  }
  return false;
}

void tileir::sim::noteRemoteArrival(const Warp &warp, const Instr *instr,
                                    uint32_t lane, Block &owner,
                                    uint32_t offset) {
  const Block &block = *warp.block;
  if (owner.remote)
    note(owner.remote->arrivals[offset],
         {block.rank, warp.index, lane, block.now, instr, /*isStore=*/true,
          /*atomic=*/true});
}

void tileir::sim::endRemote(Block &block) {
  const Remote *first = nullptr;
  uint32_t place = 0;
  auto find = [&](const auto &accesses, uint32_t unit) {
    for (const auto &[number, all] : accesses)
      for (const Remote &access : all)
        if ((!first || number * unit < place) && !isBeforeEnd(block, access)) {
          first = &access;
          place = number * unit;
        }
  };
  find(block.remote->granules, block.launch->program->sharedGranule);
  find(block.remote->arrivals, 1);
  if (!first)
    return;
  Warp &warp = block.cluster->blocks[first->rank]->warps[first->warp];
  report(warp, first->instr, first->lane, FindingKind::BlockLifetime,
         mapToRank(place, block.rank),
         formatv("{0} at shared offset {1} of rank {2} may come after the end "
                 "of that block; expected barrier.cluster between this and its "
                 "end",
                 getVerb(*first->instr), place, block.rank));
}

RemoteAccesses *tileir::sim::createRemoteAccesses() {
  return new RemoteAccesses;
}
void tileir::sim::resetRemoteAccesses(RemoteAccesses &accesses) {
  accesses.granules.clear();
  accesses.arrivals.clear();
}
void tileir::sim::destroyRemoteAccesses(RemoteAccesses *accesses) {
  delete accesses;
}

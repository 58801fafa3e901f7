//===- BulkCopies.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies from issue to arrival. The fences of proxies are here too, since
// only these copies and wgmma ask for them: of each warp the last fences are
// kept, with what the warp knew. A store of the generic proxy is visible to an
// access of the async proxy if there is a fence that knows of the store, and
// that the one who accesses knows of.
//
//===----------------------------------------------------------------------===//

#include "Memory/BulkCopies.h"
#include "Exec/Cluster.h"
#include "Memory/BulkReduce.h"
#include "Memory/MBarriers.h"
#include "Memory/Memory.h"
#include "Memory/SharedShadow.h"
#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>

using namespace tileir::sim;
using llvm::formatv;

namespace {
struct ProxyFence {
  uint32_t stamp;
  std::array<uint32_t, kMaxWarps> known;
};
/// Older fences of a warp are forgotten.
constexpr size_t kMaxFences = 256;
constexpr uint32_t kTensorAlignment = 128;
constexpr uint32_t kBulkSector = 32;
constexpr uint32_t kMaskBits = 0xffff;

/// A copy to shared memory, of the block that has it.
struct Arrival {
  BulkCopy copy;
  Block *issuer = nullptr;
  /// What its warp knew when it issued the copy, the first half of a row; empty
  /// where the cluster has one block.
  std::vector<uint32_t> earlier;
};
} // namespace

class tileir::sim::BulkCopies {
public:
  std::deque<Arrival> loads;              ///< in the order of their issue
  std::deque<BulkCopy> stores[kMaxWarps]; ///< likewise
  uint32_t closed[kMaxWarps][kLanes] = {};
  std::deque<ProxyFence> fences[kMaxWarps];
};

static const Bulk &getBulk(const Warp &warp, const Instr *instr) {
  return warp.block->launch->program->bulks[instr->imm];
}

//===----------------------------------------------------------------------===//
// Proxies
//===----------------------------------------------------------------------===//

void tileir::sim::fenceProxy(Warp &warp) {
  Block &block = *warp.block;
  ProxyFence fence;
  std::copy_n(block.known[warp.index], kMaxWarps, fence.known.begin());
  fence.known[warp.index] = block.now;
  fence.stamp = block.now++;
  auto &fences = block.bulk->fences[warp.index];
  fences.push_back(fence);
  if (fences.size() > kMaxFences)
    fences.pop_front();
}

/// Whether a fence is between the store and what the warp does now.
bool tileir::sim::isFenced(const Warp &warp, uint32_t writer, uint32_t stamp) {
  const Block &block = *warp.block;
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    const uint32_t known =
        w == warp.index ? block.now : block.known[warp.index][w];
    const auto &fences = block.bulk->fences[w];
    for (auto fence = fences.rbegin(); fence != fences.rend(); ++fence) {
      if (fence->stamp > known)
        continue;
      if (stamp <= fence->known[writer])
        return true;
      break; // those before know less
    }
  }
  return false;
}

void tileir::sim::noteProxyRead(Warp &warp, const Instr *instr, uint32_t lane,
                                uint32_t offset, uint32_t bytes) {
  SharedShadow *shadow = warp.block->shadow;
  if (!shadow)
    return;
  shadow->beginRead(warp, instr, lane, offset, bytes);
  shadow->checkFenced(warp, instr, lane, offset, bytes);
  shadow->endRead(warp, instr, lane, offset, bytes);
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// The bytes from which on the copy has its place in shared memory.
static uint32_t getSpan(const BulkCopy &copy) {
  return copy.isSpread ? llvm::alignTo(copy.bytes, kTensorAlignment)
                       : copy.bytes;
}

/// Calls `body(offset, bytes)` for what the copy accesses in shared memory.
template <typename Body>
static void forRanges(const BulkCopy &copy, Body body) {
  if (!copy.isSpread)
    return body(copy.shared, copy.bytes);
  uint32_t last = ~0u;
  for (const BulkSegment &segment : copy.segments) {
    const uint32_t chunk = llvm::alignDown(segment.shared, kBulkAlignment);
    if (chunk != last)
      body(chunk, kBulkAlignment);
    last = chunk;
  }
}

bool tileir::sim::checkShared(Warp &warp, const Instr *instr, uint32_t lane,
                              uint64_t address, uint64_t bytes,
                              uint32_t alignment) {
  const Block &block = *warp.block;
  const uint64_t offset = address - kSharedBase;
  const bool isInside =
      offset < block.sharedBytes && bytes <= block.sharedBytes - offset;
  if (isInside && address % alignment == 0)
    return true;
  report(warp, instr, lane,
         isInside ? FindingKind::Misaligned : FindingKind::OutOfBounds, address,
         formatv("{0} of {1} bytes at {2:x} in shared memory; expected an "
                 "address that {3} divides, and all bytes in the block's {4}",
                 getVerb(*instr), bytes, address, alignment,
                 block.sharedBytes));
  return false;
}

/// A range of bytes. False after a finding.
static bool setRange(Warp &warp, const Instr *instr, uint32_t lane,
                     const BulkOperands &operands, BulkCopy &copy) {
  const Bulk &bulk = getBulk(warp, instr);
  if (operands.bytes % kBulkAlignment || operands.bytes == 0) {
    report(warp, instr, lane, FindingKind::InvalidCopy, operands.shared,
           formatv("{0} of {1} bytes; expected a multiple of 16",
                   getVerb(*instr), operands.bytes));
    return false;
  }
  copy.bytes = operands.bytes;
  Access access = warp.block->launch->program->accesses[instr->extra];
  access.space = Space::Global;
  if (!resolve(warp, instr, access, lane, operands.global, copy.bytes,
               bulk.kind != Bulk::Load, kBulkAlignment))
    return false;
  copy.type = bulk.type;
  copy.isSigned = bulk.isSigned;
  copy.segments = {{operands.global, 0, copy.bytes}};
  return true;
}

/// Tells of the global memory that is accessed, sector by sector; counts, with
/// the wavefronts of the shared memory of `numBlocks` blocks.
static void noteSegments(Warp &warp, const Instr *instr, uint32_t lane,
                         const BulkCopy &copy, bool isStore, bool isAtomic,
                         uint32_t numBlocks) {
  if (!warp.block->launch->instrument)
    return;
  Buffer *buffer = nullptr;
  uint64_t sectors = 0, bytes = 0, last = 0;
  for (const BulkSegment &segment : copy.segments) {
    if (!segment.global)
      continue;
    bytes += segment.bytes;
    for (uint64_t at = segment.global, end = at + segment.bytes; at < end;) {
      const uint64_t next =
          std::min(end, llvm::alignDown(at, kBulkSector) + kBulkSector);
      if (!buffer || at - buffer->begin >= buffer->size)
        buffer = findBuffer(warp, at);
      if (!buffer)
        return;
      noteGlobal(warp, instr, lane, *buffer, at, next - at, isStore, isAtomic);
      sectors += at / kBulkSector + 1 != last;
      last = at / kBulkSector + 1;
      at = next;
    }
  }
  AccessCounters &counters = warp.worker->accesses[instr->extra];
  ++counters.warps;
  ++counters.lanes;
  counters.bytes += copy.bytes;
  counters.sectors += sectors;
  counters.idealSectors +=
      std::min<uint64_t>(sectors, llvm::divideCeil(bytes, kBulkSector));
  const uint32_t wavefronts = numBlocks * llvm::divideCeil(copy.bytes, 128u);
  counters.wavefronts += wavefronts;
  counters.idealWavefronts += wavefronts;
}

uint32_t tileir::sim::getTargets(Warp &warp, const Instr *instr, uint32_t lane,
                                 const BulkOperands &operands) {
  const Block &block = *warp.block;
  const uint32_t size = block.cluster->size;
  auto fail = [&](const std::string &what) {
    report(warp, instr, lane, FindingKind::InvalidCopy, operands.shared,
           formatv("{0} {1}", getVerb(*instr), what));
    return 0;
  };
  if (getBulk(warp, instr).hasMask) {
    const uint32_t mask = operands.mask & kMaskBits;
    if (mask == 0 || mask >> size)
      return fail(formatv("with .multicast to the blocks {0:x}; expected a "
                          "mask of the {1} of the cluster, not 0",
                          mask, size));
    return mask;
  }
  auto getRankOf = [&](uint64_t address) {
    return isClusterAddress(address) ? getRank(address) : block.rank;
  };
  const uint32_t rank = getRankOf(operands.shared);
  if (rank != getRankOf(operands.mbarrier))
    return fail(formatv("to the shared memory of rank {0} with an mbarrier of "
                        "rank {1}; expected both in one block",
                        rank, getRankOf(operands.mbarrier)));
  if (rank >= size)
    return fail(formatv("to the shared memory of rank {0}; expected a rank "
                        "below {1}, the blocks of the cluster",
                        rank, size));
  return 1u << rank;
}

bool tileir::sim::beginArrival(Warp &warp, const Instr *instr, uint32_t lane,
                               Block &owner, uint64_t mbarrier, BulkCopy copy) {
  Block &block = *warp.block;
  const bool isRemote = &owner != &block;
  const bool reduces = getBulk(warp, instr).kind == Bulk::ReduceAsync;
  if (isRemote &&
      !resolveRemote(warp, instr, lane, mapToRank(copy.shared, owner.rank),
                     getSpan(copy), copy.alignment))
    return false;
  MBarrierAccess at(warp, instr, lane,
                    isRemote ? mapToRank(mbarrier, owner.rank)
                             : kSharedBase + mbarrier % kSharedWindow);
  if (!at.barrier)
    return false;
  copy.mbarrier = at.offset;
  forRanges(copy, [&](uint32_t offset, uint32_t bytes) {
    if (owner.shadow)
      owner.shadow->beginWrite(warp, instr, lane, owner, offset, bytes,
                               reduces);
    if (owner.remote)
      checkRemoteRange(warp, instr, lane, owner, offset, bytes,
                       /*isStore=*/true, /*atomic=*/reduces);
    if (!reduces)
      std::memset(owner.shared + offset, 0xff, bytes);
  });
  Arrival arrival;
  arrival.copy = std::move(copy);
  arrival.issuer = &block;
  if (block.timeOffset) {
    const uint32_t *row = block.getRow(warp.index);
    arrival.earlier.assign(row, row + block.timeOffset);
    joinClocks(arrival.earlier.data(), row + block.timeOffset,
               block.timeOffset);
    arrival.earlier[block.rank * kMaxClocks + warp.index] = block.now++;
  }
  owner.bulk->loads.push_back(std::move(arrival));
  ++owner.mbarriers->changes;
  return true;
}

void tileir::sim::issueBulk(Warp &warp, const Instr *instr, uint32_t lane,
                            BulkOperands operands) {
  Block &block = *warp.block;
  operands.shared = toOwnWindow(block, operands.shared);
  const Bulk &bulk = getBulk(warp, instr);
  if (bulk.kind == Bulk::Send)
    return issueSend(warp, instr, lane, operands);
  BulkCopy copy;
  copy.instr = instr;
  copy.warp = warp.index;
  copy.lane = lane;
  uint32_t targets = 0;
  if (bulk.kind == Bulk::Load) {
    targets = getTargets(warp, instr, lane, operands);
    if (!targets)
      return;
    operands.shared = isClusterAddress(operands.shared)
                          ? kSharedBase + operands.shared % kSharedWindow
                          : operands.shared;
  } else if (isClusterAddress(operands.shared)) {
    report(warp, instr, lane, FindingKind::InvalidCopy, operands.shared,
           formatv("{0} from the shared memory of another block; expected "
                   "that of its own",
                   getVerb(*instr)));
    return;
  }
  if (bulk.isTensor ? !setBox(warp, instr, lane, operands, copy)
                    : !setRange(warp, instr, lane, operands, copy))
    return;
  if (!checkShared(warp, instr, lane, operands.shared, getSpan(copy),
                   bulk.isTensor ? kTensorAlignment : kBulkAlignment))
    return;
  copy.shared = operands.shared - kSharedBase;
  if (!bulk.isTensor)
    copy.segments[0].shared = copy.shared;
  if (bulk.kind == Bulk::Load) {
    bool arrives = false;
    const uint32_t numBlocks = llvm::popcount(targets);
    for (; targets; targets &= targets - 1)
      arrives |= beginArrival(
          warp, instr, lane, *block.cluster->blocks[llvm::countr_zero(targets)],
          operands.mbarrier, copy);
    if (arrives) // its global memory is read once
      noteSegments(warp, instr, lane, copy, /*isStore=*/false,
                   /*isAtomic=*/false, numBlocks);
    return;
  }
  if (block.shadow)
    forRanges(copy, [&](uint32_t offset, uint32_t bytes) {
      block.shadow->beginRead(warp, instr, lane, offset, bytes);
      block.shadow->checkFenced(warp, instr, lane, offset, bytes);
      if (block.remote)
        checkRemoteRange(warp, instr, lane, block, offset, bytes,
                         /*isStore=*/false, /*atomic=*/false);
    });
  copy.group = block.bulk->closed[warp.index][lane];
  block.bulk->stores[warp.index].push_back(std::move(copy));
}

//===----------------------------------------------------------------------===//
// Arrival
//===----------------------------------------------------------------------===//

/// The bytes of elements outside the tensor.
static void fill(uint8_t *to, const BulkSegment &segment,
                 const BulkCopy &copy) {
  std::memset(to, copy.fillsNaN ? 0xff : 0, segment.bytes);
  if (copy.fillsNaN) // the sign is clear
    for (uint32_t i = copy.elementBytes - 1; i < segment.bytes;
         i += copy.elementBytes)
      to[i] = 0x7f;
}

static void performLoad(Block &block, Block &issuer, const BulkCopy &copy) {
  if (copy.segments.empty())
    return performStore(block, issuer, copy);
  for (const BulkSegment &segment : copy.segments) {
    uint8_t *to = block.shared + segment.shared;
    if (segment.global)
      std::memcpy(to, reinterpret_cast<const void *>(segment.global),
                  segment.bytes);
    else
      fill(to, segment, copy);
  }
}

/// Reductions wait until all bytes are on their way: so whoever adds to a place
/// comes before the result is complete.
static bool isTooEarly(const Block &block, uint32_t offset) {
  int64_t bytes = 0;
  bool reduces = false;
  for (const Arrival &arrival : block.bulk->loads)
    if (arrival.copy.mbarrier == offset) {
      bytes += arrival.copy.bytes;
      reduces |= arrival.copy.instr->opcode == Opcode::ReduceAsync;
    }
  return reduces && bytes < block.mbarriers->objects.at(offset).bytes;
}

void tileir::sim::performCopies(Block &block, uint32_t offset) {
  auto &loads = block.bulk->loads;
  if (performArrivals(block, offset) || isTooEarly(block, offset))
    return;
  for (;;) {
    auto found =
        std::find_if(loads.begin(), loads.end(), [&](const Arrival &arrival) {
          return arrival.copy.mbarrier == offset;
        });
    if (found == loads.end())
      return;
    const Arrival arrival = std::move(*found);
    const BulkCopy &copy = arrival.copy;
    loads.erase(found);
    performLoad(block, *arrival.issuer, copy);
    MBarrierAccess at(arrival.issuer->warps[copy.warp], copy.instr, copy.lane,
                      arrival.issuer == &block ? kSharedBase + offset
                                               : mapToRank(offset, block.rank));
    if (!at.barrier)
      return;
    if (block.shadow)
      forRanges(copy, [&](uint32_t offset, uint32_t bytes) {
        block.shadow->endWrite(block, copy.instr, offset, bytes,
                               at.barrier->clock,
                               copy.instr->opcode == Opcode::ReduceAsync);
      });
    const uint64_t phase = at.barrier->phase;
    at.complete(copy.bytes,
                arrival.earlier.empty() ? nullptr : arrival.earlier.data());
    if (at.barrier->phase != phase)
      return;
  }
}

/// The source is read now.
static void readSource(Block &block, Warp &warp, BulkCopy &copy) {
  if (copy.wasRead)
    return;
  copy.wasRead = true;
  copy.data.assign(block.shared + copy.shared,
                   block.shared + copy.shared + getSpan(copy));
  if (block.shadow)
    forRanges(copy, [&](uint32_t offset, uint32_t bytes) {
      block.shadow->endRead(warp, copy.instr, copy.lane, offset, bytes);
    });
}

static void writeTarget(Block &block, Warp &warp, const BulkCopy &copy) {
  const Bulk &bulk = getBulk(warp, copy.instr);
  const bool isReduction = bulk.kind == Bulk::Reduce;
  noteSegments(warp, copy.instr, copy.lane, copy, /*isStore=*/true, isReduction,
               /*numBlocks=*/1);
  for (const BulkSegment &segment : copy.segments) {
    if (!segment.global)
      continue;
    const uint8_t *from = copy.data.data() + (segment.shared - copy.shared);
    if (isReduction)
      reduceGlobal(bulk.op, copy.type, copy.isSigned, segment.global, from,
                   segment.bytes);
    else
      std::memcpy(reinterpret_cast<void *>(segment.global), from,
                  segment.bytes);
  }
}

void tileir::sim::commitBulk(Warp &warp) {
  uint32_t *closed = warp.block->bulk->closed[warp.index];
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    closed[lane] += warp.active >> lane & 1;
}

void tileir::sim::waitBulk(Warp &warp, const Instr *, uint32_t groups,
                           bool readsOnly) {
  Block &block = *warp.block;
  auto &stores = block.bulk->stores[warp.index];
  const uint32_t *closed = block.bulk->closed[warp.index];
  for (BulkCopy &copy : stores) {
    if (!(warp.active >> copy.lane & 1) ||
        closed[copy.lane] - copy.group <= groups)
      continue;
    readSource(block, warp, copy);
    if (readsOnly)
      continue;
    writeTarget(block, warp, copy);
    copy.bytes = 0; // done
  }
  stores.erase(
      std::remove_if(stores.begin(), stores.end(),
                     [](const BulkCopy &copy) { return copy.bytes == 0; }),
      stores.end());
}

void tileir::sim::finishBulk(Block &block) {
  for (const Arrival &arrival : block.bulk->loads)
    if (arrival.issuer != &block) {
      const BulkCopy &copy = arrival.copy;
      report(arrival.issuer->warps[copy.warp], copy.instr, copy.lane,
             FindingKind::BlockLifetime, mapToRank(copy.shared, block.rank),
             formatv("{0} of {1} bytes at shared offset {2} of rank {3} may "
                     "arrive after the end of that block; expected a wait for "
                     "its mbarrier",
                     getVerb(*copy.instr), copy.bytes, copy.shared,
                     block.rank));
    }
  for (uint32_t w = 0; w < block.numWarps; ++w)
    for (BulkCopy &copy : block.bulk->stores[w]) {
      Warp &warp = block.warps[w];
      if (copy.wasRead)
        writeTarget(block, warp, copy);
      else
        report(warp, copy.instr, copy.lane, FindingKind::MissingWait,
               kSharedBase + copy.shared,
               formatv("{0} of {1} bytes at shared offset {2} is still to read "
                       "them when its block ends; expected "
                       "cp.async.bulk.commit_group and wait_group before",
                       getVerb(*copy.instr), copy.bytes, copy.shared));
    }
}

BulkCopies *tileir::sim::createBulkCopies() { return new BulkCopies; }
void tileir::sim::resetBulkCopies(BulkCopies &copies) { copies = {}; }
void tileir::sim::destroyBulkCopies(BulkCopies *copies) { delete copies; }

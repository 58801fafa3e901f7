//===- AsyncCopies.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async, at the latest time that is legal: the data is read and written when
// the thread waits for its group. From the issue to then the destination shows
// NaN patterns, and its bytes are pending in the shadow. Copies that nobody
// waits for never arrive.
//
// Groups belong to threads. A copy of a warp is kept as one record for all its
// lanes whose open group has the same number.
//
// The rows of ldmatrix and stmatrix are here too: they ask for the same of
// shared memory.
//
//===----------------------------------------------------------------------===//

#include "Memory/MBarriers.h"
#include "Memory/Memory.h"
#include "Memory/SharedShadow.h"
#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace tileir::sim;
using llvm::formatv;

namespace {
/// The bytes that one instruction has still to copy.
struct Copy {
  const Instr *instr = nullptr;
  uint32_t lanes = 0;
  uint32_t group = 0; ///< groups that these lanes had closed before
  uint32_t bytes = 0;
  uint64_t number = 0;           ///< of the block
  uint32_t roundTrips = 0;       ///< of the warp when it arrives
  uint64_t destinations[kLanes]; ///< addresses
  const uint8_t *sources[kLanes];
  uint8_t sourceBytes[kLanes];
};
/// More copies of a warp are not kept, the oldest are dropped: even of the
/// smallest ones fewer fill all of shared memory.
constexpr size_t kMaxOpenCopies = 1 << 16;
} // namespace

class tileir::sim::AsyncCopies {
public:
  struct WarpState {
    uint32_t closed[kLanes] = {}; ///< groups that each lane has closed
    std::vector<uint32_t> open;   ///< indices in `copies`, oldest first
    /// The most copies each of which began when another had arrived.
    uint32_t roundTrips = 0;
  };

  /// A new record at the end of the warp's.
  Copy &add(WarpState &state);
  /// Forgets records without lanes.
  void removeDone(WarpState &state);

  WarpState warps[kMaxWarps];
  std::vector<Copy> copies;
  std::vector<uint32_t> unused; // indices in `copies`
  uint64_t issued = 0;
};

Copy &AsyncCopies::add(WarpState &state) {
  if (state.open.size() == kMaxOpenCopies) {
    for (size_t i = 0; i < kMaxOpenCopies / 2; ++i)
      copies[state.open[i]].lanes = 0;
    removeDone(state);
  }
  if (unused.empty()) {
    unused.push_back(copies.size());
    copies.emplace_back();
  }
  state.open.push_back(unused.back());
  unused.pop_back();
  return copies[state.open.back()];
}

void AsyncCopies::removeDone(WarpState &state) {
  auto isDone = [&](uint32_t index) {
    if (copies[index].lanes)
      return false;
    unused.push_back(index);
    return true;
  };
  state.open.erase(std::remove_if(state.open.begin(), state.open.end(), isDone),
                   state.open.end());
}

AsyncCopies *tileir::sim::createAsyncCopies() { return new AsyncCopies; }
void tileir::sim::resetAsyncCopies(AsyncCopies &copies) {
  for (AsyncCopies::WarpState &state : copies.warps) {
    std::fill_n(state.closed, kLanes, 0);
    state.open.clear();
    state.roundTrips = 0;
  }
  copies.copies.clear();
  copies.unused.clear();
}
uint32_t tileir::sim::getRoundTrips(const AsyncCopies &copies) {
  uint32_t most = 0;
  for (const AsyncCopies::WarpState &state : copies.warps)
    most = std::max(most, state.roundTrips);
  return most;
}
void tileir::sim::destroyAsyncCopies(AsyncCopies *copies) { delete copies; }

//===----------------------------------------------------------------------===//
// Shared memory by address
//===----------------------------------------------------------------------===//

uint8_t *tileir::sim::resolveShared(Warp &warp, const Instr *instr,
                                    uint32_t lane, uint64_t address,
                                    uint32_t bytes) {
  Block &block = *warp.block;
  uint64_t offset = address - kSharedBase;
  if (offset < block.sharedBytes && bytes <= block.sharedBytes - offset &&
      offset % bytes == 0)
    return block.shared + offset;
  bool inShared = offset < block.sharedBytes;
  report(warp, instr, lane,
         inShared && offset % bytes != 0 ? FindingKind::Misaligned
                                         : FindingKind::SharedUndefined,
         address,
         formatv("{0} of {1} bytes at {2:x}; expected an address in the "
                 "block's {3} bytes of shared memory, from {4:x}, that {1} "
                 "divides",
                 getVerb(*instr), bytes, address, block.sharedBytes,
                 kSharedBase));
  return nullptr;
}

bool tileir::sim::collectWarp(Warp &warp, const Instr *instr,
                              const Instr *&next) {
  if (warp.alive == kAllLanes)
    return collect(warp, instr, kAllLanes, next);
  next = abortBlock(warp, instr, llvm::countr_zero(warp.active),
                    FindingKind::DivergentBarrier,
                    formatv("{0} by a warp of which only the lanes {1:x8} are "
                            "left; expected all 32",
                            getVerb(*instr), warp.alive));
  return false;
}

void tileir::sim::resolveRows(Warp &warp, const Instr *instr,
                              const uint64_t *addresses, uint32_t count,
                              const uint32_t *words, uint8_t **rows) {
  constexpr uint32_t kRowBytes = 16, kRowsAtOnce = 8;
  uint32_t found = 0;
  for (uint32_t lane = 0; lane < count; ++lane) {
    rows[lane] = resolveShared(warp, instr, lane, addresses[lane], kRowBytes);
    found |= uint32_t(rows[lane] != nullptr) << lane;
  }
  if (!warp.block->launch->instrument)
    return;
  noteShared(warp, instr, found, addresses, kRowBytes,
             /*isStore=*/words != nullptr, /*atomic=*/false, words);
  AccessCounters &counters = warp.worker->accesses[instr->extra];
  ++counters.warps;
  counters.lanes += kLanes;
  counters.bytes += count * kRowBytes;
  counters.wavefronts += countWavefronts(addresses, found, kRowBytes);
  counters.idealWavefronts += count / kRowsAtOnce;
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

namespace {
/// The places that the lanes of one cp.async read.
struct Sources {
  uint32_t lanes = 0;       ///< those that read
  uint32_t total = 0;       ///< bytes that they read
  bool partial = false;     ///< some of them read less than they copy
  Buffer *buffer = nullptr; ///< that all of them read, if it is one
  const uint8_t *from[kLanes];
  uint8_t bytes[kLanes];
};
} // namespace

/// Checks what the lanes read.
static void resolveSources(Warp &warp, const Instr *instr, uint32_t bytes,
                           const uint64_t *addresses,
                           const uint32_t *sourceBytes, Sources &sources) {
  Access access = warp.block->launch->program->accesses[instr->extra];
  access.space = Space::Global;
  Buffer *&last = warp.worker->lastBuffer[instr->extra];
  Buffer *first = nullptr;
  bool oneBuffer = true;
  for (uint32_t left = warp.active; left; left &= left - 1) {
    uint32_t lane = llvm::countr_zero(left);
    uint32_t read = sourceBytes ? sourceBytes[lane] : bytes;
    if (read > bytes) {
      report(warp, instr, lane, FindingKind::OutOfBounds, addresses[lane],
             formatv("cp.async of {0} bytes from a source of {1}; expected at "
                     "most {0}",
                     bytes, read));
      read = bytes;
    }
    sources.from[lane] = nullptr;
    sources.bytes[lane] = 0;
    if (!read)
      continue;
    const uint8_t *from = resolve(warp, instr, access, lane, addresses[lane],
                                  read, /*isStore=*/false, bytes);
    if (!from)
      continue;
    sources.from[lane] = from;
    sources.bytes[lane] = read;
    sources.lanes |= 1u << lane;
    sources.total += read;
    sources.partial |= read != bytes;
    oneBuffer &= !first || first == last;
    first = last;
  }
  sources.buffer = oneBuffer ? first : nullptr;
}

static void observeCopies(Warp &warp, const Instr *instr, uint32_t lanes,
                          uint32_t bytes, const uint64_t *destinations,
                          const uint64_t *addresses, const Sources &sources) {
  notePending(warp, instr, lanes, destinations, bytes);
  if (sources.buffer && !sources.partial)
    noteGlobal(warp, instr, sources.lanes, *sources.buffer, addresses, bytes,
               /*isStore=*/false, /*atomic=*/false);
  else
    for (uint32_t left = sources.lanes; left; left &= left - 1) {
      uint32_t lane = llvm::countr_zero(left);
      Buffer *buffer = warp.block->launch->memory->find(addresses[lane]);
      noteGlobal(warp, instr, lane, *buffer, addresses[lane],
                 sources.bytes[lane], /*isStore=*/false, /*atomic=*/false);
    }
  AccessCounters &counters = warp.worker->accesses[instr->extra];
  ++counters.warps;
  counters.lanes += llvm::popcount(lanes);
  counters.bytes += llvm::popcount(lanes) * bytes;
  uint32_t sectors = countSectors(addresses, sources.lanes, bytes);
  counters.sectors += sectors;
  // Lanes that read the same bytes need fewer.
  counters.idealSectors += std::min<uint32_t>(
      sectors, llvm::divideCeil(sources.total, uint32_t(32)));
  counters.wavefronts += countWavefronts(destinations, lanes, bytes);
  counters.idealWavefronts += countIdealWavefronts(lanes, bytes);
}

void tileir::sim::issueCopies(Warp &warp, const Instr *instr,
                              const uint64_t *destinations,
                              const uint64_t *addresses,
                              const uint32_t *sourceBytes) {
  Block &block = *warp.block;
  const uint32_t bytes = block.launch->program->accesses[instr->extra].bytes;
  Sources sources;
  resolveSources(warp, instr, bytes, addresses, sourceBytes, sources);
  AsyncCopies::WarpState &state = block.copies->warps[warp.index];
  Copy *copy = nullptr;
  uint32_t issued = 0;
  for (uint32_t left = warp.active; left; left &= left - 1) {
    uint32_t lane = llvm::countr_zero(left);
    uint8_t *to = resolveShared(warp, instr, lane, destinations[lane], bytes);
    if (!to)
      continue;
    issued |= 1u << lane;
    std::memset(to, 0xff, bytes);
    if (!copy || copy->group != state.closed[lane]) {
      copy = &block.copies->add(state);
      copy->instr = instr;
      copy->lanes = 0;
      copy->group = state.closed[lane];
      copy->bytes = bytes;
      copy->number = ++block.copies->issued;
      // Zeros need not be waited for.
      copy->roundTrips = state.roundTrips + (sources.total != 0);
    }
    copy->lanes |= 1u << lane;
    copy->destinations[lane] = destinations[lane];
    copy->sources[lane] = sources.from[lane];
    copy->sourceBytes[lane] = sources.bytes[lane];
  }
  if (block.launch->instrument && issued)
    observeCopies(warp, instr, issued, bytes, destinations, addresses, sources);
}

void tileir::sim::commitCopies(Warp &warp) {
  uint32_t *closed = warp.block->copies->warps[warp.index].closed;
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    closed[lane] += warp.active >> lane & 1;
}

/// Writes what the lanes of a copy were to get.
static void write(Warp &warp, const Copy &copy, uint32_t lanes) {
  uint8_t *shared = warp.block->shared;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint32_t lane = llvm::countr_zero(left);
    uint8_t *to = shared + (copy.destinations[lane] - kSharedBase);
    uint32_t read = copy.sourceBytes[lane];
    if (read == 16) { // most copies by far
      std::memcpy(to, copy.sources[lane], 16);
      continue;
    }
    if (read)
      std::memcpy(to, copy.sources[lane], read);
    std::memset(to + read, 0, copy.bytes - read);
  }
}

static void perform(Warp &warp, const Copy &copy, uint32_t lanes) {
  write(warp, copy, lanes);
  noteShared(warp, copy.instr, lanes, copy.destinations, copy.bytes,
             /*isStore=*/true, /*atomic=*/false);
}

void tileir::sim::waitCopies(Warp &warp, int64_t groups) {
  AsyncCopies &copies = *warp.block->copies;
  AsyncCopies::WarpState &state = copies.warps[warp.index];
  bool anyDone = false;
  for (uint32_t index : state.open) {
    Copy &copy = copies.copies[index];
    uint32_t lanes = copy.lanes & warp.active;
    if (groups >= 0)
      for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = llvm::countr_zero(left);
        // The group is the (closed - group)-th from the end.
        if (state.closed[lane] - copy.group <= uint64_t(groups))
          lanes &= ~(1u << lane);
      }
    if (!lanes)
      continue;
    perform(warp, copy, lanes);
    state.roundTrips = std::max(state.roundTrips, copy.roundTrips);
    copy.lanes &= ~lanes;
    anyDone |= copy.lanes == 0;
  }
  noteWaitOfCopies(warp, warp.active);
  if (anyDone)
    copies.removeDone(state);
}

uint64_t tileir::sim::getLastCopy(const Warp &warp) {
  return warp.block->copies->issued;
}

void tileir::sim::performCopiesOf(Warp &warp, uint32_t lane, uint64_t last,
                                  uint32_t clock) {
  Block &block = *warp.block;
  AsyncCopies::WarpState &state = block.copies->warps[warp.index];
  for (uint32_t index : state.open) {
    Copy &copy = block.copies->copies[index];
    if (!(copy.lanes >> lane & 1) || copy.number > last)
      continue;
    write(warp, copy, 1u << lane);
    if (block.shadow)
      block.shadow->endWrite(block, copy.instr,
                             copy.destinations[lane] - kSharedBase, copy.bytes,
                             clock);
    state.roundTrips = std::max(state.roundTrips, copy.roundTrips);
    copy.lanes &= ~(1u << lane);
  }
  block.copies->removeDone(state);
}

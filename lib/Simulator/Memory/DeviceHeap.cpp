//===- DeviceHeap.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The heap of the device: memory that was never used goes first, so that uses
// of what was freed show.
//
//===----------------------------------------------------------------------===//

#include "Memory/DeviceHeap.h"

#include "Exec/Warp.h"
#include "Memory/Memory.h"
#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>

using namespace tileir::sim;
using llvm::formatv;

constexpr uint64_t kHeapAlignment = 16;

DeviceHeap::~DeviceHeap() {
  for (auto [address, bytes] : live)
    llvm::consumeError(
        memory.unregisterHost(reinterpret_cast<void *>(address)));
  std::free(arena);
}

bool DeviceHeap::setLimit(uint64_t bytes) {
  if (arena)
    return false;
  limit = bytes;
  return true;
}

uint64_t DeviceHeap::take(uint64_t bytes) {
  if (bytes <= limit - next) {
    next += bytes;
    return next - bytes;
  }
  for (auto range = unused.begin(); range != unused.end(); ++range) {
    // Ranges side by side become one.
    for (auto behind = std::next(range);
         behind != unused.end() &&
         range->first + range->second == behind->first;
         behind = unused.erase(behind))
      range->second += behind->second;
    if (range->second < bytes)
      continue;
    const uint64_t offset = range->first, rest = range->second - bytes;
    unused.erase(range);
    if (rest)
      unused[offset + bytes] = rest;
    return offset;
  }
  return limit;
}

uint64_t DeviceHeap::allocate(uint64_t bytes) {
  if (bytes == 0 || bytes > limit)
    return 0;
  if (!arena)
    arena = static_cast<uint8_t *>(std::malloc(limit + kHeapAlignment));
  if (!arena)
    return 0;
  // With a gap behind each.
  const uint64_t all = llvm::alignTo(bytes, kHeapAlignment) + kHeapAlignment;
  const uint64_t offset = take(all);
  if (offset == limit)
    return 0;
  const uint64_t address =
      llvm::alignTo(reinterpret_cast<uint64_t>(arena), kHeapAlignment) + offset;
  auto *begin = reinterpret_cast<uint8_t *>(address);
  for (auto old = freed.lower_bound(address);
       old != freed.end() && old->first < address + all;)
    old = freed.erase(old);
  if (llvm::Error error = memory.registerHost(
          begin, bytes,
          formatv("allocation {0} of a kernel", numAllocations))) {
    llvm::consumeError(std::move(error));
    return 0;
  }
  ++numAllocations;
  std::memset(begin, 0xff, bytes);
  memory.find(address)->isTracked = true;
  live[address] = all;
  return address;
}

bool DeviceHeap::free(uint64_t address, const SourceLocation &where) {
  auto found = live.find(address);
  if (found == live.end())
    return false;
  freed[address] = {memory.find(address)->size, where};
  llvm::consumeError(memory.unregisterHost(reinterpret_cast<void *>(address)));
  unused[address - llvm::alignTo(reinterpret_cast<uint64_t>(arena),
                                 kHeapAlignment)] = found->second;
  live.erase(found);
  return true;
}

std::vector<uint64_t> DeviceHeap::getAllocations() const {
  std::vector<uint64_t> sizes;
  for (uint64_t address : llvm::make_first_range(live))
    sizes.push_back(memory.find(address)->size);
  return sizes;
}

const DeviceHeap::Freed *DeviceHeap::findFreed(uint64_t address) const {
  auto behind = freed.upper_bound(address);
  if (behind == freed.begin())
    return nullptr;
  const auto &[begin, allocation] = *std::prev(behind);
  return address - begin < allocation.bytes ? &allocation : nullptr;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void tileir::sim::allocateFromHeap(Warp &warp, const Instr *instr) {
  auto *sizes =
      reinterpret_cast<uint64_t *>(warp.registers + instr->a * kLanes);
  auto *results =
      reinterpret_cast<uint64_t *>(warp.registers + instr->dst * kLanes);
  DeviceHeap &heap = *warp.block->launch->heap;
  for (uint32_t left = warp.active; left; left &= left - 1) {
    const uint32_t lane = llvm::countr_zero(left);
    results[lane] = heap.allocate(sizes[lane]);
  }
}

void tileir::sim::freeToHeap(Warp &warp, const Instr *instr) {
  const auto *addresses =
      reinterpret_cast<const uint64_t *>(warp.registers + instr->a * kLanes);
  const Launch &launch = *warp.block->launch;
  DeviceHeap &heap = *launch.heap;
  const SourceLocation &where = launch.program->locations[instr->location];
  for (uint32_t left = warp.active; left; left &= left - 1) {
    const uint32_t lane = llvm::countr_zero(left);
    const uint64_t address = addresses[lane];
    if (address == 0)
      continue;
    Buffer *buffer = findBuffer(warp, address);
    if (heap.free(address, where)) {
      // It is gone.
      for (Buffer *&last : warp.worker->lastBuffer)
        if (last == buffer)
          last = nullptr;
      continue;
    }
    const DeviceHeap::Freed *before = heap.findFreed(address);
    report(warp, instr, lane, FindingKind::InvalidFree, address,
           formatv("free of {0:x}{1}; expected an address that malloc or new "
                   "of a kernel gave",
                   address,
                   before   ? ", which was freed at " + before->where.str()
                   : buffer ? ", in buffer '" + buffer->name + "'"
                            : std::string()));
  }
}

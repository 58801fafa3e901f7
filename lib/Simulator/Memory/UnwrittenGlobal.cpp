//===- UnwrittenGlobal.cpp ------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads of global memory that nobody wrote. Fresh memory holds 0xff in every
// byte, so only reads that see nothing else are looked at: stores cost nothing.
// A word of which some bytes were written is not found.
//
//===----------------------------------------------------------------------===//

#include "Exec/UndefinedValues.h"
#include "Memory/Memory.h"
#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

using namespace tileir::sim;
using llvm::formatv;

static uint32_t getShift(const Launch &launch) {
  return llvm::Log2_32(launch.program->globalGranule);
}

/// Whether this launch has stored to the granule of an address.
static bool isWrittenNow(const Launch &launch, const Buffer &buffer,
                         uint64_t address) {
  const uint64_t *writers = __atomic_load_n(&buffer.writers, __ATOMIC_ACQUIRE);
  const uint32_t shift = getShift(launch);
  return writers &&
         __atomic_load_n(writers + (address >> shift) - (buffer.begin >> shift),
                         __ATOMIC_RELAXED);
}

/// Whether an access of `word` bytes at `address` reads some that nobody has
/// written. They hold NaN patterns, so that others need no look. Where a kernel
/// has written a part of the word, the rest is the padding of a struct.
static bool readsUnwritten(const Launch &launch, const Buffer &buffer,
                           uint64_t address, uint32_t word) {
  auto *memory = reinterpret_cast<const uint8_t *>(address);
  if (std::none_of(memory, memory + word, [](const uint8_t &byte) {
        return __atomic_load_n(&byte, __ATOMIC_RELAXED) == 0xff;
      }))
    return false;
  bool isUnwritten = false;
  for (uint64_t at = address; at < address + word; ++at) {
    Buffer::Writer writer = buffer.getWriter(at - buffer.begin);
    if (writer != Buffer::Writer::Host && isWrittenNow(launch, buffer, at))
      writer = Buffer::Writer::Kernel;
    if (writer == Buffer::Writer::Kernel)
      return false;
    isUnwritten |= writer == Buffer::Writer::None;
  }
  return isUnwritten;
}

std::string tileir::sim::describeUnwritten(const Instr &instr,
                                           llvm::StringRef buffer,
                                           uint64_t offset, uint32_t bytes) {
  return formatv(
      "{0} of {1} bytes at byte {2} of buffer '{3}' reads bytes that "
      "neither the host nor a kernel has written; expected a copy or "
      "a store before it",
      getVerb(instr), bytes, offset, buffer);
}

void tileir::sim::checkWritten(Warp &warp, const Instr *instr, uint32_t lanes,
                               const Buffer &buffer, const uint64_t *addresses,
                               uint32_t bytes) {
  const Launch &launch = *warp.block->launch;
  if (!launch.instrument)
    return;
  UndefinedValues *undefined =
      UndefinedValues::isDeferred(*instr) ? warp.block->undefined : nullptr;
  const uint32_t word = std::min(bytes, 4u);
  for (; lanes; lanes &= lanes - 1) {
    uint32_t lane = llvm::countr_zero(lanes);
    for (uint32_t part = 0; part + word <= bytes; part += word) {
      uint64_t address = addresses[lane] + part;
      if (!readsUnwritten(launch, buffer, address, word))
        continue;
      if (!undefined)
        return report(warp, instr, lane, FindingKind::UninitializedGlobal,
                      addresses[lane],
                      describeUnwritten(*instr, buffer.name,
                                        addresses[lane] - buffer.begin, bytes));
      undefined->noteLoad(warp, instr, lane, addresses[lane], part, word,
                          &buffer);
    }
  }
}

/// Tells a tracked buffer what the launch has stored to it.
static void noteStores(const Launch &launch, Buffer &buffer) {
  if (!launch.instrument) {
    buffer.isTracked = false; // nobody knows
    return;
  }
  const uint64_t *writers = buffer.writers;
  if (!writers)
    return;
  const uint32_t shift = getShift(launch);
  const uint64_t first = buffer.begin >> shift;
  const uint64_t count = ((buffer.end() - 1) >> shift) + 1 - first;
  for (uint64_t i = 0; i < count && buffer.isTracked;) {
    uint64_t end = i;
    while (end < count && writers[end])
      ++end;
    if (end > i) {
      uint64_t from = std::max((first + i) << shift, buffer.begin);
      uint64_t to = std::min((first + end) << shift, buffer.end());
      buffer.noteWritten(from - buffer.begin, to - from,
                         Buffer::Writer::Kernel);
    }
    i = end + 1;
  }
}

void tileir::sim::endLaunch(const Launch &launch, DeviceMemory &memory) {
  for (const std::unique_ptr<Buffer> &buffer : memory.getBuffers()) {
    if (buffer->isTracked)
      noteStores(launch, *buffer);
    std::free(std::exchange(buffer->writers, nullptr));
    std::free(std::exchange(buffer->atomics, nullptr));
    std::free(std::exchange(buffer->waves, nullptr));
    buffer->isStored = false;
  }
}

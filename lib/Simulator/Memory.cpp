//===- Memory.cpp ---------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks of single addresses with their findings, and the memory that belongs
// to a block.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "SharedShadow.h"
#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace tileir::sim;
using llvm::formatv;

/// The last stamp at which another block may start.
constexpr uint32_t kLastStart = 1u << 30;

const char *tileir::sim::getVerb(const Instr &instr) {
  switch (instr.opcode) {
  case Opcode::Load:
    return "load";
  case Opcode::Store:
    return "store";
  case Opcode::AtomicRmw:
  case Opcode::AtomicCmpXchg:
    return "atomic access";
  case Opcode::LdMatrix:
    return "ldmatrix";
  case Opcode::StMatrix:
    return "stmatrix";
  case Opcode::CpAsync:
  case Opcode::CpAsyncWait:
    return "cp.async";
  case Opcode::Mma:
    return "mma";
  default:
    return "access";
  }
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// True if [address, address + bytes) is a part of [begin, begin + size).
static bool contains(uint64_t begin, uint64_t size, uint64_t address,
                     uint32_t bytes) {
  return address >= begin && address - begin < size &&
         bytes <= size - (address - begin);
}

/// Where a range that is not within [begin, begin + size) lies against it.
static std::string describePlace(uint64_t begin, uint64_t size,
                                 uint64_t address, uint32_t bytes) {
  if (address < begin)
    return formatv("{0} bytes before the begin of", begin - address);
  if (address - begin >= size)
    return formatv("{0} bytes behind the end of", address - begin - size);
  return formatv("{0} bytes across the end of", address + bytes - begin - size);
}

Buffer *tileir::sim::findBuffer(const Warp &warp, uint64_t address) {
  return warp.block->launch->memory->find(address);
}

namespace {
/// The checks of one lane's address.
struct AddressCheck {
  Warp &warp;
  const Instr *instr;
  uint32_t lane;
  uint64_t address;
  uint32_t bytes;

  uint8_t *fail(FindingKind kind, const llvm::Twine &message) {
    report(warp, instr, lane, kind, address,
           formatv("{0} of {1} bytes at {2:x}{3}", getVerb(*instr), bytes,
                   address, message.str()));
    return nullptr;
  }

  uint8_t *inBuffer(const Access &access, bool isStore) {
    Buffer *&last = warp.worker->lastBuffer[instr->extra];
    if (!last || !contains(last->begin, last->size, address, bytes)) {
      Buffer *found = findBuffer(warp, address);
      if (!found || !contains(found->begin, found->size, address, bytes))
        return failInBuffer(warp.block->launch->memory->findNearest(address));
      last = found;
    }
    if (isStore && (last->readOnly || access.space == Space::Constant))
      return fail(FindingKind::ReadOnly,
                  formatv(", in the read-only buffer '{0}'; expected a buffer "
                          "that may be written",
                          last->name));
    return reinterpret_cast<uint8_t *>(address);
  }

  uint8_t *failInBuffer(const Buffer *nearest) {
    if (!nearest)
      return fail(FindingKind::OutOfBounds,
                  "; expected an address in a device buffer, there is none");
    std::string place =
        describePlace(nearest->begin, nearest->size, address, bytes);
    return fail(FindingKind::OutOfBounds,
                formatv(", {0} buffer '{1}' of {2} bytes", place, nearest->name,
                        nearest->size));
  }

  uint8_t *inShared() {
    const Block &block = *warp.block;
    if (contains(kSharedBase, block.sharedBytes, address, bytes))
      return block.shared + (address - kSharedBase);
    return fail(
        FindingKind::OutOfBounds,
        formatv(", {0} the block's {1} bytes of shared memory",
                describePlace(kSharedBase, block.sharedBytes, address, bytes),
                block.sharedBytes));
  }

  uint8_t *inLocal() {
    const Program &program = *warp.block->launch->program;
    const LocalVariable *nearest = nullptr;
    auto getDistance = [&](const LocalVariable &variable) -> uint64_t {
      uint64_t begin = kLocalBase + variable.offset;
      if (address < begin)
        return begin - address;
      return address - begin < variable.bytes
                 ? 0
                 : address - begin - variable.bytes;
    };
    for (const LocalVariable &variable : program.locals) {
      if (contains(kLocalBase + variable.offset, variable.bytes, address,
                   bytes))
        return warp.local + size_t(lane) * program.localBytes +
               (address - kLocalBase);
      if (!nearest || getDistance(variable) < getDistance(*nearest))
        nearest = &variable;
    }
    if (!nearest)
      return fail(FindingKind::OutOfBounds,
                  "; expected an address in a local variable, there is none");
    return fail(FindingKind::OutOfBounds,
                formatv(", {0} the local variable of {1} bytes from {2}",
                        describePlace(kLocalBase + nearest->offset,
                                      nearest->bytes, address, bytes),
                        nearest->bytes,
                        program.locations[nearest->location].str()));
  }
};
} // namespace

uint8_t *tileir::sim::resolve(Warp &warp, const Instr *instr,
                              const Access &access, uint32_t lane,
                              uint64_t address, uint32_t bytes, bool isStore,
                              uint32_t alignment) {
  AddressCheck check = {warp, instr, lane, address, bytes};
  if (alignment == 0)
    alignment = bytes;
  uint8_t *place = nullptr;
  switch (access.space == Space::Generic ? getSpace(address) : access.space) {
  case Space::Generic:
    return check.fail(FindingKind::OutOfBounds,
                      "; expected an address of global, shared or local "
                      "memory");
  case Space::Shared:
    place = check.inShared();
    break;
  case Space::Local:
    place = check.inLocal();
    break;
  case Space::Global:
  case Space::Constant:
    place = check.inBuffer(access, isStore);
    break;
  }
  if (place && address % alignment != 0)
    return check.fail(
        FindingKind::Misaligned,
        formatv("; expected an address that {0} divides", alignment));
  return place;
}

//===----------------------------------------------------------------------===//
// The memory of a block
//===----------------------------------------------------------------------===//

void tileir::sim::noteShared(Warp &warp, const Instr *instr, uint32_t lanes,
                             const uint64_t *addresses, uint32_t bytes,
                             bool isStore, bool atomic) {
  SharedShadow *shadow = warp.block->shadow;
  if (!shadow)
    return;
  if (isStore && instr->opcode == Opcode::CpAsync)
    shadow->complete(warp, instr, lanes, addresses, bytes);
  else
    shadow->access(warp, instr, lanes, addresses, bytes, isStore, atomic);
}

void tileir::sim::noteShared(Warp &warp, const Instr *instr, uint32_t lane,
                             uint32_t offset, uint32_t bytes, bool isStore,
                             bool atomic) {
  uint64_t addresses[kLanes];
  addresses[lane] = kSharedBase + offset;
  noteShared(warp, instr, 1u << lane, addresses, bytes, isStore, atomic);
}

void tileir::sim::notePending(Warp &warp, const Instr *instr, uint32_t lanes,
                              const uint64_t *addresses, uint32_t bytes) {
  if (SharedShadow *shadow = warp.block->shadow)
    shadow->pend(warp, instr, lanes, addresses, bytes);
}

static void makeShadow(Block &block) {
  delete block.shadow;
  block.shadow = new SharedShadow(
      block.sharedBytes, block.launch->program->sharedGranule, block.numWarps);
}

void tileir::sim::beginBlock(Block &block) {
  std::memset(block.shared, 0xff, block.sharedBytes);
  // Stamps go on from block to block (SharedShadow.h), as long as there are
  // enough of them: what was before `start` is known to all.
  const bool restart = block.now > kLastStart;
  block.start = restart ? 0 : block.now;
  block.now = block.start + 1;
  block.fenced = false;
  for (uint32_t w = 0; w < block.numWarps; ++w)
    std::fill_n(block.known[w], block.numWarps, block.start);
  if (block.shadow && restart)
    makeShadow(block);
  else if (block.shadow)
    block.shadow->dropPending();
  if (block.syncs)
    resetSyncVariables(*block.syncs);
  resetAsyncCopies(*block.copies);
}

void tileir::sim::allocateBlockMemory(Block &block) {
  const Launch &launch = *block.launch;
  size_t bytes = llvm::alignTo(std::max(block.sharedBytes, 1u), 1024);
  block.shared = static_cast<uint8_t *>(std::aligned_alloc(1024, bytes));
  block.copies = createAsyncCopies();
  if (!launch.instrument)
    return;
  block.syncs = createSyncVariables();
  if (block.sharedBytes)
    makeShadow(block);
}

void tileir::sim::freeBlockMemory(Block &block) {
  std::free(block.shared);
  delete block.shadow;
  destroyAsyncCopies(block.copies);
  if (block.syncs)
    destroySyncVariables(block.syncs);
  block.shared = nullptr;
  block.shadow = nullptr;
  block.copies = nullptr;
  block.syncs = nullptr;
}

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

#include "Memory/Memory.h"
#include "Exec/Cluster.h"
#include "Exec/UndefinedValues.h"
#include "Exec/Warpgroups.h"
#include "Memory/BulkCopies.h"
#include "Memory/DeviceHeap.h"
#include "Memory/GlobalReads.h"
#include "Memory/MBarriers.h"
#include "Memory/SharedShadow.h"
#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace tileir::sim;
using llvm::formatv;

/// A buffer further away is not what an address meant.
constexpr uint64_t kNear = uint64_t(1) << 32;
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
  case Opcode::Texture:
    return "texture fetch";
  case Opcode::SurfaceLoad:
    return "surface load";
  case Opcode::SurfaceStore:
    return "surface store";
  case Opcode::Mma:
    return "mma";
  case Opcode::Wgmma:
    return "wgmma.mma_async";
  case Opcode::WgmmaFence:
    return "wgmma.fence";
  case Opcode::WgmmaCommit:
    return "wgmma.commit_group";
  case Opcode::WgmmaWait:
    return "wgmma.wait_group";
  case Opcode::SetMaxRegisters:
    return "setmaxnreg";
  case Opcode::BulkCopy:
    return "cp.async.bulk";
  case Opcode::StoreAsync:
    return "st.async";
  case Opcode::ReduceAsync:
    return "red.async";
  case Opcode::TensorMapReplace:
    return "tensormap.replace";
  case Opcode::TensorMapCopy:
    return "tensormap.cp_fenceproxy";
  case Opcode::MBarrierInit:
    return "mbarrier.init";
  case Opcode::MBarrierInval:
    return "mbarrier.inval";
  case Opcode::MBarrierArrive:
    return "mbarrier.arrive";
  case Opcode::MBarrierArriveCopies:
    return "cp.async.mbarrier.arrive";
  case Opcode::MBarrierExpect:
    return "mbarrier.expect_tx";
  case Opcode::MBarrierComplete:
    return "mbarrier.complete_tx";
  case Opcode::MBarrierWait:
    return "the wait";
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

/// Returns how far outside [begin, begin + size) an address is; 0 if inside.
static uint64_t getDistance(uint64_t begin, uint64_t size, uint64_t address) {
  if (address < begin)
    return begin - address;
  return address - begin < size ? 0 : address - begin - size;
}

/// Describes where a range that is not within [begin, begin + size) lies.
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
/// The checks of the addresses of one instruction. Of each kind of finding the
/// first is reported, lest a kernel that is wrong everywhere takes for ever.
class AddressCheck {
public:
  AddressCheck(Warp &warp, const Instr *instr, const Access &access,
               uint32_t bytes, bool isStore, uint32_t alignment)
      : warp(warp), instr(instr), access(access), bytes(bytes),
        isStore(isStore), alignment(alignment) {}

  /// Returns where the bytes at `address` are; null after a finding.
  uint8_t *locate(uint32_t lane, uint64_t address);

private:
  /// `message()` says what is wrong. Always null.
  template <typename Message>
  uint8_t *fail(FindingKind kind, uint32_t lane, uint64_t address,
                Message message) {
    // What fails first of a misaligned access is often a part that lies
    // outside.
    const uint64_t whole = address - access.wholeOffset;
    const bool isCut = kind == FindingKind::OutOfBounds && access.wholeBytes &&
                       whole % access.wholeBytes != 0;
    if (isCut)
      kind = FindingKind::Misaligned;
    const uint32_t bit = 1u << unsigned(kind);
    if (!(reported & bit))
      report(warp, instr, lane, kind, address,
             formatv("{0} of {1} bytes at {2:x}{3}", getVerb(*instr), bytes,
                     address, std::string(message()))
                     .str() +
                 (isCut
                      ? formatv(", a part of a {0} of {1} bytes at {2:x} that "
                                "was cut up; expected an address that {1} "
                                "divides",
                                getVerb(*instr), access.wholeBytes, whole)
                            .str()
                      : std::string()));
    reported |= bit;
    return nullptr;
  }
  uint8_t *locateGlobal(uint32_t lane, uint64_t address);
  uint8_t *locateShared(uint32_t lane, uint64_t address);
  uint8_t *locateLocal(uint32_t lane, uint64_t address);

  Warp &warp;
  const Instr *instr;
  const Access &access;
  uint32_t bytes;
  bool isStore;
  uint32_t alignment;
  uint32_t reported = 0; // kinds of findings
};
} // namespace

uint8_t *AddressCheck::locate(uint32_t lane, uint64_t address) {
  uint8_t *place = nullptr;
  switch (access.space == Space::Generic ? getSpace(address) : access.space) {
  case Space::Generic:
    return fail(FindingKind::OutOfBounds, lane, address, [&] {
      return "; expected an address of global, shared or local memory";
    });
  case Space::Shared:
    place = locateShared(lane, address);
    break;
  case Space::Cluster:
    return resolveRemote(warp, instr, lane, address, bytes, alignment);
  case Space::Local:
    place = locateLocal(lane, address);
    break;
  case Space::Global:
  case Space::Constant:
    place = locateGlobal(lane, address);
    break;
  }
  if (place && address % alignment != 0)
    return fail(FindingKind::Misaligned, lane, address, [&]() -> std::string {
      return formatv("; expected an address that {0} divides", alignment);
    });
  return place;
}

uint8_t *AddressCheck::locateGlobal(uint32_t lane, uint64_t address) {
  Buffer *&last = warp.worker->lastBuffer[instr->extra];
  if (!last || !contains(last->begin, last->size, address, bytes)) {
    Buffer *found = findBuffer(warp, address);
    const DeviceHeap *heap = warp.block->launch->heap;
    if (const auto *freed = heap ? heap->findFreed(address) : nullptr)
      return fail(FindingKind::UseAfterFree, lane, address,
                  [&]() -> std::string {
                    return formatv(", in {0} bytes that were freed at {1}",
                                   freed->bytes, freed->where.str());
                  });
    const auto *gone =
        found ? nullptr : warp.block->launch->memory->findFreed(address);
    if (gone)
      return fail(FindingKind::UseAfterFree, lane, address,
                  [&]() -> std::string {
                    return formatv(", in buffer '{0}' of {1} bytes, which the "
                                   "host has freed",
                                   gone->name, gone->bytes);
                  });
    if (!found || !contains(found->begin, found->size, address, bytes))
      return fail(
          FindingKind::OutOfBounds, lane, address, [&]() -> std::string {
            const Buffer *near =
                warp.block->launch->memory->findNearest(address);
            if (!near || getDistance(near->begin, near->size, address) > kNear)
              return "; expected an address in a device buffer, none is near";
            return formatv(
                ", {0} buffer '{1}' of {2} bytes",
                describePlace(near->begin, near->size, address, bytes),
                near->name, near->size);
          });
    last = found;
  }
  if (isStore && (last->readOnly || access.space == Space::Constant))
    return fail(FindingKind::ReadOnly, lane, address, [&]() -> std::string {
      return formatv(", in the read-only buffer '{0}'; expected a buffer that "
                     "may be written",
                     last->name);
    });
  return reinterpret_cast<uint8_t *>(address);
}

uint8_t *AddressCheck::locateShared(uint32_t lane, uint64_t address) {
  const Block &block = *warp.block;
  if (contains(kSharedBase, block.sharedBytes, address, bytes))
    return block.shared + (address - kSharedBase);
  return fail(FindingKind::OutOfBounds, lane, address, [&]() -> std::string {
    return formatv(
        ", {0} the block's {1} bytes of shared memory",
        describePlace(kSharedBase, block.sharedBytes, address, bytes),
        block.sharedBytes);
  });
}

uint8_t *AddressCheck::locateLocal(uint32_t lane, uint64_t address) {
  const Program &program = *warp.block->launch->program;
  for (const LocalVariable &variable : program.locals)
    if (contains(kLocalBase + variable.offset, variable.bytes, address, bytes))
      return warp.local + size_t(lane) * program.localBytes +
             (address - kLocalBase);
  return fail(FindingKind::OutOfBounds, lane, address, [&]() -> std::string {
    auto distance = [&](const LocalVariable &variable) {
      return getDistance(kLocalBase + variable.offset, variable.bytes, address);
    };
    auto near =
        std::min_element(program.locals.begin(), program.locals.end(),
                         [&](const LocalVariable &a, const LocalVariable &b) {
                           return distance(a) < distance(b);
                         });
    if (near == program.locals.end())
      return "; expected an address in a local variable, there is none";
    return formatv(
        ", {0} the local variable of {1} bytes from {2}",
        describePlace(kLocalBase + near->offset, near->bytes, address, bytes),
        near->bytes, program.locations[near->location].str());
  });
}

uint8_t *tileir::sim::resolve(Warp &warp, const Instr *instr,
                              const Access &access, uint32_t lane,
                              uint64_t address, uint32_t bytes, bool isStore,
                              uint32_t alignment) {
  return AddressCheck(warp, instr, access, bytes, isStore,
                      alignment ? alignment : bytes)
      .locate(lane, address);
}

uint32_t tileir::sim::resolveLanes(Warp &warp, const Instr *instr,
                                   const Access &access,
                                   const uint64_t *addresses, bool isStore,
                                   uint64_t *hosts) {
  AddressCheck check(warp, instr, access, access.bytes, isStore, access.bytes);
  uint32_t good = 0;
  for (uint32_t left = warp.active; left; left &= left - 1) {
    uint32_t lane = llvm::countr_zero(left);
    if (uint8_t *host = check.locate(lane, addresses[lane])) {
      hosts[lane] = reinterpret_cast<uint64_t>(host);
      good |= 1u << lane;
    }
  }
  return good;
}

//===----------------------------------------------------------------------===//
// The memory of a block
//===----------------------------------------------------------------------===//

void tileir::sim::noteShared(Warp &warp, const Instr *instr, uint32_t lanes,
                             const uint64_t *addresses, uint32_t bytes,
                             bool isStore, bool atomic, const uint32_t *words) {
  SharedShadow *shadow = warp.block->shadow;
  if (!shadow)
    return;
  if (warp.block->remote)
    checkRemote(warp, instr, lanes, addresses, bytes, isStore, atomic);
  if (isStore && instr->opcode == Opcode::CpAsync)
    shadow->complete(warp, instr, lanes, addresses, bytes);
  else
    shadow->access(warp, instr, lanes, addresses, bytes, isStore, atomic,
                   /*sideBySide=*/false, words);
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
  block.fenced = block.readAtomic = false;
  block.numClocks = block.numWarps;
  if (block.shadow && restart)
    makeShadow(block);
  else if (block.shadow)
    block.shadow->dropPending();
  // What other blocks of a cluster write is as if written at a first stamp.
  int32_t known = block.start + (block.remote ? 1 : 0);
  for (const SharedVariable &variable : block.launch->program->shared)
    if (variable.isZeroed) {
      std::memset(block.shared + variable.offset, 0, variable.bytes);
      known = block.start + 1;
      if (block.shadow)
        block.shadow->initialize(variable.offset, variable.bytes, known);
    }
  block.now = known + 1;
  for (uint32_t w = 0; w < block.numWarps; ++w)
    std::fill_n(block.known[w], kMaxClocks, known);
  if (block.syncs && block.rank == 0)
    resetSyncVariables(*block.syncs);
  if (block.reads)
    block.reads->reset();
  resetAsyncCopies(*block.copies);
  resetWarpgroups(block);
  resetMBarriers(*block.mbarriers);
  resetBulkCopies(*block.bulk);
  if (block.remote)
    resetRemoteAccesses(*block.remote);
}

void tileir::sim::allocateBlockMemory(Block &block) {
  const Launch &launch = *block.launch;
  size_t bytes = llvm::alignTo(std::max(block.sharedBytes, 1u), 1024);
  block.shared = static_cast<uint8_t *>(std::aligned_alloc(1024, bytes));
  block.copies = createAsyncCopies();
  block.mbarriers = createMBarriers();
  block.bulk = createBulkCopies();
  if (!launch.instrument)
    return;
  // Those of a cluster are those of its first block.
  block.syncs = block.rank == 0 ? createSyncVariables(launch.clusterSize)
                                : block.cluster->blocks[0]->syncs;
  block.reads = new GlobalReads();
  if (launch.clusterSize > 1)
    block.remote = createRemoteAccesses();
  if (block.sharedBytes)
    makeShadow(block);
}

void tileir::sim::freeBlockMemory(Block &block) {
  std::free(block.shared);
  delete block.shadow;
  destroyAsyncCopies(block.copies);
  destroyWarpgroups(block.warpgroups);
  delete block.undefined;
  destroyMBarriers(block.mbarriers);
  destroyBulkCopies(block.bulk);
  if (block.remote)
    destroyRemoteAccesses(block.remote);
  block.remote = nullptr;
  if (block.syncs && block.rank == 0)
    destroySyncVariables(block.syncs);
  block.shared = nullptr;
  block.shadow = nullptr;
  block.copies = nullptr;
  block.mbarriers = nullptr;
  block.bulk = nullptr;
  block.syncs = nullptr;
  delete block.reads;
  block.reads = nullptr;
  block.warpgroups = nullptr;
  block.undefined = nullptr;
}

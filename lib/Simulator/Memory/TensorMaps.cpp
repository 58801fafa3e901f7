//===- TensorMaps.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor maps that a kernel makes itself: fields are replaced in shared or
// global memory, in 128 bytes of zeros or in a map, and the map is copied to
// global memory. Copies read maps by a proxy of their own: of those that the
// launch has written, a thread of the block has to acquire each after it was
// written and before it is used. Writes and acquisitions are numbered in the
// order in which they happen, over all blocks of the launch.
//
//===----------------------------------------------------------------------===//

#include "Memory/TensorMaps.h"
#include "Memory/BulkCopies.h"
#include "Memory/Memory.h"
#include "tileir/Target/Gpu/TensorMap.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>

using namespace tileir::sim;
using llvm::formatv;
using tileir::machine::kMaxTensorRank;
using tileir::machine::kTensorMapBytes;
using tileir::machine::TensorMap;
using tileir::machine::TensorType;

static constexpr uint32_t kMapPart = 16, kMapAlignment = 64;

/// Accesses all bytes of a map; gives where they are, null after a finding.
static uint8_t *accessMap(Warp &warp, const Instr *instr, uint32_t lane,
                          uint64_t address, bool isStore) {
  Access bytes = warp.block->launch->program->accesses[instr->extra];
  bytes.space = Space::Generic;
  const Space space = getSpace(address);
  uint8_t *place = resolve(warp, instr, bytes, lane, address, kTensorMapBytes,
                           isStore, kMapAlignment);
  if (!place || !warp.block->launch->instrument)
    return place;
  Buffer *buffer = space == Space::Global ? findBuffer(warp, address) : nullptr;
  for (uint32_t i = 0; i < kTensorMapBytes; i += kMapPart)
    if (space == Space::Shared)
      noteShared(warp, instr, lane, address - kSharedBase + i, kMapPart,
                 isStore,
                 /*atomic=*/false);
    else if (buffer)
      noteGlobal(warp, instr, lane, *buffer, address + i, kMapPart, isStore,
                 /*atomic=*/false);
  return place;
}

static void noteWritten(Warp &warp, const Instr *instr, uint64_t address) {
  TensorMapLog &log = *warp.block->launch->tensorMaps;
  std::lock_guard<std::mutex> lock(log.mutex);
  log.written[address] = {++log.clock, instr};
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// The types in the order of the instruction, which is not CUDA's.
static constexpr TensorType kTypes[] = {
    TensorType::U8,     TensorType::U16, TensorType::U32,  TensorType::S32,
    TensorType::U64,    TensorType::S64, TensorType::F16,  TensorType::F32,
    TensorType::F32Ftz, TensorType::F64, TensorType::BF16, TensorType::TF32,
    TensorType::TF32Ftz};

/// Whether the value is simulated; what is against the rules of maps is found
/// where they are used.
static bool setField(TensorMap &map, TensorField field, uint32_t ordinal,
                     uint64_t value) {
  auto cut = [&](uint64_t most) { return std::min(value, most); };
  switch (field) {
  case TensorField::Address:
    map.address = value;
    return true;
  case TensorField::Rank:
    map.rank = cut(kMaxTensorRank) + 1;
    return true;
  case TensorField::BoxSize:
    map.box[ordinal] = cut(0xffff);
    return true;
  case TensorField::Size:
    map.sizes[ordinal] = value;
    return true;
  case TensorField::Stride: // that of axis 0 is one element
    map.strides[ordinal + 1] = cut((uint64_t(1) << 40) - 1);
    return true;
  case TensorField::ElementStride:
    map.elementStrides[ordinal] = cut(0xff);
    return true;
  case TensorField::Type:
    if (value >= std::size(kTypes))
      return false;
    map.type = kTypes[value];
    return true;
  case TensorField::Interleave:
  case TensorField::SwizzleAtomicity:
    return value == 0;
  case TensorField::Swizzle:
    if (value > 3)
      return false;
    map.swizzle = value ? 16u << value : 0;
    return true;
  case TensorField::Fill:
    map.fillsNaN = value;
    return value <= 1;
  }
  return false;
}

static bool isZero(const uint8_t *bytes) {
  return std::all_of(bytes, bytes + kTensorMapBytes,
                     [](uint8_t byte) { return byte == 0; });
}

void tileir::sim::replaceField(Warp &warp, const Instr *instr, uint32_t lane,
                               uint64_t address, uint64_t value) {
  const TensorField field = TensorField(instr->imm & 0xff);
  const uint32_t ordinal = instr->imm >> 8;
  if (!accessMap(warp, instr, lane, address, /*isStore=*/false))
    return;
  uint8_t *bytes = accessMap(warp, instr, lane, address, /*isStore=*/true);
  if (!bytes)
    return;
  auto map = tileir::machine::decodeTensorMap(bytes);
  if (!map && isZero(bytes)) {
    map = TensorMap();
    map->type = TensorType::U8;
    map->elementStrides = {};
  }
  if (!map) {
    report(warp, instr, lane, FindingKind::InvalidCopy, address,
           "tensormap.replace in bytes that are no tensor map; expected one, "
           "or 128 bytes of zeros");
    return;
  }
  if (!setField(*map, field, ordinal, value)) {
    report(warp, instr, lane, FindingKind::InvalidCopy, address,
           formatv("tensormap.replace by the value {0}, which is not "
                   "simulated; expected a type, swizzle or fill that "
                   "cuTensorMapEncodeTiled has, and no interleave",
                   value));
    return;
  }
  tileir::machine::encodeTensorMap(*map, bytes);
  if (getSpace(address) == Space::Global)
    noteWritten(warp, instr, address);
}

void tileir::sim::copyTensorMap(Warp &warp, const Instr *instr, uint32_t lane,
                                uint64_t to, uint64_t from) {
  if (getSpace(to) != Space::Global || getSpace(from) != Space::Shared) {
    report(warp, instr, lane, FindingKind::InvalidCopy, to,
           formatv("tensormap.cp_fenceproxy from {0:x} to {1:x}; expected "
                   "shared memory of the block and global memory",
                   from, to));
    return;
  }
  const uint8_t *source = accessMap(warp, instr, lane, from, /*isStore=*/false);
  uint8_t *target =
      source ? accessMap(warp, instr, lane, to, /*isStore=*/true) : nullptr;
  if (!target)
    return;
  std::memcpy(target, source, kTensorMapBytes);
  noteWritten(warp, instr, to);
}

//===----------------------------------------------------------------------===//
// The proxy
//===----------------------------------------------------------------------===//

void tileir::sim::acquireTensorMap(Warp &warp, uint64_t address) {
  Block &block = *warp.block;
  TensorMapLog &log = *block.launch->tensorMaps;
  std::lock_guard<std::mutex> lock(log.mutex);
  log.acquired[{block.linear, warp.index, address}] = {++log.clock,
                                                       block.now++};
}

bool tileir::sim::checkMapPlace(Warp &warp, const Instr *instr, uint32_t lane,
                                uint64_t address) {
  Block &block = *warp.block;
  const Space space = getSpace(address);
  if (space == Space::Shared || space == Space::Local) {
    report(warp, instr, lane, FindingKind::InvalidCopy, address,
           formatv("cp.async.bulk.tensor by a tensor map in {0} memory; "
                   "expected global or constant memory, or a parameter that "
                   "is not copied (__grid_constant__)",
                   space == Space::Shared ? "shared" : "local"));
    return false;
  }
  TensorMapLog &log = *block.launch->tensorMaps;
  TensorMapLog::Write write;
  {
    std::lock_guard<std::mutex> lock(log.mutex);
    auto found = log.written.find(address);
    if (found == log.written.end())
      return true;
    write = found->second;
    for (uint32_t w = 0; w < block.numWarps; ++w) {
      auto fence = log.acquired.find({block.linear, w, address});
      const bool isKnown = fence != log.acquired.end() &&
                           fence->second.number > write.number &&
                           (w == warp.index ||
                            fence->second.stamp <= block.known[warp.index][w]);
      if (isKnown)
        write.number = 0;
    }
  }
  if (write.number != 0) {
    report(
        warp, instr, lane, FindingKind::MissingProxyFence, address,
        formatv("cp.async.bulk.tensor by the tensor map at {0:x}, which {1} "
                "has written at {2}; expected "
                "fence.proxy.tensormap::generic.acquire of it between them",
                address, getVerb(*write.instr),
                block.launch->program->locations[write.instr->location].str()),
        write.instr);
  }
  return accessMap(warp, instr, lane, address, /*isStore=*/false) != nullptr;
}

//===- TensorCopies.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The boxes of tensors that cp.async.bulk.tensor copies. In shared memory a box
// is dense, axis 0 innermost; with a swizzle, chunks of 16 bytes are exchanged
// by bits of the address: bits 4 to 6, as far as the swizzle goes, are xored
// with bits 7 to 9.
//
//===----------------------------------------------------------------------===//

#include "Memory/BulkCopies.h"
#include "Memory/Memory.h"
#include "Memory/TensorMaps.h"
#include "tileir/Simulator/Buffer.h"
#include "tileir/Target/Gpu/TensorMap.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tileir::sim;
using llvm::formatv;
using tileir::machine::kMaxTensorRank;
using tileir::machine::TensorMap;
using tileir::machine::TensorType;

static constexpr uint32_t kChunk = 16;

namespace {
/// Cuts rows of a box into segments.
class Box {
public:
  Box(const TensorMap &map, uint64_t shared, BulkCopy &copy)
      : map(map), shared(shared), copy(copy),
        bytes(tileir::machine::getBytes(map.type)) {}

  /// `count` elements from `first` along axis 0, of the row at `row`; null: it
  /// is outside the tensor. They come next in shared memory.
  void addRow(const uint64_t *row, int64_t first, uint32_t count);

private:
  void add(uint64_t global, uint32_t size);

  const TensorMap &map;
  const uint64_t shared;
  BulkCopy &copy;
  const uint32_t bytes;
  uint64_t done = 0; ///< bytes of the box
};
} // namespace

void Box::add(uint64_t global, uint32_t size) {
  while (size) {
    const uint64_t at = shared + done;
    const uint64_t mask = map.swizzle ? map.swizzle / kChunk - 1 : 0;
    const uint64_t swizzled = at ^ ((at >> 7 & mask) << 4);
    uint32_t part = size;
    if (mask)
      part = std::min<uint32_t>(size, kChunk - at % kChunk);
    copy.segments.push_back({global, uint32_t(swizzled - kSharedBase), part});
    done += part;
    size -= part;
    if (global)
      global += part;
  }
}

void Box::addRow(const uint64_t *row, int64_t first, uint32_t count) {
  const int64_t size = map.sizes[0];
  const int64_t begin = std::clamp<int64_t>(first, 0, size);
  const int64_t end = std::clamp<int64_t>(first + count, 0, size);
  if (!row || begin >= end)
    return add(0, count * bytes);
  add(0, (begin - first) * bytes);
  add(*row + begin * bytes, (end - begin) * bytes);
  add(0, (first + count - end) * bytes);
}

static void addTile(const TensorMap &map, const int32_t *coordinates,
                    Box &box) {
  uint32_t index[kMaxTensorRank] = {};
  for (;;) {
    uint64_t row = map.address;
    bool isInside = true;
    for (unsigned a = 1; a < map.rank; ++a) {
      const int64_t at =
          coordinates[a] + int64_t(index[a]) * map.elementStrides[a];
      isInside &= at >= 0 && at < int64_t(map.sizes[a]);
      row += at * map.strides[a];
    }
    box.addRow(isInside ? &row : nullptr, coordinates[0], map.box[0]);
    unsigned a = 1;
    while (a < map.rank && ++index[a] == map.getBoxSize(a))
      index[a++] = 0;
    if (a >= map.rank)
      return;
  }
}

/// Pixels in order, the first spatial axis fastest, from the lower corner to
/// the upper one; then the next image.
static void addPixels(const TensorMap &map, const int32_t *coordinates,
                      const uint16_t *offsets, Box &box) {
  const unsigned last = map.rank - 1; // of images
  int64_t at[kMaxTensorRank] = {};
  std::copy_n(coordinates, map.rank, at);
  for (uint32_t pixel = 0; pixel < map.pixels; ++pixel) {
    uint64_t row = map.address;
    bool isInside = true;
    for (unsigned a = 1; a <= last; ++a) {
      const int64_t place = at[a] + (a < last ? offsets[a - 1] : 0);
      isInside &= place >= 0 && place < int64_t(map.sizes[a]);
      row += place * map.strides[a];
    }
    box.addRow(isInside ? &row : nullptr, at[0], map.channels);
    for (unsigned a = 1; a < last; ++a) {
      at[a] += map.elementStrides[a];
      if (at[a] < int64_t(map.sizes[a]) + map.upper[a - 1])
        break;
      at[a] = map.lower[a - 1];
      if (a + 1 == last)
        ++at[last];
    }
  }
}

/// What reductions combine.
static bool setReducedType(TensorType type, BulkCopy &copy) {
  copy.isSigned = type == TensorType::S32 || type == TensorType::S64;
  switch (type) {
  case TensorType::U32:
  case TensorType::S32:
    copy.type = ElementType::I32;
    return true;
  case TensorType::U64:
  case TensorType::S64:
    copy.type = ElementType::I64;
    return true;
  case TensorType::F16:
    copy.type = ElementType::F16;
    return true;
  case TensorType::BF16:
    copy.type = ElementType::BF16;
    return true;
  case TensorType::F32:
  case TensorType::F32Ftz:
    copy.type = ElementType::F32;
    return true;
  case TensorType::F64:
    copy.type = ElementType::F64;
    return true;
  default:
    return false;
  }
}

bool tileir::sim::setBox(Warp &warp, const Instr *instr, uint32_t lane,
                         const BulkOperands &operands, BulkCopy &copy) {
  const Program &program = *warp.block->launch->program;
  const Bulk &bulk = program.bulks[instr->imm];
  auto fail = [&](const std::string &what) {
    report(warp, instr, lane, FindingKind::InvalidCopy, operands.global,
           formatv("{0}: {1}", getVerb(*instr), what));
    return false;
  };
  if (!checkMapPlace(warp, instr, lane, operands.global))
    return false;
  Access access = program.accesses[instr->extra];
  access.space = Space::Generic;
  const uint8_t *bytes =
      resolve(warp, instr, access, lane, operands.global,
              tileir::machine::kTensorMapBytes, /*isStore=*/false, 64);
  if (!bytes)
    return false;
  auto map = tileir::machine::decodeTensorMap(bytes);
  if (!map)
    return fail("what it names is no tensor map; expected 128 bytes of "
                "cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col or "
                "tensormap.replace");
  if (llvm::Error error = tileir::machine::checkTensorMap(*map))
    return fail(llvm::toString(std::move(error)));
  if (map->rank != bulk.rank)
    return fail(formatv("{0} coordinates for a tensor map of rank {1}",
                        bulk.rank, map->rank));
  if (map->isIm2col != bulk.isIm2col)
    return fail(bulk.isIm2col
                    ? ".im2col with a tensor map of tiles; expected one of "
                      "cuTensorMapEncodeIm2col"
                    : ".tile with a tensor map of im2col; expected one of "
                      "cuTensorMapEncodeTiled");
  if (bulk.kind == Bulk::Reduce && !setReducedType(map->type, copy))
    return fail("a reduction of elements that have none; expected 32 or 64 "
                "bits, or f16 or bf16");
  uint64_t end = map->address;
  for (unsigned a = 0; a < map->rank; ++a)
    end += (map->sizes[a] - 1) *
           (a ? map->strides[a] : tileir::machine::getBytes(map->type));
  end += tileir::machine::getBytes(map->type);
  const Buffer *buffer = findBuffer(warp, map->address);
  if (!buffer || map->address < buffer->begin || end > buffer->end() ||
      (buffer->readOnly && bulk.kind != Bulk::Load)) {
    report(warp, instr, lane,
           buffer && end <= buffer->end() ? FindingKind::ReadOnly
                                          : FindingKind::OutOfBounds,
           map->address,
           formatv("{0}: the tensor of {1} bytes at {2:x}; expected all of it "
                   "in one device buffer that may be accessed so",
                   getVerb(*instr), end - map->address, map->address));
    return false;
  }
  copy.bytes = map->getBoxBytes();
  const uint64_t row = tileir::machine::getBytes(map->type) *
                       (map->isIm2col ? map->channels : map->box[0]);
  copy.isSpread = map->swizzle > row && copy.bytes % 128 != 0;
  copy.elementBytes = tileir::machine::getBytes(map->type);
  copy.fillsNaN = map->fillsNaN;
  Box box(*map, operands.shared, copy);
  if (map->isIm2col)
    addPixels(*map, operands.coordinates, operands.offsets, box);
  else
    addTile(*map, operands.coordinates, box);
  return true;
}

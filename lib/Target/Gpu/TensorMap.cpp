//===- TensorMap.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of tensor maps, as the documentation of cuTensorMapEncodeTiled and
// cuTensorMapEncodeIm2col states them; and their bytes: a mark, fields one
// after another, and a sum over all of them.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/Gpu/TensorMap.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace tileir::machine;
using llvm::Error;
using llvm::formatv;

static constexpr unsigned kTypeBytes[] = {1, 2, 4, 4, 8, 8, 2,
                                          4, 8, 2, 4, 4, 4};

unsigned tileir::machine::getBytes(TensorType type) {
  return unsigned(type) < std::size(kTypeBytes) ? kTypeBytes[unsigned(type)]
                                                : 0;
}

bool tileir::machine::isFloat(TensorType type) {
  return type >= TensorType::F16;
}

uint64_t TensorMap::getBoxBytes() const {
  uint64_t bytes = getBytes(type);
  if (isIm2col)
    return bytes * channels * pixels;
  for (unsigned a = 0; a < rank; ++a)
    bytes *= getBoxSize(a);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

template <typename... Ts>
static Error fail(const char *format, Ts &&...values) {
  return llvm::createStringError(
      "tensor map: " + formatv(format, std::forward<Ts>(values)...).str());
}

static Error checkIm2col(const TensorMap &map) {
  if (map.rank < 3)
    return fail("im2col of rank {0}; expected 3 to 5", map.rank);
  if (map.channels < 1 || map.channels > 256)
    return fail("{0} channels a pixel; expected 1 to 256", map.channels);
  if (map.pixels < 1 || map.pixels > 1024)
    return fail("{0} pixels a column; expected 1 to 1024", map.pixels);
  const unsigned bits = map.rank == 3 ? 16 : map.rank == 4 ? 8 : 5;
  const int32_t most = (1 << (bits - 1)) - 1;
  for (unsigned i = 0; i + 2 < map.rank; ++i)
    for (int32_t corner : {map.lower[i], map.upper[i]})
      if (corner < -most - 1 || corner > most)
        return fail("a corner of the pixels at {0} along axis {1}; expected "
                    "{2} to {3} for rank {4}",
                    corner, i + 1, -most - 1, most, map.rank);
  return Error::success();
}

Error tileir::machine::checkTensorMap(const TensorMap &map) {
  const unsigned bytes = getBytes(map.type);
  if (bytes == 0)
    return fail("type {0}; expected one of 0 to {1} of CUtensorMapDataType",
                unsigned(map.type), std::size(kTypeBytes) - 1);
  if (map.rank < 1 || map.rank > kMaxTensorRank)
    return fail("rank {0}; expected 1 to {1}", map.rank, kMaxTensorRank);
  if (map.address % 16)
    return fail("global address {0:x}; expected one that 16 divides",
                map.address);
  for (unsigned a = 0; a < map.rank; ++a) {
    if (map.sizes[a] < 1 || map.sizes[a] > uint64_t(1) << 32)
      return fail("size {0} of axis {1}; expected 1 to 2^32", map.sizes[a], a);
    if (a > 0 && (map.strides[a] % 16 || map.strides[a] >= uint64_t(1) << 40))
      return fail("stride of {0} bytes of axis {1}; expected a multiple of 16 "
                  "below 2^40",
                  map.strides[a], a);
    if (map.elementStrides[a] < 1 || map.elementStrides[a] > 8)
      return fail("element stride {0} of axis {1}; expected 1 to 8",
                  map.elementStrides[a], a);
    if (!map.isIm2col && (map.box[a] < 1 || map.box[a] > 256))
      return fail("box of {0} elements along axis {1}; expected 1 to 256",
                  map.box[a], a);
  }
  if (map.elementStrides[0] != 1)
    return fail("element stride {0} of axis 0; expected 1, without interleave",
                map.elementStrides[0]);
  if (map.isIm2col)
    if (Error error = checkIm2col(map))
      return error;
  const uint64_t inner = (map.isIm2col ? map.channels : map.box[0]) * bytes;
  if (inner % 16)
    return fail("{0} bytes of the box along axis 0; expected a multiple of 16",
                inner);
  if (map.swizzle && map.swizzle != 32 && map.swizzle != 64 &&
      map.swizzle != 128)
    return fail("swizzle of {0} bytes; expected none, 32, 64 or 128",
                map.swizzle);
  if (map.swizzle && inner > map.swizzle)
    return fail("{0} bytes of the box along axis 0; expected at most the {1} "
                "of the swizzle",
                inner, map.swizzle);
  if (map.fillsNaN && !isFloat(map.type))
    return fail("fill with NaN of integers; expected zeros");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {
constexpr uint32_t kMark = 0x50414d54; // "TMAP"

/// Writes numbers one after another, or reads them.
struct Fields {
  uint8_t *at;
  bool writes;
  template <typename T> void field(T &value, unsigned bytes) {
    uint64_t bits = 0;
    if (writes) {
      bits = uint64_t(value);
      std::memcpy(at, &bits, bytes);
    } else {
      std::memcpy(&bits, at, bytes);
      // Corners may be negative.
      const unsigned shift = 64 - 8 * bytes;
      value = T(std::is_signed_v<T> ? int64_t(bits << shift) >> shift
                                    : int64_t(bits));
    }
    at += bytes;
  }
  void map(TensorMap &map) {
    uint8_t type = uint8_t(map.type);
    field(type, 1);
    map.type = TensorType(type);
    field(map.rank, 1);
    field(map.swizzle, 1);
    field(map.fillsNaN, 1);
    field(map.isIm2col, 1);
    field(map.address, 8);
    for (unsigned a = 0; a < kMaxTensorRank; ++a) {
      field(map.sizes[a], 5);
      field(map.strides[a], 5);
      field(map.elementStrides[a], 1);
      field(map.box[a], 2);
    }
    for (unsigned i = 0; i < 3; ++i) {
      field(map.lower[i], 2);
      field(map.upper[i], 2);
    }
    field(map.channels, 2);
    field(map.pixels, 2);
  }
};
} // namespace

static uint32_t sum(const uint8_t *bytes) {
  uint32_t hash = 2166136261u;
  for (unsigned i = 8; i < kTensorMapBytes; ++i)
    hash = (hash ^ bytes[i]) * 16777619u;
  return hash;
}

void tileir::machine::encodeTensorMap(const TensorMap &map, void *bytes) {
  uint8_t all[kTensorMapBytes] = {};
  TensorMap copy = map;
  Fields{all + 8, /*writes=*/true}.map(copy);
  const uint32_t head[] = {kMark, sum(all)};
  std::memcpy(all, head, sizeof(head));
  std::memcpy(bytes, all, sizeof(all));
}

std::optional<TensorMap> tileir::machine::decodeTensorMap(const void *bytes) {
  uint8_t all[kTensorMapBytes];
  std::memcpy(all, bytes, sizeof(all));
  uint32_t head[2];
  std::memcpy(head, all, sizeof(head));
  if (head[0] != kMark || head[1] != sum(all))
    return std::nullopt;
  TensorMap map;
  Fields{all + 8, /*writes=*/false}.map(map);
  return map;
}

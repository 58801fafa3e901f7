//===- TensorMap.h - Tensors that a GPU copies in boxes ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tensor map of CUDA says: a tensor in global memory, and how boxes of
// it lie in shared memory. One check of its rules serves whoever makes maps or
// reads them. The 128 bytes are in an encoding of our own: only NVIDIA's driver
// knows that of the hardware.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_GPU_TENSORMAP_H
#define TILEIR_TARGET_GPU_TENSORMAP_H

#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <optional>

namespace tileir::machine {

constexpr unsigned kTensorMapBytes = 128, kMaxTensorRank = 5;

/// Numbered as CUtensorMapDataType.
enum class TensorType : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F64,
  BF16,
  F32Ftz,
  TF32,
  TF32Ftz
};
/// 0: no type of this number.
unsigned getBytes(TensorType type);
bool isFloat(TensorType type);

/// Axis 0 is the innermost one, whose elements lie side by side.
struct TensorMap {
  TensorType type = TensorType::F32;
  uint32_t rank = 1;
  uint64_t address = 0;
  std::array<uint64_t, kMaxTensorRank> sizes = {};
  /// Bytes from one element to the next along axes 1 to rank - 1.
  std::array<uint64_t, kMaxTensorRank> strides = {};
  /// Of axis a, every elementStrides[a]-th element is copied; axis 0 has none.
  std::array<uint32_t, kMaxTensorRank> elementStrides = {1, 1, 1, 1, 1};
  /// Bytes within which chunks of 16 are exchanged: 0 (none), 32, 64 or 128.
  uint32_t swizzle = 0;
  /// Elements outside the tensor are NaN, not 0.
  bool fillsNaN = false;

  /// Tiles: the elements of a box, before every elementStrides-th is taken.
  std::array<uint32_t, kMaxTensorRank> box = {};
  /// im2col: axes 1 to rank - 2 are walked pixel by pixel, from the lower
  /// corner to the size plus the upper one.
  bool isIm2col = false;
  std::array<int32_t, 3> lower = {}, upper = {};
  uint32_t channels = 0, pixels = 0;

  /// The elements of the box along an axis that reach shared memory.
  uint32_t getBoxSize(unsigned axis) const {
    return (box[axis] + elementStrides[axis] - 1) / elementStrides[axis];
  }
  /// The bytes that one copy writes to, or reads from, shared memory.
  uint64_t getBoxBytes() const;
};

/// What the hardware asks for, by axis and rule.
llvm::Error checkTensorMap(const TensorMap &map);

void encodeTensorMap(const TensorMap &map, void *bytes);
/// Nothing if the 128 bytes were made by nobody who knows this encoding.
std::optional<TensorMap> decodeTensorMap(const void *bytes);

} // namespace tileir::machine

#endif // TILEIR_TARGET_GPU_TENSORMAP_H

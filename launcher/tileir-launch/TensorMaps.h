//===- TensorMaps.h - Tensor maps of a launch -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels for Hopper take maps of their buffers, which the driver encodes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_TENSORMAPS_H
#define TILEIR_LAUNCH_TENSORMAPS_H

#include "tileir-launch/Driver.h"
#include "tileir-launch/Manifest.h"
#include "tileir-launch/Numbers.h"

#include <algorithm>

namespace tileir::launch {

/// The 128 bytes by which a kernel knows a map.
struct alignas(64) EncodedMap {
  std::array<char, 128> bytes;
};

/// Makes a map of a buffer in row-major order at `address`. The driver checks
/// what else the hardware asks for. Nobody reads by the map of a buffer without
/// elements, so it is one of elements 16 bytes apart.
inline Error encodeMap(const Device &device, const Argument &argument,
                       uint64_t address, const std::vector<int64_t> &shape,
                       EncodedMap &map) {
  if (!device.getDriver().encodeTensorMap)
    return Error("the CUDA driver has no cuTensorMapEncodeTiled: expected that "
                 "of CUDA 12 or newer");
  // Of CUtensorMapDataType: what is copied are bytes, but for floats.
  int type = argument.type == "f16"    ? 6
             : argument.type == "f32"  ? 7
             : argument.type == "f64"  ? 8
             : argument.type == "bf16" ? 9
             : argument.type == "i16"  ? 1
             : argument.type == "i32"  ? 3
             : argument.type == "i64"  ? 5
                                       : 0;
  const size_t rank = shape.size();
  const bool isEmpty = std::count(shape.begin(), shape.end(), 0) != 0;
  std::vector<uint64_t> sizes, strides;
  std::vector<uint32_t> box, steps;
  uint64_t stride = isEmpty ? 16 : getElementBytes(argument.type);
  for (size_t axis = 0; axis < rank; ++axis) {
    sizes.push_back(isEmpty ? 1 : uint64_t(shape[rank - 1 - axis]));
    // The driver counts the elements between those of a box, too.
    steps.push_back(uint32_t(argument.map->steps[rank - 1 - axis]));
    box.push_back(uint32_t(argument.map->box[rank - 1 - axis]) * steps.back());
    stride *= sizes.back();
    if (axis + 1 == rank)
      break;
    strides.push_back(stride);
    if (stride % 16 != 0)
      return Error("tensor map: stride of " + std::to_string(stride) +
                   " bytes of axis " + std::to_string(axis + 1) +
                   "; expected a multiple of 16 below 2^40");
  }
  // Of CUtensorMapSwizzle, and of CUtensorMapL2promotion 128 bytes.
  const unsigned bytes = argument.map->swizzle;
  const int swizzle = bytes == 128 ? 3 : bytes == 64 ? 2 : bytes == 32 ? 1 : 0;
  constexpr int kPromotion = 2;
  return device.check(device.getDriver().encodeTensorMap(
                          map.bytes.data(), type, unsigned(rank),
                          reinterpret_cast<void *>(address), sizes.data(),
                          strides.data(), box.data(), steps.data(),
                          /*interleave=*/0, swizzle, kPromotion,
                          /*fill=*/0),
                      "cuTensorMapEncodeTiled");
}

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_TENSORMAPS_H

//===- CudaTensorMaps.cpp - Tensor maps, for CUDA programs ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of CUDA's driver that make tensor maps, in the encoding of the
// simulator. A program finds them by cudaGetDriverEntryPoint, or links them.
//
//===----------------------------------------------------------------------===//

#include "Sim/CudaRuntimeApi.h"
#include "tileir/Target/Gpu/TensorMap.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;
using machine::TensorMap;

/// Numbers of CUtensorMapSwizzle.
static constexpr uint32_t kSwizzles[] = {0, 32, 64, 128};
/// Of cudaDriverEntryPointQueryResult.
static constexpr int kEntryPointFound = 0, kEntryPointMissing = 1;

namespace {
/// What both kinds of maps are made from.
struct Common {
  int type;
  uint32_t rank;
  const void *address;
  const uint64_t *sizes, *strides;
  const uint32_t *elementStrides;
  int interleave, swizzle, fill;
};
} // namespace

static Expected<TensorMap> makeMap(const Common &from) {
  TensorMap map;
  if (from.rank < 1 || from.rank > machine::kMaxTensorRank)
    return createStringError("tensor map: rank " + Twine(from.rank) +
                             "; expected 1 to 5");
  if (from.interleave != 0)
    return createStringError(
        "tensor map: interleave " + Twine(from.interleave) +
        "; expected CU_TENSOR_MAP_INTERLEAVE_NONE, no other is simulated");
  if (from.swizzle < 0 || from.swizzle >= int(std::size(kSwizzles)))
    return createStringError("tensor map: swizzle " + Twine(from.swizzle) +
                             "; expected none, or that of 32, 64 or 128 bytes");
  map.type = machine::TensorType(from.type);
  map.rank = from.rank;
  map.address = reinterpret_cast<uint64_t>(from.address);
  map.swizzle = kSwizzles[from.swizzle];
  map.fillsNaN = from.fill == 1;
  for (uint32_t a = 0; a < from.rank; ++a) {
    map.sizes[a] = from.sizes[a];
    if (a > 0) {
      map.strides[a] = from.strides[a - 1];
      map.elementStrides[a] = from.elementStrides[a]; // axis 0 has none
    }
  }
  return map;
}

/// Also for host code that is no program of the CUDA runtime.
static int refuse(const char *function, const Twine &message) {
  auto api = CudaRuntimeApi::get();
  if (api.operator->())
    return api->fail(function, message);
  errs() << function << ": " << message << "\n";
  return kCudaInvalidValue;
}

static int finish(const char *function, Expected<TensorMap> map, void *result) {
  Error error = map ? machine::checkTensorMap(*map) : Error(map.takeError());
  if (error)
    return refuse(function, toString(std::move(error)));
  machine::encodeTensorMap(*map, result);
  return kCudaSuccess;
}

TILEIR_CUDA_API int
cuTensorMapEncodeTiled(void *result, int type, uint32_t rank, void *address,
                       const uint64_t *sizes, const uint64_t *strides,
                       const uint32_t *box, const uint32_t *elementStrides,
                       int interleave, int swizzle, int, int fill) {
  auto map = makeMap({type, rank, address, sizes, strides, elementStrides,
                      interleave, swizzle, fill});
  if (map)
    std::copy_n(box, rank, map->box.begin());
  return finish("cuTensorMapEncodeTiled", std::move(map), result);
}

TILEIR_CUDA_API int
cuTensorMapEncodeIm2col(void *result, int type, uint32_t rank, void *address,
                        const uint64_t *sizes, const uint64_t *strides,
                        const int *lower, const int *upper, uint32_t channels,
                        uint32_t pixels, const uint32_t *elementStrides,
                        int interleave, int swizzle, int, int fill) {
  auto map = makeMap({type, rank, address, sizes, strides, elementStrides,
                      interleave, swizzle, fill});
  if (map) {
    map->isIm2col = true;
    map->channels = channels;
    map->pixels = pixels;
    for (uint32_t i = 0; i + 2 < rank; ++i) {
      map->lower[i] = lower[i];
      map->upper[i] = upper[i];
    }
  }
  return finish("cuTensorMapEncodeIm2col", std::move(map), result);
}

TILEIR_CUDA_API int cuTensorMapReplaceAddress(void *result, void *address) {
  auto map = machine::decodeTensorMap(result);
  if (!map)
    return refuse("cuTensorMapReplaceAddress", "expected a tensor map");
  map->address = reinterpret_cast<uint64_t>(address);
  return finish("cuTensorMapReplaceAddress", *map, result);
}

TILEIR_CUDA_API int cudaGetDriverEntryPoint(const char *name, void **function,
                                            unsigned long long, int *status) {
  *function = StringSwitch<void *>(name)
                  .Case("cuTensorMapEncodeTiled",
                        reinterpret_cast<void *>(cuTensorMapEncodeTiled))
                  .Case("cuTensorMapEncodeIm2col",
                        reinterpret_cast<void *>(cuTensorMapEncodeIm2col))
                  .Case("cuTensorMapReplaceAddress",
                        reinterpret_cast<void *>(cuTensorMapReplaceAddress))
                  .Default(nullptr);
  if (status)
    *status = *function ? kEntryPointFound : kEntryPointMissing;
  return *function || status
             ? kCudaSuccess
             : refuse("cudaGetDriverEntryPoint",
                      "'" + Twine(name) + "' is not known to the simulator");
}

TILEIR_CUDA_API int cudaGetDriverEntryPointByVersion(const char *name,
                                                     void **function, unsigned,
                                                     unsigned long long flags,
                                                     int *status) {
  return cudaGetDriverEntryPoint(name, function, flags, status);
}

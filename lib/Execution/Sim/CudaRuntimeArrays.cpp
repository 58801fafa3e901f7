//===- CudaRuntimeArrays.cpp - Arrays, for the CUDA runtime ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays are device memory with their rows side by side. Copies go row by row.
//
//===----------------------------------------------------------------------===//

#include "Sim/CudaRuntimeArrays.h"
#include "Sim/CudaRuntimeApi.h"

#include <algorithm>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

Error execution::setChannels(sim::Texture &texture,
                             const CudaChannels &channels) {
  const int bits = channels.bits[0];
  unsigned count = 0;
  while (count < 4 && channels.bits[count] == bits)
    ++count;
  for (unsigned i = count; i < 4; ++i)
    if (channels.bits[i] != 0)
      count = 0;
  bool isFloat = channels.kind == 2;
  if ((bits != 8 && bits != 16 && bits != 32) || count == 0 || count == 3 ||
      channels.kind < 0 || channels.kind > 2 || (isFloat && bits == 8))
    return createStringError(
        "expected 1, 2 or 4 channels of 8, 16 or 32 bits that are signed, "
        "unsigned or floats, found " +
        Twine(channels.bits[0]) + ", " + Twine(channels.bits[1]) + ", " +
        Twine(channels.bits[2]) + ", " + Twine(channels.bits[3]) +
        " bits of kind " + Twine(channels.kind));
  texture.channels = count;
  texture.bits = bits;
  texture.format = sim::TextureFormat(channels.kind);
  return Error::success();
}

TILEIR_CUDA_API CudaChannels cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   int kind) {
  return {{x, y, z, w}, kind};
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

static int allocateArray(const char *name, CudaArray **result,
                         const CudaChannels &channels, CudaExtent extent,
                         unsigned flags) {
  auto api = CudaRuntimeApi::get();
  auto array = std::make_unique<CudaArray>();
  array->channels = channels;
  array->extent = extent;
  array->flags = flags;
  sim::Texture &image = array->image;
  if (Error error = setChannels(image, channels))
    return api->check(name, std::move(error));
  const bool isLayered = flags & (CudaArray::Layered | CudaArray::Cubemap);
  image.dimensions = extent.height == 0               ? 1
                     : extent.depth == 0 || isLayered ? 2
                                                      : 3;
  image.size[0] = extent.width;
  image.size[1] = std::max<size_t>(extent.height, 1);
  image.size[2] = image.dimensions == 3 ? extent.depth : 1;
  image.layers = isLayered ? extent.depth : 0;
  constexpr size_t kMost = 1 << 17; // of any axis, on any chip
  if (extent.width == 0 ||
      std::max({extent.width, extent.height, extent.depth}) > kMost ||
      (isLayered && extent.depth == 0))
    return api->fail(
        name, "expected an array of 1 to " + Twine(kMost) +
                  " elements an axis, found " + Twine(extent.width) + " x " +
                  Twine(extent.height) + " x " + Twine(extent.depth));
  image.rowBytes = uint64_t(image.size[0]) * image.getTexelBytes();
  image.sliceBytes = image.rowBytes * image.size[1];
  auto memory = api->runtime.allocate(image.sliceBytes *
                                          std::max(image.size[2], image.layers),
                                      /*hostShared=*/false, nullptr);
  if (!memory)
    return api->check(name, memory.takeError(), kCudaMemoryAllocation);
  image.address = reinterpret_cast<uint64_t>(*memory);
  if (sim::Buffer *buffer = api->simulator.getMemory().find(image.address))
    buffer->name = ("array " + Twine(api->arrays.size())).str();
  *result = array.get();
  api->arrays[array.get()] = std::move(array);
  return kCudaSuccess;
}

TILEIR_CUDA_API int cudaMallocArray(CudaArray **array,
                                    const CudaChannels *channels, size_t width,
                                    size_t height, unsigned flags) {
  return allocateArray("cudaMallocArray", array, *channels, {width, height, 0},
                       flags);
}
TILEIR_CUDA_API int cudaMalloc3DArray(CudaArray **array,
                                      const CudaChannels *channels,
                                      CudaExtent extent, unsigned flags) {
  return allocateArray("cudaMalloc3DArray", array, *channels, extent, flags);
}

/// The array, if it is one that is there.
static CudaArray *findArray(const char *name, const CudaArray *array) {
  auto api = CudaRuntimeApi::get();
  auto found = api->arrays.find(array);
  if (found != api->arrays.end())
    return found->second.get();
  api->fail(name, "expected an array that was allocated, and not freed");
  return nullptr;
}

TILEIR_CUDA_API int cudaFreeArray(CudaArray *array) {
  if (!array)
    return kCudaSuccess;
  if (!findArray("cudaFreeArray", array))
    return kCudaInvalidValue;
  auto api = CudaRuntimeApi::get();
  auto *memory = reinterpret_cast<void *>(array->image.address);
  api->arrays.erase(array);
  return api->check("cudaFreeArray", api->runtime.free(memory, nullptr));
}

TILEIR_CUDA_API int cudaArrayGetInfo(CudaChannels *channels, CudaExtent *extent,
                                     unsigned *flags, CudaArray *array) {
  if (!findArray("cudaArrayGetInfo", array))
    return kCudaInvalidValue;
  if (channels)
    *channels = array->channels;
  if (extent)
    *extent = array->extent;
  if (flags)
    *flags = array->flags;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaGetChannelDesc(CudaChannels *channels,
                                       CudaArray *array) {
  return cudaArrayGetInfo(channels, nullptr, nullptr, array);
}

TILEIR_CUDA_API int cudaMalloc3D(CudaPitched *result, CudaExtent extent) {
  auto api = CudaRuntimeApi::get();
  *result = {nullptr, (extent.width + 511) / 512 * 512, extent.width,
             extent.height};
  const size_t bytes = result->pitch * extent.height * extent.depth;
  return api->allocate("cudaMalloc3D", &result->address, bytes,
                       CudaRuntimeApi::Allocation::Device);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
/// One end of a copy: rows of bytes, in slices.
struct Place {
  uint64_t address = 0;
  size_t pitch = 0, slice = 0; ///< bytes from row to row, from slice to slice
  /// Bytes of a row, rows and slices from `address` on; 0: not known.
  size_t bytes = 0, rows = 0, slices = 0;
};
} // namespace

static Place getPlace(const CudaArray &array, size_t byte, size_t row,
                      size_t slice) {
  const sim::Texture &image = array.image;
  auto getRest = [](size_t size, size_t begin) {
    return begin < size ? size - begin : 0;
  };
  return {image.address + byte + row * image.rowBytes +
              slice * image.sliceBytes,
          image.rowBytes,
          image.sliceBytes,
          getRest(image.rowBytes, byte),
          getRest(image.size[1], row),
          getRest(std::max(image.size[2], image.layers), slice)};
}

static Place getPlace(const void *address, size_t pitch, size_t height = 1) {
  return {reinterpret_cast<uint64_t>(address), pitch, pitch * height};
}

static int copyBox(const char *name, const Place &target, bool isArrayTarget,
                   const Place &source, bool isArraySource, size_t bytes,
                   size_t rows, size_t slices) {
  auto api = CudaRuntimeApi::get();
  auto check = [&](const Place &place, bool isArray) {
    return !isArray || (bytes <= place.bytes && rows <= place.rows &&
                        slices <= place.slices);
  };
  for (auto [place, isArray] :
       {std::pair(&target, isArrayTarget), std::pair(&source, isArraySource)})
    if (!check(*place, isArray))
      return api->fail(name, "expected at most " + Twine(place->bytes) +
                                 " bytes of " + Twine(place->rows) +
                                 " rows of " + Twine(place->slices) +
                                 " slices, which the array has from there on, "
                                 "found " +
                                 Twine(bytes) + " of " + Twine(rows) + " of " +
                                 Twine(slices));
  for (size_t z = 0; z < slices; ++z)
    for (size_t y = 0; y < rows; ++y)
      if (Error error = api->runtime.copy(
              reinterpret_cast<void *>(target.address + y * target.pitch +
                                       z * target.slice),
              reinterpret_cast<const void *>(source.address + y * source.pitch +
                                             z * source.slice),
              bytes, nullptr))
        return api->check(name, std::move(error));
  return kCudaSuccess;
}

static int copyToArray(const char *name, const CudaArray *array, size_t byte,
                       size_t row, const void *source, size_t pitch,
                       size_t bytes, size_t rows) {
  if (!findArray(name, array))
    return kCudaInvalidValue;
  return copyBox(name, getPlace(*array, byte, row, 0), true,
                 getPlace(source, pitch), false, bytes, rows, 1);
}
static int copyFromArray(const char *name, void *target, size_t pitch,
                         const CudaArray *array, size_t byte, size_t row,
                         size_t bytes, size_t rows) {
  if (!findArray(name, array))
    return kCudaInvalidValue;
  return copyBox(name, getPlace(target, pitch), false,
                 getPlace(*array, byte, row, 0), true, bytes, rows, 1);
}

TILEIR_CUDA_API int cudaMemcpy2DToArray(CudaArray *array, size_t byte,
                                        size_t row, const void *source,
                                        size_t pitch, size_t bytes, size_t rows,
                                        int) {
  return copyToArray("cudaMemcpy2DToArray", array, byte, row, source, pitch,
                     bytes, rows);
}
TILEIR_CUDA_API int cudaMemcpy2DToArrayAsync(CudaArray *array, size_t byte,
                                             size_t row, const void *source,
                                             size_t pitch, size_t bytes,
                                             size_t rows, int, void *) {
  return copyToArray("cudaMemcpy2DToArrayAsync", array, byte, row, source,
                     pitch, bytes, rows);
}
TILEIR_CUDA_API int cudaMemcpy2DFromArray(void *target, size_t pitch,
                                          const CudaArray *array, size_t byte,
                                          size_t row, size_t bytes, size_t rows,
                                          int) {
  return copyFromArray("cudaMemcpy2DFromArray", target, pitch, array, byte, row,
                       bytes, rows);
}
TILEIR_CUDA_API int cudaMemcpy2DFromArrayAsync(void *target, size_t pitch,
                                               const CudaArray *array,
                                               size_t byte, size_t row,
                                               size_t bytes, size_t rows, int,
                                               void *) {
  return copyFromArray("cudaMemcpy2DFromArrayAsync", target, pitch, array, byte,
                       row, bytes, rows);
}

/// Whole rows, or a part of one: how many of how many bytes.
static std::pair<size_t, size_t> splitRows(const CudaArray &array, size_t byte,
                                           size_t count) {
  const size_t row = array.image.rowBytes;
  if (byte == 0 && count % row == 0)
    return {row, count / row};
  return {count, 1};
}

TILEIR_CUDA_API int cudaMemcpyToArray(CudaArray *array, size_t byte, size_t row,
                                      const void *source, size_t count, int) {
  if (!findArray("cudaMemcpyToArray", array))
    return kCudaInvalidValue;
  auto [bytes, rows] = splitRows(*array, byte, count);
  return copyToArray("cudaMemcpyToArray", array, byte, row, source, bytes,
                     bytes, rows);
}
TILEIR_CUDA_API int cudaMemcpyFromArray(void *target, const CudaArray *array,
                                        size_t byte, size_t row, size_t count,
                                        int) {
  if (!findArray("cudaMemcpyFromArray", array))
    return kCudaInvalidValue;
  auto [bytes, rows] = splitRows(*array, byte, count);
  return copyFromArray("cudaMemcpyFromArray", target, bytes, array, byte, row,
                       bytes, rows);
}
TILEIR_CUDA_API int
cudaMemcpy2DArrayToArray(CudaArray *target, size_t targetByte, size_t targetRow,
                         const CudaArray *source, size_t sourceByte,
                         size_t sourceRow, size_t bytes, size_t rows, int) {
  const char *name = "cudaMemcpy2DArrayToArray";
  if (!findArray(name, target) || !findArray(name, source))
    return kCudaInvalidValue;
  return copyBox(name, getPlace(*target, targetByte, targetRow, 0), true,
                 getPlace(*source, sourceByte, sourceRow, 0), true, bytes, rows,
                 1);
}

namespace {
/// cudaMemcpy3DParms
struct CudaCopy {
  CudaArray *sourceArray;
  CudaPosition sourcePosition;
  CudaPitched source;
  CudaArray *targetArray;
  CudaPosition targetPosition;
  CudaPitched target;
  CudaExtent extent;
  int kind;
};
} // namespace

/// Where arrays take part, x counts elements, else bytes.
static int copy3D(const char *name, const CudaCopy &copy) {
  if ((copy.sourceArray && !findArray(name, copy.sourceArray)) ||
      (copy.targetArray && !findArray(name, copy.targetArray)))
    return kCudaInvalidValue;
  const CudaArray *any = copy.sourceArray ? copy.sourceArray : copy.targetArray;
  const size_t element = any ? any->image.getTexelBytes() : 1;
  auto get = [&](const CudaArray *array, const CudaPitched &pitched,
                 const CudaPosition &position) {
    if (array)
      return getPlace(*array, position.x * element, position.y, position.z);
    Place place = getPlace(pitched.address, pitched.pitch, pitched.height);
    place.address += position.x * element + position.y * place.pitch +
                     position.z * place.slice;
    return place;
  };
  return copyBox(name, get(copy.targetArray, copy.target, copy.targetPosition),
                 copy.targetArray,
                 get(copy.sourceArray, copy.source, copy.sourcePosition),
                 copy.sourceArray, copy.extent.width * element,
                 copy.extent.height, copy.extent.depth);
}

TILEIR_CUDA_API int cudaMemcpy3D(const CudaCopy *copy) {
  return copy3D("cudaMemcpy3D", *copy);
}
TILEIR_CUDA_API int cudaMemcpy3DAsync(const CudaCopy *copy, void *) {
  return copy3D("cudaMemcpy3DAsync", *copy);
}

TILEIR_CUDA_API int cudaMemset3D(CudaPitched target, int value,
                                 CudaExtent extent) {
  auto api = CudaRuntimeApi::get();
  const uint8_t byte = uint8_t(value);
  for (size_t z = 0; z < extent.depth; ++z)
    for (size_t y = 0; y < extent.height; ++y)
      if (Error error =
              api->runtime.fill(static_cast<char *>(target.address) +
                                    (z * target.height + y) * target.pitch,
                                byte, extent.width, nullptr))
        return api->check("cudaMemset3D", std::move(error));
  return kCudaSuccess;
}

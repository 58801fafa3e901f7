//===- CudaRuntimeTextures.cpp - Textures, for the CUDA runtime -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texture and surface objects of arrays, of linear memory and of memory with a
// pitch.
//
//===----------------------------------------------------------------------===//

#include "Sim/CudaRuntimeApi.h"
#include "Sim/CudaRuntimeArrays.h"

#include <algorithm>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

namespace {
/// cudaResourceDesc
struct CudaResource {
  enum Kind : int { Array, MipmappedArray, Linear, Pitch2D };
  Kind kind;
  union {
    CudaArray *array;
    struct {
      void *address;
      CudaChannels channels;
      size_t bytes;
    } linear;
    struct {
      void *address;
      CudaChannels channels;
      size_t width, height, pitch;
    } pitch2D;
    int reserved[32];
  };
};

/// cudaTextureDesc
struct CudaSampling {
  int addressModes[3];
  int filterMode; ///< 0: the nearest texel, 1: linear
  int readMode;   ///< 0: the type of the elements, 1: normalized floats
  int isSRGB;
  float border[4];
  int hasUnitCoordinates;
};
} // namespace

/// The image that a resource holds.
static Expected<sim::Texture> getImage(CudaRuntimeApi &api,
                                       const CudaResource &resource) {
  sim::Texture image;
  auto checkBytes = [&](uint64_t bytes) -> Error {
    sim::Buffer *buffer = api.simulator.getMemory().find(image.address);
    if (buffer && bytes <= buffer->end() - image.address)
      return Error::success();
    return createStringError(
        "expected device memory of " + Twine(bytes) + " bytes, found " +
        (buffer ? Twine(buffer->end() - image.address) : Twine("none")));
  };
  switch (resource.kind) {
  case CudaResource::Array: {
    auto found = api.arrays.find(resource.array);
    if (found == api.arrays.end())
      return createStringError(
          "expected an array that was allocated, and not freed");
    return found->second->image;
  }
  case CudaResource::Linear: {
    if (Error error = setChannels(image, resource.linear.channels))
      return std::move(error);
    image.address = reinterpret_cast<uint64_t>(resource.linear.address);
    image.size[0] = resource.linear.bytes / image.getTexelBytes();
    image.isLinear = true;
    if (Error error = checkBytes(resource.linear.bytes))
      return std::move(error);
    return image;
  }
  case CudaResource::Pitch2D: {
    const auto &memory = resource.pitch2D;
    if (Error error = setChannels(image, memory.channels))
      return std::move(error);
    image.address = reinterpret_cast<uint64_t>(memory.address);
    image.dimensions = 2;
    image.size[0] = memory.width;
    image.size[1] = memory.height;
    image.rowBytes = memory.pitch;
    const uint64_t row = memory.width * image.getTexelBytes();
    if (memory.width == 0 || memory.height == 0 || row > memory.pitch)
      return createStringError("expected rows of at most the pitch of " +
                               Twine(memory.pitch) + " bytes, found " +
                               Twine(memory.height) + " of " + Twine(row));
    if (Error error = checkBytes((memory.height - 1) * memory.pitch + row))
      return std::move(error);
    return image;
  }
  case CudaResource::MipmappedArray:
    break;
  }
  return createStringError("expected an array, linear memory or memory with a "
                           "pitch: mipmapped arrays are not simulated");
}

TILEIR_CUDA_API int cudaCreateTextureObject(uint64_t *handle,
                                            const CudaResource *resource,
                                            const CudaSampling *sampling,
                                            const void *view) {
  const char *name = "cudaCreateTextureObject";
  auto api = CudaRuntimeApi::get();
  auto image = getImage(*api.operator->(), *resource);
  if (!image)
    return api->check(name, image.takeError());
  if (view)
    return api->fail(name, "views of resources are not simulated: expected "
                           "none");
  if (sampling->isSRGB)
    return api->fail(name, "sRGB is not simulated: expected none");
  image->isNormalized =
      sampling->readMode == 1 && image->format != sim::TextureFormat::Float;
  if (image->isNormalized && image->bits == 32)
    return api->fail(name, "expected integers of 8 or 16 bits to be read as "
                           "normalized floats, found 32");
  if (sampling->filterMode == 1 && !image->readsFloats())
    return api->fail(name, "expected floats, or integers that are read as "
                           "normalized floats, for linear filtering");
  for (unsigned axis = 0; axis < 3; ++axis)
    image->modes[axis] =
        sim::TextureAddressMode(std::clamp(sampling->addressModes[axis], 0, 3));
  std::copy(sampling->border, sampling->border + 4, image->border);
  image->isFiltered = sampling->filterMode == 1;
  image->hasUnitCoordinates = sampling->hasUnitCoordinates;
  *handle = api->simulator.getTextures().add(*image);
  return kCudaSuccess;
}

TILEIR_CUDA_API int cudaCreateSurfaceObject(uint64_t *handle,
                                            const CudaResource *resource) {
  const char *name = "cudaCreateSurfaceObject";
  auto api = CudaRuntimeApi::get();
  if (resource->kind != CudaResource::Array)
    return api->fail(name, "expected an array");
  auto image = getImage(*api.operator->(), *resource);
  if (!image)
    return api->check(name, image.takeError());
  image->isSurface = true;
  *handle = api->simulator.getTextures().add(*image);
  return kCudaSuccess;
}

static int destroy(const char *name, uint64_t handle) {
  auto api = CudaRuntimeApi::get();
  if (handle == 0 || api->simulator.getTextures().remove(handle))
    return kCudaSuccess;
  return api->fail(name, "expected an object that was created, and not "
                         "destroyed");
}

TILEIR_CUDA_API int cudaDestroyTextureObject(uint64_t handle) {
  return destroy("cudaDestroyTextureObject", handle);
}
TILEIR_CUDA_API int cudaDestroySurfaceObject(uint64_t handle) {
  return destroy("cudaDestroySurfaceObject", handle);
}

TILEIR_CUDA_API int
cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const CudaChannels *, int) {
  *width = size_t(1) << 27;
  return kCudaSuccess;
}

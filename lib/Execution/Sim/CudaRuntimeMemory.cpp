//===- CudaRuntimeMemory.cpp - Memory, for the CUDA runtime
//----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim/CudaRuntimeApi.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

static int allocate(const char *name, void **address, size_t bytes) {
  *address = nullptr;
  if (bytes == 0)
    return kCudaSuccess;
  auto buffer = CudaRuntimeApi::get()->runtime.allocate(
      bytes, /*hostShared=*/true, nullptr);
  if (!buffer)
    return CudaRuntimeApi::get()->check(name, buffer.takeError(),
                                        kCudaMemoryAllocation);
  *address = *buffer;
  return kCudaSuccess;
}

static int release(const char *name, void *address) {
  return CudaRuntimeApi::get()->check(
      name, CudaRuntimeApi::get()->runtime.free(address, nullptr));
}

static int copy(const char *name, void *target, const void *source,
                size_t bytes) {
  return CudaRuntimeApi::get()->check(
      name,
      CudaRuntimeApi::get()->runtime.copy(target, source, bytes, nullptr));
}

static int copyRows(const char *name, void *target, size_t targetPitch,
                    const void *source, size_t sourcePitch, size_t bytes,
                    size_t rows) {
  if (bytes > targetPitch || bytes > sourcePitch)
    return CudaRuntimeApi::get()->fail(
        name,
        "expected rows of at most the pitch, found " + Twine(bytes) + " bytes",
        kCudaInvalidValue);
  for (size_t row = 0; row < rows; ++row)
    if (int error =
            copy(name, static_cast<char *>(target) + row * targetPitch,
                 static_cast<const char *>(source) + row * sourcePitch, bytes))
      return error;
  return kCudaSuccess;
}

static int fill(const char *name, void *address, int value, size_t bytes) {
  uint8_t byte = uint8_t(value);
  return CudaRuntimeApi::get()->check(
      name, CudaRuntimeApi::get()->runtime.fill(address, byte, bytes, nullptr));
}

static int copyTo(const char *name, const void *symbol, const void *source,
                  size_t bytes, size_t offset) {
  auto address = CudaRuntimeApi::get()->getSymbol(symbol, offset, bytes);
  if (!address)
    return CudaRuntimeApi::get()->check(name, address.takeError());
  return copy(name, *address, source, bytes);
}

static int copyFrom(const char *name, void *target, const void *symbol,
                    size_t bytes, size_t offset) {
  auto address = CudaRuntimeApi::get()->getSymbol(symbol, offset, bytes);
  if (!address)
    return CudaRuntimeApi::get()->check(name, address.takeError());
  return copy(name, target, *address, bytes);
}

TILEIR_CUDA_API int cudaMalloc(void **address, size_t bytes) {
  return allocate("cudaMalloc", address, bytes);
}
TILEIR_CUDA_API int cudaMallocAsync(void **address, size_t bytes, void *) {
  return allocate("cudaMallocAsync", address, bytes);
}
TILEIR_CUDA_API int cudaMallocManaged(void **address, size_t bytes, unsigned) {
  return allocate("cudaMallocManaged", address, bytes);
}
TILEIR_CUDA_API int cudaMallocHost(void **address, size_t bytes) {
  return allocate("cudaMallocHost", address, bytes);
}
TILEIR_CUDA_API int cudaHostAlloc(void **address, size_t bytes, unsigned) {
  return allocate("cudaHostAlloc", address, bytes);
}
TILEIR_CUDA_API int cudaMallocPitch(void **address, size_t *pitch, size_t width,
                                    size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return allocate("cudaMallocPitch", address, *pitch * height);
}
TILEIR_CUDA_API int cudaHostGetDevicePointer(void **device, void *host,
                                             unsigned) {
  *device = host;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaHostRegister(void *address, size_t bytes, unsigned) {
  return CudaRuntimeApi::get()->check(
      "cudaHostRegister",
      CudaRuntimeApi::get()->runtime.registerHost(address, bytes));
}
TILEIR_CUDA_API int cudaHostUnregister(void *address) {
  return CudaRuntimeApi::get()->check(
      "cudaHostUnregister",
      CudaRuntimeApi::get()->runtime.unregisterHost(address));
}
TILEIR_CUDA_API int cudaFree(void *address) {
  return release("cudaFree", address);
}
TILEIR_CUDA_API int cudaFreeAsync(void *address, void *) {
  return release("cudaFreeAsync", address);
}
TILEIR_CUDA_API int cudaFreeHost(void *address) {
  return release("cudaFreeHost", address);
}

TILEIR_CUDA_API int cudaMemcpy(void *target, const void *source, size_t bytes,
                               int) {
  return copy("cudaMemcpy", target, source, bytes);
}
TILEIR_CUDA_API int cudaMemcpyAsync(void *target, const void *source,
                                    size_t bytes, int, void *) {
  return copy("cudaMemcpyAsync", target, source, bytes);
}
TILEIR_CUDA_API int cudaMemcpy2D(void *target, size_t targetPitch,
                                 const void *source, size_t sourcePitch,
                                 size_t bytes, size_t rows, int) {
  return copyRows("cudaMemcpy2D", target, targetPitch, source, sourcePitch,
                  bytes, rows);
}
TILEIR_CUDA_API int cudaMemcpy2DAsync(void *target, size_t targetPitch,
                                      const void *source, size_t sourcePitch,
                                      size_t bytes, size_t rows, int, void *) {
  return copyRows("cudaMemcpy2DAsync", target, targetPitch, source, sourcePitch,
                  bytes, rows);
}
TILEIR_CUDA_API int cudaMemcpyToSymbol(const void *symbol, const void *source,
                                       size_t bytes, size_t offset, int) {
  return copyTo("cudaMemcpyToSymbol", symbol, source, bytes, offset);
}
TILEIR_CUDA_API int cudaMemcpyToSymbolAsync(const void *symbol,
                                            const void *source, size_t bytes,
                                            size_t offset, int, void *) {
  return copyTo("cudaMemcpyToSymbolAsync", symbol, source, bytes, offset);
}
TILEIR_CUDA_API int cudaMemcpyFromSymbol(void *target, const void *symbol,
                                         size_t bytes, size_t offset, int) {
  return copyFrom("cudaMemcpyFromSymbol", target, symbol, bytes, offset);
}
TILEIR_CUDA_API int cudaMemcpyFromSymbolAsync(void *target, const void *symbol,
                                              size_t bytes, size_t offset, int,
                                              void *) {
  return copyFrom("cudaMemcpyFromSymbolAsync", target, symbol, bytes, offset);
}
TILEIR_CUDA_API int cudaGetSymbolAddress(void **address, const void *symbol) {
  return CudaRuntimeApi::get()->check(
      "cudaGetSymbolAddress",
      CudaRuntimeApi::get()->getSymbol(symbol, 0, 0).moveInto(*address));
}
TILEIR_CUDA_API int cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  auto found = CudaRuntimeApi::get()->variables.find(symbol);
  if (found == CudaRuntimeApi::get()->variables.end())
    return CudaRuntimeApi::get()->fail("cudaGetSymbolSize",
                                       "expected a variable of the device",
                                       kCudaInvalidValue);
  *bytes = found->second.bytes;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaMemset(void *address, int value, size_t bytes) {
  return fill("cudaMemset", address, value, bytes);
}
TILEIR_CUDA_API int cudaMemsetAsync(void *address, int value, size_t bytes,
                                    void *) {
  return fill("cudaMemsetAsync", address, value, bytes);
}
TILEIR_CUDA_API int cudaMemset2D(void *address, size_t pitch, int value,
                                 size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row)
    if (int error =
            fill("cudaMemset2D", static_cast<char *>(address) + row * pitch,
                 value, width))
      return error;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaMemGetInfo(size_t *free, size_t *total) {
  *free = *total = size_t(16) << 30;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaMemPrefetchAsync() { return kCudaSuccess; }
TILEIR_CUDA_API int cudaMemAdvise() { return kCudaSuccess; }

TILEIR_CUDA_API int cudaStreamAttachMemAsync() { return kCudaSuccess; }

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

using Allocation = CudaRuntimeApi::Allocation;

CudaError CudaRuntimeApi::allocate(const char *function, void **address,
                                   uint64_t bytes, Allocation::Kind kind) {
  *address = nullptr;
  if (bytes == 0)
    return kCudaSuccess;
  auto buffer = runtime.allocate(
      bytes, /*hostShared=*/kind != Allocation::Device, nullptr);
  if (!buffer)
    return check(function, buffer.takeError(), kCudaMemoryAllocation);
  *address = *buffer;
  allocations[*address] = {function, bytes, kind};
  return kCudaSuccess;
}

const Allocation *CudaRuntimeApi::findAllocation(const void *address) const {
  auto behind = allocations.upper_bound(address);
  if (behind == allocations.begin())
    return nullptr;
  const auto &[begin, allocation] = *std::prev(behind);
  const auto offset =
      reinterpret_cast<uint64_t>(address) - reinterpret_cast<uint64_t>(begin);
  return offset < allocation.bytes ? &allocation : nullptr;
}

std::vector<std::string> CudaRuntimeApi::describeLeaks() const {
  std::vector<std::string> lines;
  auto add = [&](uint64_t bytes, const Twine &from) {
    lines.push_back(
        (Twine(bytes) + " bytes of " + from + " were not freed").str());
  };
  for (const auto &[address, allocation] : allocations)
    add(allocation.bytes, allocation.function);
  for (const auto &entry : arrays)
    if (sim::Buffer *buffer =
            simulator.getMemory().find(entry.second->image.address))
      add(buffer->size, "an array");
  for (uint64_t bytes : simulator.getHeapAllocations())
    add(bytes, "malloc or new in a kernel");
  return lines;
}

static int allocate(const char *name, void **address, size_t bytes,
                    Allocation::Kind kind = Allocation::Device) {
  return CudaRuntimeApi::get()->allocate(name, address, bytes, kind);
}

/// `isHost`: the function frees page-locked memory of the host.
static int release(const char *name, void *address, bool isHost = false) {
  auto api = CudaRuntimeApi::get();
  if (auto found = api->allocations.find(address);
      found != api->allocations.end()) {
    if (isHost != (found->second.kind == Allocation::Host))
      return api->fail(name, Twine("cannot free memory of ") +
                                 found->second.function + ": expected " +
                                 (isHost ? "cudaFree" : "cudaFreeHost"));
    api->allocations.erase(found);
  }
  return api->check(name, api->runtime.free(address, nullptr));
}

/// Whether one end of a copy is where the kind of the copy says.
static int checkPlace(const char *name, const char *what, const void *address,
                      bool onDevice) {
  auto api = CudaRuntimeApi::get();
  const Allocation *found = api->findAllocation(address);
  if (onDevice) {
    auto begin = reinterpret_cast<uint64_t>(address);
    if (found || api->simulator.getMemory().find(begin))
      return kCudaSuccess;
  } else if (!found || found->kind != Allocation::Device) {
    return kCudaSuccess;
  }
  return api->fail(name,
                   Twine(what) + ": expected memory of the " +
                       (onDevice ? "device" : "host") + ", found memory of " +
                       (found ? found->function : "the host"),
                   kCudaInvalidMemcpyDirection);
}

/// Numbers of cudaMemcpyKind.
enum CopyKind : int { kHostToHost, kHostToDevice, kDeviceToHost, kOnDevice };

static int copy(const char *name, void *target, const void *source,
                size_t bytes, int kind) {
  auto api = CudaRuntimeApi::get();
  if (bytes && kind >= kHostToHost && kind <= kOnDevice) {
    if (int error = checkPlace(name, "the target", target,
                               kind == kHostToDevice || kind == kOnDevice))
      return error;
    if (int error = checkPlace(name, "the source", source,
                               kind == kDeviceToHost || kind == kOnDevice))
      return error;
  }
  return api->check(name, api->runtime.copy(target, source, bytes, nullptr));
}

static int copyRows(const char *name, void *target, size_t targetPitch,
                    const void *source, size_t sourcePitch, size_t bytes,
                    size_t rows, int kind) {
  if (bytes > targetPitch || bytes > sourcePitch)
    return CudaRuntimeApi::get()->fail(
        name,
        "expected rows of at most the pitch, found " + Twine(bytes) + " bytes",
        kCudaInvalidValue);
  for (size_t row = 0; row < rows; ++row)
    if (int error = copy(name, static_cast<char *>(target) + row * targetPitch,
                         static_cast<const char *>(source) + row * sourcePitch,
                         bytes, kind))
      return error;
  return kCudaSuccess;
}

static int fill(const char *name, void *address, int value, size_t bytes) {
  auto api = CudaRuntimeApi::get();
  if (bytes)
    if (int error = checkPlace(name, "the target", address, /*onDevice=*/true))
      return error;
  uint8_t byte = uint8_t(value);
  return api->check(name, api->runtime.fill(address, byte, bytes, nullptr));
}

static int copyTo(const char *name, const void *symbol, const void *source,
                  size_t bytes, size_t offset, int kind) {
  auto address = CudaRuntimeApi::get()->getSymbol(symbol, offset, bytes);
  if (!address)
    return CudaRuntimeApi::get()->check(name, address.takeError());
  return copy(name, *address, source, bytes, kind);
}

static int copyFrom(const char *name, void *target, const void *symbol,
                    size_t bytes, size_t offset, int kind) {
  auto address = CudaRuntimeApi::get()->getSymbol(symbol, offset, bytes);
  if (!address)
    return CudaRuntimeApi::get()->check(name, address.takeError());
  return copy(name, target, *address, bytes, kind);
}

TILEIR_CUDA_API int cudaMalloc(void **address, size_t bytes) {
  return allocate("cudaMalloc", address, bytes);
}
TILEIR_CUDA_API int cudaMallocAsync(void **address, size_t bytes, void *) {
  return allocate("cudaMallocAsync", address, bytes);
}
TILEIR_CUDA_API int cudaMallocManaged(void **address, size_t bytes, unsigned) {
  return allocate("cudaMallocManaged", address, bytes, Allocation::Managed);
}
TILEIR_CUDA_API int cudaMallocHost(void **address, size_t bytes) {
  return allocate("cudaMallocHost", address, bytes, Allocation::Host);
}
TILEIR_CUDA_API int cudaHostAlloc(void **address, size_t bytes, unsigned) {
  return allocate("cudaHostAlloc", address, bytes, Allocation::Host);
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
  return release("cudaFreeHost", address, /*isHost=*/true);
}

TILEIR_CUDA_API int cudaMemcpy(void *target, const void *source, size_t bytes,
                               int kind) {
  return copy("cudaMemcpy", target, source, bytes, kind);
}
TILEIR_CUDA_API int cudaMemcpyAsync(void *target, const void *source,
                                    size_t bytes, int kind, void *stream) {
  auto work = [=] {
    return copy("cudaMemcpyAsync", target, source, bytes, kind);
  };
  return CudaRuntimeApi::get()->capture.take(stream, work) ? kCudaSuccess
                                                           : work();
}
TILEIR_CUDA_API int cudaMemcpy2D(void *target, size_t targetPitch,
                                 const void *source, size_t sourcePitch,
                                 size_t bytes, size_t rows, int kind) {
  return copyRows("cudaMemcpy2D", target, targetPitch, source, sourcePitch,
                  bytes, rows, kind);
}
TILEIR_CUDA_API int cudaMemcpy2DAsync(void *target, size_t targetPitch,
                                      const void *source, size_t sourcePitch,
                                      size_t bytes, size_t rows, int kind,
                                      void *stream) {
  auto work = [=] {
    return copyRows("cudaMemcpy2DAsync", target, targetPitch, source,
                    sourcePitch, bytes, rows, kind);
  };
  return CudaRuntimeApi::get()->capture.take(stream, work) ? kCudaSuccess
                                                           : work();
}
TILEIR_CUDA_API int cudaMemcpyToSymbol(const void *symbol, const void *source,
                                       size_t bytes, size_t offset, int kind) {
  return copyTo("cudaMemcpyToSymbol", symbol, source, bytes, offset, kind);
}
TILEIR_CUDA_API int cudaMemcpyToSymbolAsync(const void *symbol,
                                            const void *source, size_t bytes,
                                            size_t offset, int kind,
                                            void *stream) {
  auto work = [=] {
    return copyTo("cudaMemcpyToSymbolAsync", symbol, source, bytes, offset,
                  kind);
  };
  return CudaRuntimeApi::get()->capture.take(stream, work) ? kCudaSuccess
                                                           : work();
}
TILEIR_CUDA_API int cudaMemcpyFromSymbol(void *target, const void *symbol,
                                         size_t bytes, size_t offset,
                                         int kind) {
  return copyFrom("cudaMemcpyFromSymbol", target, symbol, bytes, offset, kind);
}
TILEIR_CUDA_API int cudaMemcpyFromSymbolAsync(void *target, const void *symbol,
                                              size_t bytes, size_t offset,
                                              int kind, void *stream) {
  auto work = [=] {
    return copyFrom("cudaMemcpyFromSymbolAsync", target, symbol, bytes, offset,
                    kind);
  };
  return CudaRuntimeApi::get()->capture.take(stream, work) ? kCudaSuccess
                                                           : work();
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
                                    void *stream) {
  auto work = [=] { return fill("cudaMemsetAsync", address, value, bytes); };
  return CudaRuntimeApi::get()->capture.take(stream, work) ? kCudaSuccess
                                                           : work();
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

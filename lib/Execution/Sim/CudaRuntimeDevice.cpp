//===- CudaRuntimeDevice.cpp - Devices, for the CUDA runtime
//---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim/CudaRuntimeApi.h"

#include <optional>
#include <utility>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

TILEIR_CUDA_API int cudaDeviceSynchronize() {
  return CudaRuntimeApi::get()->synchronize();
}
TILEIR_CUDA_API int cudaThreadSynchronize() {
  return CudaRuntimeApi::get()->synchronize();
}
TILEIR_CUDA_API int cudaDeviceReset() { return kCudaSuccess; }
TILEIR_CUDA_API int cudaGetDeviceCount(int *count) {
  *count = 1;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaGetDevice(int *device) {
  *device = 0;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaSetDevice(int device) {
  if (device == 0)
    return kCudaSuccess;
  return CudaRuntimeApi::get()->fail(
      "cudaSetDevice",
      "expected device 0, the only one that is simulated, "
      "found " +
          Twine(device),
      kCudaInvalidDevice);
}
TILEIR_CUDA_API int cudaSetDeviceFlags(unsigned) { return kCudaSuccess; }
TILEIR_CUDA_API int cudaDeviceSetCacheConfig(int) { return kCudaSuccess; }

/// The number of cudaLimitMallocHeapSize; the other limits mean nothing here.
constexpr int kMallocHeapSize = 2;

TILEIR_CUDA_API int cudaDeviceSetLimit(int limit, size_t bytes) {
  auto api = CudaRuntimeApi::get();
  if (limit == kMallocHeapSize && !api->simulator.setHeapLimit(bytes))
    return api->fail("cudaDeviceSetLimit",
                     "expected the size of the heap before kernels allocate");
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaDeviceGetLimit(size_t *bytes, int limit) {
  *bytes = limit == kMallocHeapSize
               ? CudaRuntimeApi::get()->simulator.getHeapLimit()
               : 0;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaRuntimeGetVersion(int *version) {
  *version = 12000;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaDriverGetVersion(int *version) {
  return cudaRuntimeGetVersion(version);
}

/// By the numbers of cudaDeviceAttr; nothing for what is not known.
static std::optional<double> getAttribute(const machine::Gpu &chip,
                                          int attribute) {
  switch (attribute) {
  case 1:
    return chip.maxThreadsPerBlock;
  case 2:
  case 3:
  case 4:
    return chip.maxBlockDim[attribute - 2];
  case 5:
  case 6:
  case 7:
    return chip.maxGridDim[attribute - 5];
  case 8:
    return chip.maxStaticShared;
  case 9: // constant memory
    return 64 << 10;
  case 10:
    return machine::kWarpSize;
  case 11: // pitch
    return 0x7fffffff;
  case 12: // of a block
  case 82: // of a multiprocessor
    return chip.registersPerSm;
  case 13: // in kHz
    return chip.clockGHz * 1e6;
  case 14: // alignment of textures and of surfaces
  case 30:
    return 512;
  case 16:
    return chip.sms;
  case 36: // in kHz, if a clock moves two times 512 bits
    return chip.globalGBs * 1e6 / 128;
  case 37:
    return 512;
  case 38:
    return chip.l2Bytes;
  case 39:
    return chip.maxWarpsPerSm * machine::kWarpSize;
  case 75:
    return chip.computeCapability / 10;
  case 76:
    return chip.computeCapability % 10;
  case 81:
    return chip.sharedPerSm;
  case 87:
    return chip.fma32 / chip.fma64;
  case 97:
    return chip.maxSharedPerBlock;
  case 106:
    return chip.maxBlocksPerSm;
  case 111: // that the system takes of a block
    return chip.computeCapability >= 80 ? 1024 : 0;
  // Mapped host memory, concurrent kernels, copies beside them, one address
  // space, priorities, managed memory, and pinned memory under its own address.
  case 15:
  case 19:
  case 31:
  case 40:
  case 41:
  case 78:
  case 79:
  case 80:
  case 83:
  case 89:
  case 91:
  case 95:
  case 99:
    return 1;
  // Limits of run time, being on board, any compute mode, ECC, places on the
  // bus, several GPUs, atomics of the host, pageable memory, pools, clusters.
  case 17:
  case 18:
  case 20:
  case 32:
  case 33:
  case 34:
  case 35:
  case 50:
  case 84:
  case 85:
  case 86:
  case 88:
  case 90:
  case 98:
  case 100:
  case 101:
  case 108:
  case 109:
  case 115:
  case 120:
    return 0;
  default:
    return std::nullopt;
  }
}

TILEIR_CUDA_API int cudaDeviceGetAttribute(int *value, int attribute, int) {
  auto api = CudaRuntimeApi::get();
  std::optional<double> found =
      getAttribute(api->simulator.getChip(), attribute);
  if (!found)
    return api->fail("cudaDeviceGetAttribute",
                     "attribute " + Twine(attribute) +
                         " is not known to the simulator");
  *value = int(*found);
  return kCudaSuccess;
}

// There are no peers.
TILEIR_CUDA_API int cudaDeviceCanAccessPeer(int *can, int, int) {
  *can = 0;
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaDeviceEnablePeerAccess(int, unsigned) {
  return CudaRuntimeApi::get()->fail("cudaDeviceEnablePeerAccess",
                                     "expected a single device",
                                     kCudaNotSupported);
}
TILEIR_CUDA_API int cudaDeviceDisablePeerAccess(int) { return kCudaSuccess; }

TILEIR_CUDA_API int cudaCtxResetPersistingL2Cache() { return kCudaSuccess; }
TILEIR_CUDA_API int cudaProfilerStart() { return kCudaSuccess; }
TILEIR_CUDA_API int cudaProfilerStop() { return kCudaSuccess; }

TILEIR_CUDA_API int cudaGetLastError() {
  return std::exchange(CudaRuntimeApi::get()->lastError, kCudaSuccess);
}
TILEIR_CUDA_API int cudaPeekAtLastError() {
  return CudaRuntimeApi::get()->lastError;
}

namespace {
/// A number that calls give, with its name and its meaning.
struct ErrorText {
  CudaError number;
  const char *name, *meaning;
};
} // namespace

static const ErrorText kErrors[] = {
    {kCudaSuccess, "cudaSuccess", "no error"},
    {kCudaInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {kCudaMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {kCudaInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {kCudaInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction",
     "invalid device function"},
    {kCudaInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {kCudaAssert, "cudaErrorAssert", "device-side assert triggered"},
    {kCudaLaunchFailure, "cudaErrorLaunchFailure",
     "unspecified launch failure"},
    {kCudaCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {kCudaNotSupported, "cudaErrorNotSupported", "operation not supported"},
};

static const ErrorText *findError(int number) {
  const auto *found =
      find_if(kErrors, [&](const ErrorText &e) { return e.number == number; });
  return found == std::end(kErrors) ? nullptr : found;
}

TILEIR_CUDA_API const char *cudaGetErrorName(int error) {
  const ErrorText *found = findError(error);
  return found ? found->name : "unrecognized error code";
}

TILEIR_CUDA_API const char *cudaGetErrorString(int error) {
  const ErrorText *found = findError(error);
  return found ? found->meaning : "unrecognized error code";
}

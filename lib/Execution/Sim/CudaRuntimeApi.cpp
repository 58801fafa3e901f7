//===- CudaRuntimeApi.cpp - A stand-in for the CUDA runtime ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim/CudaRuntimeApi.h"

#include "tileir/Target/Gpu/Estimate.h"

#include "llvm/Support/WithColor.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

/// Numbers of cudaError_t.
enum : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kMemoryAllocation = 2,
  kInvalidDeviceFunction = 98,
  kInvalidDevice = 101,
  kLaunchFailure = 719,
};

static CudaRuntimeApi *active = nullptr;

CudaRuntimeApi::CudaRuntimeApi(sim::Simulator &simulator, StringRef image)
    : simulator(simulator), runtime(simulator), image(image) {
  active = this;
}

CudaRuntimeApi::~CudaRuntimeApi() { active = nullptr; }

Error CudaRuntimeApi::load() {
  auto loaded = runtime.loadModule(image);
  if (!loaded)
    return loaded.takeError();
  module = static_cast<sim::LoadedModule *>(*loaded);
  return Error::success();
}

int CudaRuntimeApi::fail(const char *function, const Twine &message,
                         int number) {
  // Messages of the runtime begin with the name of another function.
  std::string text = message.str();
  StringRef rest = text;
  if (rest.consume_front("mgpu"))
    rest = rest.drop_while([](char c) { return isAlnum(c); });
  WithColor::error(errs(), "tile-run")
      << function << (rest.size() == text.size() ? ": " : "") << rest << '\n';
  hasFailed = true;
  return lastError = number;
}

int CudaRuntimeApi::check(const char *function, Error error) {
  return error ? fail(function, toString(std::move(error)), kInvalidValue)
               : kSuccess;
}

Error CudaRuntimeApi::launch(const void *function, GpuLaunch launch,
                             void **arguments) {
  auto found = functions.find(function);
  if (found == functions.end())
    return createStringError("expected a kernel, found another function");
  auto kernel = module->getKernel(found->second.name);
  if (!kernel)
    return kernel.takeError();
  launch.arguments = ArrayRef(arguments, (*kernel)->arguments.size());
  if (Error error = runtime.launch(*kernel, launch))
    return error;
  if (const sim::LaunchResult *result = runtime.getLastLaunch())
    microseconds +=
        machine::estimate(result->counters, simulator.getChip()).microseconds;
  return Error::success();
}

Expected<void *> CudaRuntimeApi::getSymbol(const void *symbol, uint64_t offset,
                                           uint64_t bytes) {
  auto found = variables.find(symbol);
  if (found == variables.end())
    return createStringError("expected a variable of the device, found another "
                             "address");
  const Symbol &variable = found->second;
  if (offset > variable.bytes || bytes > variable.bytes - offset)
    return createStringError("expected at most the " + Twine(variable.bytes) +
                             " bytes of '" + variable.name + "', found " +
                             Twine(bytes) + " from byte " + Twine(offset) +
                             " on");
  auto address = module->getGlobal(variable.name);
  if (!address)
    return address.takeError();
  return static_cast<char *>(*address) + offset;
}

//===----------------------------------------------------------------------===//
// Programs, as clang compiles them
//===----------------------------------------------------------------------===//

namespace {
struct Dim3 {
  unsigned x, y, z;
};
} // namespace

static GpuLaunch getLaunch(Dim3 grid, Dim3 block, size_t shared, void *stream) {
  GpuLaunch launch;
  launch.grid = {grid.x, grid.y, grid.z};
  launch.block = {block.x, block.y, block.z};
  launch.dynamicSharedBytes = int64_t(shared);
  launch.stream = stream;
  return launch;
}

static int launchKernel(const char *name, const void *function, Dim3 grid,
                        Dim3 block, void **arguments, size_t shared,
                        void *stream) {
  GpuLaunch launch = getLaunch(grid, block, shared, stream);
  if (Error error = active->launch(function, launch, arguments))
    return active->fail(name, toString(std::move(error)),
                        kInvalidDeviceFunction);
  return kSuccess;
}

/// What ends a wait for the device.
static int synchronize() {
  if (active->runtime.isStopped())
    active->lastError = kLaunchFailure;
  return active->lastError == kLaunchFailure ? kLaunchFailure : kSuccess;
}

#define TILEIR_API extern "C" __attribute__((visibility("default"), used))

TILEIR_API void **__cudaRegisterFatBinary(void *) {
  static void *handle;
  return &handle;
}
TILEIR_API void __cudaRegisterFatBinaryEnd(void **) {}
TILEIR_API void __cudaUnregisterFatBinary(void **) {}

TILEIR_API void __cudaRegisterFunction(void **, const char *function, char *,
                                       const char *name, int, void *, void *,
                                       void *, void *, int *) {
  active->functions[function] = {name, 0};
}

TILEIR_API void __cudaRegisterVar(void **, char *variable, char *,
                                  const char *name, int, size_t bytes, int,
                                  int) {
  active->variables[variable] = {name, bytes};
}

TILEIR_API unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block,
                                                size_t shared, void *stream) {
  active->configurations.push_back(getLaunch(grid, block, shared, stream));
  return 0;
}

TILEIR_API int __cudaPopCallConfiguration(Dim3 *grid, Dim3 *block,
                                          size_t *shared, void **stream) {
  if (active->configurations.empty())
    return kInvalidValue;
  GpuLaunch launch = active->configurations.back();
  active->configurations.pop_back();
  auto getDim3 = [](const std::array<int64_t, 3> &sizes) {
    return Dim3{unsigned(sizes[0]), unsigned(sizes[1]), unsigned(sizes[2])};
  };
  *grid = getDim3(launch.grid);
  *block = getDim3(launch.block);
  *shared = size_t(launch.dynamicSharedBytes);
  *stream = launch.stream;
  return kSuccess;
}

TILEIR_API int cudaLaunchKernel(const void *function, Dim3 grid, Dim3 block,
                                void **arguments, size_t shared, void *stream) {
  return launchKernel("cudaLaunchKernel", function, grid, block, arguments,
                      shared, stream);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static int allocate(const char *name, void **address, size_t bytes) {
  *address = nullptr;
  if (bytes == 0)
    return kSuccess;
  auto buffer = active->runtime.allocate(bytes, /*hostShared=*/true, nullptr);
  if (!buffer)
    return active->fail(name, toString(buffer.takeError()), kMemoryAllocation);
  *address = *buffer;
  return kSuccess;
}

static int release(const char *name, void *address) {
  return active->check(name, active->runtime.free(address, nullptr));
}

static int copy(const char *name, void *target, const void *source,
                size_t bytes) {
  return active->check(name,
                       active->runtime.copy(target, source, bytes, nullptr));
}

static int copyRows(const char *name, void *target, size_t targetPitch,
                    const void *source, size_t sourcePitch, size_t bytes,
                    size_t rows) {
  if (bytes > targetPitch || bytes > sourcePitch)
    return active->fail(name,
                        "expected rows of at most the pitch, found " +
                            Twine(bytes) + " bytes",
                        kInvalidValue);
  for (size_t row = 0; row < rows; ++row)
    if (int error =
            copy(name, static_cast<char *>(target) + row * targetPitch,
                 static_cast<const char *>(source) + row * sourcePitch, bytes))
      return error;
  return kSuccess;
}

static int fill(const char *name, void *address, int value, size_t bytes) {
  uint8_t byte = uint8_t(value);
  return active->check(name,
                       active->runtime.fill(address, byte, bytes, nullptr));
}

static int copyTo(const char *name, const void *symbol, const void *source,
                  size_t bytes, size_t offset) {
  auto address = active->getSymbol(symbol, offset, bytes);
  if (!address)
    return active->check(name, address.takeError());
  return copy(name, *address, source, bytes);
}

static int copyFrom(const char *name, void *target, const void *symbol,
                    size_t bytes, size_t offset) {
  auto address = active->getSymbol(symbol, offset, bytes);
  if (!address)
    return active->check(name, address.takeError());
  return copy(name, target, *address, bytes);
}

TILEIR_API int cudaMalloc(void **address, size_t bytes) {
  return allocate("cudaMalloc", address, bytes);
}
TILEIR_API int cudaMallocAsync(void **address, size_t bytes, void *) {
  return allocate("cudaMallocAsync", address, bytes);
}
TILEIR_API int cudaMallocManaged(void **address, size_t bytes, unsigned) {
  return allocate("cudaMallocManaged", address, bytes);
}
TILEIR_API int cudaMallocHost(void **address, size_t bytes) {
  return allocate("cudaMallocHost", address, bytes);
}
TILEIR_API int cudaHostAlloc(void **address, size_t bytes, unsigned) {
  return allocate("cudaHostAlloc", address, bytes);
}
TILEIR_API int cudaMallocPitch(void **address, size_t *pitch, size_t width,
                               size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return allocate("cudaMallocPitch", address, *pitch * height);
}
TILEIR_API int cudaHostGetDevicePointer(void **device, void *host, unsigned) {
  *device = host;
  return kSuccess;
}
TILEIR_API int cudaHostRegister(void *address, size_t bytes, unsigned) {
  return active->check("cudaHostRegister",
                       active->runtime.registerHost(address, bytes));
}
TILEIR_API int cudaHostUnregister(void *address) {
  return active->check("cudaHostUnregister",
                       active->runtime.unregisterHost(address));
}
TILEIR_API int cudaFree(void *address) { return release("cudaFree", address); }
TILEIR_API int cudaFreeAsync(void *address, void *) {
  return release("cudaFreeAsync", address);
}
TILEIR_API int cudaFreeHost(void *address) {
  return release("cudaFreeHost", address);
}

TILEIR_API int cudaMemcpy(void *target, const void *source, size_t bytes, int) {
  return copy("cudaMemcpy", target, source, bytes);
}
TILEIR_API int cudaMemcpyAsync(void *target, const void *source, size_t bytes,
                               int, void *) {
  return copy("cudaMemcpyAsync", target, source, bytes);
}
TILEIR_API int cudaMemcpy2D(void *target, size_t targetPitch,
                            const void *source, size_t sourcePitch,
                            size_t bytes, size_t rows, int) {
  return copyRows("cudaMemcpy2D", target, targetPitch, source, sourcePitch,
                  bytes, rows);
}
TILEIR_API int cudaMemcpy2DAsync(void *target, size_t targetPitch,
                                 const void *source, size_t sourcePitch,
                                 size_t bytes, size_t rows, int, void *) {
  return copyRows("cudaMemcpy2DAsync", target, targetPitch, source, sourcePitch,
                  bytes, rows);
}
TILEIR_API int cudaMemcpyToSymbol(const void *symbol, const void *source,
                                  size_t bytes, size_t offset, int) {
  return copyTo("cudaMemcpyToSymbol", symbol, source, bytes, offset);
}
TILEIR_API int cudaMemcpyToSymbolAsync(const void *symbol, const void *source,
                                       size_t bytes, size_t offset, int,
                                       void *) {
  return copyTo("cudaMemcpyToSymbolAsync", symbol, source, bytes, offset);
}
TILEIR_API int cudaMemcpyFromSymbol(void *target, const void *symbol,
                                    size_t bytes, size_t offset, int) {
  return copyFrom("cudaMemcpyFromSymbol", target, symbol, bytes, offset);
}
TILEIR_API int cudaMemcpyFromSymbolAsync(void *target, const void *symbol,
                                         size_t bytes, size_t offset, int,
                                         void *) {
  return copyFrom("cudaMemcpyFromSymbolAsync", target, symbol, bytes, offset);
}
TILEIR_API int cudaGetSymbolAddress(void **address, const void *symbol) {
  return active->check("cudaGetSymbolAddress",
                       active->getSymbol(symbol, 0, 0).moveInto(*address));
}
TILEIR_API int cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  auto found = active->variables.find(symbol);
  if (found == active->variables.end())
    return active->fail("cudaGetSymbolSize",
                        "expected a variable of the device", kInvalidValue);
  *bytes = found->second.bytes;
  return kSuccess;
}
TILEIR_API int cudaMemset(void *address, int value, size_t bytes) {
  return fill("cudaMemset", address, value, bytes);
}
TILEIR_API int cudaMemsetAsync(void *address, int value, size_t bytes, void *) {
  return fill("cudaMemsetAsync", address, value, bytes);
}
TILEIR_API int cudaMemset2D(void *address, size_t pitch, int value,
                            size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row)
    if (int error =
            fill("cudaMemset2D", static_cast<char *>(address) + row * pitch,
                 value, width))
      return error;
  return kSuccess;
}
TILEIR_API int cudaMemGetInfo(size_t *free, size_t *total) {
  *free = *total = size_t(16) << 30;
  return kSuccess;
}
TILEIR_API int cudaMemPrefetchAsync() { return kSuccess; }
TILEIR_API int cudaMemAdvise() { return kSuccess; }

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

static int createStream(void **stream) {
  *stream = active;
  return kSuccess;
}

TILEIR_API int cudaStreamCreate(void **stream) { return createStream(stream); }
TILEIR_API int cudaStreamCreateWithFlags(void **stream, unsigned) {
  return createStream(stream);
}
TILEIR_API int cudaStreamCreateWithPriority(void **stream, unsigned, int) {
  return createStream(stream);
}
TILEIR_API int cudaStreamDestroy(void *) { return kSuccess; }
TILEIR_API int cudaStreamSynchronize(void *) { return synchronize(); }
TILEIR_API int cudaStreamQuery(void *) { return synchronize(); }
TILEIR_API int cudaStreamWaitEvent(void *, void *, unsigned) {
  return kSuccess;
}

// An event is the time at which it was recorded.
TILEIR_API int cudaEventCreate(double **event) {
  *event = new double(0);
  return kSuccess;
}
TILEIR_API int cudaEventCreateWithFlags(double **event, unsigned) {
  return cudaEventCreate(event);
}
TILEIR_API int cudaEventDestroy(double *event) {
  delete event;
  return kSuccess;
}
TILEIR_API int cudaEventRecord(double *event, void *) {
  *event = active->microseconds;
  return kSuccess;
}
TILEIR_API int cudaEventSynchronize(double *) { return synchronize(); }
TILEIR_API int cudaEventQuery(double *) { return synchronize(); }
TILEIR_API int cudaEventElapsedTime(float *milliseconds, double *begin,
                                    double *end) {
  // Programs divide by it.
  *milliseconds = std::max(float((*end - *begin) / 1000), 1e-6f);
  return kSuccess;
}

//===----------------------------------------------------------------------===//
// Devices and errors
//===----------------------------------------------------------------------===//

TILEIR_API int cudaDeviceSynchronize() { return synchronize(); }
TILEIR_API int cudaThreadSynchronize() { return synchronize(); }
TILEIR_API int cudaDeviceReset() { return kSuccess; }
TILEIR_API int cudaGetDeviceCount(int *count) {
  *count = 1;
  return kSuccess;
}
TILEIR_API int cudaGetDevice(int *device) {
  *device = 0;
  return kSuccess;
}
TILEIR_API int cudaSetDevice(int device) {
  if (device == 0)
    return kSuccess;
  return active->fail("cudaSetDevice",
                      "expected device 0, the only one that is simulated, "
                      "found " +
                          Twine(device),
                      kInvalidDevice);
}
TILEIR_API int cudaSetDeviceFlags(unsigned) { return kSuccess; }
TILEIR_API int cudaDeviceSetCacheConfig(int) { return kSuccess; }
TILEIR_API int cudaDeviceSetLimit(int, size_t) { return kSuccess; }
TILEIR_API int cudaFuncSetCacheConfig(const void *, int) { return kSuccess; }
TILEIR_API int cudaFuncSetAttribute(const void *, int, int) { return kSuccess; }
TILEIR_API int cudaRuntimeGetVersion(int *version) {
  *version = 12000;
  return kSuccess;
}
TILEIR_API int cudaDriverGetVersion(int *version) {
  return cudaRuntimeGetVersion(version);
}

/// By the numbers of cudaDeviceAttr.
TILEIR_API int cudaDeviceGetAttribute(int *value, int attribute, int) {
  const machine::Gpu &chip = active->simulator.getChip();
  auto getValue = [&]() -> std::optional<double> {
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
    case 12: // of a block
    case 82: // of a multiprocessor
      return chip.registersPerSm;
    case 13: // in kHz
      return chip.clockGHz * 1e6;
    case 16:
      return chip.sms;
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
    case 97:
      return chip.maxSharedPerBlock;
    case 106:
      return chip.maxBlocksPerSm;
    default:
      return std::nullopt;
    }
  };
  std::optional<double> found = getValue();
  if (!found)
    return active->fail("cudaDeviceGetAttribute",
                        "attribute " + Twine(attribute) +
                            " is not known to the simulator",
                        kInvalidValue);
  *value = int(*found);
  return kSuccess;
}

TILEIR_API int cudaGetLastError() {
  return std::exchange(active->lastError, kSuccess);
}
TILEIR_API int cudaPeekAtLastError() { return active->lastError; }

TILEIR_API const char *cudaGetErrorName(int error) {
  switch (error) {
  case kSuccess:
    return "cudaSuccess";
  case kInvalidValue:
    return "cudaErrorInvalidValue";
  case kMemoryAllocation:
    return "cudaErrorMemoryAllocation";
  case kInvalidDeviceFunction:
    return "cudaErrorInvalidDeviceFunction";
  case kInvalidDevice:
    return "cudaErrorInvalidDevice";
  case kLaunchFailure:
    return "cudaErrorLaunchFailure";
  default:
    return "unrecognized error code";
  }
}

TILEIR_API const char *cudaGetErrorString(int error) {
  switch (error) {
  case kSuccess:
    return "no error";
  case kInvalidValue:
    return "invalid argument";
  case kMemoryAllocation:
    return "out of memory";
  case kInvalidDeviceFunction:
    return "invalid device function";
  case kInvalidDevice:
    return "invalid device ordinal";
  case kLaunchFailure:
    return "unspecified launch failure";
  default:
    return "unrecognized error code";
  }
}

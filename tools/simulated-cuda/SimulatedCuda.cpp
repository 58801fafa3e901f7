//===- SimulatedCuda.cpp - The CUDA driver on the simulator ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libcuda.so.1 for machines without a GPU, with the functions that
// tileir-launch/Driver.h opens: tile-launch, tile-run --backend=cuda and Python
// run on it as they are. Modules are PTX. Each call has done its work when it
// returns. What a kernel does wrong is told on stderr and fails the launch, and
// all that is done with the GPU afterwards, as with a real one.
//
// TILEIR_SIM_CHIP names the GPU.
//
//===----------------------------------------------------------------------===//

#include "tileir-launch/Driver.h"

#include "tileir/Runtime/SimulatorRuntime.h"
#include "tileir/Target/Gpu/Estimate.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

#include <cstring>
#include <mutex>

using namespace llvm;
using namespace tileir;
using launch::ContextHandle;
using launch::DevicePtr;
using launch::EventHandle;
using launch::FunctionHandle;
using launch::ModuleHandle;
using launch::StreamHandle;

namespace {

/// Numbers of CUresult.
enum Status {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidContext = 201,
  kInvalidPtx = 218,
  kNotFound = 500,
  kLaunchFailed = 719
};

/// The one GPU. It is never destroyed: programs may use it until they end.
struct SimulatedGpu {
  explicit SimulatedGpu(const machine::Gpu &chip)
      : simulator(chip), runtime(simulator) {}

  sim::Simulator simulator;
  runtime::SimulatorRuntime runtime;
  /// Milliseconds that the launches so far are estimated to take.
  double now = 0;
  /// Of the first launch that failed.
  int status = kSuccess;
};

/// Calls come one at a time.
std::recursive_mutex mutex;
SimulatedGpu *gpu = nullptr;
/// Whether the context of the GPU is that of the thread.
thread_local bool isCurrent = false;

int fail(int status, const Twine &message) {
  WithColor::error(errs(), "simulated GPU") << message << '\n';
  return status;
}

int finish(Error error, int status) {
  return error ? fail(status, toString(std::move(error))) : int(kSuccess);
}

/// A call that needs a context, on a GPU that has not failed.
template <typename Call> int with(Call call) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (!gpu || !isCurrent)
    return fail(kInvalidContext,
                "expected a context that is current in this thread");
  return gpu->status ? gpu->status : call();
}

runtime::SimulatorRuntime &getRuntime() { return gpu->runtime; }

int copy(void *target, const void *source, size_t bytes) {
  return with([&] {
    return finish(getRuntime().copy(target, source, bytes, nullptr),
                  kInvalidValue);
  });
}

int allocate(DevicePtr *address, size_t bytes, bool hostShared) {
  return with([&] {
    auto memory = getRuntime().allocate(bytes, hostShared, nullptr);
    if (!memory)
      return finish(memory.takeError(), kOutOfMemory);
    *address = reinterpret_cast<DevicePtr>(*memory);
    return int(kSuccess);
  });
}

void *toPointer(DevicePtr address) { return reinterpret_cast<void *>(address); }

} // namespace

extern "C" {

int cuInit(unsigned) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (gpu)
    return kSuccess;
  auto chip = machine::getGpu(sys::Process::GetEnv("TILEIR_SIM_CHIP")
                                  .value_or(machine::kDefaultGpu.str()));
  if (!chip)
    return fail(kNoDevice, "TILEIR_SIM_CHIP: " + toString(chip.takeError()));
  gpu = new SimulatedGpu(**chip);
  return kSuccess;
}

int cuGetErrorString(int status, const char **text) {
  switch (status) {
  case kSuccess:
    return *text = "no error", kSuccess;
  case kInvalidValue:
    return *text = "invalid argument", kSuccess;
  case kOutOfMemory:
    return *text = "out of memory", kSuccess;
  case kNoDevice:
    return *text = "no CUDA-capable device is detected", kSuccess;
  case kInvalidDevice:
    return *text = "invalid device ordinal", kSuccess;
  case kInvalidContext:
    return *text = "invalid device context", kSuccess;
  case kInvalidPtx:
    return *text = "a PTX JIT compilation failed", kSuccess;
  case kNotFound:
    return *text = "named symbol not found", kSuccess;
  case kLaunchFailed:
    return *text = "unspecified launch failure", kSuccess;
  default:
    return kInvalidValue;
  }
}

int cuDeviceGet(int *device, int ordinal) {
  *device = 0;
  return ordinal == 0 ? kSuccess : kInvalidDevice;
}

int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, size_t(length), "simulated %s",
                gpu->simulator.getChip().product.str().c_str());
  return kSuccess;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  constexpr int kL2Bytes = 38, kMajor = 75, kMinor = 76;
  const machine::Gpu &chip = gpu->simulator.getChip();
  switch (attribute) {
  case kL2Bytes:
    return *value = int(chip.l2Bytes), kSuccess;
  case kMajor:
    return *value = int(chip.computeCapability / 10), kSuccess;
  case kMinor:
    return *value = int(chip.computeCapability % 10), kSuccess;
  default:
    return kInvalidValue;
  }
}

int cuDevicePrimaryCtxRetain(ContextHandle *context, int) {
  *context = reinterpret_cast<ContextHandle>(gpu);
  return kSuccess;
}

int cuDevicePrimaryCtxRelease_v2(int) { return kSuccess; }

int cuCtxSetCurrent(ContextHandle context) {
  isCurrent = context;
  return kSuccess;
}

int cuCtxGetCurrent(ContextHandle *context) {
  *context = isCurrent ? reinterpret_cast<ContextHandle>(gpu) : nullptr;
  return kSuccess;
}

int cuModuleLoadDataEx(ModuleHandle *module, const void *image,
                       unsigned numOptions, int *options, void **values) {
  constexpr int kErrorLog = 5, kErrorLogBytes = 6;
  return with([&] {
    auto *text = static_cast<const char *>(image);
    auto loaded =
        gpu->simulator.load(MemoryBufferRef(StringRef(text), "module.ptx"));
    if (loaded) {
      *module = reinterpret_cast<ModuleHandle>(*loaded);
      return int(kSuccess);
    }
    std::string message = toString(loaded.takeError());
    char *log = nullptr;
    size_t bytes = 0;
    for (unsigned i = 0; i < numOptions; ++i)
      if (options[i] == kErrorLog)
        log = static_cast<char *>(values[i]);
      else if (options[i] == kErrorLogBytes)
        bytes = reinterpret_cast<size_t>(values[i]);
    if (!log || !bytes)
      return fail(kInvalidPtx, message);
    std::snprintf(log, bytes, "%s", message.c_str());
    return int(kInvalidPtx);
  });
}

int cuModuleUnload(ModuleHandle module) {
  return with(
      [&] { return finish(getRuntime().unloadModule(module), kInvalidValue); });
}

int cuModuleGetFunction(FunctionHandle *function, ModuleHandle module,
                        const char *name) {
  return with([&] {
    auto found = getRuntime().getFunction(module, name);
    if (!found)
      return finish(found.takeError(), kNotFound);
    *function = static_cast<FunctionHandle>(*found);
    return int(kSuccess);
  });
}

int cuFuncSetAttribute(FunctionHandle, int, int) { return kSuccess; }

int cuLaunchKernel(FunctionHandle function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, StreamHandle,
                   void **arguments, void **) {
  return with([&] {
    runtime::GpuLaunch request;
    request.grid = {gridX, gridY, gridZ};
    request.block = {blockX, blockY, blockZ};
    request.dynamicSharedBytes = sharedBytes;
    request.arguments = arguments;
    if (Error error = getRuntime().launch(function, request))
      return finish(std::move(error), kInvalidValue);
    for (const sim::LaunchResult &result : getRuntime().takeLaunches()) {
      gpu->now += machine::estimate(result.counters, gpu->simulator.getChip())
                      .microseconds /
                  1e3;
      for (const sim::Finding &finding : result.findings) {
        errs() << finding.str() << '\n';
        gpu->status = kLaunchFailed;
      }
    }
    return gpu->status;
  });
}

int cuLaunchHostFunc(StreamHandle, void (*function)(void *), void *data) {
  function(data);
  return kSuccess;
}

int cuMemAlloc_v2(DevicePtr *address, size_t bytes) {
  return allocate(address, bytes, /*hostShared=*/false);
}

int cuMemAllocManaged(DevicePtr *address, size_t bytes, unsigned) {
  return allocate(address, bytes, /*hostShared=*/true);
}

int cuMemAllocAsync(DevicePtr *address, size_t bytes, StreamHandle) {
  return cuMemAlloc_v2(address, bytes);
}

int cuMemFree_v2(DevicePtr address) {
  return with([&] {
    return finish(getRuntime().free(toPointer(address), nullptr),
                  kInvalidValue);
  });
}

int cuMemFreeAsync(DevicePtr address, StreamHandle) {
  return cuMemFree_v2(address);
}

int cuMemcpyHtoD_v2(DevicePtr target, const void *source, size_t bytes) {
  return copy(toPointer(target), source, bytes);
}

int cuMemcpyDtoH_v2(void *target, DevicePtr source, size_t bytes) {
  return copy(target, toPointer(source), bytes);
}

int cuMemcpyAsync(DevicePtr target, DevicePtr source, size_t bytes,
                  StreamHandle) {
  return copy(toPointer(target), toPointer(source), bytes);
}

int cuMemsetD8Async(DevicePtr target, unsigned char byte, size_t bytes,
                    StreamHandle) {
  return with([&] {
    return finish(getRuntime().fill(toPointer(target), byte, bytes, nullptr),
                  kInvalidValue);
  });
}

int cuMemHostRegister_v2(void *address, size_t bytes, unsigned) {
  return with([&] {
    return finish(getRuntime().registerHost(address, bytes), kInvalidValue);
  });
}

int cuMemHostUnregister(void *address) {
  return with([&] {
    return finish(getRuntime().unregisterHost(address), kInvalidValue);
  });
}

int cuStreamCreate(StreamHandle *stream, unsigned) {
  *stream = reinterpret_cast<StreamHandle>(new char());
  return kSuccess;
}

int cuStreamDestroy_v2(StreamHandle stream) {
  delete reinterpret_cast<char *>(stream);
  return kSuccess;
}

int cuStreamSynchronize(StreamHandle) {
  return with([] { return int(kSuccess); });
}

int cuStreamWaitEvent(StreamHandle, EventHandle, unsigned) { return kSuccess; }

int cuEventCreate(EventHandle *event, unsigned) {
  *event = reinterpret_cast<EventHandle>(new double(0));
  return kSuccess;
}

int cuEventDestroy_v2(EventHandle event) {
  delete reinterpret_cast<double *>(event);
  return kSuccess;
}

int cuEventRecord(EventHandle event, StreamHandle) {
  return with([&] {
    *reinterpret_cast<double *>(event) = gpu->now;
    return int(kSuccess);
  });
}

int cuEventSynchronize(EventHandle) {
  return with([] { return int(kSuccess); });
}

int cuEventElapsedTime(float *milliseconds, EventHandle start,
                       EventHandle end) {
  *milliseconds = float(*reinterpret_cast<double *>(end) -
                        *reinterpret_cast<double *>(start));
  return kSuccess;
}

int cuTensorMapEncodeTiled(void *bytes, int type, unsigned rank, void *address,
                           const uint64_t *sizes, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *elementStrides,
                           int, int swizzle, int, int fill) {
  machine::TensorMap map;
  map.type = machine::TensorType(type);
  map.rank = rank;
  map.address = reinterpret_cast<uint64_t>(address);
  map.swizzle = swizzle ? 16u << swizzle : 0;
  map.fillsNaN = fill;
  for (unsigned axis = 0; axis < std::min(rank, machine::kMaxTensorRank);
       ++axis) {
    map.sizes[axis] = sizes[axis];
    map.strides[axis] = axis ? strides[axis - 1] : machine::getBytes(map.type);
    map.box[axis] = box[axis];
    map.elementStrides[axis] = elementStrides[axis];
  }
  if (Error error = machine::checkTensorMap(map))
    return finish(std::move(error), kInvalidValue);
  machine::encodeTensorMap(map, bytes);
  return kSuccess;
}

} // extern "C"

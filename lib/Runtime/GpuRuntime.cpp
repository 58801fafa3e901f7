//===- GpuRuntime.cpp - Functions that host code calls --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of the mgpu* functions are those of the declarations that upstream
// emits (conversion gpu-to-llvm, translation of gpu.binary).
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/GpuRuntime.h"

#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstdlib>
#include <functional>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

Error GpuRuntime::destroyStream(void *) { return Error::success(); }
Error GpuRuntime::synchronizeStream(void *) { return Error::success(); }
Error GpuRuntime::destroyEvent(void *) { return Error::success(); }
Error GpuRuntime::recordEvent(void *, void *) { return Error::success(); }
Error GpuRuntime::synchronizeEvent(void *) { return Error::success(); }
Error GpuRuntime::waitForEvent(void *, void *) { return Error::success(); }

Error GpuRuntime::encodeTensorMap(const machine::TensorMap &map, void *bytes) {
  if (Error error = machine::checkTensorMap(map))
    return error;
  machine::encodeTensorMap(map, bytes);
  return Error::success();
}

void GpuRuntime::perform(function_ref<Error()> call) {
  std::lock_guard<std::mutex> lock(mutex);
  if (firstError)
    return;
  if (Error error = call())
    firstError = toString(std::move(error));
}

Error GpuRuntime::takeError() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!firstError)
    return Error::success();
  Error error = createStringError(*firstError);
  firstError.reset();
  return error;
}

static std::mutex activeRuntimeMutex;
static std::atomic<GpuRuntime *> activeRuntime{nullptr};

ActiveGpuRuntime::ActiveGpuRuntime(GpuRuntime &runtime)
    : active(activeRuntimeMutex) {
  activeRuntime = &runtime;
}

ActiveGpuRuntime::~ActiveGpuRuntime() { activeRuntime = nullptr; }

/// Calls a method of the active runtime that gives nothing.
template <typename... Parameters, typename... Arguments>
static void call(Error (GpuRuntime::*method)(Parameters...),
                 Arguments... arguments) {
  if (GpuRuntime *runtime = activeRuntime)
    runtime->perform([&] { return (runtime->*method)(arguments...); });
}

/// Calls a method that gives a handle or an address; null after an error.
template <typename... Parameters, typename... Arguments>
static void *get(Expected<void *> (GpuRuntime::*method)(Parameters...),
                 Arguments... arguments) {
  void *result = nullptr;
  if (GpuRuntime *runtime = activeRuntime)
    runtime->perform(
        [&] { return (runtime->*method)(arguments...).moveInto(result); });
  return result;
}

static void *moduleLoad(void *data, size_t bytes) {
  return get(&GpuRuntime::loadModule,
             StringRef(static_cast<char *>(data), bytes));
}

/// Loads a module of assembly, which ends in a null character.
static void *moduleLoadJIT(const char *data, int32_t /*optLevel*/) {
  return get(&GpuRuntime::loadModule, StringRef(data));
}

static void moduleUnload(void *module) {
  call(&GpuRuntime::unloadModule, module);
}

static void *moduleGetFunction(void *module, const char *name) {
  return get(&GpuRuntime::getFunction, module, StringRef(name));
}

/// Upstream says how many arguments there are in launches without clusters
/// alone.
static void launchClusterKernel(void *function, int64_t clusterX,
                                int64_t clusterY, int64_t clusterZ,
                                int64_t gridX, int64_t gridY, int64_t gridZ,
                                int64_t blockX, int64_t blockY, int64_t blockZ,
                                int32_t sharedBytes, void *stream,
                                void **arguments, void **) {
  call(&GpuRuntime::launch, function,
       GpuLaunch{{gridX, gridY, gridZ},
                 {blockX, blockY, blockZ},
                 {clusterX, clusterY, clusterZ},
                 sharedBytes,
                 arguments,
                 std::nullopt,
                 stream});
}

static void launchKernel(void *function, int64_t gridX, int64_t gridY,
                         int64_t gridZ, int64_t blockX, int64_t blockY,
                         int64_t blockZ, int32_t sharedBytes, void *stream,
                         void **arguments, void **, size_t numArguments) {
  call(&GpuRuntime::launch, function,
       GpuLaunch{{gridX, gridY, gridZ},
                 {blockX, blockY, blockZ},
                 {1, 1, 1},
                 sharedBytes,
                 arguments,
                 numArguments,
                 stream});
}

static void *streamCreate() { return get(&GpuRuntime::createStream); }

static void streamDestroy(void *stream) {
  call(&GpuRuntime::destroyStream, stream);
}

static void streamSynchronize(void *stream) {
  call(&GpuRuntime::synchronizeStream, stream);
}

static void streamWaitEvent(void *stream, void *event) {
  call(&GpuRuntime::waitForEvent, stream, event);
}

static void *eventCreate() { return get(&GpuRuntime::createEvent); }

static void eventDestroy(void *event) {
  call(&GpuRuntime::destroyEvent, event);
}

static void eventSynchronize(void *event) {
  call(&GpuRuntime::synchronizeEvent, event);
}

static void eventRecord(void *event, void *stream) {
  call(&GpuRuntime::recordEvent, event, stream);
}

static void *memAlloc(uint64_t bytes, void *stream, uint8_t hostShared) {
  void *address = get(&GpuRuntime::allocate, bytes, hostShared != 0, stream);
  // Host code goes on, and would access it.
  if (!address && hostShared) {
    if (GpuRuntime *runtime = activeRuntime)
      errs() << "error: " << toString(runtime->takeError()) << '\n';
    std::_Exit(1);
  }
  return address;
}

static void memFree(void *address, void *stream) {
  call(&GpuRuntime::free, address, stream);
}

static void memcpyBytes(void *target, void *source, size_t bytes,
                        void *stream) {
  call(&GpuRuntime::copy, target, source, bytes, stream);
}

template <typename T>
static void memset(void *target, T value, size_t count, void *stream) {
  ArrayRef<uint8_t> pattern(reinterpret_cast<uint8_t *>(&value), sizeof(T));
  call(&GpuRuntime::fill, target, pattern, count, stream);
}

/// The bytes from the first to behind the last element of a memref descriptor:
/// {allocated, aligned, offset, sizes, strides}.
static MutableArrayRef<uint8_t> getBytes(int64_t rank, const int64_t *words,
                                         int64_t elementBytes) {
  uint64_t last = 0;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t size = words[3 + axis], stride = words[3 + rank + axis];
    if (size == 0)
      return {};
    last += (size - 1) * stride;
  }
  return {reinterpret_cast<uint8_t *>(words[1]) + words[2] * elementBytes,
          (last + 1) * elementBytes};
}

static void memHostRegister(int64_t rank, int64_t *words,
                            int64_t elementBytes) {
  MutableArrayRef<uint8_t> bytes = getBytes(rank, words, elementBytes);
  call(&GpuRuntime::registerHost, bytes.data(), bytes.size());
}

static void memHostUnregister(int64_t rank, int64_t *words,
                              int64_t elementBytes) {
  call(&GpuRuntime::unregisterHost, getBytes(rank, words, elementBytes).data());
}

static void setDefaultDevice(int32_t device) {
  call(&GpuRuntime::setDevice, device);
}

/// Makes the map of an array in row-major order; sizes, the elements of the box
/// and how far apart these are count from the outermost axis. Nobody reads by
/// the map of an array without elements, so it is one of elements 16 bytes
/// apart.
static void encodeTensorMap(void *bytes, void *address, int64_t type,
                            int64_t rank, const int64_t *sizes,
                            const int64_t *box, const int64_t *steps,
                            int64_t swizzle) {
  machine::TensorMap map;
  map.type = machine::TensorType(type);
  map.rank = rank;
  map.address = reinterpret_cast<uint64_t>(address);
  map.swizzle = swizzle;
  const bool isEmpty = is_contained(ArrayRef(sizes, rank), 0);
  uint64_t stride = isEmpty ? 16 : machine::getBytes(map.type);
  for (int64_t axis = 0; axis < rank; ++axis) {
    map.sizes[axis] = isEmpty ? 1 : sizes[rank - 1 - axis];
    map.strides[axis] = stride;
    map.elementStrides[axis] = steps[rank - 1 - axis];
    map.box[axis] = box[rank - 1 - axis] * map.elementStrides[axis];
    stride *= map.sizes[axis];
  }
  call(&GpuRuntime::encodeTensorMap, std::cref(map), bytes);
}

ArrayRef<HostFunction> runtime::getGpuRuntimeFunctions() {
  static const HostFunction functions[] = {
      {"mgpuModuleLoad", &moduleLoad},
      {"mgpuModuleLoadJIT", &moduleLoadJIT},
      {"mgpuModuleUnload", &moduleUnload},
      {"mgpuModuleGetFunction", &moduleGetFunction},
      {"mgpuLaunchKernel", &launchKernel},
      {"mgpuLaunchClusterKernel", &launchClusterKernel},
      {"mgpuStreamCreate", &streamCreate},
      {"mgpuStreamDestroy", &streamDestroy},
      {"mgpuStreamSynchronize", &streamSynchronize},
      {"mgpuStreamWaitEvent", &streamWaitEvent},
      {"mgpuEventCreate", &eventCreate},
      {"mgpuEventDestroy", &eventDestroy},
      {"mgpuEventSynchronize", &eventSynchronize},
      {"mgpuEventRecord", &eventRecord},
      {"mgpuMemAlloc", &memAlloc},
      {"mgpuMemFree", &memFree},
      {"mgpuMemcpy", &memcpyBytes},
      {"mgpuMemset16", &memset<uint16_t>},
      {"mgpuMemset32", &memset<uint32_t>},
      {"mgpuMemHostRegisterMemRef", &memHostRegister},
      {"mgpuMemHostUnregisterMemRef", &memHostUnregister},
      {"mgpuSetDefaultDevice", &setDefaultDevice},
      {"tileirEncodeTensorMap", &encodeTensorMap},
  };
  return functions;
}

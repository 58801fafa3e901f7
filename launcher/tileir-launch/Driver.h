//===- Driver.h - The CUDA driver, opened at run time -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libcuda.so.1 comes with the driver of the GPU, so it is opened when it is
// needed, and its absence is an error like others. Functions are looked up by
// names with a version (cuMemAlloc_v2): what such a name means never changes,
// in any driver. No header of CUDA is needed to build.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_DRIVER_H
#define TILEIR_LAUNCH_DRIVER_H

#include "tileir-launch/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <string>

namespace tileir::launch {

/// Device memory, and the handles of the driver.
using DevicePtr = uint64_t;
using ModuleHandle = struct ModuleObject *;
using FunctionHandle = struct FunctionObject *;
using StreamHandle = struct StreamObject *;
using EventHandle = struct EventObject *;
using ContextHandle = struct ContextObject *;

/// Member, name in the library, parameters; all give a status, 0 for success.
#define TILEIR_LAUNCH_DRIVER_FUNCTIONS(X)                                      \
  X(init, "cuInit", (unsigned flags))                                          \
  X(getErrorString, "cuGetErrorString", (int status, const char **text))       \
  X(getDevice, "cuDeviceGet", (int *device, int ordinal))                      \
  X(getDeviceName, "cuDeviceGetName", (char *name, int length, int device))    \
  X(getAttribute, "cuDeviceGetAttribute",                                      \
    (int *value, int attribute, int device))                                   \
  X(retainContext, "cuDevicePrimaryCtxRetain",                                 \
    (ContextHandle * context, int device))                                     \
  X(releaseContext, "cuDevicePrimaryCtxRelease_v2", (int device))              \
  X(setContext, "cuCtxSetCurrent", (ContextHandle context))                    \
  X(getContext, "cuCtxGetCurrent", (ContextHandle * context))                  \
  X(loadModule, "cuModuleLoadDataEx",                                          \
    (ModuleHandle * module, const void *image, unsigned numOptions,            \
     int *options, void **values))                                             \
  X(unloadModule, "cuModuleUnload", (ModuleHandle module))                     \
  X(getFunction, "cuModuleGetFunction",                                        \
    (FunctionHandle * function, ModuleHandle module, const char *name))        \
  X(setFunctionAttribute, "cuFuncSetAttribute",                                \
    (FunctionHandle function, int attribute, int value))                       \
  X(launchKernel, "cuLaunchKernel",                                            \
    (FunctionHandle function, unsigned gridX, unsigned gridY, unsigned gridZ,  \
     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,  \
     StreamHandle stream, void **arguments, void **extra))                     \
  X(launchHostFunction, "cuLaunchHostFunc",                                    \
    (StreamHandle stream, void (*function)(void *), void *data))               \
  X(allocate, "cuMemAlloc_v2", (DevicePtr * address, size_t bytes))            \
  X(allocateManaged, "cuMemAllocManaged",                                      \
    (DevicePtr * address, size_t bytes, unsigned flags))                       \
  X(free, "cuMemFree_v2", (DevicePtr address))                                 \
  X(copyToDevice, "cuMemcpyHtoD_v2",                                           \
    (DevicePtr target, const void *source, size_t bytes))                      \
  X(copyToHost, "cuMemcpyDtoH_v2",                                             \
    (void *target, DevicePtr source, size_t bytes))                            \
  X(fillAsync, "cuMemsetD8Async",                                              \
    (DevicePtr target, unsigned char byte, size_t bytes, StreamHandle stream)) \
  X(copyAsync, "cuMemcpyAsync",                                                \
    (DevicePtr target, DevicePtr source, size_t bytes, StreamHandle stream))   \
  X(registerHost, "cuMemHostRegister_v2",                                      \
    (void *address, size_t bytes, unsigned flags))                             \
  X(unregisterHost, "cuMemHostUnregister", (void *address))                    \
  X(createStream, "cuStreamCreate", (StreamHandle * stream, unsigned flags))   \
  X(destroyStream, "cuStreamDestroy_v2", (StreamHandle stream))                \
  X(synchronizeStream, "cuStreamSynchronize", (StreamHandle stream))           \
  X(waitForEvent, "cuStreamWaitEvent",                                         \
    (StreamHandle stream, EventHandle event, unsigned flags))                  \
  X(createEvent, "cuEventCreate", (EventHandle * event, unsigned flags))       \
  X(destroyEvent, "cuEventDestroy_v2", (EventHandle event))                    \
  X(recordEvent, "cuEventRecord", (EventHandle event, StreamHandle stream))    \
  X(synchronizeEvent, "cuEventSynchronize", (EventHandle event))               \
  X(getElapsed, "cuEventElapsedTime",                                          \
    (float *milliseconds, EventHandle start, EventHandle end))

/// Those that older drivers lack, which are null then.
#define TILEIR_LAUNCH_NEWER_DRIVER_FUNCTIONS(X)                                \
  X(allocateAsync, "cuMemAllocAsync",                                          \
    (DevicePtr * address, size_t bytes, StreamHandle stream))                  \
  X(freeAsync, "cuMemFreeAsync", (DevicePtr address, StreamHandle stream))     \
  X(encodeTensorMap, "cuTensorMapEncodeTiled",                                 \
    (void *map, int type, unsigned rank, void *address, const uint64_t *sizes, \
     const uint64_t *strides, const uint32_t *box,                             \
     const uint32_t *elementStrides, int interleave, int swizzle,              \
     int promotion, int fill))

/// The functions of the driver.
struct Driver {
#define TILEIR_LAUNCH_MEMBER(member, name, parameters)                         \
  int(*member) parameters = nullptr;
  TILEIR_LAUNCH_DRIVER_FUNCTIONS(TILEIR_LAUNCH_MEMBER)
  TILEIR_LAUNCH_NEWER_DRIVER_FUNCTIONS(TILEIR_LAUNCH_MEMBER)
#undef TILEIR_LAUNCH_MEMBER

  /// Opens the library, which stays open.
  Error open() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return Error("no CUDA driver: expected libcuda.so.1, which comes with "
                   "the driver of an NVIDIA GPU");
#define TILEIR_LAUNCH_FIND(member, name, parameters)                           \
  member = reinterpret_cast<int(*) parameters>(dlsym(library, name));          \
  if (!member)                                                                 \
    return Error("the CUDA driver has no " name                                \
                 ": expected that of CUDA 11 or newer");
    TILEIR_LAUNCH_DRIVER_FUNCTIONS(TILEIR_LAUNCH_FIND)
#undef TILEIR_LAUNCH_FIND
#define TILEIR_LAUNCH_FIND(member, name, parameters)                           \
  member = reinterpret_cast<int(*) parameters>(dlsym(library, name));
    TILEIR_LAUNCH_NEWER_DRIVER_FUNCTIONS(TILEIR_LAUNCH_FIND)
#undef TILEIR_LAUNCH_FIND
    return check(init(0), "cuInit");
  }

  /// The error that a status stands for. `call` is what gave it.
  Error check(int status, const char *call) const {
    if (status == 0)
      return Error();
    const char *text = nullptr;
    if (getErrorString(status, &text) != 0 || !text)
      text = "unknown error";
    return Error(std::string(call) + ": " + text + " (" +
                 std::to_string(status) + ")");
  }
};

/// The grid and block sizes of a launch.
struct Geometry {
  std::array<unsigned, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  unsigned dynamicSharedBytes = 0;
};

/// A GPU, with the context of the process on it made current.
class Device {
public:
  Device() = default;
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device() {
    if (context)
      driver.releaseContext(device);
  }

  Error open(int ordinal) {
    if (Error error = driver.open())
      return error;
    return setDevice(ordinal);
  }

  /// Goes over to another GPU.
  Error setDevice(int ordinal) {
    constexpr int kMajor = 75, kMinor = 76;
    if (context)
      driver.releaseContext(device);
    context = nullptr;
    char text[128] = {};
    if (Error error = check(driver.getDevice(&device, ordinal), "cuDeviceGet"))
      return error;
    if (Error error = check(driver.getDeviceName(text, sizeof(text), device),
                            "cuDeviceGetName"))
      return error;
    for (auto [attribute, value] :
         {std::pair(kMajor, &major), std::pair(kMinor, &minor)})
      if (Error error = check(driver.getAttribute(value, attribute, device),
                              "cuDeviceGetAttribute"))
        return error;
    name = text;
    if (Error error = check(driver.retainContext(&context, device),
                            "cuDevicePrimaryCtxRetain"))
      return error;
    return check(driver.setContext(context), "cuCtxSetCurrent");
  }

  /// Loads PTX or machine code. What the driver's compiler says is in the
  /// error.
  Error loadModule(const std::string &image, ModuleHandle &module) {
    constexpr int kErrorLog = 5, kErrorLogBytes = 6;
    char log[4096] = {};
    int options[] = {kErrorLog, kErrorLogBytes};
    void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
    Error error =
        check(driver.loadModule(&module, image.c_str(), 2, options, values),
              "cuModuleLoadDataEx");
    return error && log[0] ? Error(error.getMessage() + ": " + log) : error;
  }

  /// The size of the second cache.
  Error getL2Bytes(int &bytes) const {
    constexpr int kL2Bytes = 38;
    return check(driver.getAttribute(&bytes, kL2Bytes, device),
                 "cuDeviceGetAttribute");
  }

  /// `arguments` are pointers to the values.
  Error launch(FunctionHandle function, const Geometry &geometry,
               void **arguments, StreamHandle stream = nullptr) {
    // More than this has to be asked for.
    constexpr unsigned kDefaultSharedBytes = 48 << 10;
    constexpr int kMaxDynamicSharedBytes = 8;
    const auto &[grid, block, sharedBytes] = geometry;
    if (sharedBytes > kDefaultSharedBytes)
      if (Error error =
              check(driver.setFunctionAttribute(
                        function, kMaxDynamicSharedBytes, int(sharedBytes)),
                    "cuFuncSetAttribute"))
        return error;
    return check(driver.launchKernel(function, grid[0], grid[1], grid[2],
                                     block[0], block[1], block[2], sharedBytes,
                                     stream, arguments, nullptr),
                 "cuLaunchKernel");
  }

  Error check(int status, const char *call) const {
    return driver.check(status, call);
  }

  const Driver &getDriver() const { return driver; }
  ContextHandle getContext() const { return context; }
  const std::string &getName() const { return name; }
  /// The compute capability: 9 and 0 of sm_90.
  int getMajor() const { return major; }
  int getMinor() const { return minor; }

private:
  Driver driver;
  ContextHandle context = nullptr;
  int device = 0, major = 0, minor = 0;
  std::string name;
};

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_DRIVER_H

//===- CudaRuntime.cpp - Host programs on a GPU ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver, as tile-launch opens it.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/CudaRuntime.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace tileir;
using namespace tileir::runtime;
using launch::DevicePtr;
using launch::EventHandle;
using launch::FunctionHandle;
using launch::ModuleHandle;
using launch::StreamHandle;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static Error convert(const launch::Error &error) {
  return error ? createStringError(error.getMessage()) : Error::success();
}

/// A handle that a call gave, or its error.
template <typename Handle>
static Expected<void *> give(const launch::Error &error, Handle handle) {
  if (error)
    return convert(error);
  return reinterpret_cast<void *>(handle);
}

static DevicePtr toDevice(const void *address) {
  return reinterpret_cast<DevicePtr>(address);
}

/// Checks the status of a call of the driver; errors name the call.
#define CHECK(member, ...)                                                     \
  device.check(device.getDriver().member(__VA_ARGS__), #member)

Expected<std::unique_ptr<CudaRuntime>> CudaRuntime::create() {
  std::unique_ptr<CudaRuntime> runtime(new CudaRuntime);
  if (Error error = convert(runtime->device.open(/*ordinal=*/0)))
    return std::move(error);
  runtime->clock.open(/*ordinal=*/0);
  return runtime;
}

CudaRuntime::~CudaRuntime() {
  const launch::Driver &driver = device.getDriver();
  for (auto [begin, end] : events)
    for (EventHandle event : {begin, end})
      if (event)
        driver.destroyEvent(event);
  if (flushed)
    driver.free(flushed);
}

Expected<void *> CudaRuntime::loadModule(StringRef image) {
  ModuleHandle module = nullptr;
  launch::Error error = device.loadModule(image.str(), module);
  return give(error, module);
}

Error CudaRuntime::unloadModule(void *module) {
  return convert(CHECK(unloadModule, static_cast<ModuleHandle>(module)));
}

Expected<void *> CudaRuntime::getFunction(void *module, StringRef name) {
  FunctionHandle function = nullptr;
  launch::Error error =
      CHECK(getFunction, &function, static_cast<ModuleHandle>(module),
            name.str().c_str());
  return give(error, function);
}

Error CudaRuntime::launch(void *function, const GpuLaunch &request) {
  launch::Geometry geometry;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (request.cluster[axis] != 1)
      return createStringError("expected a launch without clusters");
    int64_t grid = request.grid[axis], block = request.block[axis];
    if (grid < 1 || grid > INT32_MAX || block < 1 || block > INT32_MAX)
      return createStringError("expected grid and block sizes from 1 to 2^31, "
                               "found " +
                               llvm::Twine(grid) + " and " +
                               llvm::Twine(block));
    geometry.grid[axis] = grid;
    geometry.block[axis] = block;
  }
  geometry.dynamicSharedBytes = request.dynamicSharedBytes;
  auto stream = static_cast<StreamHandle>(request.stream);
  if (isTimed)
    if (Error error = startTime(stream))
      return error;
  if (Error error = convert(device.launch(static_cast<FunctionHandle>(function),
                                          geometry, request.arguments, stream)))
    return error;
  if (!isTimed)
    return Error::success();
  return convert(CHECK(recordEvent, events[numTimed++].second, stream));
}

Error CudaRuntime::startTimes(bool flushL2) {
  isTimed = true;
  numTimed = 0;
  if (!flushL2 || flushed)
    return Error::success();
  int bytes = 0;
  if (Error error = convert(device.getL2Bytes(bytes)))
    return error;
  // Twice as much as it holds, since it need not evict what is oldest.
  numFlushed = 2 * size_t(bytes);
  return convert(CHECK(allocate, &flushed, std::max<size_t>(numFlushed, 1)));
}

Error CudaRuntime::startTime(StreamHandle stream) {
  if (numTimed == events.size()) {
    auto &[begin, end] = events.emplace_back();
    for (EventHandle *event : {&begin, &end})
      if (Error error = convert(CHECK(createEvent, event, 0)))
        return error;
  }
  if (flushed)
    if (Error error = convert(CHECK(fillAsync, flushed, 0, numFlushed, stream)))
      return error;
  return convert(CHECK(recordEvent, events[numTimed].first, stream));
}

Expected<double> CudaRuntime::takeTimes() {
  double milliseconds = 0;
  for (auto [begin, end] : ArrayRef(events).take_front(numTimed)) {
    float elapsed = 0;
    if (Error error = convert(CHECK(synchronizeEvent, end)))
      return std::move(error);
    if (Error error = convert(CHECK(getElapsed, &elapsed, begin, end)))
      return std::move(error);
    milliseconds += elapsed;
  }
  numTimed = 0;
  return milliseconds / 1e3;
}

Expected<void *> CudaRuntime::allocate(uint64_t bytes, bool hostShared,
                                       void *) {
  constexpr unsigned kForAllStreams = 1;
  DevicePtr address = 0;
  // The driver has no memory without bytes.
  bytes = std::max<uint64_t>(bytes, 1);
  launch::Error error =
      hostShared ? CHECK(allocateManaged, &address, bytes, kForAllStreams)
                 : CHECK(allocate, &address, bytes);
  return give(error, address);
}

Error CudaRuntime::free(void *address, void *) {
  return address ? convert(CHECK(free, toDevice(address))) : Error::success();
}

Error CudaRuntime::copy(void *target, const void *source, uint64_t bytes,
                        void *stream) {
  if (bytes == 0)
    return Error::success();
  if (Error error = convert(CHECK(copyAsync, toDevice(target), toDevice(source),
                                  bytes, static_cast<StreamHandle>(stream))))
    return error;
  return stream ? Error::success() : synchronizeStream(stream);
}

Error CudaRuntime::fill(void *target, ArrayRef<uint8_t> pattern, uint64_t count,
                        void *stream) {
  llvm::SmallVector<uint8_t, 0> bytes;
  bytes.reserve(count * pattern.size());
  for (uint64_t i = 0; i < count; ++i)
    llvm::append_range(bytes, pattern);
  if (Error error = copy(target, bytes.data(), bytes.size(), stream))
    return error;
  return synchronizeStream(stream);
}

Error CudaRuntime::registerHost(void *address, uint64_t bytes) {
  return convert(CHECK(registerHost, address, bytes, 0));
}

Error CudaRuntime::unregisterHost(void *address) {
  return convert(CHECK(unregisterHost, address));
}

Error CudaRuntime::setDevice(int32_t ordinal) {
  return convert(device.setDevice(ordinal));
}

Error CudaRuntime::encodeTensorMap(const machine::TensorMap &map, void *bytes) {
  if (Error error = machine::checkTensorMap(map))
    return error;
  if (!device.getDriver().encodeTensorMap)
    return createStringError("the CUDA driver has no cuTensorMapEncodeTiled: "
                             "expected that of CUDA 12 or newer");
  // Numbers of CUtensorMapSwizzle: none, 32, 64, 128 bytes; of
  // CUtensorMapL2promotion: 128 bytes.
  const int swizzle = map.swizzle ? llvm::Log2_32(map.swizzle) - 4 : 0;
  constexpr int kPromotion = 2;
  alignas(64) std::array<char, machine::kTensorMapBytes> encoded;
  if (Error error = convert(CHECK(
          encodeTensorMap, encoded.data(), int(map.type), map.rank,
          reinterpret_cast<void *>(map.address), map.sizes.data(),
          map.strides.data() + 1, map.box.data(), map.elementStrides.data(),
          /*interleave=*/0, swizzle, kPromotion, int(map.fillsNaN))))
    return error;
  std::memcpy(bytes, encoded.data(), encoded.size());
  return Error::success();
}

Expected<void *> CudaRuntime::createStream() {
  StreamHandle stream = nullptr;
  launch::Error error = CHECK(createStream, &stream, 0);
  return give(error, stream);
}

Error CudaRuntime::destroyStream(void *stream) {
  return convert(CHECK(destroyStream, static_cast<StreamHandle>(stream)));
}

Error CudaRuntime::synchronizeStream(void *stream) {
  return convert(CHECK(synchronizeStream, static_cast<StreamHandle>(stream)));
}

Expected<void *> CudaRuntime::createEvent() {
  EventHandle event = nullptr;
  launch::Error error = CHECK(createEvent, &event, 0);
  return give(error, event);
}

Error CudaRuntime::destroyEvent(void *event) {
  return convert(CHECK(destroyEvent, static_cast<EventHandle>(event)));
}

Error CudaRuntime::recordEvent(void *event, void *stream) {
  return convert(CHECK(recordEvent, static_cast<EventHandle>(event),
                       static_cast<StreamHandle>(stream)));
}

Error CudaRuntime::synchronizeEvent(void *event) {
  return convert(CHECK(synchronizeEvent, static_cast<EventHandle>(event)));
}

Error CudaRuntime::waitForEvent(void *stream, void *event) {
  return convert(CHECK(waitForEvent, static_cast<StreamHandle>(stream),
                       static_cast<EventHandle>(event), 0));
}

//===----------------------------------------------------------------------===//
// On a stream of the caller
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<CudaStreamRuntime>>
CudaStreamRuntime::create(int ordinal) {
  std::unique_ptr<CudaStreamRuntime> runtime(new CudaStreamRuntime);
  launch::Driver driver;
  launch::ContextHandle before = nullptr;
  if (Error error = convert(driver.open()))
    return std::move(error);
  driver.getContext(&before);
  launch::Error error = runtime->device.open(ordinal);
  driver.setContext(before);
  if (error)
    return convert(error);
  return runtime;
}

CudaStreamRuntime::Use::Use(CudaStreamRuntime &runtime, void *stream)
    : active(runtime), runtime(runtime) {
  const launch::Device &device = runtime.device;
  runtime.current = static_cast<StreamHandle>(stream);
  runtime.perform([&]() -> Error {
    if (Error error = convert(CHECK(getContext, &before)))
      return error;
    return convert(CHECK(setContext, device.getContext()));
  });
}

CudaStreamRuntime::Use::~Use() {
  runtime.device.getDriver().setContext(before);
}

Expected<void *> CudaStreamRuntime::allocate(uint64_t bytes, bool hostShared,
                                             void *stream) {
  if (hostShared || !device.getDriver().allocateAsync)
    return CudaRuntime::allocate(bytes, hostShared, stream);
  DevicePtr address = 0;
  launch::Error error =
      CHECK(allocateAsync, &address, std::max<uint64_t>(bytes, 1), current);
  return give(error, address);
}

Error CudaStreamRuntime::free(void *address, void *stream) {
  if (!address || !device.getDriver().freeAsync)
    return CudaRuntime::free(address, stream);
  return convert(CHECK(freeAsync, toDevice(address), current));
}

/// Of memory of the host, which the driver has read when it returns.
Error CudaStreamRuntime::copy(void *target, const void *source, uint64_t bytes,
                              void *) {
  if (bytes == 0)
    return Error::success();
  return convert(
      CHECK(copyAsync, toDevice(target), toDevice(source), bytes, current));
}

Expected<void *> CudaStreamRuntime::createStream() { return current; }

Error CudaStreamRuntime::destroyStream(void *) { return Error::success(); }

Error CudaStreamRuntime::synchronizeStream(void *) { return Error::success(); }

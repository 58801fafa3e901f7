//===- GpuRuntimeTest.cpp - The mgpu* functions ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls the functions as compiled host code would, by name and by the types
// that upstream declares, on a runtime that writes down what it is asked for.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/GpuRuntime.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

namespace {

/// Writes down its calls; `failOn` is the one that fails.
class RecordingRuntime : public GpuRuntime {
public:
  std::vector<std::string> calls;
  std::string failOn;
  char handle = 0;

  Expected<void *> loadModule(StringRef image) override {
    return get("load " + image.str());
  }
  Error unloadModule(void *) override { return note("unload"); }
  Expected<void *> getFunction(void *, StringRef name) override {
    return get("function " + name.str());
  }
  Error launch(void *, const GpuLaunch &launch) override {
    std::string text = "launch";
    for (const std::array<int64_t, 3> &sizes :
         {launch.cluster, launch.grid, launch.block})
      for (int64_t size : sizes)
        text += ' ' + std::to_string(size);
    text += ' ' + std::to_string(launch.dynamicSharedBytes) + ':';
    // One whose number nobody tells is looked at.
    for (void *argument :
         ArrayRef(launch.arguments, launch.numArguments.value_or(1)))
      text += ' ' + std::to_string(*static_cast<int32_t *>(argument));
    return note(text);
  }
  Expected<void *> allocate(uint64_t bytes, bool shared, void *) override {
    return get("allocate " + std::to_string(bytes) + (shared ? " shared" : ""));
  }
  Error free(void *, void *) override { return note("free"); }
  Error copy(void *target, const void *source, uint64_t bytes,
             void *) override {
    std::memcpy(target, source, bytes);
    return note("copy " + std::to_string(bytes));
  }
  Error fill(void *, ArrayRef<uint8_t> pattern, uint64_t count,
             void *) override {
    std::string text = "fill";
    for (uint8_t byte : pattern)
      text += ' ' + std::to_string(byte);
    return note(text + " x " + std::to_string(count));
  }
  Error registerHost(void *address, uint64_t bytes) override {
    registered = address;
    return note("register " + std::to_string(bytes));
  }
  Error unregisterHost(void *address) override {
    EXPECT_EQ(address, registered);
    return note("unregister");
  }
  Error setDevice(int32_t device) override {
    return note("device " + std::to_string(device));
  }

  void *registered = nullptr;

private:
  Error note(const std::string &call) {
    calls.push_back(call);
    return call == failOn ? createStringError("failed: " + call)
                          : Error::success();
  }
  Expected<void *> get(const std::string &call) {
    if (Error error = note(call))
      return std::move(error);
    return &handle;
  }
};

/// Calls the function `name`, with arguments of exactly these types.
template <typename Result = void, typename... Arguments>
Result call(StringRef name, Arguments... arguments) {
  for (const HostFunction &function : getGpuRuntimeFunctions())
    if (function.name == name)
      return reinterpret_cast<Result (*)(Arguments...)>(function.address)(
          arguments...);
  ADD_FAILURE() << "no function " << name.str();
  return Result();
}

using Calls = std::vector<std::string>;

TEST(GpuRuntimeTest, LaunchesWithArguments) {
  RecordingRuntime runtime;
  ActiveGpuRuntime active(runtime);
  char image[] = "code";
  auto *module = call<void *>("mgpuModuleLoad", (void *)image, size_t(4));
  EXPECT_EQ(module, &runtime.handle);
  auto *function =
      call<void *>("mgpuModuleGetFunction", module, (const char *)"kernel");
  int32_t a = 7, b = -8;
  void *arguments[] = {&a, &b};
  call("mgpuLaunchKernel", function, int64_t(1), int64_t(2), int64_t(3),
       int64_t(4), int64_t(5), int64_t(6), int32_t(99), (void *)nullptr,
       (void **)arguments, (void **)nullptr, size_t(2));
  call("mgpuLaunchClusterKernel", function, int64_t(2), int64_t(1), int64_t(1),
       int64_t(4), int64_t(5), int64_t(6), int64_t(7), int64_t(8), int64_t(9),
       int32_t(0), (void *)nullptr, (void **)arguments, (void **)nullptr);
  call("mgpuModuleUnload", module);
  call<void *>("mgpuModuleLoadJIT", (void *)"text", int32_t(2));
  EXPECT_EQ(runtime.calls,
            (Calls{"load code", "function kernel",
                   "launch 1 1 1 1 2 3 4 5 6 99: 7 -8",
                   "launch 2 1 1 4 5 6 7 8 9 0: 7", "unload", "load text"}));
  EXPECT_FALSE(bool(runtime.takeError()));
}

TEST(GpuRuntimeTest, EncodesTensorMaps) {
  RecordingRuntime runtime;
  ActiveGpuRuntime active(runtime);
  char bytes[machine::kTensorMapBytes];
  auto *address = reinterpret_cast<void *>(uint64_t(0x1000));
  auto encode = [&](std::array<int64_t, 2> sizes) {
    const std::array<int64_t, 2> box = {64, 32}, steps = {3, 1};
    call("tileirEncodeTensorMap", (void *)bytes, address,
         int64_t(machine::TensorType::F16), int64_t(2),
         (const int64_t *)sizes.data(), (const int64_t *)box.data(),
         (const int64_t *)steps.data(), int64_t(64));
  };
  // Axes count from the innermost one.
  encode({100, 40});
  EXPECT_FALSE(bool(runtime.takeError()));
  auto map = machine::decodeTensorMap(bytes);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->address, 0x1000u);
  EXPECT_EQ(map->sizes[0], 40u);
  EXPECT_EQ(map->sizes[1], 100u);
  EXPECT_EQ(map->strides[1], 80u);
  EXPECT_EQ(map->box[0], 32u);
  EXPECT_EQ(map->box[1], 3 * 64u);
  EXPECT_EQ(map->getBoxSize(1), 64u);
  EXPECT_EQ(map->elementStrides[0], 1u);
  EXPECT_EQ(map->elementStrides[1], 3u);
  EXPECT_EQ(map->swizzle, 64u);

  // No copy reads by the map of an array without elements.
  encode({100, 0});
  EXPECT_FALSE(bool(runtime.takeError()));

  encode({100, 41});
  EXPECT_EQ(toString(runtime.takeError()),
            "tensor map: stride of 82 bytes of axis 1; expected a multiple of "
            "16 below 2^40");
}

TEST(GpuRuntimeTest, Memory) {
  RecordingRuntime runtime;
  ActiveGpuRuntime active(runtime);
  call<void *>("mgpuMemAlloc", uint64_t(12), (void *)nullptr, int8_t(0));
  call<void *>("mgpuMemAlloc", uint64_t(13), (void *)nullptr, int8_t(1));
  char source[] = "ab", target[] = "??";
  call("mgpuMemcpy", (void *)target, (void *)source, size_t(2),
       (void *)nullptr);
  EXPECT_STREQ(target, "ab");
  call("mgpuMemset32", (void *)target, uint32_t(0x04030201), size_t(5),
       (void *)nullptr);
  call("mgpuMemset16", (void *)target, uint16_t(0x0201), size_t(6),
       (void *)nullptr);
  call("mgpuMemFree", (void *)target, (void *)nullptr);
  call("mgpuSetDefaultDevice", int32_t(3));
  EXPECT_EQ(runtime.calls,
            (Calls{"allocate 12", "allocate 13 shared", "copy 2",
                   "fill 1 2 3 4 x 5", "fill 1 2 x 6", "free", "device 3"}));
}

TEST(GpuRuntimeTest, RegistersWhatAMemRefSpans) {
  RecordingRuntime runtime;
  ActiveGpuRuntime active(runtime);
  float data[100];
  auto base = reinterpret_cast<int64_t>(data);
  // Three rows of four elements, ten apart, from element 5 on.
  int64_t matrix[] = {base, base, 5, 3, 4, 10, 1};
  call("mgpuMemHostRegisterMemRef", int64_t(2), (int64_t *)matrix, int64_t(4));
  EXPECT_EQ(runtime.registered, data + 5);
  call("mgpuMemHostUnregisterMemRef", int64_t(2), (int64_t *)matrix,
       int64_t(4));
  int64_t scalar[] = {base, base, 2};
  call("mgpuMemHostRegisterMemRef", int64_t(0), (int64_t *)scalar, int64_t(4));
  int64_t empty[] = {base, base, 0, 0, 4, 4, 1};
  call("mgpuMemHostRegisterMemRef", int64_t(2), (int64_t *)empty, int64_t(4));
  EXPECT_EQ(runtime.calls,
            (Calls{"register 96", "unregister", "register 4", "register 0"}));
}

TEST(GpuRuntimeTest, KeepsTheFirstErrorAndStops) {
  RecordingRuntime runtime;
  runtime.failOn = "allocate 2";
  ActiveGpuRuntime active(runtime);
  auto allocate = [](uint64_t bytes) {
    return call<void *>("mgpuMemAlloc", bytes, (void *)nullptr, int8_t(0));
  };
  EXPECT_NE(allocate(1), nullptr);
  EXPECT_EQ(allocate(2), nullptr);
  EXPECT_EQ(allocate(3), nullptr);
  call("mgpuMemFree", (void *)nullptr, (void *)nullptr);
  EXPECT_EQ(runtime.calls, (Calls{"allocate 1", "allocate 2"}));
  EXPECT_EQ(toString(runtime.takeError()), "failed: allocate 2");
  EXPECT_FALSE(bool(runtime.takeError()));
  // It is as good as new.
  EXPECT_NE(allocate(4), nullptr);
}

TEST(GpuRuntimeTest, StreamsAndEventsAreHandles) {
  RecordingRuntime runtime;
  ActiveGpuRuntime active(runtime);
  auto *stream = call<void *>("mgpuStreamCreate");
  auto *event = call<void *>("mgpuEventCreate");
  EXPECT_NE(stream, nullptr);
  EXPECT_NE(event, nullptr);
  call("mgpuEventRecord", event, stream);
  call("mgpuStreamWaitEvent", stream, event);
  call("mgpuEventSynchronize", event);
  call("mgpuEventDestroy", event);
  call("mgpuStreamSynchronize", stream);
  call("mgpuStreamDestroy", stream);
  EXPECT_EQ(runtime.calls, Calls());
  EXPECT_FALSE(bool(runtime.takeError()));
}

TEST(GpuRuntimeTest, NothingHappensWithoutARuntime) {
  RecordingRuntime runtime;
  {
    ActiveGpuRuntime active(runtime);
  }
  EXPECT_EQ(call<void *>("mgpuStreamCreate"), nullptr);
  call("mgpuModuleUnload", (void *)nullptr);
  EXPECT_EQ(runtime.calls, Calls());
}

} // namespace

//===- SimulatorRuntime.cpp - Host code on the simulator ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/SimulatorRuntime.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

Expected<void *> SimulatorRuntime::loadModule(StringRef image) {
  if (identify_magic(image) != file_magic::bitcode)
    return createStringError(
        "mgpuModuleLoad: expected the kernels as LLVM bitcode, as "
        "gpu-module-to-binary{format=llvm} gives them; found another format, "
        "which cannot be simulated");
  return simulator.load(MemoryBufferRef(image, "gpu.module"));
}

Error SimulatorRuntime::unloadModule(void *module) {
  if (module)
    simulator.unload(static_cast<sim::LoadedModule *>(module));
  return Error::success();
}

Expected<void *> SimulatorRuntime::getFunction(void *module, StringRef name) {
  return static_cast<sim::LoadedModule *>(module)->getKernel(name);
}

/// One of the sizes of a launch, which are not negative and have 32 bits.
static Error setSize(uint32_t &size, int64_t value, StringRef what) {
  if (value < 0 || value > std::numeric_limits<uint32_t>::max())
    return createStringError("mgpuLaunchKernel: expected " + what +
                             " to be from 0 to 2^32 - 1, found " +
                             Twine(value));
  size = static_cast<uint32_t>(value);
  return Error::success();
}

Error SimulatorRuntime::launch(void *function, const GpuLaunch &launch) {
  if (stopped)
    return Error::success();
  sim::LaunchConfig config;
  config.cooperative = launch.cooperative;
  config.nonPortableCluster = launch.nonPortableCluster;
  const bool hasCluster =
      launch.cluster != std::array<int64_t, 3>{1, 1, 1}; // else the kernel's
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (Error error = setSize(config.grid[axis], launch.grid[axis],
                              "the size of the grid"))
      return error;
    if (Error error = setSize(config.block[axis], launch.block[axis],
                              "the size of the blocks"))
      return error;
    if (!hasCluster)
      continue;
    if (launch.cluster[axis] < 1)
      return createStringError("expected clusters of at least 1 block along "
                               "each axis, found " +
                               Twine(launch.cluster[axis]));
    if (Error error = setSize(config.cluster[axis], launch.cluster[axis],
                              "the size of the clusters"))
      return error;
  }
  if (Error error =
          setSize(config.dynamicSharedBytes, launch.dynamicSharedBytes,
                  "the bytes of dynamic shared memory"))
    return error;
  auto &kernel = *static_cast<sim::Kernel *>(function);
  SmallVector<const void *> arguments(ArrayRef(
      launch.arguments, launch.numArguments.value_or(kernel.arguments.size())));
  auto result = simulator.launch(kernel, config, arguments);
  if (!result)
    return result.takeError();
  stopped = result->aborted;
  launches.push_back(std::move(*result));
  return Error::success();
}

Expected<void *> SimulatorRuntime::allocate(uint64_t bytes, bool hostShared,
                                            void *) {
  std::string name = "device buffer " + std::to_string(numAllocations++);
  auto address = simulator.getMemory().allocate(bytes, std::move(name));
  if (!address)
    return address;
  auto begin = reinterpret_cast<uint64_t>(*address);
  // The address may be one that was freed.
  freed.erase(begin);
  // All that the host writes to other memory passes through here.
  if (sim::Buffer *buffer = simulator.getMemory().find(begin))
    buffer->isTracked = !hostShared;
  return address;
}

void SimulatorRuntime::noteWritten(const void *address, uint64_t bytes) {
  auto begin = reinterpret_cast<uint64_t>(address);
  if (sim::Buffer *buffer = simulator.getMemory().find(begin))
    buffer->noteWritten(begin - buffer->begin, bytes,
                        sim::Buffer::Writer::Host);
}

Error SimulatorRuntime::free(void *address, void *) {
  if (!address)
    return Error::success();
  auto begin = reinterpret_cast<uint64_t>(address);
  sim::Buffer *buffer = simulator.getMemory().find(begin);
  if (buffer && buffer->begin == begin)
    freed[begin] = buffer->end();
  return simulator.getMemory().free(address);
}

/// Whether there is memory at `address`: the host may have got what was freed.
static bool isMapped(uint64_t address) {
  const uint64_t page = sysconf(_SC_PAGESIZE);
  unsigned char isResident;
  return mincore(reinterpret_cast<void *>(address / page * page), 1,
                 &isResident) == 0;
}

Error SimulatorRuntime::checkRange(const char *what, const void *address,
                                   uint64_t bytes) {
  if (bytes == 0)
    return Error::success();
  auto begin = reinterpret_cast<uint64_t>(address);
  auto fail = [&](const Twine &found) {
    return createStringError(Twine(what) + ": expected memory of " +
                             Twine(bytes) + " bytes, found " + found);
  };
  if (!address)
    return fail("a null pointer");
  if (sim::Buffer *buffer = simulator.getMemory().find(begin)) {
    if (bytes <= buffer->end() - begin)
      return Error::success();
    return fail(Twine(buffer->end() - begin) + " bytes from byte " +
                Twine(begin - buffer->begin) + " on of '" + buffer->name +
                "' (" + Twine(buffer->size) + " bytes)");
  }
  auto next = freed.upper_bound(begin);
  if (next != freed.begin() && begin < std::prev(next)->second &&
      !isMapped(begin))
    return fail("a device buffer that was freed");
  return Error::success();
}

bool SimulatorRuntime::isOnDevice(const void *address) {
  sim::Buffer *buffer =
      simulator.getMemory().find(reinterpret_cast<uint64_t>(address));
  return buffer && buffer->owned;
}

Error SimulatorRuntime::copy(void *target, const void *source, uint64_t bytes,
                             void *) {
  if (Error error = checkRange("mgpuMemcpy, to", target, bytes))
    return error;
  if (Error error = checkRange("mgpuMemcpy, from", source, bytes))
    return error;
  // A null pointer stands for no bytes here; memmove must not be given one.
  if (bytes == 0)
    return Error::success();
  std::memmove(target, source, bytes);
  noteWritten(target, bytes);
  auto begin = reinterpret_cast<uint64_t>(target);
  sim::Buffer *buffer = simulator.getMemory().find(begin);
  if (auto named = hostNames.find(source);
      named != hostNames.end() && buffer && buffer->begin == begin)
    buffer->name = named->second;
  CopyCount &direction = !isOnDevice(source)   ? copies.toDevice
                         : !isOnDevice(target) ? copies.toHost
                                               : copies.onDevice;
  ++direction.count;
  direction.bytes += bytes;
  return Error::success();
}

Error SimulatorRuntime::fill(void *target, ArrayRef<uint8_t> pattern,
                             uint64_t count, void *) {
  if (Error error = checkRange("mgpuMemset", target, pattern.size() * count))
    return error;
  auto *bytes = static_cast<uint8_t *>(target);
  for (uint64_t i = 0; i < count; ++i, bytes += pattern.size())
    std::memcpy(bytes, pattern.data(), pattern.size());
  noteWritten(target, pattern.size() * count);
  return Error::success();
}

Error SimulatorRuntime::registerHost(void *address, uint64_t bytes) {
  if (bytes == 0)
    return Error::success();
  return simulator.getMemory().registerHost(address, bytes, "host memory");
}

Error SimulatorRuntime::unregisterHost(void *address) {
  if (!address)
    return Error::success();
  return simulator.getMemory().unregisterHost(address);
}

void SimulatorRuntime::nameHostMemory(const void *address, uint64_t bytes,
                                      StringRef name) {
  if (bytes > 0)
    hostNames[address] = name.str();
}

Error SimulatorRuntime::setDevice(int32_t device) {
  if (device != 0)
    return createStringError("mgpuSetDefaultDevice: expected device 0, the "
                             "only one that is simulated, found " +
                             Twine(device));
  return Error::success();
}

std::vector<sim::LaunchResult> SimulatorRuntime::takeLaunches() {
  stopped = false;
  return std::exchange(launches, {});
}

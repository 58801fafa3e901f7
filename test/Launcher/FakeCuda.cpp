//===- FakeCuda.cpp - In the place of the CUDA driver ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps account of calls of the driver, one line each on stderr, and runs no
// kernel but those that FakeKernels.cpp knows the names of. "Device" memory is
// of the host, so copies are done. The arguments of
// a launch are shown with the types that the PTX gives the kernel: a launch
// that passes others is seen. What is not as the driver wants it ends the
// process.
//
//===----------------------------------------------------------------------===//

#include "Fake.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct Function {
  std::string name;
  std::vector<std::string> types;
};

struct Module {
  std::string image;
  std::map<std::string, Function> functions;
};

/// Begin and size of device memory.
std::map<uint64_t, size_t> memory;
int numModules = 0, numContexts = 0, numEvents = 0, numStreams = 0;
/// What the "GPU" waits for.
std::vector<std::thread> hostFunctions;

void finishHostFunctions() {
  for (std::thread &thread : hostFunctions)
    thread.join();
  hostFunctions.clear();
}

/// Of events, in milliseconds.
double now = 1, step = 1;

void log(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
}

void require(bool condition, const char *what) {
  if (condition)
    return;
  log("fake driver: expected %s\n", what);
  std::_Exit(3);
}

/// Buffers are told by their number, as addresses change from run to run.
void requireMemory(uint64_t address, size_t bytes) {
  auto next = memory.upper_bound(address);
  require(next != memory.begin(), "an address of device memory");
  auto [begin, size] = *std::prev(next);
  require(address + bytes <= begin + size, "a copy inside of device memory");
}

/// Says what leaks at the end.
struct AtExit {
  ~AtExit() {
    log("at exit: %zu buffers, %d modules, %d contexts, %d events, %d "
        "streams\n",
        memory.size(), numModules, numContexts, numEvents, numStreams);
  }
} atExit;

/// The types of the parameters of an entry of PTX.
std::vector<std::string> getTypes(const std::string &image,
                                  const std::string &name) {
  std::vector<std::string> types;
  size_t at = image.find(".entry " + name + "(");
  require(at != std::string::npos, "a kernel of the module");
  size_t end = image.find("\n{", at);
  while ((at = image.find(".param .", at)) < end) {
    at += std::strlen(".param .");
    std::string parameter =
        image.substr(at, image.find_first_of(",)", at) - at);
    size_t bracket = parameter.find('[');
    // .align 2 .b8 name[2]
    types.push_back(
        bracket == std::string::npos
            ? parameter.substr(0, parameter.find(' '))
            : "b" + std::to_string(8 * std::atoi(&parameter[bracket + 1])));
  }
  return types;
}

} // namespace

bool runFakeKernel(const std::string &name,
                   const std::vector<std::pair<uint64_t, size_t>> &buffers);

extern "C" {

int cuInit(unsigned flags) {
  require(flags == 0, "no flags");
  if (const char *status = std::getenv("TILEIR_FAKE_CUDA_STATUS"))
    return std::atoi(status);
  return 0;
}

int cuGetErrorString(int status, const char **text) {
  *text = status == 100 ? "no CUDA-capable device is detected" : nullptr;
  return *text ? 0 : 1;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? 0 : 101;
}

int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, size_t(length), "Fake GPU");
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  require(attribute == 75 || attribute == 76 || attribute == 38,
          "a known attribute");
  *value = attribute == 75 ? 7 : attribute == 76 ? 5 : 4096;
  return 0;
}

int cuDeviceGetPCIBusId(char *bus, int length, int) {
  std::snprintf(bus, size_t(length), "0000:07:00.0");
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &numContexts;
  ++numContexts;
  return 0;
}

int cuDevicePrimaryCtxRelease_v2(int) {
  --numContexts;
  return 0;
}

int cuCtxSetCurrent(void *context) {
  require(context == &numContexts, "the context");
  return 0;
}

int cuCtxGetCurrent(void **context) {
  *context = &numContexts;
  return 0;
}

int cuModuleLoadDataEx(Module **module, const void *image, unsigned numOptions,
                       int *options, void **values) {
  require(numContexts > 0, "a context");
  require(numOptions == 2 && options[0] == 5 && options[1] == 6,
          "a buffer for errors");
  const char *bytes = static_cast<const char *>(image);
  bool isElf = std::memcmp(bytes,
                           "\x7f"
                           "ELF",
                           4) == 0;
  log("load %s\n", isElf ? "machine code" : "PTX");
  if (!isElf && !std::strstr(bytes, ".target")) {
    std::snprintf(static_cast<char *>(values[0]),
                  reinterpret_cast<size_t>(values[1]), "no target in the PTX");
    return 218;
  }
  *module = new Module{isElf ? "" : bytes, {}};
  ++numModules;
  return 0;
}

int cuModuleUnload(Module *module) {
  delete module;
  --numModules;
  return 0;
}

int cuModuleGetFunction(Function **function, Module *module, const char *name) {
  *function = &module->functions[name];
  **function = {name, module->image.empty() ? std::vector<std::string>()
                                            : getTypes(module->image, name)};
  return 0;
}

int cuFuncSetAttribute(Function *function, int attribute, int value) {
  require(attribute == 8, "the size of shared memory");
  log("allow @%s %d bytes of shared memory\n", function->name.c_str(), value);
  return 0;
}

int cuLaunchKernel(Function *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *stream,
                   void **arguments, void **extra) {
  require(!extra, "arguments as pointers to values");
  log("launch @%s grid %ux%ux%u block %ux%ux%u shared %u%s:",
      function->name.c_str(), gridX, gridY, gridZ, blockX, blockY, blockZ,
      sharedBytes, stream ? " on a stream" : "");
  size_t i = 0;
  std::vector<std::pair<uint64_t, size_t>> buffers;
  for (const std::string &type : function->types) {
    uint64_t bits = 0;
    size_t bytes = size_t(std::atoi(&type[1])) / 8;
    std::memcpy(&bits, arguments[i++], std::min(bytes, sizeof(bits)));
    auto found = memory.find(bits);
    if (bytes == 8 && found != memory.end()) {
      buffers.push_back(*found);
      log(" buffer of %zu", found->second);
    } else {
      log(" %s 0x%" PRIx64, type.c_str(), bits);
    }
  }
  log("\n");
  if (fake::isListed("TILEIR_FAKE_HANG", function->name))
    pause();
  if (fake::isListed("TILEIR_FAKE_CRASH", function->name))
    std::abort();
  // 700: an illegal address.
  return runFakeKernel(function->name, buffers) ? 0 : 700;
}

int cuLaunchHostFunc(void *, void (*function)(void *), void *data) {
  hostFunctions.emplace_back(function, data);
  return 0;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  require(bytes > 0, "memory to have bytes");
  void *host = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = reinterpret_cast<uint64_t>(host);
  memory[*address] = bytes;
  return 0;
}

int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags) {
  require(flags == 1, "memory for all streams");
  return cuMemAlloc_v2(address, bytes);
}

int cuMemFree_v2(uint64_t address) {
  require(memory.erase(address) == 1, "device memory to free");
  std::free(reinterpret_cast<void *>(address));
  return 0;
}

int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address,
                           const uint64_t *sizes, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  require(reinterpret_cast<uint64_t>(map) % 64 == 0, "a map at 64 bytes");
  requireMemory(reinterpret_cast<uint64_t>(address), 1);
  log("encode type %d swizzle %d interleave %d promotion %d fill %d:", type,
      swizzle, interleave, promotion, fill);
  for (unsigned axis = 0; axis < rank; ++axis)
    log(" %llu by %u of %u at %llu", (unsigned long long)sizes[axis],
        steps[axis], box[axis],
        (unsigned long long)(axis ? strides[axis - 1] : 0));
  log("\n");
  std::memset(map, 0x5a, 128);
  return 0;
}

int cuMemcpyHtoD_v2(uint64_t target, const void *source, size_t bytes) {
  requireMemory(target, bytes);
  log("copy %zu bytes to the device\n", bytes);
  std::memcpy(reinterpret_cast<void *>(target), source, bytes);
  return 0;
}

int cuMemcpyDtoH_v2(void *target, uint64_t source, size_t bytes) {
  requireMemory(source, bytes);
  log("copy %zu bytes to the host\n", bytes);
  std::memcpy(target, reinterpret_cast<void *>(source), bytes);
  return 0;
}

int cuMemsetD8Async(uint64_t target, unsigned char byte, size_t bytes, void *) {
  log("fill %zu bytes\n", bytes);
  std::memset(reinterpret_cast<void *>(target), byte, bytes);
  return 0;
}

int cuMemcpyAsync(uint64_t target, uint64_t source, size_t bytes,
                  void *stream) {
  log("copy %zu bytes%s\n", bytes, stream ? " on a stream" : "");
  std::memmove(reinterpret_cast<void *>(target),
               reinterpret_cast<void *>(source), bytes);
  return 0;
}

int cuMemHostRegister_v2(void *, size_t bytes, unsigned) {
  log("register %zu bytes\n", bytes);
  return 0;
}

int cuMemHostUnregister(void *) { return 0; }

int cuStreamCreate(void **stream, unsigned) {
  ++numStreams;
  *stream = &numStreams;
  return 0;
}

int cuStreamDestroy_v2(void *) {
  --numStreams;
  return 0;
}

int cuStreamSynchronize(void *) {
  finishHostFunctions();
  return 0;
}

int cuStreamWaitEvent(void *, void *, unsigned) { return 0; }

int cuEventCreate(double **event, unsigned) {
  ++numEvents;
  *event = new double(0);
  return 0;
}

int cuEventDestroy_v2(double *event) {
  --numEvents;
  delete event;
  return 0;
}

/// Events are 1, 2, 4, ... milliseconds after one another, and 1 again after
/// 16 of them.
int cuEventRecord(double *event, void *) {
  *event = now;
  now += step;
  step = step == 1 << 15 ? 1 : 2 * step;
  return 0;
}

/// Takes as many milliseconds as the test wants.
int cuEventSynchronize(double *event) {
  const char *milliseconds = std::getenv("TILEIR_FAKE_CUDA_MILLISECONDS");
  usleep(milliseconds ? 1000 * unsigned(std::atoi(milliseconds)) : 0);
  require(*event > 0, "an event that was recorded");
  finishHostFunctions();
  return 0;
}

int cuEventElapsedTime(float *milliseconds, const double *start,
                       const double *end) {
  *milliseconds = float(*end - *start);
  return 0;
}
}

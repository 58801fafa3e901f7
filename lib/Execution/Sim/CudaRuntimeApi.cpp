//===- CudaRuntimeApi.cpp - A stand-in for the CUDA runtime ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim/CudaRuntimeApi.h"

#include "tileir/Target/Gpu/Estimate.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

static CudaRuntimeApi *active = nullptr;

CudaRuntimeApi::CudaRuntimeApi(sim::Simulator &simulator)
    : simulator(simulator), runtime(simulator) {
  active = this;
}

CudaRuntimeApi::~CudaRuntimeApi() { active = nullptr; }

CudaRuntimeApi::Locked::Locked() : api(active) {
  static std::recursive_mutex mutex;
  lock = std::unique_lock(mutex);
  assert(api && "only a program that runs calls the CUDA runtime");
}

Error CudaRuntimeApi::load(StringRef image) {
  auto loaded = runtime.loadModule(image);
  if (!loaded)
    return loaded.takeError();
  modules.push_back({image, static_cast<sim::LoadedModule *>(*loaded)});
  return Error::success();
}

sim::LoadedModule *CudaRuntimeApi::findModule(const void *data) const {
  for (auto [image, module] : modules)
    if (!std::memcmp(data, image.data(), image.size()))
      return module;
  return nullptr;
}

CudaError CudaRuntimeApi::fail(const char *function, const Twine &message,
                               CudaError number) {
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

CudaError CudaRuntimeApi::check(const char *function, Error error,
                                CudaError number) {
  return error ? fail(function, toString(std::move(error)), number)
               : kCudaSuccess;
}

CudaError CudaRuntimeApi::synchronize() {
  if (!runtime.isStopped())
    return kCudaSuccess;
  // The assertion that failed is what the launch ended with.
  const sim::LaunchResult *launch = runtime.getLastLaunch();
  bool isAssertion =
      launch && any_of(launch->findings, [](const sim::Finding &finding) {
        return finding.kind == sim::FindingKind::Trap &&
               StringRef(finding.message).starts_with("assertion failed");
      });
  return lastError = isAssertion ? kCudaAssert : kCudaLaunchFailure;
}

Expected<sim::Kernel *> CudaRuntimeApi::getKernel(const void *function) {
  auto found = functions.find(function);
  if (found == functions.end())
    return createStringError("expected a kernel, found another function");
  return found->second.module->getKernel(found->second.name);
}

Error CudaRuntimeApi::launch(const void *function, GpuLaunch launch,
                             void **arguments) {
  auto kernel = getKernel(function);
  if (!kernel)
    return kernel.takeError();
  launch.arguments = arguments;
  launch.nonPortableCluster = nonPortableClusters.contains(function);
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
  auto address = variable.module->getGlobal(variable.name);
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
/// What clang emits for the device code of a source.
struct FatBinary {
  int magic, version;
  const void *data;
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

// The handle of an image is its module.

TILEIR_CUDA_API void **__cudaRegisterFatBinary(const FatBinary *binary) {
  return reinterpret_cast<void **>(
      CudaRuntimeApi::get()->findModule(binary->data));
}
TILEIR_CUDA_API void __cudaRegisterFatBinaryEnd(void **) {}
TILEIR_CUDA_API void __cudaUnregisterFatBinary(void **) {}

TILEIR_CUDA_API void __cudaRegisterFunction(void **module, const char *function,
                                            char *, const char *name, int,
                                            void *, void *, void *, void *,
                                            int *) {
  CudaRuntimeApi::get()->functions[function] = {
      reinterpret_cast<sim::LoadedModule *>(module), name};
}

TILEIR_CUDA_API void __cudaRegisterVar(void **module, char *variable, char *,
                                       const char *name, int, size_t bytes, int,
                                       int) {
  CudaRuntimeApi::get()->variables[variable] = {
      reinterpret_cast<sim::LoadedModule *>(module), name, bytes};
}

/// The arguments of <<<>>> between its begin and its call.
static thread_local std::vector<GpuLaunch> configurations;

TILEIR_CUDA_API unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block,
                                                     size_t shared,
                                                     void *stream) {
  configurations.push_back(getLaunch(grid, block, shared, stream));
  return 0;
}

TILEIR_CUDA_API int __cudaPopCallConfiguration(Dim3 *grid, Dim3 *block,
                                               size_t *shared, void **stream) {
  if (configurations.empty())
    return kCudaInvalidValue;
  GpuLaunch launch = configurations.back();
  configurations.pop_back();
  auto getDim3 = [](const std::array<int64_t, 3> &sizes) {
    return Dim3{unsigned(sizes[0]), unsigned(sizes[1]), unsigned(sizes[2])};
  };
  *grid = getDim3(launch.grid);
  *block = getDim3(launch.block);
  *shared = size_t(launch.dynamicSharedBytes);
  *stream = launch.stream;
  return kCudaSuccess;
}

static int launchKernel(const char *name, const void *function,
                        const GpuLaunch &launch, void **arguments) {
  auto api = CudaRuntimeApi::get();
  if (api->capture.graph && api->capture.streams.count(launch.stream)) {
    api->capture.take(launch.stream,
                      keepLaunch(name, function, launch, arguments));
    return kCudaSuccess;
  }
  return api->check(name, api->launch(function, launch, arguments),
                    launch.cooperative ? kCudaCooperativeLaunchTooLarge
                                       : kCudaInvalidDeviceFunction);
}

TILEIR_CUDA_API int cudaLaunchKernel(const void *function, Dim3 grid,
                                     Dim3 block, void **arguments,
                                     size_t shared, void *stream) {
  return launchKernel("cudaLaunchKernel", function,
                      getLaunch(grid, block, shared, stream), arguments);
}
TILEIR_CUDA_API int cudaLaunchCooperativeKernel(const void *function, Dim3 grid,
                                                Dim3 block, void **arguments,
                                                size_t shared, void *stream) {
  GpuLaunch launch = getLaunch(grid, block, shared, stream);
  launch.cooperative = true;
  return launchKernel("cudaLaunchCooperativeKernel", function, launch,
                      arguments);
}

TILEIR_CUDA_API int cudaFuncSetCacheConfig(const void *, int) {
  return kCudaSuccess;
}

namespace {
/// cudaLaunchAttribute: its kind, and a union of 64 bytes.
struct LaunchAttribute {
  int kind;
  int padding;
  union {
    int number;
    unsigned cluster[3];
    char bytes[64];
  };
};
enum : int { kAttributeCooperative = 2, kAttributeClusterDimension = 4 };
/// cudaLaunchConfig_t.
struct LaunchConfiguration {
  Dim3 grid, block;
  size_t shared;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned numAttributes;
};
/// cudaFuncAttributeNonPortableClusterSizeAllowed.
constexpr int kFunctionNonPortableCluster = 14;
} // namespace

/// Attributes of priorities, and of launches that begin early, change nothing
/// here: a launch begins when the one before has ended.
static GpuLaunch getLaunch(const LaunchConfiguration &configuration) {
  GpuLaunch launch = getLaunch(configuration.grid, configuration.block,
                               configuration.shared, configuration.stream);
  for (const LaunchAttribute &attribute :
       ArrayRef(configuration.attributes, configuration.numAttributes)) {
    if (attribute.kind == kAttributeCooperative)
      launch.cooperative = attribute.number != 0;
    if (attribute.kind == kAttributeClusterDimension)
      llvm::copy(attribute.cluster, launch.cluster.begin());
  }
  return launch;
}

TILEIR_CUDA_API int
cudaLaunchKernelExC(const LaunchConfiguration *configuration,
                    const void *function, void **arguments) {
  return launchKernel("cudaLaunchKernelExC", function,
                      getLaunch(*configuration), arguments);
}

TILEIR_CUDA_API int cudaFuncSetAttribute(const void *function, int attribute,
                                         int value) {
  if (attribute == kFunctionNonPortableCluster) {
    auto api = CudaRuntimeApi::get();
    if (value)
      api->nonPortableClusters.insert(function);
    else
      api->nonPortableClusters.erase(function);
  }
  return kCudaSuccess;
}

/// Bytes of static shared memory; cudaFuncGetAttributes depends on the version
/// of the toolkit, so it is compiled with the program (CudaSource.cpp).
TILEIR_CUDA_API int __cudaTileIRGetShared(size_t *bytes, const void *function) {
  auto api = CudaRuntimeApi::get();
  auto kernel = api->getKernel(function);
  if (!kernel)
    return api->check("cudaFuncGetAttributes", kernel.takeError(),
                      kCudaInvalidDeviceFunction);
  *bytes = (*kernel)->staticSharedBytes;
  return kCudaSuccess;
}

/// Registers are not allocated, so they do not count.
TILEIR_CUDA_API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, const void *function, int threads, size_t dynamicShared) {
  auto api = CudaRuntimeApi::get();
  size_t shared = 0;
  if (int error = __cudaTileIRGetShared(&shared, function))
    return error;
  const machine::Gpu &chip = api->simulator.getChip();
  int64_t warps = std::max<int64_t>(1, divideCeil(threads, machine::kWarpSize));
  int64_t most =
      std::min<int64_t>(chip.maxBlocksPerSm, chip.maxWarpsPerSm / warps);
  if (shared += dynamicShared)
    most = std::min<int64_t>(most, chip.sharedPerSm / shared);
  *blocks = int(most);
  return kCudaSuccess;
}
/// The most blocks of a cluster, whatever the kernel and the launch.
TILEIR_CUDA_API int
cudaOccupancyMaxPotentialClusterSize(int *size, const void *function,
                                     const LaunchConfiguration *) {
  auto api = CudaRuntimeApi::get();
  *size = api->simulator.getChip().computeCapability < 90 ? 1
          : api->nonPortableClusters.contains(function)   ? 16
                                                          : 8;
  return kCudaSuccess;
}
/// As many as the blocks that the chip holds at once are enough for.
TILEIR_CUDA_API int
cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                               const LaunchConfiguration *configuration) {
  auto api = CudaRuntimeApi::get();
  const Dim3 &block = configuration->block;
  int blocks = 0;
  if (int error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, function, int(block.x * block.y * block.z),
          configuration->shared))
    return error;
  int64_t size = 1;
  for (int64_t axis : getLaunch(*configuration).cluster)
    size *= std::max<int64_t>(axis, 1);
  *clusters = int(int64_t(blocks) * api->simulator.getChip().sms / size);
  return kCudaSuccess;
}
TILEIR_CUDA_API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int threads, size_t dynamicShared,
    unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function,
                                                       threads, dynamicShared);
}

//===- Launch.cpp ---------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the blocks of a grid on the threads of the host. Each worker takes the
// next block when it is done with one; blocks do not wait for each other, as
// no launch on a GPU may rely on that, unless it is cooperative: then one
// worker runs all of them in turns.
//
//===----------------------------------------------------------------------===//

#include "Exec/Print.h"
#include "Exec/ResidentBlocks.h"
#include "Exec/Warp.h"
#include "Memory/Memory.h"
#include "Memory/TensorMaps.h"
#include "Report/Summarize.h"
#include "tileir/Simulator/Simulator.h"
#include "tileir/Target/Gpu/Estimate.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstring>
#include <thread>

using namespace tileir::sim;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;
using tileir::machine::Gpu;
namespace machine = tileir::machine;

/// Blocks that a cluster may have on each chip that has clusters.
constexpr uint32_t kMaxPortableCluster = 8;
/// Warps of a launch whose releases are remembered.
constexpr uint64_t kMaxReleased = uint64_t(1) << 26;
/// What cooperative groups use of device memory, in the headers of CUDA: a
/// size and a barrier.
constexpr uint64_t kGridWorkspaceBytes = 64;

static Error fail(const Kernel &kernel, const llvm::Twine &message) {
  return llvm::createStringError("cannot launch kernel @" + kernel.name + ": " +
                                 message);
}

/// The clusters that a launch asks for: its own, or those of the kernel.
static std::array<uint32_t, 3> getCluster(const Kernel &kernel,
                                          const LaunchConfig &config) {
  std::array<uint32_t, 3> cluster =
      config.cluster[0] ? config.cluster : kernel.requiredCluster;
  for (uint32_t &size : cluster)
    size = std::max(size, 1u);
  return cluster;
}

static Error checkCluster(const Kernel &kernel, const LaunchConfig &config,
                          const Gpu &chip) {
  static const char *const axes[] = {"x", "y", "z"};
  const auto cluster = getCluster(kernel, config);
  const uint64_t size = getNumBlocks(cluster);
  if (size > 1 && chip.computeCapability < 90)
    return fail(kernel, formatv("clusters of {0} blocks on {1}: expected {2} "
                                "or later",
                                size, chip.name, machine::getGpuName(90)));
  for (unsigned i = 0; i < 3; ++i) {
    if (config.cluster[0] && kernel.requiredCluster[0] &&
        kernel.requiredCluster[i] != cluster[i])
      return fail(kernel,
                  formatv("cluster.{0} = {1}: expected {2}, as its "
                          "nvvm.cluster_dim says",
                          axes[i], cluster[i], kernel.requiredCluster[i]));
    if (config.grid[i] % cluster[i])
      return fail(kernel, formatv("grid.{0} = {1}: expected a multiple of {2}, "
                                  "the blocks of a cluster",
                                  axes[i], config.grid[i], cluster[i]));
  }
  const uint32_t most =
      config.nonPortableCluster ? kMaxClusterBlocks : kMaxPortableCluster;
  if (size > most)
    return fail(kernel,
                formatv("{0} blocks in a cluster: expected at most {1}{2}",
                        size, most,
                        config.nonPortableCluster
                            ? ""
                            : ", or the non-portable size allowed"));
  return Error::success();
}

/// Checks that the chip would accept the launch.
static Error checkConfig(const Kernel &kernel, const LaunchConfig &config,
                         size_t numArguments, const Gpu &chip) {
  static const char *const axes[] = {"x", "y", "z"};
  uint64_t threads = 1;
  for (unsigned i = 0; i < 3; ++i) {
    auto check = [&](const char *what, uint32_t size, uint32_t limit) -> Error {
      if (size >= 1 && size <= limit)
        return Error::success();
      return fail(kernel, formatv("{0}.{1} = {2}: expected 1 to {3} on {4}",
                                  what, axes[i], size, limit, chip.name));
    };
    if (Error error = check("grid", config.grid[i], chip.maxGridDim[i]))
      return error;
    if (Error error = check("block", config.block[i], chip.maxBlockDim[i]))
      return error;
    threads *= config.block[i];
    if (kernel.requiredBlock[0] && kernel.requiredBlock[i] != config.block[i])
      return fail(kernel,
                  formatv("block.{0} = {1}: expected {2}, as its "
                          "nvvm.reqntid says",
                          axes[i], config.block[i], kernel.requiredBlock[i]));
  }
  if (threads > chip.maxThreadsPerBlock)
    return fail(kernel, formatv("{0} threads in a block: expected at most {1} "
                                "on {2}",
                                threads, chip.maxThreadsPerBlock, chip.name));
  if (kernel.maxThreads && threads > kernel.maxThreads)
    return fail(kernel, formatv("{0} threads in a block: expected at most {1}, "
                                "as its nvvm.maxntid says",
                                threads, kernel.maxThreads));
  if (kernel.staticSharedBytes > chip.maxStaticShared)
    return fail(kernel,
                formatv("{0} bytes of static shared memory: expected at most "
                        "{1}; make it dynamic for up to {2} on {3}",
                        kernel.staticSharedBytes, chip.maxStaticShared,
                        chip.maxSharedPerBlock, chip.name));
  uint64_t shared =
      uint64_t(kernel.staticSharedBytes) + config.dynamicSharedBytes;
  if (shared > chip.maxSharedPerBlock)
    return fail(kernel, formatv("{0} bytes of shared memory ({1} static, {2} "
                                "dynamic): expected at most {3} on {4}",
                                shared, kernel.staticSharedBytes,
                                config.dynamicSharedBytes,
                                chip.maxSharedPerBlock, chip.name));
  if (Error error = checkCluster(kernel, config, chip))
    return error;
  if (config.cooperative) {
    machine::Counters resources;
    resources.block = config.block;
    resources.sharedBytes = shared;
    const uint64_t most = machine::getBlocksOfWave(resources, chip);
    const uint64_t blocks = getNumBlocks(config.grid);
    if (blocks > most)
      return fail(kernel,
                  formatv("{0} blocks in a cooperative launch: expected "
                          "at most {1}, which {2} holds at once",
                          blocks, most, chip.name));
  }
  if (numArguments != kernel.arguments.size())
    return fail(kernel, formatv("{0} arguments: expected {1}", numArguments,
                                kernel.arguments.size()));
  return Error::success();
}

uint64_t tileir::sim::getNumBlocks(llvm::ArrayRef<uint32_t> grid) {
  return uint64_t(grid[0]) * grid[1] * grid[2];
}

/// Gives a worker its blocks and counters.
static void prepare(Worker &worker, Launch &launch,
                    llvm::ArrayRef<uint64_t> presets) {
  const Program &program = *launch.program;
  worker.launch = &launch;
  worker.blockWarps.assign(program.blocks.size(), 0);
  worker.blockLanes.assign(program.blocks.size(), 0);
  worker.blockWarpsData = worker.blockWarps.data();
  worker.blockLanesData = worker.blockLanes.data();
  worker.accesses.assign(program.accesses.size(), {});
  worker.lastBuffer.assign(program.accesses.size(), nullptr);
  worker.accessSpace.assign(program.accesses.size(), InstrClass::Free);
  makeResidentBlocks(worker, presets);
}

/// What is published of each generation's tensor cores.
static Expected<MmaModel> getMmaModel(const tileir::machine::Gpu &chip) {
  const uint32_t capability = chip.computeCapability;
  if (capability < 75)
    return MmaModel{23, 8, 0};
  if (capability < 80)
    return MmaModel{24, 8, 0};
  if (capability < 90)
    return MmaModel{24, 16, 13};
  if (capability < 100)
    return MmaModel{25, 32, 25};
  return llvm::createStringError(
      "no model of how the tensor cores of " + chip.name +
      " add is known: expected a chip before compute capability 10, or exact "
      "sums");
}

/// Marks the buffers that the kernel may store to: those of arguments that it
/// may store through, and those that it has from elsewhere.
static void markStored(DeviceMemory &memory, const Kernel &kernel,
                       llvm::ArrayRef<const void *> arguments) {
  for (const std::unique_ptr<Buffer> &buffer : memory.getBuffers())
    buffer->isStored = !buffer->readOnly;
  // One buffer may be that of several arguments.
  for (bool isStored : {false, true})
    for (auto [i, argument] : llvm::enumerate(kernel.arguments)) {
      constexpr uint32_t kPointer = sizeof(uint64_t);
      if (argument.isStored != isStored)
        continue;
      for (uint32_t at = 0; at + kPointer <= argument.bytes; at += kPointer) {
        uint64_t address = 0;
        std::memcpy(&address, static_cast<const char *>(arguments[i]) + at,
                    kPointer);
        if (Buffer *buffer = memory.find(address))
          buffer->isStored = isStored && !buffer->readOnly;
      }
    }
}

Expected<LaunchResult>
Simulator::launch(Kernel &kernel, const LaunchConfig &config,
                  llvm::ArrayRef<const void *> arguments) {
  if (Error error = checkConfig(kernel, config, arguments.size(), chip))
    return std::move(error);
  auto start = std::chrono::steady_clock::now();
  const Program &program = *kernel.program;

  // Arguments by value whose address the kernel takes live in device memory.
  std::vector<void *> copies;
  llvm::scope_exit freeCopies([&] {
    for (void *copy : copies)
      if (copy)
        llvm::consumeError(memory.free(copy));
  });
  std::vector<uint64_t> values;
  for (auto [i, argument] : llvm::enumerate(kernel.arguments)) {
    copies.push_back(nullptr);
    if (!argument.byval)
      continue;
    auto copy = memory.allocate(argument.bytes, formatv("argument {0}", i));
    if (!copy)
      return copy.takeError();
    copies.back() = *copy;
    std::memcpy(*copy, arguments[i], argument.bytes);
    memory.find(reinterpret_cast<uint64_t>(*copy))->readOnly = true;
  }
  if (config.cooperative) {
    auto workspace = memory.allocate(kGridWorkspaceBytes, "grid workspace");
    if (!workspace)
      return workspace.takeError();
    copies.push_back(*workspace);
    std::memset(*workspace, 0, kGridWorkspaceBytes);
  }
  for (const Preset &preset : program.presets) {
    uint64_t value = preset.value;
    if (preset.isArgument && preset.byval) {
      value = reinterpret_cast<uint64_t>(copies[preset.argument]);
    } else if (preset.isArgument) {
      value = 0;
      std::memcpy(&value,
                  static_cast<const char *>(arguments[preset.argument]) +
                      preset.offset,
                  preset.bytes);
    }
    values.push_back(value);
  }

  if (options.instrument)
    markStored(memory, kernel, arguments);

  FindingLog findings;
  Launch launch;
  launch.program = &program;
  launch.memory = &memory;
  launch.textures = &textures;
  launch.heap = heap.get();
  TensorMapLog tensorMaps;
  launch.tensorMaps = &tensorMaps;
  launch.findings = &findings;
  std::copy(config.grid.begin(), config.grid.end(), launch.grid);
  std::copy(config.block.begin(), config.block.end(), launch.blockDim);
  if (config.cooperative)
    launch.gridWorkspace = reinterpret_cast<uint64_t>(copies.back());
  launch.dynamicSharedBytes = config.dynamicSharedBytes;
  launch.instrument = options.instrument;
  launch.sameValueStores = options.sameValueStores;
  launch.earlyReturns = options.earlyReturns;
  launch.atomicReads = options.atomicReads;
  launch.stepLimit = options.stepLimit;
  if (options.mma == MmaSums::Hardware) {
    auto model = getMmaModel(chip);
    if (!model)
      return model.takeError();
    launch.mmaModel = *model;
  }
  launch.printLimit = options.printLimit;
  launch.numSms = std::max<uint32_t>(chip.sms, 1);

  launch.l2Bytes = chip.l2Bytes;
  machine::Counters resources;
  resources.block = config.block;
  resources.sharedBytes =
      uint64_t(kernel.staticSharedBytes) + config.dynamicSharedBytes;
  launch.blocksOfWave = machine::getBlocksOfWave(resources, chip);
  const auto cluster = getCluster(kernel, config);
  std::copy(cluster.begin(), cluster.end(), launch.cluster);
  launch.clusterSize = getNumBlocks(cluster);
  launch.isExplicitCluster = config.cluster[0] || kernel.requiredCluster[0];
  // Those of a cluster are resident together.
  launch.blocksOfWave = std::max<uint64_t>(
      llvm::alignDown(launch.blocksOfWave, launch.clusterSize),
      launch.clusterSize);
  uint64_t numBlocks = getNumBlocks(config.grid);
  // The blocks of a cooperative launch wait for each other.
  if (options.programs && !config.cooperative)
    numBlocks = std::min(numBlocks,
                         llvm::alignTo(options.programs, launch.clusterSize));
  launch.numBlocks = numBlocks;
  // What blocks do that wait for each other does not depend on host threads.
  launch.numResident = config.cooperative ? numBlocks : launch.clusterSize;
  // The first clusters need not be of the first blocks.
  const uint64_t numNumbers =
      launch.clusterSize > 1 ? getNumBlocks(config.grid) : numBlocks;
  launch.blockBits = std::min(llvm::bit_width(numNumbers), 32);
  // Without room for it, what was released is not asked for.
  uint64_t numWarps =
      numNumbers * llvm::divideCeil(uint64_t(config.block[0]) *
                                        config.block[1] * config.block[2],
                                    kLanes);
  bool isTracked =
      program.usesFences && options.instrument && numWarps <= kMaxReleased;
  std::vector<std::atomic<uint32_t>> released(isTracked ? numWarps : 0);
  std::vector<std::atomic<uint64_t>> releasedLanes(released.size());
  if (isTracked) {
    launch.released = released.data();
    launch.releasedLanes = releasedLanes.data();
  }
  uint64_t numWorkers =
      options.threads ? options.threads : std::thread::hardware_concurrency();
  // The heap is for one thread, and gives addresses in one order.
  if (program.usesHeap)
    numWorkers = 1;
  const uint64_t numTurns = numBlocks / launch.numResident;
  numWorkers = std::max<uint64_t>(std::min(numWorkers, numTurns), 1);
  launch.numWorkers = numWorkers;
  std::vector<Worker> workers(numWorkers);
  std::atomic<uint64_t> nextBlock{0};
  std::atomic<int64_t> lastProgress{0};
  auto work = [&](Worker &worker) {
    prepare(worker, launch, values);
    while (!launch.aborted) {
      uint64_t index = nextBlock.fetch_add(launch.numResident);
      if (index >= numBlocks)
        break;
      // Which sectors are new to a wave must not depend on host threads.
      uint64_t before = index - index % launch.blocksOfWave;
      while (launch.blocksDone < before && !launch.aborted)
        std::this_thread::yield();
      runResidentBlocks(worker, index);
      launch.blocksDone += launch.numResident;
      if (!options.progress || &worker != &workers[0])
        continue;
      int64_t halfSeconds =
          std::chrono::duration_cast<std::chrono::milliseconds>(
              std::chrono::steady_clock::now() - start)
              .count() /
          500;
      if (halfSeconds > lastProgress) {
        lastProgress = halfSeconds;
        options.progress(kernel.name, double(index) / numBlocks);
      }
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t i = 1; i < numWorkers; ++i)
    threads.emplace_back([&, i] { work(workers[i]); });
  work(workers[0]);
  for (std::thread &thread : threads)
    thread.join();

  LaunchResult result;
  result.counters = summarize(launch, workers);
  if (std::string text = takePrinted(workers, options.printLimit);
      !text.empty()) {
    if (options.print)
      options.print(text);
    else
      llvm::outs() << text;
  }
  result.counters.decodeSeconds = kernel.decodeSeconds;
  kernel.decodeSeconds = 0;
  for (Worker &worker : workers)
    freeResidentBlocks(worker);
  endLaunch(launch, memory);
  result.findings = findings.take();
  const size_t numFindings = result.findings.size();
  eraseSuppressed(result.findings, options.suppressions);
  result.numSuppressed = numFindings - result.findings.size();
  result.aborted = launch.aborted;
  result.counters.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return result;
}

//===- ResidentBlocks.cpp -------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of one worker, with what they run on, and the turns that they
// take.
//
//===----------------------------------------------------------------------===//

#include "Exec/ResidentBlocks.h"

#include "Exec/Cluster.h"
#include "Memory/MBarriers.h"
#include "Memory/Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>

using namespace tileir::sim;

/// Warp instructions between two looks at the other warps of a block that is
/// alone, and of one that others may wait for.
constexpr uint32_t kSlice = 1 << 12, kResidentSlice = 1 << 8;

/// The i-th of the blocks of a worker.
static Block &getBlock(Worker &worker, uint64_t i) {
  return i == 0 ? worker.block : worker.others[i - 1];
}

/// Gives a block its warps, registers and memory.
static void makeBlock(Block &block, Worker &worker,
                      llvm::ArrayRef<uint64_t> presets) {
  Launch &launch = *worker.launch;
  const Program &program = *launch.program;
  block.launch = &launch;
  block.worker = &worker;
  block.numThreads =
      launch.blockDim[0] * launch.blockDim[1] * launch.blockDim[2];
  block.numWarps = llvm::divideCeil(block.numThreads, kLanes);
  // Dynamic shared memory begins behind the static one, at its alignment.
  block.sharedBytes =
      launch.dynamicSharedBytes
          ? llvm::alignTo(program.staticSharedBytes, program.sharedAlignment) +
                launch.dynamicSharedBytes
          : program.staticSharedBytes;
  block.warps = new Warp[block.numWarps];
  block.makeRows(launch.clusterSize);

  // Registers of all warps, thread indices and local memory.
  size_t perWarp = size_t(program.numSlots) * kLanes;
  size_t words = block.numWarps * (perWarp + 3 * kLanes);
  auto *memory = static_cast<uint32_t *>(
      std::aligned_alloc(128, std::max<size_t>(words * 4, 128)));
  std::memset(memory, 0, words * 4);
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    Warp &warp = block.warps[w];
    warp.index = w;
    warp.block = &block;
    warp.worker = &worker;
    warp.registers = memory + w * perWarp;
    uint32_t *indices = memory + block.numWarps * perWarp + w * 3 * kLanes;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      uint32_t thread = w * kLanes + lane;
      indices[lane] = thread % launch.blockDim[0];
      indices[kLanes + lane] = thread / launch.blockDim[0] % launch.blockDim[1];
      indices[2 * kLanes + lane] =
          thread / launch.blockDim[0] / launch.blockDim[1];
    }
    for (unsigned i = 0; i < 3; ++i)
      warp.threadIndex[i] = indices + i * kLanes;
    for (auto [preset, value] : llvm::zip(program.presets, presets))
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        uint32_t *slot = warp.registers + preset.slot * kLanes;
        if (preset.wide)
          reinterpret_cast<uint64_t *>(slot)[lane] = value;
        else
          slot[lane] = uint32_t(value);
      }
    if (program.localBytes)
      warp.local = new uint8_t[size_t(program.localBytes) * kLanes];
  }
  allocateBlockMemory(block);
}

static void freeBlock(Block &block) {
  freeBlockMemory(block);
  std::free(block.warps[0].registers);
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    delete[] block.warps[w].local;
    delete[] block.warps[w].laneKnown;
  }
  delete[] block.warps;
}

void tileir::sim::makeResidentBlocks(Worker &worker,
                                     llvm::ArrayRef<uint64_t> presets) {
  const uint64_t count = worker.launch->numResident;
  if (count > 1)
    worker.others.reset(new Block[count - 1]);
  const uint32_t size = worker.launch->clusterSize;
  worker.clusters = new Cluster[count / size];
  for (uint64_t i = 0; i < count; ++i) {
    Block &block = getBlock(worker, i);
    Cluster &cluster = worker.clusters[i / size];
    cluster.size = size;
    cluster.blocks[i % size] = &block;
    block.cluster = &cluster;
    block.rank = i % size;
    makeBlock(block, worker, presets);
  }
}

void tileir::sim::freeResidentBlocks(Worker &worker) {
  for (uint64_t i = 0; i < worker.launch->numResident; ++i)
    freeBlock(getBlock(worker, i));
  delete[] worker.clusters;
}

/// Places a block in the grid: the clusters are in the order of their indices,
/// x first, and the blocks of a cluster in that of their ranks.
static void placeBlock(Block &block, uint64_t number) {
  const Launch &launch = *block.launch;
  uint64_t cluster = number / launch.clusterSize, rank = block.rank;
  for (unsigned i = 0; i < 3; ++i) {
    const uint32_t clusters = launch.grid[i] / launch.cluster[i];
    block.index[i] =
        cluster % clusters * launch.cluster[i] + rank % launch.cluster[i];
    cluster /= clusters;
    rank /= launch.cluster[i];
  }
  block.linear = (uint64_t(block.index[2]) * launch.grid[1] + block.index[1]) *
                     launch.grid[0] +
                 block.index[0];
}

/// Lets the blocks of a cluster run for a slice. True: some of them run on.
static bool runCluster(Cluster &cluster, uint32_t slice) {
  bool isRunning = false, progress = false, isAborted = false;
  for (uint32_t rank = 0; rank < cluster.size && !isAborted; ++rank) {
    Block &block = *cluster.blocks[rank];
    if (!block.aliveWarps)
      continue;
    progress |= runWarps(block, slice);
    isRunning |= block.aliveWarps != 0;
    isAborted = block.aborted;
  }
  if (!isRunning || progress || isAborted)
    return isRunning && !isAborted;
  // A warp that waits here waits for warps of its own cluster: those that wait
  // for other blocks spin.
  for (uint32_t rank = 0; rank < cluster.size; ++rank)
    progress |=
        cluster.blocks[rank]->aliveWarps && timeOutWaits(*cluster.blocks[rank]);
  for (uint32_t rank = 0; rank < cluster.size && !progress; ++rank)
    if (cluster.blocks[rank]->aliveWarps)
      reportStuck(*cluster.blocks[rank]);
  // Unless that was reported, waits have just given up.
  return true;
}

void tileir::sim::runResidentBlocks(Worker &worker, uint64_t first) {
  const Launch &launch = *worker.launch;
  const uint64_t count = launch.numResident;
  const uint64_t numClusters = count / launch.clusterSize;
  for (uint64_t i = 0; i < count; ++i) {
    Block &block = getBlock(worker, i);
    placeBlock(block, first + i);
    startBlock(block);
  }
  for (uint64_t i = 0; i < numClusters; ++i)
    startCluster(worker.clusters[i]);
  const uint32_t slice = count == 1 ? kSlice : kResidentSlice;
  bool isRunning = true;
  while (isRunning) {
    isRunning = false;
    for (uint64_t i = 0; i < numClusters && !launch.aborted; ++i)
      isRunning |= runCluster(worker.clusters[i], slice);
  }
  for (uint64_t i = 0; i < count; ++i)
    endBlock(getBlock(worker, i));
}

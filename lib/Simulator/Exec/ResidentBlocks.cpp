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
  for (uint64_t i = 0; i < count; ++i)
    makeBlock(getBlock(worker, i), worker, presets);
}

void tileir::sim::freeResidentBlocks(Worker &worker) {
  for (uint64_t i = 0; i < worker.launch->numResident; ++i)
    freeBlock(getBlock(worker, i));
}

void tileir::sim::runResidentBlocks(Worker &worker, uint64_t first) {
  const Launch &launch = *worker.launch;
  const uint64_t count = launch.numResident;
  for (uint64_t i = 0; i < count; ++i) {
    Block &block = getBlock(worker, i);
    block.linear = first + i;
    block.index[0] = block.linear % launch.grid[0];
    block.index[1] = block.linear / launch.grid[0] % launch.grid[1];
    block.index[2] = block.linear / launch.grid[0] / launch.grid[1];
    startBlock(block);
  }
  const uint32_t slice = count == 1 ? kSlice : kResidentSlice;
  bool isRunning = true, isAborted = false;
  while (isRunning && !isAborted) {
    isRunning = false;
    for (uint64_t i = 0; i < count && !isAborted; ++i) {
      Block &block = getBlock(worker, i);
      if (!block.aliveWarps)
        continue;
      // A warp that waits here waits for warps of its own block: those that
      // wait for other blocks spin.
      if (!runWarps(block, slice) && !block.aborted && !timeOutWaits(block))
        reportStuck(block);
      isRunning |= block.aliveWarps != 0;
      isAborted = block.aborted;
    }
  }
  for (uint64_t i = 0; i < count; ++i)
    endBlock(getBlock(worker, i));
}

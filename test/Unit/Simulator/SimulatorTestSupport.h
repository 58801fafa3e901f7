//===- SimulatorTestSupport.h -----------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One block whose instructions a test makes and executes one by one, without
// decoding and without the scheduler.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORTESTSUPPORT_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORTESTSUPPORT_H

#include "Exec/Warp.h"
#include "Memory/Memory.h"
#include "Program.h"
#include "tileir/Simulator/DeviceMemory.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace tileir::sim {

/// The warps in the mask have met: each knows what all of them know.
inline void synchronizeWarps(Block &block, uint32_t warpMask) {
  uint32_t met[kMaxWarps] = {};
  for (uint32_t w = 0; w < block.numWarps; ++w)
    if (warpMask >> w & 1)
      for (uint32_t v = 0; v < block.numWarps; ++v)
        met[v] = std::max(met[v], block.known[w][v]);
  for (uint32_t w = 0; w < block.numWarps; ++w)
    if (warpMask >> w & 1)
      met[w] = block.now;
  for (uint32_t w = 0; w < block.numWarps; ++w)
    if (warpMask >> w & 1)
      std::copy(met, met + block.numWarps, block.known[w]);
  ++block.now;
}

/// Slots of a test's warps: 64-bit registers take two.
constexpr uint32_t kTestSlots = 128;
/// Those of an address and of what stands there, in most tests.
constexpr uint32_t kAddress = 0, kData = 4;

class TestBlock {
public:
  explicit TestBlock(uint32_t threads = 32, uint32_t sharedBytes = 4096,
                     bool instrument = true)
      : threads(threads) {
    program.kernel = "test";
    program.staticSharedBytes = sharedBytes;
    program.numSlots = kTestSlots;
    program.locations.resize(1);
    program.code.reserve(256);
    program.accesses.reserve(256);
    getHandlers(handlers);
    launch.program = &program;
    launch.memory = &memory;
    launch.findings = &log;
    launch.blockDim[0] = threads;
    launch.instrument = instrument;
  }
  ~TestBlock() {
    if (!started)
      return;
    for (uint32_t w = 0; w < worker.block.numWarps; ++w)
      delete[] warps[w].laneKnown;
    freeBlockMemory(worker.block);
  }

  /// An instruction; its location is its index.
  Instr &add(Opcode opcode) {
    Instr instr;
    instr.opcode = opcode;
    instr.handler = handlers[unsigned(opcode)];
    program.code.push_back(instr);
    return program.code.back();
  }
  /// One with an access, whose opcode and index this sets.
  Instr &addAccess(Opcode opcode, Access access) {
    access.opcode = opcode;
    access.bytes = access.elementBytes * access.elements;
    access.instr = uint32_t(program.code.size());
    Instr &instr = add(opcode);
    instr.extra = uint32_t(program.accesses.size());
    program.accesses.push_back(access);
    return instr;
  }
  /// Results and operands beyond dst, a, b, c.
  void setList(Instr &instr, const std::vector<uint32_t> &defs,
               const std::vector<uint32_t> &uses) {
    instr.list = uint32_t(program.pool.size());
    instr.numDefs = uint16_t(defs.size());
    instr.numUses = uint16_t(uses.size());
    program.pool.insert(program.pool.end(), defs.begin(), defs.end());
    program.pool.insert(program.pool.end(), uses.begin(), uses.end());
  }

  /// After all instructions were added: makes the block's memory and warps.
  void start() {
    started = true;
    Block &block = worker.block;
    worker.launch = block.launch = &launch;
    block.worker = &worker;
    block.numThreads = threads;
    block.numWarps = (threads + kLanes - 1) / kLanes;
    block.aliveWarps = uint32_t((uint64_t(1) << block.numWarps) - 1);
    block.makeRows(1);
    block.sharedBytes = program.staticSharedBytes + launch.dynamicSharedBytes;
    warps.reset(new Warp[block.numWarps]);
    block.warps = warps.get();
    registers.reset(new Slots[block.numWarps]);
    for (uint32_t w = 0; w < block.numWarps; ++w) {
      Warp &warp = warps[w];
      warp.registers = registers[w].words;
      uint32_t lanes = threads - w * kLanes;
      warp.alive = lanes >= kLanes ? kAllLanes : (1u << lanes) - 1;
      warp.setActive(warp.alive);
      warp.index = w;
      warp.fuel = 1u << 30;
      warp.block = &block;
      warp.worker = &worker;
    }
    worker.accesses.assign(program.accesses.size(), {});
    worker.lastBuffer.assign(program.accesses.size(), nullptr);
    worker.accessSpace.assign(program.accesses.size(), InstrClass::Free);
    allocateBlockMemory(block);
    beginBlock(block);
  }

  /// Executes one instruction for the active lanes of a warp.
  const Instr *run(const Instr &instr, uint32_t warp = 0) {
    return instr.handler(warps[warp], &instr);
  }
  uint32_t &get32(uint32_t slot, uint32_t lane, uint32_t warp = 0) {
    return warps[warp].registers[slot * kLanes + lane];
  }
  uint64_t &get64(uint32_t slot, uint32_t lane, uint32_t warp = 0) {
    return reinterpret_cast<uint64_t *>(warps[warp].registers +
                                        slot * kLanes)[lane];
  }
  uint8_t *shared(uint32_t offset = 0) { return worker.block.shared + offset; }
  std::vector<Finding> takeFindings() { return log.take(); }

  uint32_t threads;
  Program program;
  DeviceMemory memory;
  FindingLog log;
  Launch launch;
  Worker worker;
  std::unique_ptr<Warp[]> warps;
  Handler handlers[kNumOpcodes] = {};

private:
  struct alignas(128) Slots {
    uint32_t words[kTestSlots * kLanes] = {};
  };
  std::unique_ptr<Slots[]> registers;
  bool started = false;
};

} // namespace tileir::sim

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORTESTSUPPORT_H

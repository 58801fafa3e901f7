//===- SimulatorShadowScene.h -----------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses to shared memory as its shadow sees them, without any data.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORSHADOWSCENE_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORSHADOWSCENE_H

#include "Memory/SharedShadow.h"
#include "SimulatorTestSupport.h"

#include <string>

namespace tileir::sim {

/// A block of some warps, and accesses of single lanes or whole warps.
class ShadowScene : public TestBlock {
public:
  explicit ShadowScene(uint32_t warps = 4, uint32_t granule = 4,
                       uint32_t sharedBytes = 4096)
      : TestBlock(warps * kLanes, sharedBytes) {
    program.sharedGranule = program.globalGranule = granule;
    program.locations.push_back({"kernel.py", 7, 0});
    program.locations.push_back({"kernel.py", 9, 0});
    // Instruction 0 loads, 1 stores, 2 copies.
    addAccess(Opcode::Load, {}).location = 1;
    addAccess(Opcode::Store, {}).location = 2;
    addAccess(Opcode::CpAsync, {}).location = 2;
    start();
  }

  void access(bool isStore, uint32_t warp, uint32_t lane, uint32_t offset,
              uint32_t bytes, bool atomic = false) {
    noteShared(warps[warp], &program.code[isStore], lane, offset, bytes,
               isStore, atomic);
  }
  void load(uint32_t warp, uint32_t lane, uint32_t offset, uint32_t bytes = 4,
            bool atomic = false) {
    access(false, warp, lane, offset, bytes, atomic);
  }
  void store(uint32_t warp, uint32_t lane, uint32_t offset, uint32_t bytes = 4,
             bool atomic = false) {
    access(true, warp, lane, offset, bytes, atomic);
  }
  void pend(uint32_t warp, uint32_t lane, uint32_t offset) {
    uint64_t addresses[kLanes];
    addresses[lane] = kSharedBase + offset;
    notePending(warps[warp], &program.code[2], 1u << lane, addresses, 16);
  }
  void complete(uint32_t warp, uint32_t lane, uint32_t offset) {
    noteShared(warps[warp], &program.code[2], lane, offset, 16, true, false);
  }
  void sync(uint32_t warpMask = 0xf) {
    synchronizeWarps(worker.block, warpMask);
  }
  /// The kinds and messages found since the last call, or "".
  std::string take() {
    std::string text;
    for (const Finding &finding : takeFindings())
      text += std::string(text.empty() ? "" : "\n") + getName(finding.kind) +
              ": " + finding.message;
    return text;
  }
};

} // namespace tileir::sim

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORSHADOWSCENE_H

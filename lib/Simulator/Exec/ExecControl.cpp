//===- ExecControl.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of control flow and of special registers.
//
//===----------------------------------------------------------------------===//

#include "Exec/Exec.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

/// The start of a basic block: counts it, meets lanes that wait here, and ends
/// the time slice when it is used up.
static const Instr *block(Warp &warp, const Instr *instr) {
  if (__builtin_expect(warp.reconverge && instr >= warp.reconverge, 0))
    return reconverge(warp, instr);
  Worker &worker = *warp.worker;
  uint32_t count = instr->extra;
  if (__builtin_expect(warp.fuel == 0, 0)) {
    warp.groups[warp.numGroups++] = {instr, warp.active, 0, GroupState::Ready};
    warp.setActive(0);
    warp.sliceEnded = true;
    return nullptr;
  }
  warp.fuel -= count < warp.fuel ? count : warp.fuel;
  ++worker.blockWarpsData[instr->imm];
  worker.blockLanesData[instr->imm] += __builtin_popcount(warp.active);
  return instr + 1;
}

/// A block that is behind barriers (SkippedBarriers.cpp).
static const Instr *blockBehind(Warp &warp, const Instr *instr) {
  forLanes(instr->a, [&](unsigned site) { warp.passed[site] |= warp.active; });
  return block(warp, instr);
}

static const Instr *jump(Warp &, const Instr *instr) { return instr->target; }

static const Instr *branch(Warp &warp, const Instr *instr) {
  uint32_t taken = toMask(warp, instr->a) & warp.active;
  if (taken == warp.active)
    return instr->target;
  if (taken == 0)
    return instr->target2;
  return diverge(warp, taken, instr->target, instr->target2);
}

/// The target of one lane.
static const Instr *getTarget(Warp &warp, const Instr *instr, unsigned lane) {
  const SwitchTable &table =
      warp.block->launch->program->switches.data()[instr->extra];
  uint64_t value = instr->imm == 64 ? lanes64(warp, instr->a)[lane]
                                    : lanes32(warp, instr->a)[lane];
  const uint64_t *values = table.values.data();
  unsigned count = table.values.size(), i = 0;
  while (i < count && values[i] != value)
    ++i;
  return table.targets.data()[i];
}

static const Instr *switchTo(Warp &warp, const Instr *instr) {
  uint32_t left = warp.active;
  while (left) {
    const Instr *target = getTarget(warp, instr, __builtin_ctz(left));
    uint32_t mask = 0;
    forLanes(left, [&](unsigned lane) {
      if (getTarget(warp, instr, lane) == target)
        mask |= 1u << lane;
    });
    if (mask == warp.active)
      return target;
    warp.groups[warp.numGroups++] = {target, mask, 0, GroupState::Ready};
    left &= ~mask;
  }
  return nextGroup(warp);
}

static const Instr *returnFrom(Warp &warp, const Instr *instr) {
  return retire(warp, instr);
}

static const Instr *trap(Warp &warp, const Instr *instr) {
  const auto *texts = warp.block->launch->program->texts.data();
  return abortBlock(warp, instr, __builtin_ctz(warp.active),
                    FindingKind(instr->extra), texts[instr->imm]);
}

static U32 iota() {
  LaneResult result;
  for (unsigned i = 0; i < kLanes; ++i)
    result.lane[i] = i;
  return result.vector;
}

static const Instr *readSpecial(Warp &warp, const Instr *instr) {
  const Block &block = *warp.block;
  const Launch &launch = *block.launch;
  U32 zero = {};
  auto uniform = [&](uint32_t value) {
    put(warp, instr->dst, zero + value);
    return instr + 1;
  };
  auto lanes = [&](const uint32_t *values) {
    put(warp, instr->dst, *reinterpret_cast<const U32 *>(values));
    return instr + 1;
  };
  using SR = SpecialRegister;
  switch (SR(instr->imm)) {
  case SR::TidX:
  case SR::TidY:
  case SR::TidZ:
    return lanes(warp.threadIndex[instr->imm - unsigned(SR::TidX)]);
  case SR::NtidX:
  case SR::NtidY:
  case SR::NtidZ:
    return uniform(launch.blockDim[instr->imm - unsigned(SR::NtidX)]);
  case SR::CtaidX:
  case SR::CtaidY:
  case SR::CtaidZ:
    return uniform(block.index[instr->imm - unsigned(SR::CtaidX)]);
  case SR::NctaidX:
  case SR::NctaidY:
  case SR::NctaidZ:
    return uniform(launch.grid[instr->imm - unsigned(SR::NctaidX)]);
  case SR::LaneId:
    put(warp, instr->dst, iota());
    return instr + 1;
  case SR::WarpId:
    return uniform(warp.index);
  case SR::NWarpId:
    return uniform(block.numWarps);
  case SR::WarpSize:
    return uniform(kLanes);
  case SR::SmId:
    return uniform(block.linear % launch.numSms);
  case SR::NSmId:
    return uniform(launch.numSms);
  case SR::GridId:
    return uniform(0); // no launch runs beside another
  case SR::LanemaskEq:
    put(warp, instr->dst, 1u << iota());
    return instr + 1;
  case SR::LanemaskLe:
    put(warp, instr->dst, ((1u << iota()) << 1) - 1u);
    return instr + 1;
  case SR::LanemaskLt:
    put(warp, instr->dst, (1u << iota()) - 1u);
    return instr + 1;
  case SR::LanemaskGe:
    put(warp, instr->dst, ~((1u << iota()) - 1u));
    return instr + 1;
  case SR::LanemaskGt:
    put(warp, instr->dst, ~(((1u << iota()) << 1) - 1u));
    return instr + 1;
  // Time is the number of instructions that the warp has executed.
  case SR::Clock:
    return uniform(uint32_t(warp.steps - warp.fuel));
  case SR::Clock64:
  case SR::GlobalTimer:
    put(warp, instr->dst, U64{} + (warp.steps - warp.fuel));
    return instr + 1;
  case SR::DynamicSharedSize:
    return uniform(launch.dynamicSharedBytes);
  case SR::TotalSharedSize:
    return uniform(block.sharedBytes);
  case SR::ClusterIdX:
  case SR::ClusterIdY:
  case SR::ClusterIdZ: {
    const unsigned i = instr->imm - unsigned(SR::ClusterIdX);
    return uniform(block.index[i] / launch.cluster[i]);
  }
  case SR::NClusterIdX:
  case SR::NClusterIdY:
  case SR::NClusterIdZ: {
    const unsigned i = instr->imm - unsigned(SR::NClusterIdX);
    return uniform(launch.grid[i] / launch.cluster[i]);
  }
  case SR::ClusterCtaidX:
  case SR::ClusterCtaidY:
  case SR::ClusterCtaidZ: {
    const unsigned i = instr->imm - unsigned(SR::ClusterCtaidX);
    return uniform(block.index[i] % launch.cluster[i]);
  }
  case SR::ClusterNctaidX:
  case SR::ClusterNctaidY:
  case SR::ClusterNctaidZ:
    return uniform(launch.cluster[instr->imm - unsigned(SR::ClusterNctaidX)]);
  case SR::ClusterCtarank:
    return uniform(block.rank);
  case SR::ClusterNctarank:
    return uniform(launch.clusterSize);
  case SR::IsExplicitCluster:
    return uniform(launch.isExplicitCluster);
  case SR::EnvReg1:
    return uniform(uint32_t(launch.gridWorkspace >> 32));
  case SR::EnvReg2:
    return uniform(uint32_t(launch.gridWorkspace));
  }
  return instr + 1;
}

void addControlHandlers(Handler *table) {
  table[unsigned(Opcode::Block)] = block;
  table[unsigned(Opcode::BlockBehind)] = blockBehind;
  table[unsigned(Opcode::Jump)] = jump;
  table[unsigned(Opcode::Branch)] = branch;
  table[unsigned(Opcode::Switch)] = switchTo;
  table[unsigned(Opcode::Return)] = returnFrom;
  table[unsigned(Opcode::Trap)] = trap;
  table[unsigned(Opcode::ReadSpecial)] = readSpecial;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim

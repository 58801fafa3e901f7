//===- ExecMBarrier.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of mbarriers (Memory/MBarriers.h), lane by lane.
//
//===----------------------------------------------------------------------===//

#include "Exec/Exec.h"
#include "Memory/MBarriers.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

SIM_INLINE const Access &getAccess(Warp &warp, const Instr *instr) {
  return warp.block->launch->program->accesses.data()[instr->extra];
}
SIM_INLINE uint64_t getAddress(Warp &warp, const Instr *instr, unsigned lane) {
  return lanes64(warp, instr->a)[lane] + uint64_t(instr->imm);
}

static const Instr *init(Warp &warp, const Instr *instr) {
  forLanes(warp.active, [&](unsigned lane) {
    initMBarrier(warp, instr, lane, getAddress(warp, instr, lane),
                 lanes32(warp, instr->b)[lane]);
  });
  return instr + 1;
}

static const Instr *invalidate(Warp &warp, const Instr *instr) {
  forLanes(warp.active, [&](unsigned lane) {
    invalidateMBarrier(warp, instr, lane, getAddress(warp, instr, lane));
  });
  return instr + 1;
}

static const Instr *arriveAt(Warp &warp, const Instr *instr) {
  const Access &access = getAccess(warp, instr);
  alignas(128) uint64_t states[kLanes] = {};
  forLanes(warp.active, [&](unsigned lane) {
    MBarrierAccess at(warp, instr, lane, getAddress(warp, instr, lane));
    if (!at.barrier)
      return;
    if (instr->c != kNoRegister)
      at.expect(lanes32(warp, instr->c)[lane]);
    states[lane] =
        at.arrive(instr->b == kNoRegister ? 1 : lanes32(warp, instr->b)[lane],
                  access.release, access.drops, access.noComplete);
  });
  if (instr->dst != kNoRegister)
    put(warp, instr->dst, *reinterpret_cast<const U64 *>(states));
  return instr + 1;
}

static const Instr *arriveCopies(Warp &warp, const Instr *instr) {
  forLanes(warp.active, [&](unsigned lane) {
    MBarrierAccess at(warp, instr, lane, getAddress(warp, instr, lane));
    if (at.barrier)
      at.arriveCopies(getAccess(warp, instr).increments);
  });
  return instr + 1;
}

static const Instr *expect(Warp &warp, const Instr *instr) {
  forLanes(warp.active, [&](unsigned lane) {
    MBarrierAccess at(warp, instr, lane, getAddress(warp, instr, lane));
    if (at.barrier)
      at.expect(lanes32(warp, instr->c)[lane]);
  });
  return instr + 1;
}

static const Instr *complete(Warp &warp, const Instr *instr) {
  forLanes(warp.active, [&](unsigned lane) {
    MBarrierAccess at(warp, instr, lane, getAddress(warp, instr, lane));
    if (at.barrier)
      at.complete(lanes32(warp, instr->c)[lane]);
  });
  return instr + 1;
}

/// A wait fails once, so that who does not look at its result shows; then, if
/// no lane can go on, all wait. If nobody looks at its result at all, it may
/// have failed, and orders nothing.
static const Instr *wait(Warp &warp, const Instr *instr) {
  if (instr->dst == kNoRegister)
    return instr + 1;
  const Access &access = getAccess(warp, instr);
  auto getWhich = [&](unsigned lane) -> uint64_t {
    return access.isParity ? lanes32(warp, instr->b)[lane]
                           : lanes64(warp, instr->b)[lane];
  };
  uint32_t over = 0;
  for (uint32_t left = warp.active; left;) {
    const unsigned first = __builtin_ctz(left);
    const uint64_t address = getAddress(warp, instr, first);
    const uint64_t which = getWhich(first);
    uint32_t lanes = 0;
    forLanes(left, [&](unsigned lane) {
      if (getAddress(warp, instr, lane) == address && getWhich(lane) == which)
        lanes |= 1u << lane;
    });
    left &= ~lanes;
    if (waitMBarrier(warp, instr, lanes, address, which))
      over |= lanes;
  }
  const bool givesUp =
      (warp.timedOut & warp.active) != 0 || warp.failedWait != instr;
  warp.timedOut &= ~warp.active;
  warp.failedWait = over ? nullptr : instr;
  if (!over && !givesUp)
    return suspend(warp, instr, GroupState::MBarrier, 0);
  LaneResult result;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result.lane[lane] = over >> lane & 1;
  put(warp, instr->dst, result.vector);
  return instr + 1;
}

static const Instr *pending(Warp &warp, const Instr *instr) {
  LaneResult result;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result.lane[lane] = getPendingCount(lanes64(warp, instr->a)[lane]);
  put(warp, instr->dst, result.vector);
  return instr + 1;
}

void addMBarrierHandlers(Handler *table) {
  table[unsigned(Opcode::MBarrierInit)] = init;
  table[unsigned(Opcode::MBarrierInval)] = invalidate;
  table[unsigned(Opcode::MBarrierArrive)] = arriveAt;
  table[unsigned(Opcode::MBarrierArriveCopies)] = arriveCopies;
  table[unsigned(Opcode::MBarrierExpect)] = expect;
  table[unsigned(Opcode::MBarrierComplete)] = complete;
  table[unsigned(Opcode::MBarrierWait)] = wait;
  table[unsigned(Opcode::MBarrierPending)] = pending;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim

//===- ExecWarp.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of what the lanes of a warp do together: shuffles, votes, matches,
// reductions, and barriers of warps and blocks. A collective waits until all
// lanes that its membermask names are at the instruction (PTX ISA, shfl.sync).
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Exec/Exec.h"
#include "Exec/Print.h"
#include "Exec/ShuffleLane.h"
#include "Memory/Memory.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

/// The union of the lanes that the active lanes name.
static uint32_t getNamed(Warp &warp, uint32_t maskSlot) {
  const uint32_t *masks = lanes32(warp, maskSlot);
  uint32_t named = 0;
  forLanes(warp.active, [&](unsigned lane) { named |= masks[lane]; });
  return named;
}

/// True if every lane that is named is active; else the handler returns `next`.
static bool gather(Warp &warp, const Instr *instr, uint32_t maskSlot,
                   const Instr *&next) {
  // Lanes that join may name others.
  uint32_t named;
  do {
    named = getNamed(warp, maskSlot);
    if (!collect(warp, instr, named, next))
      return false;
  } while (getNamed(warp, maskSlot) != named);
  const uint32_t *masks = lanes32(warp, maskSlot);
  for (uint32_t left = warp.active; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    if (!(masks[lane] >> lane & 1)) {
      next = abortBlock(warp, instr, lane, FindingKind::MismatchedCollective,
                        "the lane's own bit is not in its membermask: expected "
                        "every lane to name itself");
      return false;
    }
  }
  return true;
}

static const uint32_t *getList(Warp &warp, const Instr *instr) {
  return warp.block->launch->program->pool.data() + instr->list;
}

static const Instr *shfl(Warp &warp, const Instr *instr) {
  const uint32_t *list = getList(warp, instr);
  const uint32_t *uses = list + instr->numDefs;
  const Instr *next;
  if (!gather(warp, instr, uses[0], next))
    return next;
  const uint32_t *masks = lanes32(warp, uses[0]);
  const uint32_t *values = lanes32(warp, uses[1]);
  const uint32_t *amounts = lanes32(warp, uses[2]);
  const uint32_t *clamps = lanes32(warp, uses[3]);
  LaneResult result, predicate;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    bool inRange;
    const uint32_t from = getShuffleLane(ShflMode(instr->imm), lane,
                                         amounts[lane], clamps[lane], inRange);
    predicate.lane[lane] = inRange;
    // The value of a lane that takes no part is undefined: a NaN pattern here.
    bool takesPart = (masks[lane] & warp.active) >> from & 1;
    result.lane[lane] = takesPart ? values[from] : ~0u;
  }
  put(warp, list[0], result.vector);
  if (instr->numDefs > 1)
    put(warp, list[1], predicate.vector);
  return instr + 1;
}

static const Instr *vote(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (!gather(warp, instr, instr->c, next))
    return next;
  uint32_t votes = toMask(warp, instr->a) & warp.active;
  const U32 masks = reg<U32>(warp, instr->c);
  U32 ballot = masks & votes, none = {};
  U32 result = ballot;
  switch (VoteMode(instr->imm)) {
  case VoteMode::All:
    result = (U32)(ballot == (masks & warp.active)) & 1;
    break;
  case VoteMode::Any:
    result = (U32)(ballot != none) & 1;
    break;
  case VoteMode::Uni:
    result =
        ((U32)(ballot == (masks & warp.active)) | (U32)(ballot == none)) & 1;
    break;
  case VoteMode::Ballot:
    break;
  }
  put(warp, instr->dst, result);
  return instr + 1;
}

/// For each lane, the lanes of its membermask with the same value.
static U32 getMatches(Warp &warp, bool wide, uint32_t slot, uint32_t maskSlot) {
  const uint32_t *masks = lanes32(warp, maskSlot);
  auto value = [&](unsigned lane) -> uint64_t {
    return wide ? lanes64(warp, slot)[lane] : lanes32(warp, slot)[lane];
  };
  LaneResult result = {};
  forLanes(warp.active, [&](unsigned lane) {
    uint32_t same = 0;
    forLanes(masks[lane] & warp.active, [&](unsigned other) {
      same |= uint32_t(value(other) == value(lane)) << other;
    });
    result.lane[lane] = same;
  });
  return result.vector;
}

template <bool wide>
static const Instr *matchAny(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (!gather(warp, instr, instr->c, next))
    return next;
  put(warp, instr->dst, getMatches(warp, wide, instr->a, instr->c));
  return instr + 1;
}

template <bool wide>
static const Instr *matchAll(Warp &warp, const Instr *instr) {
  const uint32_t *list = getList(warp, instr);
  const uint32_t *uses = list + instr->numDefs;
  const Instr *next;
  if (!gather(warp, instr, uses[0], next))
    return next;
  U32 masks = reg<U32>(warp, uses[0]) & warp.active;
  U32 all = (U32)(getMatches(warp, wide, uses[1], uses[0]) == masks);
  put(warp, list[0], masks & all);
  if (instr->numDefs > 1)
    put(warp, list[1], all & 1);
  return instr + 1;
}

static uint32_t reduce(ReduxMode mode, uint32_t x, uint32_t y) {
  switch (mode) {
  case ReduxMode::Add:
    return x + y;
  case ReduxMode::SMin:
    return int32_t(x) < int32_t(y) ? x : y;
  case ReduxMode::SMax:
    return int32_t(x) > int32_t(y) ? x : y;
  case ReduxMode::UMin:
    return x < y ? x : y;
  case ReduxMode::UMax:
    return x > y ? x : y;
  case ReduxMode::And:
    return x & y;
  case ReduxMode::Or:
    return x | y;
  case ReduxMode::Xor:
    return x ^ y;
  }
  return 0;
}

static const Instr *redux(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (!gather(warp, instr, instr->c, next))
    return next;
  const uint32_t *values = lanes32(warp, instr->a);
  const uint32_t *masks = lanes32(warp, instr->c);
  LaneResult result = {};
  forLanes(warp.active, [&](unsigned lane) {
    uint32_t left = masks[lane] & warp.active;
    uint32_t sum = values[__builtin_ctz(left)];
    forLanes(left & (left - 1), [&](unsigned other) {
      sum = reduce(ReduxMode(instr->imm), sum, values[other]);
    });
    result.lane[lane] = sum;
  });
  put(warp, instr->dst, result.vector);
  return instr + 1;
}

static const Instr *activeMask(Warp &warp, const Instr *instr) {
  put(warp, instr->dst, U32{} + warp.active);
  return instr + 1;
}

/// Elects the lowest lane of the membermask.
static const Instr *elect(Warp &warp, const Instr *instr) {
  const uint32_t *list = getList(warp, instr);
  uint32_t maskSlot = list[instr->numDefs];
  const Instr *next;
  if (!gather(warp, instr, maskSlot, next))
    return next;
  const uint32_t *masks = lanes32(warp, maskSlot);
  LaneResult leader = {}, predicate = {};
  forLanes(warp.active, [&](unsigned lane) {
    leader.lane[lane] = __builtin_ctz(masks[lane] & warp.active);
    predicate.lane[lane] = leader.lane[lane] == lane;
  });
  put(warp, list[0], leader.vector);
  if (instr->numDefs > 1)
    put(warp, list[1], predicate.vector);
  return instr + 1;
}

static const Instr *warpSync(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (!gather(warp, instr, instr->c, next))
    return next;
  const uint32_t *masks = lanes32(warp, instr->c);
  for (uint32_t left = warp.active; left;) {
    uint32_t mask = masks[__builtin_ctz(left)] & warp.active;
    warp.block->synchronizeLanes(warp, mask);
    left &= ~mask;
  }
  return instr + 1;
}

/// A block barrier is of the whole warp: all its live lanes have to come.
static const Instr *barrier(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (!collect(warp, instr, warp.alive, next))
    return next;
  unsigned lane = __builtin_ctz(warp.active);
  uint32_t id = lanes32(warp, instr->a)[lane];
  uint32_t threads =
      instr->b == kNoRegister ? 0 : lanes32(warp, instr->b)[lane];
  uint32_t votes =
      instr->c == kNoRegister ? 0 : toMask(warp, instr->c) & warp.active;
  return arrive(warp, instr, id, threads, votes);
}

/// Barriers of a cluster are of whole warps, too.
static const Instr *arriveCluster(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (!collect(warp, instr, warp.alive, next))
    return next;
  return arriveAtCluster(warp, instr, instr->imm != 0);
}

static const Instr *waitCluster(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (!collect(warp, instr, warp.alive, next))
    return next;
  return waitForCluster(warp, instr);
}

void addWarpHandlers(Handler *table) {
  table[unsigned(Opcode::Print)] = print;
  table[unsigned(Opcode::Shfl)] = shfl;
  table[unsigned(Opcode::Vote)] = vote;
  table[unsigned(Opcode::MatchAny32)] = matchAny<false>;
  table[unsigned(Opcode::MatchAny64)] = matchAny<true>;
  table[unsigned(Opcode::MatchAll32)] = matchAll<false>;
  table[unsigned(Opcode::MatchAll64)] = matchAll<true>;
  table[unsigned(Opcode::Redux)] = redux;
  table[unsigned(Opcode::ActiveMask)] = activeMask;
  table[unsigned(Opcode::Elect)] = elect;
  table[unsigned(Opcode::WarpSync)] = warpSync;
  table[unsigned(Opcode::Barrier)] = barrier;
  table[unsigned(Opcode::ClusterArrive)] = arriveCluster;
  table[unsigned(Opcode::ClusterWait)] = waitCluster;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim

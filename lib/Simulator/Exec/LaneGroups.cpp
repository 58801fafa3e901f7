//===- LaneGroups.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divergence and reconvergence: which lanes of a warp run, and which wait.
//
// A warp's lanes are split into the active group and the groups in
// Warp::groups. The ready group with the smallest pc goes first, as blocks lie
// in an order in which all of a loop and both sides of a branch come before
// what follows them: so lanes wait there for the rest. Lanes that wait at a
// collective are ready again when all the lanes it names have come, or have
// returned.
//
//===----------------------------------------------------------------------===//

#include "Exec/Warp.h"

#include <utility>

using namespace tileir::sim;

/// Time slices for which lanes wait for others of their warp. Not fewer: lanes
/// that do not wait for those on the other side of a branch execute all that
/// comes after it by themselves, which is counted twice.
static constexpr uint32_t kPatience = 16;

/// Takes group `index` out of the list; the order of the others stays.
static Group removeGroup(Warp &warp, uint32_t index) {
  Group group = warp.groups[index];
  for (uint32_t i = index + 1; i < warp.numGroups; ++i)
    warp.groups[i - 1] = warp.groups[i];
  --warp.numGroups;
  return group;
}

static void addGroup(Warp &warp, const Instr *pc, uint32_t mask,
                     GroupState state, uint32_t needs) {
  warp.groups[warp.numGroups++] = {pc, mask, needs, state};
}

static void updateReconverge(Warp &warp) {
  warp.reconverge = nullptr;
  for (uint32_t i = 0; i < warp.numGroups; ++i) {
    const Group &group = warp.groups[i];
    if (group.state == GroupState::Ready &&
        (!warp.reconverge || group.pc < warp.reconverge))
      warp.reconverge = group.pc;
  }
  if (!warp.reconverge)
    warp.slicesApart = 0;
}

/// Makes group `index` active, with the ready groups at the same place.
static const Instr *activate(Warp &warp, uint32_t index) {
  Group group = removeGroup(warp, index);
  for (uint32_t i = 0; i < warp.numGroups;)
    if (warp.groups[i].pc == group.pc &&
        warp.groups[i].state == GroupState::Ready)
      group.mask |= removeGroup(warp, i).mask;
    else
      ++i;
  warp.setActive(group.mask);
  updateReconverge(warp);
  return group.pc;
}

/// Makes groups ready whose collective now has all the lanes that are left.
static bool wake(Warp &warp) {
  bool any = false;
  for (uint32_t i = 0; i < warp.numGroups; ++i) {
    Group &group = warp.groups[i];
    if (group.state != GroupState::Collective)
      continue;
    uint32_t there = 0;
    for (uint32_t j = 0; j < warp.numGroups; ++j)
      if (warp.groups[j].pc == group.pc)
        there |= warp.groups[j].mask;
    if ((group.needs & warp.alive & ~there) == 0) {
      group.state = GroupState::Ready;
      any = true;
    }
  }
  return any;
}

const Instr *tileir::sim::nextGroup(Warp &warp) {
  do {
    uint32_t best = warp.numGroups;
    for (uint32_t i = 0; i < warp.numGroups; ++i)
      if (warp.groups[i].state == GroupState::Ready &&
          (best == warp.numGroups || warp.groups[i].pc < warp.groups[best].pc))
        best = i;
    if (best != warp.numGroups)
      return activate(warp, best);
  } while (wake(warp));
  warp.setActive(0);
  warp.reconverge = nullptr;
  return nullptr;
}

const Instr *tileir::sim::resume(Warp &warp) {
  bool sliceEnded = std::exchange(warp.sliceEnded, false);
  if (sliceEnded && ++warp.slicesApart > kPatience) {
    warp.slicesApart = 0;
    for (uint32_t i = 0; i < warp.numGroups; ++i) {
      if (warp.groups[i].state != GroupState::Ready)
        continue;
      const Instr *pc = activate(warp, i);
      // For one slice it need not let groups before it catch up.
      warp.reconverge = nullptr;
      return pc;
    }
  }
  return nextGroup(warp);
}

const Instr *tileir::sim::suspend(Warp &warp, const Instr *instr,
                                  GroupState state, uint32_t needs) {
  addGroup(warp, instr, warp.active, state, needs);
  return nextGroup(warp);
}

const Instr *tileir::sim::reconverge(Warp &warp, const Instr *instr) {
  addGroup(warp, instr, warp.active, GroupState::Ready, 0);
  return nextGroup(warp);
}

const Instr *tileir::sim::diverge(Warp &warp, uint32_t taken,
                                  const Instr *target, const Instr *other) {
  addGroup(warp, target, taken, GroupState::Ready, 0);
  addGroup(warp, other, warp.active & ~taken, GroupState::Ready, 0);
  return nextGroup(warp);
}

const Instr *tileir::sim::retire(Warp &warp, const Instr *instr) {
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    if (warp.active >> lane & 1)
      warp.exits[lane] = instr;
  warp.alive &= ~warp.active;
  if (warp.alive == 0) {
    warp.setActive(0);
    return nullptr;
  }
  return nextGroup(warp);
}

bool tileir::sim::collect(Warp &warp, const Instr *instr, uint32_t mask,
                          const Instr *&next) {
  uint32_t active = warp.active;
  for (uint32_t i = 0; i < warp.numGroups;)
    if (warp.groups[i].pc == instr &&
        warp.groups[i].state == GroupState::Collective)
      active |= removeGroup(warp, i).mask;
    else
      ++i;
  if (active != warp.active)
    warp.setActive(active);
  uint32_t needs = mask & warp.alive;
  if ((needs & ~active) == 0)
    return true;
  next = suspend(warp, instr, GroupState::Collective, needs);
  return false;
}

//===- PolledLoads.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Volatile loads that wait for a value: a loop repeats them, at one address,
// and its end depends on what they read. The order in which such a load and the
// store that it waits for happen is not left to chance.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tileir::sim {

/// Whether a way out of the loop depends on the value, by what is computed in
/// the loop.
static bool decidesExit(const Instruction &value, const Loop &loop) {
  SmallVector<const Instruction *> left = {&value};
  SmallPtrSet<const Instruction *, 8> seen;
  while (!left.empty()) {
    const Instruction *from = left.pop_back_val();
    if (from->isTerminator() && loop.isLoopExiting(from->getParent()))
      return true;
    for (const User *user : from->users()) {
      auto *next = cast<Instruction>(user);
      if (loop.contains(next) && seen.insert(next).second)
        left.push_back(next);
    }
  }
  return false;
}

static bool isPolled(const LoadInst &load, const LoopInfo &loops) {
  for (const Loop *loop = loops.getLoopFor(load.getParent()); loop;
       loop = loop->getParentLoop())
    if (loop->isLoopInvariant(load.getPointerOperand()) &&
        decidesExit(load, *loop))
      return true;
  return false;
}

void markPolledLoads(Function &function) {
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction);
        load && load->isVolatile())
      loads.push_back(load);
  if (loads.empty())
    return;
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (LoadInst *load : loads)
    if (isPolled(*load, loops))
      load->setMetadata(kPolled, MDNode::get(function.getContext(), {}));
}

} // namespace tileir::sim

//===- PolledLoads.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Volatile loads that wait for a value: a loop repeats them, at one address,
// and its end depends on what they read. The order in which such a load and the
// store that it waits for happen is not left to chance. Nor does it matter
// where a thread looks once at a flag: what it reads decides nothing but
// branches, to a fence behind which it may rely on what was written before.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
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

static bool isFence(const Instruction &instruction) {
  if (isa<FenceInst>(instruction))
    return true;
  auto *call = dyn_cast<CallInst>(&instruction);
  if (!call)
    return false;
  StringRef name;
  if (auto *text = dyn_cast<InlineAsm>(call->getCalledOperand()))
    name = text->getAsmString();
  else if (const Function *callee = call->getCalledFunction())
    name = callee->getName();
  return name.contains("membar.") || name.contains("fence.sc") ||
         name.contains("fence.acq");
}

/// Whether a value decides branches, and does nothing else.
static bool decidesBranchesAlone(const Instruction &value) {
  SmallVector<const Instruction *> left = {&value};
  SmallPtrSet<const Instruction *, 8> seen;
  bool decides = false;
  while (!left.empty())
    for (const User *user : left.pop_back_val()->users()) {
      auto *next = cast<Instruction>(user);
      if (next->isTerminator()) {
        decides = true;
        continue;
      }
      if (!isa<CmpInst, CastInst>(next) && !next->isBitwiseLogicOp())
        return false;
      if (seen.insert(next).second)
        left.push_back(next);
    }
  return decides;
}

/// Whether the thread may come to a fence after the load.
static bool isBeforeFence(const LoadInst &load) {
  for (const Instruction *next = load.getNextNode(); next;
       next = next->getNextNode())
    if (isFence(*next))
      return true;
  return any_of(depth_first(load.getParent()), [&](const auto *block) {
    return block != load.getParent() && any_of(*block, isFence);
  });
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
    if (isPolled(*load, loops) ||
        (decidesBranchesAlone(*load) && isBeforeFence(*load)))
      load->setMetadata(kPolled, MDNode::get(function.getContext(), {}));
}

} // namespace tileir::sim

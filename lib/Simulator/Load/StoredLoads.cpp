//===- StoredLoads.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads of global memory whose value can do no more than be stored there again,
// by the same warp. Triton gives small tiles to more warps than it needs: all
// of them load and compute, one stores. Where it stores to what was loaded, the
// others' loads race with it, and nobody ever sees what they read.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tileir::sim {

constexpr unsigned kGlobal = 1; // address space

/// Whether a value goes no further than to the result, or to those of other
/// lanes of the warp.
static bool isComputation(const Instruction &instruction) {
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return !call->getType()->isVoidTy() &&
           (call->doesNotAccessMemory() ||
            call->getCalledFunction()->getName().starts_with(
                "llvm.nvvm.shfl."));
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             PHINode, FreezeInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst, ExtractValueInst, InsertValueInst>(instruction);
}

static bool isOnlyStored(const LoadInst &load) {
  SmallVector<const Instruction *> left = {&load};
  SmallPtrSet<const Instruction *, 16> seen = {&load};
  while (!left.empty())
    for (const Use &use : left.pop_back_val()->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *store = dyn_cast<StoreInst>(user)) {
        if (use.getOperandNo() != 0 || !store->isSimple() ||
            store->getPointerAddressSpace() != kGlobal)
          return false;
      } else if (!isComputation(*user)) {
        return false;
      } else if (seen.insert(user).second) {
        left.push_back(user);
      }
    }
  return true;
}

void markStoredLoads(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction);
        load && load->isSimple() && load->getPointerAddressSpace() == kGlobal &&
        isOnlyStored(*load))
      load->setMetadata(kOnlyStored, MDNode::get(function.getContext(), {}));
}

} // namespace tileir::sim

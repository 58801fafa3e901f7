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
// others' loads race with it, and nobody ever sees what they read. Loads and
// the stores that their values can come to have the number of a group: two
// loads that lead to one store have the same one.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
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

/// Finds the stores that a load's value can come to; false if it can come
/// anywhere else.
static bool findStores(LoadInst &load, SmallVector<Instruction *> &stores) {
  SmallVector<Instruction *> left = {&load};
  SmallPtrSet<Instruction *, 16> seen = {&load};
  while (!left.empty())
    for (Use &use : left.pop_back_val()->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *store = dyn_cast<StoreInst>(user)) {
        if (use.getOperandNo() != 0 || !store->isSimple() ||
            store->getPointerAddressSpace() != kGlobal)
          return false;
        stores.push_back(store);
      } else if (!isComputation(*user)) {
        return false;
      } else if (seen.insert(user).second) {
        left.push_back(user);
      }
    }
  return true;
}

void markStoredLoads(Function &function) {
  EquivalenceClasses<Instruction *> groups;
  for (Instruction &instruction : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    SmallVector<Instruction *> stores;
    if (!load || !load->isSimple() ||
        load->getPointerAddressSpace() != kGlobal || !findStores(*load, stores))
      continue;
    groups.insert(load);
    for (Instruction *store : stores)
      groups.unionSets(load, store);
  }
  LLVMContext &context = function.getContext();
  DenseMap<Instruction *, uint32_t> numbers; // of leaders
  for (Instruction &instruction : instructions(function)) {
    if (!groups.contains(&instruction))
      continue;
    const uint32_t number =
        numbers
            .try_emplace(groups.getLeaderValue(&instruction),
                         uint32_t(numbers.size()) + 1)
            .first->second;
    auto *constant = ConstantInt::get(Type::getInt32Ty(context), number);
    instruction.setMetadata(
        kOnlyStored, MDNode::get(context, ConstantAsMetadata::get(constant)));
  }
}

uint32_t getStoredGroup(const Instruction &instruction) {
  const MDNode *node = instruction.getMetadata(kOnlyStored);
  return node ? mdconst::extract<ConstantInt>(node->getOperand(0))
                    ->getZExtValue()
              : 0;
}

} // namespace tileir::sim

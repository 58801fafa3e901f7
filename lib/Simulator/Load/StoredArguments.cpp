//===- StoredArguments.cpp ------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which arguments a kernel may store through: those that an address of a store,
// or a value that leaves the kernel, is computed from. Loads of the buffers of
// the others need not be remembered (Memory/GlobalReads.h), and most loads are
// of these.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tileir::sim {

/// Whether a user of an address may write there, or hand it to someone who
/// does.
static bool mayStore(const Use &use) {
  if (auto *call = dyn_cast<CallBase>(use.getUser()))
    return !call->onlyReadsMemory() &&
           !(call->isArgOperand(&use) &&
             call->onlyReadsMemory(call->getArgOperandNo(&use)));
  return isa<StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(use.getUser());
}

bool mayBeStoredThrough(const Argument &argument) {
  SmallVector<const Value *> left = {&argument};
  SmallPtrSet<const Value *, 32> seen = {&argument};
  while (!left.empty())
    for (const Use &use : left.pop_back_val()->uses()) {
      if (mayStore(use))
        return true;
      // What is loaded is another address, but for that of a pointer in a
      // struct.
      const bool isOther = isa<LoadInst>(use.getUser());
      if (isa<CmpInst>(use.getUser()) || (isOther && !argument.hasByValAttr()))
        continue;
      if (seen.insert(use.getUser()).second)
        left.push_back(use.getUser());
    }
  return false;
}

} // namespace tileir::sim

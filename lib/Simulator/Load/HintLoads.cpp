//===- HintLoads.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loads before an atomic at the same address: the first guess of a loop
// of compare-and-swap, or a look at whether an atomic minimum would change
// anything. What they read may be old, since the atomic judges it. PTX calls
// that a race, and everybody writes it so, CUDA's own manual too.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tileir::sim {

/// An address as a value and a constant, through casts: in what was PTX it is
/// an integer. Code that nobody reaches may compute a value from itself.
static std::pair<const Value *, uint64_t> getPlace(const Value *address,
                                                   const DataLayout &layout) {
  constexpr unsigned kMaxSteps = 32;
  uint64_t offset = 0;
  for (unsigned i = 0; i < kMaxSteps; ++i) {
    Value *base = nullptr;
    ConstantInt *constant = nullptr;
    if (address->getType()->isPointerTy()) {
      APInt more(layout.getIndexTypeSizeInBits(address->getType()), 0);
      address = address->stripAndAccumulateConstantOffsets(
          layout, more, /*AllowNonInbounds=*/true);
      offset += more.getSExtValue();
      if (!match(address, m_IntToPtr(m_Value(base))))
        break;
    } else if (match(address, m_Add(m_Value(base), m_ConstantInt(constant))) &&
               constant->getValue().isSignedIntN(64)) {
      offset += constant->getSExtValue();
    } else if (!match(address, m_PtrToInt(m_Value(base)))) {
      break;
    }
    address = base;
  }
  return {address, offset};
}

/// Whether an atomic does nothing if what it finds is not as expected, or what
/// it would write is there.
static bool isJudge(const Instruction &atomic) {
  auto *update = dyn_cast<AtomicRMWInst>(&atomic);
  if (!update)
    return isa<AtomicCmpXchgInst>(atomic);
  switch (update->getOperation()) {
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return true;
  default:
    return false;
  }
}

static const Value *getAddress(const Instruction &judge) {
  if (auto *update = dyn_cast<AtomicRMWInst>(&judge))
    return update->getPointerOperand();
  return cast<AtomicCmpXchgInst>(judge).getPointerOperand();
}

/// Whether what was loaded decides a branch, or is what one of the atomics
/// expects.
static bool decides(const LoadInst &load, ArrayRef<Instruction *> atomics) {
  SmallVector<const Instruction *> left = {&load};
  SmallPtrSet<const Instruction *, 8> seen;
  while (!left.empty())
    for (const User *user : left.pop_back_val()->users()) {
      auto *next = cast<Instruction>(user);
      if (next->isTerminator() || is_contained(atomics, next))
        return true;
      if (!next->mayReadOrWriteMemory() && seen.insert(next).second)
        left.push_back(next);
    }
  return false;
}

void markHintLoads(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  DenseMap<std::pair<const Value *, uint64_t>, SmallVector<Instruction *, 1>>
      judges;
  for (Instruction &instruction : instructions(function))
    if (instruction.isAtomic() && isJudge(instruction))
      judges[getPlace(getAddress(instruction), layout)].push_back(&instruction);
  if (judges.empty())
    return;
  DominatorTree dominators(function);
  for (Instruction &instruction : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isSimple())
      continue;
    auto here = judges.lookup(getPlace(load->getPointerOperand(), layout));
    erase_if(here, [&](const Instruction *atomic) {
      return !dominators.dominates(load, atomic);
    });
    if (!here.empty() && decides(*load, here))
      load->setMetadata(kHint, MDNode::get(function.getContext(), {}));
  }
}

} // namespace tileir::sim

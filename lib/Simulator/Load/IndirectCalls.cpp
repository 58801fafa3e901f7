//===- IndirectCalls.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes calls through pointers calls of functions, which can be inlined:
// functions whose address is taken get numbers for addresses, which are no
// addresses of memory; a call through a pointer becomes a switch over those of
// its type. Tables of virtual functions hold the numbers.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace tileir::sim {

/// From the first address on, so far apart; below all windows of memory.
constexpr uint64_t kFirstFunction = 0x1000, kFunctionBytes = 16;

/// Replaces other names of functions by these.
static void resolveAliases(Module &module) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    if (auto *function = dyn_cast<Function>(alias.getAliaseeObject());
        function && alias.getAliasee()->stripPointerCasts() == function) {
      alias.replaceAllUsesWith(function);
      alias.eraseFromParent();
    }
}

/// Whether a use takes the address.
static bool takesAddress(const Use &use) {
  auto *call = dyn_cast<CallBase>(use.getUser());
  return !call || !call->isCallee(&use);
}

/// Makes the call one of `candidates`, or a finding.
static void dispatch(CallInst &call, ArrayRef<Function *> candidates,
                     const DenseMap<Function *, uint64_t> &numbers) {
  Module &module = *call.getModule();
  llvm::BasicBlock *before = call.getParent();
  llvm::BasicBlock *after = SplitBlock(before, &call);
  Function &function = *before->getParent();
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  auto addBlock = [&] {
    return llvm::BasicBlock::Create(module.getContext(), "", &function, after);
  };
  Value *pointer = call.getCalledOperand();
  llvm::BasicBlock *wrong = addBlock();
  SwitchInst *choice = builder.CreateSwitch(
      builder.CreatePtrToInt(pointer, builder.getInt64Ty()), wrong,
      candidates.size());
  builder.SetInsertPoint(wrong);
  builder.CreateCall(
      module.getOrInsertFunction(kWrongCall, builder.getVoidTy()));
  builder.CreateUnreachable();
  PHINode *result = nullptr;
  if (!call.getType()->isVoidTy()) {
    builder.SetInsertPoint(&call);
    result = builder.CreatePHI(call.getType(), candidates.size());
    call.replaceAllUsesWith(result);
  }
  for (Function *candidate : candidates) {
    llvm::BasicBlock *block = addBlock();
    choice->addCase(builder.getInt64(numbers.lookup(candidate)), block);
    builder.SetInsertPoint(block);
    auto *direct = cast<CallInst>(call.clone());
    direct->setCalledFunction(candidate);
    direct->setTailCallKind(CallInst::TCK_None);
    builder.Insert(direct);
    builder.CreateBr(after);
    if (result)
      result->addIncoming(direct, block);
  }
  call.eraseFromParent();
}

void resolveIndirectCalls(Module &module) {
  resolveAliases(module);
  removeFromUsedLists(module, [](Constant *constant) {
    return isa<Function>(constant->stripPointerCasts());
  });
  SmallVector<Function *> taken;
  DenseMap<Function *, uint64_t> numbers;
  for (Function &function : module)
    if (!function.isIntrinsic() && !isKernel(function) &&
        any_of(function.uses(), takesAddress)) {
      numbers[&function] = kFirstFunction + kFunctionBytes * taken.size();
      taken.push_back(&function);
    }
  if (taken.empty())
    return;
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (call->isIndirectCall())
          calls.push_back(call);
  for (CallInst *call : calls) {
    SmallVector<Function *> candidates;
    for (Function *function : taken)
      if (function->getFunctionType() == call->getFunctionType() &&
          !function->isDeclaration())
        candidates.push_back(function);
    if (!candidates.empty())
      dispatch(*call, candidates, numbers);
  }
  Type *integer = Type::getInt64Ty(module.getContext());
  for (Function *function : taken)
    function->replaceUsesWithIf(
        ConstantExpr::getIntToPtr(ConstantInt::get(integer, numbers[function]),
                                  function->getType()),
        [](Use &use) { return takesAddress(use); });
}

} // namespace tileir::sim

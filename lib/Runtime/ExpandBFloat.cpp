//===- ExpandBFloat.cpp - Round to bf16 without an instruction for it -----===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a processor has no conversion from f32 to bf16, LLVM calls a function
// for each element, also of vectors. Integer arithmetic rounds as many as a
// vector holds: half of what the last bit that stays is worth is added, less
// one where that bit is 0, so that ties go to even; a carry goes on to the
// exponent. What is no number stays none, and becomes quiet.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

/// Whether `machine` has such a conversion.
static bool hasConversion(const TargetMachine &machine) {
  const MCSubtargetInfo *features = machine.getMCSubtargetInfo();
  if (machine.getTargetTriple().isX86())
    return features->checkFeatures("+avx512bf16,+avx512vl") ||
           features->checkFeatures("+avxneconvert");
  return features->checkFeatures("+bf16");
}

static Value *expand(IRBuilderBase &builder, FPTruncInst &conversion) {
  Value *source = conversion.getOperand(0);
  Type *words = source->getType()->getWithNewType(builder.getInt32Ty());
  auto getConstant = [&](uint32_t value) {
    return ConstantInt::get(words, value);
  };
  Value *bits = builder.CreateBitCast(source, words);
  Value *kept = builder.CreateLShr(bits, getConstant(16));
  Value *last = builder.CreateAnd(kept, getConstant(1));
  Value *rounded =
      builder.CreateAdd(builder.CreateAdd(bits, getConstant(0x7fff)), last);
  rounded = builder.CreateLShr(rounded, getConstant(16));
  Value *quiet = builder.CreateOr(kept, getConstant(0x40));
  Value *result = builder.CreateSelect(builder.CreateFCmpUNO(source, source),
                                       quiet, rounded);
  result =
      builder.CreateTrunc(result, words->getWithNewType(builder.getInt16Ty()));
  return builder.CreateBitCast(result, conversion.getType());
}

void tileir::runtime::expandBFloat(Module &module,
                                   const TargetMachine &machine) {
  if (hasConversion(machine))
    return;
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *conversion = dyn_cast<FPTruncInst>(&instruction);
      if (!conversion ||
          !conversion->getType()->getScalarType()->isBFloatTy() ||
          !conversion->getSrcTy()->getScalarType()->isFloatTy())
        continue;
      IRBuilder<> builder(conversion);
      conversion->replaceAllUsesWith(expand(builder, *conversion));
      conversion->eraseFromParent();
    }
}

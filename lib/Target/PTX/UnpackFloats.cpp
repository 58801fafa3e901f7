//===- UnpackFloats.cpp - No pairs of f32 ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's scalarizer, which keeps vectors of 32 bits.
//
//===----------------------------------------------------------------------===//

#include "UnpackFloats.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

using namespace tileir;

static bool hasMatrixInstructions(llvm::Function &function) {
  return llvm::any_of(
      llvm::instructions(function), [](const llvm::Instruction &inst) {
        auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
        return call && call->getCalledFunction()->getName().starts_with(
                           "llvm.nvvm.mma.");
      });
}

void ptx::unpackFloats(llvm::Module &module, const machine::Gpu &chip) {
  if (chip.computeCapability < 100)
    return;
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  llvm::ScalarizerPassOptions options;
  options.ScalarizeMinBits = 32;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() &&
        (!chip.hasPackedF32() || hasMatrixInstructions(function)))
      llvm::ScalarizerPass(options).run(function, analyses);
}

//===- Optimize.cpp - Optimize LLVM IR ------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Does the same as mlir::makeOptimizingTransformer, but without vector-combine,
// which in LLVM 22.1 changes what some code computes: vectors that the SLP
// vectorizer makes of alternating sums and shifts
// (test/Regression/vector-combine.mlir). Nor is the SLP vectorizer run on bf16:
// it makes vectors of odd sizes, as <33 x bfloat>, at which code generation for
// x86 with avx512bf16 aborts (test/Regression/slp-of-bfloat.mlir).
//
// Nor is it run on what is on vectors already, where it finds nothing, and
// takes as long as all other passes. Nor are loops unrolled there that do not
// ask for it: what LLVM makes of the loops around vectors takes a fifth of the
// time of compiling a network, and is no faster.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

static bool usesVectorsOrBFloat(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    Type *type = instruction.getType();
    return type->isVectorTy() || type->isBFloatTy();
  });
}

/// Whether `pass` would run on `unit` for nothing, or break it.
static bool isNeedless(StringRef pass, const Any &unit) {
  if (pass == "VectorCombinePass")
    return true;
  if (pass == "SLPVectorizerPass" || pass == "LoopUnrollPass")
    if (auto *function = any_cast<const Function *>(&unit))
      return usesVectorsOrBFloat(**function);
  if (pass == "LoopFullUnrollPass")
    if (auto *loop = any_cast<const Loop *>(&unit))
      return !getBooleanLoopAttribute(*loop, "llvm.loop.unroll.full") &&
             usesVectorsOrBFloat(*(*loop)->getHeader()->getParent());
  return false;
}

static OptimizationLevel getPipelineLevel(CodeGenOptLevel level) {
  switch (level) {
  case CodeGenOptLevel::None:
    return OptimizationLevel::O0;
  case CodeGenOptLevel::Less:
    return OptimizationLevel::O1;
  case CodeGenOptLevel::Default:
    return OptimizationLevel::O2;
  case CodeGenOptLevel::Aggressive:
    return OptimizationLevel::O3;
  }
  llvm_unreachable("all levels are listed");
}

void tileir::runtime::optimize(Module &module, TargetMachine &machine,
                               CodeGenOptLevel level) {
  PipelineTuningOptions tuning;
  tuning.LoopInterleaving = true;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef pass, Any unit) { return !isNeedless(pass, unit); });
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(getPipelineLevel(level))
      .run(module, modules);
}

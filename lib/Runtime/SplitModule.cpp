//===- SplitModule.cpp - Parts of a module, for threads -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's own SplitModule divides by names, so that parts differ in size. Here
// functions go, the largest first, to the part that is the smallest so far.
//
//===----------------------------------------------------------------------===//

#include "SplitModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

/// A thread is worth it for at least so many instructions, of which LLVM takes
/// some 20,000 a second.
static constexpr unsigned kLeastInstructions = 2000;

static void inlineAlways(Module &module) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  AlwaysInlinerPass().run(module, modules);
}

std::vector<SmallVector<char, 0>>
tileir::runtime::splitModule(Module &module, unsigned maxParts) {
  // Of lists, there is one in a program.
  bool hasLists = any_of(module.globals(), [](const GlobalVariable &global) {
    return global.hasAppendingLinkage();
  });
  maxParts =
      std::min(maxParts, module.getInstructionCount() / kLeastInstructions);
  if (maxParts < 2 || hasLists || !module.alias_empty() ||
      !module.ifunc_empty())
    return {};
  inlineAlways(module);
  SmallVector<std::pair<unsigned, const Function *>> functions;
  for (const Function &function : module)
    if (!function.isDeclaration())
      functions.emplace_back(function.getInstructionCount(), &function);
  stable_sort(functions,
              [](auto &one, auto &other) { return one.first > other.first; });
  SmallVector<unsigned> sizes(std::min<size_t>(maxParts, functions.size()));
  if (sizes.size() < 2)
    return {};
  DenseMap<const GlobalValue *, unsigned> partOf;
  for (auto [size, function] : functions) {
    unsigned part = min_element(sizes) - sizes.begin();
    partOf[function] = part;
    sizes[part] += size;
  }
  unsigned numNames = 0;
  for (GlobalValue &value : module.global_values())
    if (value.hasLocalLinkage()) {
      if (!value.hasName())
        value.setName("tileir_part_" + Twine(numNames++));
      value.setLinkage(GlobalValue::ExternalLinkage);
      value.setVisibility(GlobalValue::HiddenVisibility);
    }
  std::vector<SmallVector<char, 0>> parts(sizes.size());
  for (auto [number, bitcode] : enumerate(parts)) {
    ValueToValueMapTy map;
    auto cloned =
        CloneModule(module, map, [&, part = number](const GlobalValue *value) {
          return partOf.lookup(value) == part;
        });
    raw_svector_ostream os(bitcode);
    WriteBitcodeToFile(*cloned, os);
  }
  return parts;
}

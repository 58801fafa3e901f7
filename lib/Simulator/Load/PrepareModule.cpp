//===- PrepareModule.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs on a module what precedes the emission of PTX: LLVM's passes, with the
// target machine attached from the start. Without it, LLVM would thread jumps
// through barriers and break the convergence of warps.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "tileir/Target/PTX/VectorizerLimit.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

#include <mutex>

using namespace llvm;

namespace tileir::sim {

bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel &&
         !function.isDeclaration();
}

static Expected<std::unique_ptr<TargetMachine>>
attachTarget(Module &module, const machine::Gpu &chip) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
  });
  if (module.getTargetTriple().empty())
    module.setTargetTriple(Triple(kTargetTriple));
  const Triple &triple = module.getTargetTriple();
  if (triple.getArch() != Triple::nvptx64)
    return createStringError("target triple '" + triple.str() + "': expected " +
                             kTargetTriple);
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(message);
  // Newer versions of PTX than a chip needs change nothing for it.
  std::string ptx = ("+ptx" + Twine(std::max(80u, chip.ptxVersion))).str();
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, chip.name, ptx, TargetOptions(), std::nullopt));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Marks all device functions to be inlined into the kernels.
static void inlineAll(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    if (isKernel(function))
      continue;
    function.addFnAttr(Attribute::AlwaysInline);
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
    function.setVisibility(GlobalValue::DefaultVisibility);
  }
}

namespace {
/// Lets stack variables be known as local memory, for infer-address-spaces.
struct CastAllocas : PassInfoMixin<CastAllocas> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    constexpr unsigned kLocal = 5;
    for (Instruction &instruction :
         make_early_inc_range(function.getEntryBlock())) {
      auto *variable = dyn_cast<AllocaInst>(&instruction);
      if (!variable || variable->getAddressSpace() == kLocal)
        continue;
      IRBuilder<> builder(variable->getNextNode());
      auto *local =
          builder.CreateAddrSpaceCast(variable, builder.getPtrTy(kLocal));
      auto *generic = builder.CreateAddrSpaceCast(local, variable->getType());
      variable->replaceUsesWithIf(generic, [&](Use &use) {
        auto *marker = dyn_cast<LifetimeIntrinsic>(use.getUser());
        return use.getUser() != local && !marker;
      });
    }
    return PreservedAnalyses::none();
  }
};
} // namespace

/// Large copies become loops, as in the code generator.
static void lowerCopies(Function &function, const TargetTransformInfo &costs) {
  constexpr uint64_t kMaxInline = 128;
  SmallVector<MemIntrinsic *> copies;
  for (Instruction &instruction : instructions(function))
    if (auto *copy = dyn_cast<MemIntrinsic>(&instruction)) {
      auto *length = dyn_cast<ConstantInt>(copy->getLength());
      if (!length || length->getValue().ugt(kMaxInline))
        copies.push_back(copy);
    }
  for (MemIntrinsic *copy : copies) {
    if (auto *memcpy = dyn_cast<MemCpyInst>(copy))
      expandMemCpyAsLoop(memcpy, costs);
    else if (auto *memmove = dyn_cast<MemMoveInst>(copy))
      expandMemMoveAsLoop(memmove, costs);
    else
      expandMemSetAsLoop(cast<MemSetInst>(copy));
    copy->eraseFromParent();
  }
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// The middle end, then what NVPTX's code generator does to LLVM IR as far as
/// it decides which accesses and address computations there are.
static std::string getPipeline(Passes which) {
  // The variables in .param of calls go away.
  if (which == Passes::Inlining)
    return "always-inline,globaldce,function(sroa)";
  bool optimize = which == Passes::All;
  // O0 inlines, and answers __nvvm_reflect for the chip; the pass by its name
  // would answer for none.
  std::string text = "default<O0>,globaldce";
  if (optimize)
    text += ",default<O2>";
  text += ",generic-to-nvvm,function(nvptx-lower-args";
  if (optimize)
    text += ",sroa,cast-allocas,infer-address-spaces,"
            "separate-const-offset-from-gep,speculative-execution,slsr,"
            "early-cse,nary-reassociate,early-cse,"
            "loop(loop-reduce),loop-mssa(licm),early-cse";
  else
    text += ",cast-allocas,infer-address-spaces";
  return text + ",scalarize-masked-mem-intrin,load-store-vectorizer)";
}

Error prepareModule(Module &module, const machine::Gpu &chip, Passes which,
                    uint64_t stackBytes) {
  auto machine = attachTarget(module, chip);
  if (!machine)
    return machine.takeError();
  resolveIndirectCalls(module);
  if (Error error = makeCallFrames(module, stackBytes))
    return error;
  inlineAll(module);
  tileir::ptx::limitVectorizer(module);
  PassBuilder builder(machine->get());
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &passes,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "cast-allocas")
          return false;
        passes.addPass(CastAllocas());
        return true;
      });
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes;
  if (Error error = builder.parsePassPipeline(passes, getPipeline(which)))
    return error;
  passes.run(module, modules);
  for (Function &function : module)
    if (isKernel(function)) {
      lowerCopies(function, functions.getResult<TargetIRAnalysis>(function));
      if (which != Passes::Inlining) // PTX says itself what it orders
        relaxAtomics(function, **machine);
      markPolledLoads(function);
    }
  return Error::success();
}

} // namespace tileir::sim

//===- Jit.cpp - From LLVM IR to functions of this process ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's code generation into memory, and RuntimeDyld, which links one object
// without a session, symbol tables and threads of ORC: what is called is known
// when code is made. Takes LLVM IR of any target triple; what comes out is code
// for the CPU of this process, whose calls are resolved.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/Jit.h"

#include "Optimize.h"
#include "SplitModule.h"
#include "tileir/Runtime/HostCpu.h"

#include "mlir/IR/Threading.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/JITSymbol.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/RuntimeDyld.h"
#include "llvm/ExecutionEngine/SectionMemoryManager.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

static constexpr StringLiteral kConstructors = "tileir_jit_constructors";
static constexpr StringLiteral kDestructors = "tileir_jit_destructors";

JitCode::JitCode() = default;
JitCode::~JitCode() {
  if (destructors)
    destructors();
}

Jit::Jit() = default;
Jit::~Jit() = default;

/// Registers this CPU's target, once: LLVM's registry is a list that two
/// threads can close to a ring, which whoever looks a target up then goes
/// round.
static void initializeTarget() {
  static std::once_flag isDone;
  std::call_once(isDone, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
}

Expected<std::unique_ptr<Jit>> Jit::create() {
  initializeTarget();
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto named = getNamedHostCpu();
  if (!named)
    return named.takeError();
  if (*named && isOtherProcessor(**named)) {
    // Its instructions alone.
    builder->setCPU((*named)->name);
    builder->setFeatures("");
  }
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  std::unique_ptr<Jit> jit(new Jit());
  jit->machine = std::move(*machine);
  return jit;
}

void Jit::optimize(Module &module, CodeGenOptLevel level) {
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple());
  expandBFloat(module, *machine);
  if (level != CodeGenOptLevel::None)
    runtime::optimize(module, *machine, level);
}

/// Makes `name` of the functions in a list of constructors or destructors, in
/// order of their priorities, and removes the list.
static void replaceStructors(Module &module, StringRef list, StringRef name,
                             iterator_range<orc::CtorDtorIterator> structors) {
  SmallVector<std::pair<unsigned, Function *>> functions;
  for (auto element : structors)
    if (element.Func)
      functions.emplace_back(element.Priority, element.Func);
  if (functions.empty())
    return;
  stable_sort(functions, less_first());
  auto *function = Function::Create(
      FunctionType::get(Type::getVoidTy(module.getContext()), false),
      GlobalValue::ExternalLinkage, name, module);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", function));
  for (auto [priority, structor] : functions)
    builder.CreateCall(structor);
  builder.CreateRetVoid();
  module.getGlobalVariable(list)->eraseFromParent();
}

/// Whether `module` uses the registers of AMX.
static bool usesMatrixUnit(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.getReturnType()->isX86_AMXTy();
  });
}

/// What `features` lack of what `module` calls; empty: nothing. LLVM ends the
/// process where it has no instruction for an intrinsic.
static StringRef findMissing(const Module &module,
                             const MCSubtargetInfo &features) {
  bool hasWide = features.checkFeatures("+avx512vnni"),
       hasNarrow = (hasWide && features.checkFeatures("+avx512vl")) ||
                   features.checkFeatures("+avxvnni");
  for (const Function &function : module)
    switch (function.getIntrinsicID()) {
    case Intrinsic::x86_avx512_vpdpbusd_128:
    case Intrinsic::x86_avx512_vpdpbusd_256:
      if (!hasNarrow)
        return "VNNI";
      break;
    case Intrinsic::x86_avx512_vpdpbusd_512:
      if (!hasWide)
        return "VNNI";
      break;
    default:
      break;
    }
  return "";
}

Expected<SmallVector<char, 0>> Jit::generate(Module &module,
                                             CodeGenOptLevel level) {
  const MCSubtargetInfo &features = *machine->getMCSubtargetInfo();
  StringRef missing = findMissing(module, features);
  bool usesAmx = usesMatrixUnit(module);
  if (usesAmx && (!hasMatrixUnit() ||
                  !features.checkFeatures("+amx-tile,+amx-bf16,+amx-int8")))
    missing = "AMX";
  if (!missing.empty())
    return createStringError(
        "the code uses " + missing + ", which " + machine->getTargetCPU() +
        " or this process does not have: expected 'einsum.machine' or --cpu "
        "to name a CPU without it");
  // Without optimization LLVM 22.1 fails at registers that loops pass on.
  if (usesAmx)
    level = std::max(level, CodeGenOptLevel::Less);
  replaceStructors(module, "llvm.global_ctors", kConstructors,
                   orc::getConstructors(module));
  replaceStructors(module, "llvm.global_dtors", kDestructors,
                   orc::getDestructors(module));
  machine->setOptLevel(level);
  SmallVector<char, 0> object;
  raw_svector_ostream os(object);
  legacy::PassManager passes;
  MCContext *context;
  if (machine->addPassesToEmitMC(passes, context, os, /*DisableVerify=*/true))
    return createStringError("no object code can be generated for " +
                             machine->getTargetTriple().str());
  passes.run(module);
  return object;
}

/// Parts of the same size take LLVM up to twice as long as others: threads that
/// are done take another one.
static constexpr unsigned kPartsOfThread = 2;

Expected<std::vector<SmallVector<char, 0>>>
Jit::compile(Module &module, CodeGenOptLevel level,
             mlir::MLIRContext &context) {
  auto compileOne = [&](Module &part) -> Expected<SmallVector<char, 0>> {
    auto jit = create();
    if (!jit)
      return jit.takeError();
    (*jit)->optimize(part, level);
    return (*jit)->generate(part, level);
  };
  std::vector<SmallVector<char, 0>> parts;
  if (context.isMultithreadingEnabled())
    parts = splitModule(module, kPartsOfThread * context.getNumThreads());
  if (parts.empty()) {
    auto object = compileOne(module);
    if (!object)
      return object.takeError();
    parts.push_back(std::move(*object));
    return parts;
  }
  std::mutex mutex;
  Error failure = Error::success();
  mlir::parallelForEach(&context, parts, [&](SmallVector<char, 0> &part) {
    LLVMContext own;
    own.setDiscardValueNames(true);
    auto parsed = parseBitcodeFile(
        MemoryBufferRef(StringRef(part.data(), part.size()), "part"), own);
    auto object = parsed ? compileOne(**parsed) : parsed.takeError();
    if (object) {
      part = std::move(*object);
      return;
    }
    // That of one is enough: what a machine lacks, several parts may tell.
    std::lock_guard<std::mutex> lock(mutex);
    consumeError(std::move(failure));
    failure = object.takeError();
  });
  if (failure)
    return std::move(failure);
  return parts;
}

namespace {
/// Finds what compiled code calls.
class HostResolver : public LegacyJITSymbolResolver {
public:
  explicit HostResolver(ArrayRef<HostFunction> functions)
      : functions(functions) {}

  JITSymbol findSymbol(const std::string &name) override {
    auto given = find_if(functions, [&](const HostFunction &function) {
      return function.name == name;
    });
    void *address =
        given != functions.end() ? given->address : findHostFunction(name);
    if (!address)
      return nullptr;
    return JITSymbol(reinterpret_cast<uint64_t>(address),
                     JITSymbolFlags::Exported);
  }
  JITSymbol findSymbolInLogicalDylib(const std::string &) override {
    return nullptr;
  }

private:
  ArrayRef<HostFunction> functions;
};
} // namespace

Expected<std::unique_ptr<JitCode>>
Jit::link(ArrayRef<SmallVector<char, 0>> objects, StringRef entry,
          ArrayRef<HostFunction> functions) {
  std::unique_ptr<JitCode> code(new JitCode());
  code->memory = std::make_unique<SectionMemoryManager>();
  HostResolver resolver(functions);
  RuntimeDyld linker(*code->memory, resolver);
  SmallVector<std::unique_ptr<object::ObjectFile>> files;
  for (const SmallVector<char, 0> &object : objects) {
    auto file = object::ObjectFile::createObjectFile(
        MemoryBufferRef(StringRef(object.data(), object.size()), entry));
    if (!file)
      return file.takeError();
    linker.loadObject(**file);
    files.push_back(std::move(*file));
  }
  linker.resolveRelocations();
  std::string message;
  if (linker.hasError() || code->memory->finalizeMemory(&message))
    return createStringError(
        "compiled code cannot be linked: " +
        (linker.hasError() ? linker.getErrorString().str() : message));
  auto find = [&](StringRef name) {
    return reinterpret_cast<void *>(linker.getSymbol(name).getAddress());
  };
  code->entry = find(entry);
  if (!code->entry)
    return createStringError("compiled code has no function " + entry);
  if (auto *constructors = reinterpret_cast<void (*)()>(find(kConstructors)))
    constructors();
  code->destructors = reinterpret_cast<void (*)()>(find(kDestructors));
  return code;
}

void runtime::addArrayCall(Module &module, StringRef callee, StringRef name,
                           bool hasLast) {
  Function *function = module.getFunction(callee);
  function->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> builder(module.getContext());
  Type *pointer = builder.getPtrTy();
  SmallVector<Type *> parameters(hasLast ? 2 : 1, pointer);
  auto *call = Function::Create(
      FunctionType::get(builder.getVoidTy(), parameters, /*isVarArg=*/false),
      GlobalValue::ExternalLinkage, name, module);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", call));
  SmallVector<Value *> arguments;
  for (size_t i = 0, e = function->arg_size() - hasLast; i < e; ++i)
    arguments.push_back(builder.CreateLoad(
        pointer,
        builder.CreateConstInBoundsGEP1_64(pointer, call->getArg(0), i)));
  if (hasLast)
    arguments.push_back(call->getArg(1));
  builder.CreateCall(function, arguments)->setTailCall();
  builder.CreateRetVoid();
}

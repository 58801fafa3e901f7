//===- CodeGenerator.cpp - From LLVM IR to a function ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's code generation into memory, and RuntimeDyld, which links one object
// without a session, symbol tables and threads of a JIT: an operation is one
// function, known when it is made.
//
//===----------------------------------------------------------------------===//

#include "CodeGenerator.h"

#include "../Runtime/Optimize.h"
#include "HostFunctions.h"

#include "llvm/ExecutionEngine/JITSymbol.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/RuntimeDyld.h"
#include "llvm/ExecutionEngine/SectionMemoryManager.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace tileir;

OperationCode::OperationCode() = default;
OperationCode::~OperationCode() = default;
CodeGenerator::CodeGenerator() = default;
CodeGenerator::~CodeGenerator() = default;

Expected<std::unique_ptr<CodeGenerator>> CodeGenerator::create() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto builder = orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(CodeGenOptLevel::Default);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  std::unique_ptr<CodeGenerator> generator(new CodeGenerator());
  generator->machine = std::move(*machine);
  return generator;
}

void CodeGenerator::setTarget(Module &module) const {
  module.setDataLayout(machine->createDataLayout());
  module.setTargetTriple(machine->getTargetTriple());
}

void CodeGenerator::optimize(Module &module) const {
  tileir::optimize(module, *machine);
}

Expected<SmallVector<char, 0>> CodeGenerator::generate(Module &module) {
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

namespace {
/// Finds what code of an operation calls.
class HostResolver : public LegacyJITSymbolResolver {
public:
  JITSymbol findSymbol(const std::string &name) override {
    void *address = findHostFunction(name);
    if (!address)
      return nullptr;
    return JITSymbol(reinterpret_cast<uint64_t>(address),
                     JITSymbolFlags::Exported);
  }
  JITSymbol findSymbolInLogicalDylib(const std::string &) override {
    return nullptr;
  }
};
} // namespace

Expected<void *> CodeGenerator::link(const SmallVectorImpl<char> &object,
                                     StringRef name, OperationCode &code) {
  auto file = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(object.data(), object.size()), name));
  if (!file)
    return file.takeError();
  code.memory = std::make_unique<SectionMemoryManager>();
  HostResolver resolver;
  RuntimeDyld linker(*code.memory, resolver);
  linker.loadObject(**file);
  linker.resolveRelocations();
  std::string message;
  if (linker.hasError() || code.memory->finalizeMemory(&message))
    return createStringError(
        "cannot link the operation: " +
        (linker.hasError() ? linker.getErrorString().str() : message));
  JITEvaluatedSymbol symbol = linker.getSymbol(name);
  if (!symbol)
    return createStringError("the operation's object has no function " + name);
  return reinterpret_cast<void *>(symbol.getAddress());
}

//===- Compiler.cpp - Compiles operations ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A description becomes a module, that the LLVM dialect, LLVM IR and code. What
// is called takes pointers to all inputs as an array: a few loads, and then a
// jump to the function that takes them one by one.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <chrono>

using namespace llvm;
using namespace mlir;
using namespace tileir;

OperationCompiler::OperationCompiler()
    : context(MLIRContext::Threading::DISABLED) {
  DialectRegistry registry;
  registerOperationDialects(registry);
  context.appendDialectRegistry(registry);
  // Attributes are made before any module is parsed.
  context.loadDialect<einsum::EinsumDialect>();
  lowering = std::make_unique<OperationLowering>(&context);
}

Expected<std::unique_ptr<OperationCompiler>> OperationCompiler::create() {
  std::unique_ptr<OperationCompiler> compiler(new OperationCompiler());
  auto generator = CodeGenerator::create();
  if (!generator)
    return generator.takeError();
  compiler->generator = std::move(*generator);
  return compiler;
}

static constexpr StringLiteral kCall = "tileir_operation_call";

/// Adds the function that is called: `void(ptr inputs, ptr output)`.
static void addCall(llvm::Module &module, size_t numInputs) {
  llvm::Function *function = module.getFunction(kEntry);
  function->setLinkage(GlobalValue::InternalLinkage);
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *pointer = builder.getPtrTy();
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer},
                                       /*isVarArg=*/false);
  auto *call =
      llvm::Function::Create(type, GlobalValue::ExternalLinkage, kCall, module);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", call));
  SmallVector<llvm::Value *> arguments;
  for (size_t input = 0; input < numInputs; ++input)
    arguments.push_back(builder.CreateLoad(
        pointer,
        builder.CreateConstInBoundsGEP1_64(pointer, call->getArg(0), input)));
  arguments.push_back(call->getArg(1));
  builder.CreateCall(function, arguments)->setTailCall();
  builder.CreateRetVoid();
}

/// The schedule of the last contraction.
static std::string getScheduleText(ModuleOp module) {
  std::string text;
  module.walk([&](einsum::ContractOp op) {
    text.clear();
    if (auto schedule = op.getScheduleAttr()) {
      raw_string_ostream os(text);
      mlir::Attribute(schedule).print(os);
    }
  });
  return text;
}

/// Tells how long each step took.
namespace {
class Watch {
public:
  /// Seconds since the last call.
  double lap() {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double> time = now - start;
    start = now;
    return time.count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};
} // namespace

template <typename Description>
Expected<TensorOperation::Pointer>
OperationCompiler::compileDescription(const Description &description) {
  std::shared_ptr<TensorOperation> operation(new TensorOperation());
  Watch watch;
  auto made = makeModule(&context, description);
  if (!made)
    return made.takeError();
  ErrorCollector errors(&context);
  if (failed(lowering->chooseSchedule(*made)))
    return errors.take("no schedule was found for the operation");
  operation->schedule = getScheduleText(*made->module);
  operation->times.schedule = watch.lap();

  bool needsOptimizer;
  if (failed(lowering->lower(*made, needsOptimizer)))
    return errors.take("the operation cannot be lowered");
  operation->times.lowering = watch.lap();

  LLVMContext llvmContext;
  auto module = translateModuleToLLVMIR(*made->module, llvmContext);
  if (!module)
    return errors.take("the operation cannot be translated to LLVM IR");
  addCall(*module, made->numInputs);
  generator->setTarget(*module);
  if (needsOptimizer)
    generator->optimize(*module);
  operation->times.translation = watch.lap();

  auto object = generator->generate(*module);
  if (!object)
    return object.takeError();
  operation->times.codeGeneration = watch.lap();

  operation->code = std::make_unique<OperationCode>();
  auto address = CodeGenerator::link(*object, kCall, *operation->code);
  if (!address)
    return address.takeError();
  operation->function =
      reinterpret_cast<void (*)(const void *const *, void *)>(*address);
  operation->times.linking = watch.lap();

  operation->numInputs = made->numInputs;
  operation->outputShape.assign(made->outputShape.begin(),
                                made->outputShape.end());
  return TensorOperation::Pointer(std::move(operation));
}

Expected<TensorOperation::Pointer>
OperationCompiler::compile(const OperationDescription &description) {
  return compileDescription(description);
}

Expected<TensorOperation::Pointer>
OperationCompiler::compile(const EinsumDescription &description) {
  return compileDescription(description);
}

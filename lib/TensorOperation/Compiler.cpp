//===- Compiler.cpp - Compiles operations ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A description becomes a module, that the LLVM dialect, LLVM IR and code,
// which is called with an array of pointers to all inputs, and one to the
// output.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include "DetailedError.h"
#include "Tuned.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"
#include "tileir/Dialect/Einsum/Transforms/BufferizableOpInterfaceImpl.h"
#include "tileir/Pipelines/Pipelines.h"
#include "tileir/Runtime/HostCpu.h"
#include "tileir/Runtime/Workspace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/AllInterfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::runtime;
using namespace tileir::tensor_operation;

/// The dialects and interfaces that lowering an operation needs.
static void registerOperationDialects(DialectRegistry &registry) {
  registry.insert<EinsumDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, func::FuncDialect,
                  linalg::LinalgDialect, memref::MemRefDialect,
                  tensor::TensorDialect>();
  einsum::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  linalg::registerAllDialectInterfaceImplementations(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerOpenMPDialectTranslation(registry);
}

OperationPasses::OperationPasses(MLIRContext *context, bool optimize,
                                 int64_t threads, const std::string &config)
    : schedule(context), fast(context), full(context) {
  // Our passes are tested with it.
  for (PassManager *manager : {&schedule, &fast, &full})
    manager->enableVerifier(false);
  EinsumToCpuOptions options;
  // What was tuned was measured by all passes, which pad operands elsewhere.
  options.tier = config == "auto" ? CompileTier::Fast : CompileTier::Full;
  options.openmp = threads != 1;
  options.threads = threads;
  options.fuseDims = optimize;
  options.parallelize = optimize;
  options.barePointers = true;
  options.config = config;
  buildCpuSchedulePipeline(schedule, options);
  options.tier = CompileTier::Fast;
  buildScheduledToCpuPipeline(fast, options);
  options.tier = CompileTier::Full;
  buildScheduledToCpuPipeline(full, options);
}

OperationCompiler::OperationCompiler()
    : context(MLIRContext::Threading::DISABLED) {
  DialectRegistry registry;
  registerOperationDialects(registry);
  context.appendDialectRegistry(registry);
  // Modules are built, not parsed.
  context.loadAllAvailableDialects();
}

Expected<std::unique_ptr<OperationCompiler>> OperationCompiler::create() {
  std::unique_ptr<OperationCompiler> compiler(new OperationCompiler());
  auto jit = Jit::create();
  if (!jit)
    return jit.takeError();
  compiler->jit = std::move(*jit);
  return compiler;
}

/// A failed check calls this, after which loops do nothing. With static sizes,
/// only one check is left to run time: that divisors are positive.
static void reportCheck() {
  errs() << "error: a tensor operation expects positive divisors, and a table "
            "has others: its output is not complete\n";
}

static constexpr StringLiteral kCall = "tileir_operation_call";

namespace {
/// What the contractions of a module tell of it.
struct ContractionReport {
  explicit ContractionReport(ModuleOp module) {
    module.walk([&](einsum::ContractOp op) { add(op); });
  }

  void add(einsum::ContractOp op) {
    schedule.clear();
    if (auto attribute = op.getScheduleAttr()) {
      raw_string_ostream os(schedule);
      mlir::Attribute(attribute).print(os);
    }
    SpecAttr spec = op.getSpec();
    contractions += (contractions.empty() ? "" : "\n") + spec.toString();
    bool sums = spec.getNumIndices() > spec.getNumResultIndices();
    double points = spec.getNumOperands() - 1 + sums;
    for (int64_t size : getStaticIndexSizes(op))
      points *= static_cast<double>(size);
    flops += points;
  }

  /// The schedule of the last one.
  std::string schedule;
  std::string contractions;
  double flops = 0;
};
} // namespace

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

OperationPasses &OperationCompiler::getPasses(const OperationModule &module,
                                              const std::string &config) {
  return passes
      .try_emplace({module.optimize, module.threads, config}, &context,
                   module.optimize, module.threads, config)
      .first->second;
}

/// What is to be looked up for an operation: nothing, but for contractions.
static const std::optional<std::string> &
getTuned(const EinsumDescription &description) {
  return description.tuned;
}
static std::optional<std::string> getTuned(const OperationDescription &) {
  return std::nullopt;
}

Expected<CompileTier> OperationCompiler::lower(OperationModule &module,
                                               OperationPasses &passes) {
  OwningOpRef<ModuleOp> scheduled = module.module->clone();
  ErrorCollector errors(&context);
  if (succeeded(passes.fast.run(*module.module)))
    return CompileTier::Fast;
  // The other tier is to judge the rest.
  consumeError(errors.take(""));
  module.module = std::move(scheduled);
  if (succeeded(passes.full.run(*module.module)))
    return CompileTier::Full;
  return errors.take("the operation cannot be lowered");
}

template <typename Description>
Expected<TensorOperation::Pointer>
OperationCompiler::compileDescription(const Description &description) {
  std::shared_ptr<TensorOperation> operation(new TensorOperation());
  Watch watch;
  auto made = makeModule(&context, description);
  if (!made)
    return made.takeError();
  if (const std::optional<std::string> &path = getTuned(description))
    if (Error error = findTunedConfig(*made, *path).moveInto(operation->tuned))
      return std::move(error);
  attachMachine(*made->module, getHostCpu());
  OperationPasses &passes =
      getPasses(*made, operation->tuned.empty() ? "auto" : operation->tuned);
  ErrorCollector errors(&context);
  if (failed(passes.schedule.run(*made->module)))
    return errors.take("no schedule was found for the operation");
  ContractionReport report(*made->module);
  operation->schedule = std::move(report.schedule);
  operation->contractions = std::move(report.contractions);
  operation->flops = report.flops;
  operation->times.schedule = watch.lap();

  auto tier = lower(*made, passes);
  if (!tier)
    return tier.takeError();
  operation->times.lowering = watch.lap();

  LLVMContext llvmContext;
  auto module = translateModuleToLLVMIR(*made->module, llvmContext);
  if (!module)
    return errors.take("the operation cannot be translated to LLVM IR");
  addArrayCall(*module, kEntry, kCall, /*hasLast=*/true);
  bool isFull = *tier == CompileTier::Full;
  jit->optimize(*module,
                isFull ? CodeGenOptLevel::Aggressive : CodeGenOptLevel::None);
  operation->times.translation = watch.lap();

  auto object = jit->generate(*module, isFull ? CodeGenOptLevel::Aggressive
                                              : CodeGenOptLevel::Default);
  if (!object)
    return object.takeError();
  operation->times.codeGeneration = watch.lap();

  SmallVector<HostFunction> functions(getWorkspaceFunctions());
  functions.emplace_back(einsum::kReportCheckFunction, &reportCheck);
  auto code = Jit::link(*object, kCall, functions);
  if (!code)
    return code.takeError();
  operation->code = std::move(*code);
  operation->function = reinterpret_cast<void (*)(const void *const *, void *)>(
      operation->code->getEntry());
  operation->times.linking = watch.lap();

  operation->tableChecks = std::move(made->tableChecks);
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

Expected<std::string>
OperationCompiler::printProgram(const EinsumDescription &description) {
  auto made = makeModule(&context, description);
  if (!made)
    return made.takeError();
  return tensor_operation::printProgram(*made);
}

Error OperationCompiler::checkTables(const EinsumDescription &description,
                                     const void *const *tables) {
  auto made = makeModule(&context, description);
  if (!made)
    return made.takeError();
  if (!made->tableChecks)
    return Error::success();
  // Operands come first, and are not looked at.
  SmallVector<const void *> inputs(description.shapes.size());
  inputs.append(tables, tables + description.tables.size());
  if (auto failure = made->tableChecks->check(inputs.data()))
    return failAt(failure->details, "{0}", failure->message);
  return Error::success();
}

//===- Lowering.cpp - From einsum to the LLVM dialect ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Short lists of passes, for a user waits for them: what the vector lowering
// makes needs no canonicalization. Where something is left on tensors, all of
// it becomes loops over scalars; where only a contraction is, as a padded copy
// that tables direct, that one does.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "tileir/Conversion/Passes.h"
#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"
#include "tileir/Dialect/Einsum/Transforms/BufferizableOpInterfaceImpl.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/SCFToOpenMP/SCFToOpenMP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/AllInterfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

void tileir::registerOperationDialects(DialectRegistry &registry) {
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

OperationLowering::OperationLowering(MLIRContext *context)
    : context(context), kernels(context), finish(context) {
  kernels.enableVerifier(false);
  kernels.addPass(createConvertEinsumToVectorPass());
  finish.enableVerifier(false);
  finish.addPass(createSCFToControlFlowPass());
  finish.addPass(createConvertOperationToLLVMPass());
}

LogicalResult OperationLowering::chooseSchedule(OperationModule &module) {
  PassManager passes(context);
  passes.enableVerifier(false);
  if (module.isPlain) {
    passes.addPass(einsum::createEinsumContractPairwisePass());
    passes.addPass(einsum::createEinsumPadOperandsPass());
    passes.addPass(createPadBuffersPass());
    EinsumFusePassOptions fuse;
    fuse.maxContractions = 1;
    passes.addPass(einsum::createEinsumFusePass(fuse));
  }
  EinsumChooseSchedulePassOptions choose;
  choose.threads = 1;
  if (module.optimize) {
    passes.addPass(einsum::createEinsumFuseDimsPass());
    choose.threads = module.threads;
  }
  passes.addPass(einsum::createEinsumChooseSchedulePass(choose));
  return passes.run(*module.module);
}

/// From tensors to buffers, for what the vector lowering leaves.
static void addTensorPasses(PassManager &passes) {
  passes.addPass(einsum::createEinsumInlineKernelsPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  passes.addPass(bufferization::createOneShotBufferizePass());
  bufferization::buildBufferDeallocationPipeline(passes);
  passes.addPass(createConvertBufferizationToMemRefPass());
}

/// Scalars' loops, which LLVM is to vectorize.
static void addLoopPasses(PassManager &passes) {
  ConvertEinsumToAffinePassOptions options;
  options.checks = RuntimeChecks::Sizes;
  options.parallelIterations = 0;
  passes.addPass(createConvertEinsumToAffinePass(options));
  passes.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createLoopInvariantCodeMotionPass());
  passes.addPass(createCSEPass());
  passes.addPass(memref::createExpandOpsPass());
  passes.addPass(memref::createExpandStridedMetadataPass());
}

/// Erases what nothing computes with, tensors of buffers above all.
static void eraseUnused(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op) ||
        (isa<bufferization::ToTensorOp, bufferization::ToBufferOp>(op) &&
         op->use_empty()))
      op->erase();
  });
}

/// Whether something is left on tensors.
static bool hasTensors(ModuleOp module) {
  auto isOpen = [](Operation *op) {
    auto contract = dyn_cast<ContractOp>(op);
    bool isOpen = contract
                      ? contract.hasTensorForm()
                      : isa_and_nonnull<EinsumDialect, tensor::TensorDialect,
                                        linalg::LinalgDialect,
                                        bufferization::BufferizationDialect>(
                            op->getDialect());
    return isOpen ? WalkResult::interrupt() : WalkResult::advance();
  };
  return module.walk(isOpen).wasInterrupted();
}

/// Whether there is an op of this kind.
template <typename Op> static bool contains(ModuleOp module) {
  auto found = [](Op) { return WalkResult::interrupt(); };
  return module.walk(found).wasInterrupted();
}

/// Reports of failed checks without their values, memrefs of dynamic size,
/// which have no place among functions on pointers.
static void simplifyReports(ModuleOp module) {
  auto report = module.lookupSymbol<func::FuncOp>(kReportCheckFunction);
  if (!report)
    return;
  report.setFunctionType(FunctionType::get(module.getContext(), {}, {}));
  module.walk([&](func::CallOp call) {
    if (call.getCallee() != kReportCheckFunction)
      return;
    OpBuilder builder(call);
    func::CallOp::create(builder, call.getLoc(), report, ValueRange());
    call.erase();
  });
}

/// Frees the buffers that nothing frees: results of contractions that others
/// read. They are made, and the function ends, outside of loops.
static void freeBuffers(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    Block &body = function.getBody().front();
    OpBuilder builder(body.getTerminator());
    for (auto alloc : body.getOps<memref::AllocOp>())
      if (llvm::none_of(alloc->getUsers(), llvm::IsaPred<memref::DeallocOp>))
        memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
  }
}

/// Parallel loops by OpenMP.
static void addParallelPasses(PassManager &passes, int64_t threads) {
  ConvertSCFToOpenMPPassOptions options;
  options.numThreads = threads;
  passes.addPass(createConvertSCFToOpenMPPass(options));
  // Alloca scopes, which cannot be lowered around control flow.
  passes.addPass(createCanonicalizerPass());
}

LogicalResult OperationLowering::lower(OperationModule &operation,
                                       bool &needsOptimizer) {
  OwningOpRef<ModuleOp> scheduled = operation.module->clone();
  if (failed(kernels.run(*operation.module)))
    return failure();
  eraseUnused(*operation.module);

  PassManager passes(context);
  passes.enableVerifier(false);
  needsOptimizer = true;
  if (hasTensors(*operation.module)) {
    operation.module = std::move(scheduled);
    addTensorPasses(passes);
    addLoopPasses(passes);
  } else {
    freeBuffers(*operation.module);
    if (operation.threads != 1 && contains<scf::ParallelOp>(*operation.module))
      addParallelPasses(passes, operation.threads);
    needsOptimizer = contains<ContractOp>(*operation.module);
    if (needsOptimizer)
      addLoopPasses(passes);
  }
  if (passes.size() > 0 && failed(passes.run(*operation.module)))
    return failure();
  simplifyReports(*operation.module);
  return finish.run(*operation.module);
}

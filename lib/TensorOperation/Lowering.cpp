//===- Lowering.cpp - From einsum to the LLVM dialect ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Short lists of passes, for they are most of what a user waits for: what the
// vector lowering makes needs no canonicalization.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "tileir/Conversion/Passes.h"
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

LogicalResult tileir::chooseSchedule(OperationModule &module) {
  PassManager passes(module.module->getContext());
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
    choose.threads = module.threads;
    passes.addPass(einsum::createEinsumFuseDimsPass());
  }
  passes.addPass(einsum::createEinsumChooseSchedulePass(choose));
  return passes.run(*module.module);
}

/// Scalars' loops, for what the vector lowering leaves.
static void addLoopPasses(PassManager &passes) {
  passes.addPass(einsum::createEinsumInlineKernelsPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  passes.addPass(bufferization::createOneShotBufferizePass());
  bufferization::buildBufferDeallocationPipeline(passes);
  passes.addPass(createConvertBufferizationToMemRefPass());
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

/// Whether nothing is left to be bufferized or to be made loops of.
static bool isLowered(ModuleOp module) {
  auto isOpen = [](Operation *op) {
    return isa_and_nonnull<EinsumDialect, tensor::TensorDialect,
                           linalg::LinalgDialect,
                           bufferization::BufferizationDialect>(
               op->getDialect())
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return !module.walk(isOpen).wasInterrupted();
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

LogicalResult tileir::lowerToLLVM(OperationModule &operation,
                                  bool &needsOptimizer) {
  MLIRContext *context = operation.module->getContext();
  OwningOpRef<ModuleOp> scheduled = operation.module->clone();
  PassManager kernels(context);
  kernels.enableVerifier(false);
  kernels.addPass(createConvertEinsumToVectorPass());
  if (failed(kernels.run(*operation.module)))
    return failure();
  eraseUnused(*operation.module);
  needsOptimizer = !isLowered(*operation.module);

  PassManager passes(context);
  passes.enableVerifier(false);
  if (needsOptimizer) {
    operation.module = std::move(scheduled);
    addLoopPasses(passes);
  } else {
    freeBuffers(*operation.module);
    auto isParallel = [](scf::ParallelOp) { return WalkResult::interrupt(); };
    if (operation.threads != 1 &&
        operation.module->walk(isParallel).wasInterrupted()) {
      ConvertSCFToOpenMPPassOptions options;
      options.numThreads = operation.threads;
      passes.addPass(createConvertSCFToOpenMPPass(options));
      // Alloca scopes, which cannot be lowered around control flow.
      passes.addPass(createCanonicalizerPass());
    }
  }
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertOperationToLLVMPass());
  if (getenv("MTIME")) passes.enableTiming();
  return passes.run(*operation.module);
}

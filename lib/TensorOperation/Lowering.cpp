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
  passes.addPass(einsum::createEinsumContractPairwisePass());
  int64_t threads = 1;
  if (module.optimize) {
    threads = module.threads;
    passes.addPass(einsum::createEinsumFuseDimsPass());
    passes.addPass(einsum::createEinsumIdentifyPrimitivesPass());
  }
  EinsumChooseSchedulePassOptions choose;
  choose.threads = threads;
  passes.addPass(einsum::createEinsumChooseSchedulePass(choose));
  if (module.optimize && threads != 1) {
    EinsumParallelizePassOptions parallelize;
    parallelize.threads = threads;
    passes.addPass(einsum::createEinsumParallelizePass(parallelize));
  }
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

/// Whether there is an op of one of these kinds.
template <typename... Ops> static bool contains(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<Ops...>(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Erases the tensors of buffers, once nothing computes with them.
static void eraseTensors(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isa<bufferization::ToTensorOp, bufferization::ToBufferOp>(op) &&
        op->use_empty())
      op->erase();
  });
}

LogicalResult tileir::lowerToLLVM(OperationModule &operation,
                                  bool &needsOptimizer) {
  ModuleOp module = *operation.module;
  auto run = [&](llvm::function_ref<void(PassManager &)> add) {
    PassManager passes(module.getContext());
    passes.enableVerifier(false);
    add(passes);
    return passes.run(module);
  };
  if (failed(run([](PassManager &passes) {
        passes.addPass(createConvertEinsumToVectorPass());
      })))
    return failure();
  needsOptimizer = contains<ContractOp, KernelOp>(module);
  if (!needsOptimizer)
    eraseTensors(module);
  bool isParallel = operation.threads != 1 && contains<scf::ParallelOp>(module);
  return run([&](PassManager &passes) {
    if (needsOptimizer)
      addLoopPasses(passes);
    if (isParallel) {
      ConvertSCFToOpenMPPassOptions options;
      options.numThreads = operation.threads;
      passes.addPass(createConvertSCFToOpenMPPass(options));
      // Alloca scopes, which cannot be lowered around control flow.
      passes.addPass(createCanonicalizerPass());
    }
    passes.addPass(createSCFToControlFlowPass());
    passes.addPass(createConvertOperationToLLVMPass());
  });
}

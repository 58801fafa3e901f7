//===- CpuStages.cpp - Common stages of pipelines for the CPU -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs functions on tensors or memrefs; after the last stage there is the LLVM
// dialect, and OpenMP's where loops are parallel.
//
//===----------------------------------------------------------------------===//

#include "CpuStages.h"

#include "tileir/Conversion/AMXToLLVM/AMXToLLVM.h"
#include "tileir/Conversion/AssertToCheck/AssertToCheck.h"
#include "tileir/Conversion/DotToLLVM/DotToLLVM.h"
#include "tileir/Conversion/EinsumToAffine/EinsumToAffine.h"
#include "tileir/Conversion/PrintfToLLVM/PrintfToLLVM.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"
#include "tileir/Dialect/Math/Transforms/Passes.h"
#include "tileir/Dialect/MemRef/Transforms/Passes.h"
#include "tileir/Dialect/OpenMP/Transforms/Passes.h"
#include "tileir/Dialect/SCF/Transforms/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/SCFToOpenMP/SCFToOpenMP.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::pipelines;

void pipelines::addCleanupPasses(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void pipelines::addTensorPasses(OpPassManager &manager) {
  manager.addPass(einsum::createEinsumInlineKernelsPass());
  manager.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
}

void pipelines::addBufferizePasses(OpPassManager &manager) {
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  // What a branch yields may be asked for before it is a buffer.
  options.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(bufferization::createOneShotBufferizePass(options));
}

void pipelines::addOpenMPPass(OpPassManager &manager,
                              const CpuOptions &options) {
  ConvertSCFToOpenMPPassOptions openmp;
  openmp.numThreads = options.threads;
  manager.addPass(createConvertSCFToOpenMPPass(openmp));
  manager.addPass(createOpenMPSkipBarriersPass());
}

/// Leaves out affine-loop-invariant-code-motion, which moves loads out of loops
/// that may have no iteration, and so may read what is not there.
void pipelines::addLoopPasses(OpPassManager &manager, const CpuOptions &options,
                              std::unique_ptr<Pass> linalgToLoops) {
  bufferization::buildBufferDeallocationPipeline(manager);
  manager.addNestedPass<func::FuncOp>(createMemRefFreeEarlyPass());
  manager.addPass(createConvertBufferizationToMemRefPass());
  if (options.verifyContracts)
    manager.addPass(einsum::createEinsumVerifyMemRefsPass());
  ConvertEinsumToAffinePassOptions affine;
  affine.checks = options.checks;
  if (!options.openmp)
    affine.parallelIterations = 0;
  manager.addPass(createConvertEinsumToAffinePass(affine));
  manager.addPass(createConvertAssertToCheckPass());
  // Functions one by one, which threads share.
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(std::move(linalgToLoops));
  addCleanupPasses(functions);
  functions.addPass(createLowerAffinePass());
  functions.addPass(createMemRefHoistLoadsPass());
  functions.addPass(createCSEPass());
  manager.addPass(createScfOutlineLoopsPass());
  if (options.openmp) {
    ScfSplitParallelLoopsPassOptions split;
    if (options.threads > 0)
      split.iterations = options.threads;
    manager.addPass(createScfSplitParallelLoopsPass(split));
    addOpenMPPass(manager, options);
    // It removes the alloca scopes that the conversion makes; they could not be
    // lowered around control flow.
    manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  }
  manager.addNestedPass<func::FuncOp>(createMemRefFenceNontemporalPass());
}

void pipelines::addMemRefPasses(OpPassManager &manager) {
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(memref::createExpandOpsPass());
  functions.addPass(memref::createExpandStridedMetadataPass());
  functions.addPass(createLowerAffinePass());
}

/// convert-openmp-to-llvm comes after convert-func-to-llvm, which it expects.
void pipelines::addLLVMPasses(OpPassManager &manager,
                              const CpuOptions &options) {
  addMemRefPasses(manager);
  OpPassManager &functions = manager.nest<func::FuncOp>();
  functions.addPass(createSCFToControlFlowPass());
  functions.addPass(createExpandF8Pass());
  functions.addPass(arith::createArithExpandOpsPass());
  functions.addPass(createConvertMathToLLVMPass());
  functions.addPass(createConvertIndexToLLVMPass());
  functions.addPass(createUBToLLVMConversionPass());
  // These add functions to the module.
  manager.addPass(createConvertPrintfToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertDotToLLVMPass());
  ConvertVectorToLLVMPassOptions vector;
  vector.x86Vector = true;
  manager.addPass(createConvertVectorToLLVMPass(vector));
  // It merges blocks that differ in a memref, which becomes their argument:
  // branches of LLVM could not pass that yet.
  manager.addPass(createConvertAMXToLLVMPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  if (options.openmp)
    manager.addPass(createConvertOpenMPToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

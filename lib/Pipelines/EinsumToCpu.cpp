//===- EinsumToCpu.cpp - einsum-to-cpu-pipeline ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions, with the element-wise ops around them, get schedules and become
// kernels on vectors. In the full tier, what has no schedule becomes plain
// loops, the outer ones parallel. The fast tier takes nothing else: its module
// needs no clean-up before and after kernels, one conversion instead of
// upstream's ten, and no code that is not written by a kernel. It fails where
// something is left; the full tier takes that.
//
//===----------------------------------------------------------------------===//

#include "CpuStages.h"
#include "ModulePipeline.h"

#include "tileir/Conversion/CpuToLLVM/CpuToLLVM.h"
#include "tileir/Conversion/DotToLLVM/DotToLLVM.h"
#include "tileir/Conversion/EinsumToVector/EinsumToVector.h"
#include "tileir/Conversion/LinalgToVector/LinalgToVector.h"
#include "tileir/Conversion/PadToMemRef/PadToMemRef.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"
#include "tileir/Dialect/Math/Transforms/Passes.h"
#include "tileir/Dialect/MemRef/Transforms/Passes.h"
#include "tileir/Dialect/SCF/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::pipelines;
using namespace tileir::runtime;

static bool isFast(const EinsumToCpuOptions &options) {
  return options.tier == CompileTier::Fast;
}

static bool runsThreads(const EinsumToCpuOptions &options) {
  return options.openmp && options.parallelize && options.threads != 1;
}

static bool makesKernels(const EinsumToCpuOptions &options) {
  return options.schedule && options.checks != RuntimeChecks::All;
}

/// Makes buffers of padded operands, but for what the kernels copy themselves.
static void addPadPass(OpPassManager &manager,
                       const EinsumToCpuOptions &options,
                       bool beforeSchedules) {
  ConvertPadToMemRefPassOptions pad;
  pad.parallel = runsThreads(options);
  pad.beforeSchedules = beforeSchedules;
  manager.addPass(createConvertPadToMemRefPass(pad));
}

/// Gives einsum-choose-schedule the options that `config` has for it.
static LogicalResult
setConfig(Pass &pass, const EinsumToCpuOptions &options,
          function_ref<LogicalResult(const Twine &)> fail) {
  return options.config == "auto"
             ? success()
             : pass.initializeOptions(options.config, fail);
}

void tileir::buildCpuSchedulePipeline(OpPassManager &manager,
                                      const EinsumToCpuOptions &options) {
  if (!makesKernels(options)) {
    manager.addPass(einsum::createEinsumInlineKernelsPass());
    return addCleanupPasses(manager);
  }
  bool cleansUp = !isFast(options);
  if (cleansUp)
    addCleanupPasses(manager);
  einsum::EinsumContractPairwisePassOptions pairwise;
  // Buffers on memrefs are freed, which buffer deallocation does not take.
  pairwise.memrefs = isFast(options);
  manager.addPass(einsum::createEinsumContractPairwisePass(pairwise));
  manager.addPass(einsum::createEinsumPadOperandsPass());
  // Bufferization would copy element by element, and the fast tier has none.
  if (isFast(options))
    addPadPass(manager, options, /*beforeSchedules=*/true);
  if (cleansUp) {
    addCleanupPasses(manager);
    if (options.layouts)
      manager.addPass(einsum::createEinsumChooseLayoutsPass());
    manager.addPass(einsum::createEinsumHoistInvariantsPass());
  }
  einsum::EinsumFusePassOptions fuse;
  fuse.maxContractions = 1;
  // A loop of its own computes vectors, and each element once.
  fuse.recompute = false;
  manager.addPass(einsum::createEinsumFusePass(fuse));
  if (options.fuseDims)
    manager.addPass(einsum::createEinsumFuseDimsPass());
  einsum::EinsumChooseSchedulePassOptions choose;
  choose.threads = runsThreads(options) ? int64_t(options.threads) : 1;
  choose.list = options.listConfigs;
  choose.absorbSums = options.fuseDims;
  std::unique_ptr<Pass> pass = einsum::createEinsumChooseSchedulePass(choose);
  [[maybe_unused]] LogicalResult isRight =
      setConfig(*pass, options, [](const Twine &) { return failure(); });
  assert(succeeded(isRight) && "expected a config that was verified");
  manager.addPass(std::move(pass));
  if (isFast(options))
    addPadPass(manager, options, /*beforeSchedules=*/false);
}

/// The kernels, and what they leave.
static void addKernelPass(OpPassManager &manager,
                          const EinsumToCpuOptions &options) {
  ConvertEinsumToVectorPassOptions vector;
  vector.deallocate = isFast(options);
  vector.checks = options.checks;
  manager.addPass(createConvertEinsumToVectorPass(vector));
}

/// One conversion instead of upstream's passes. Functions take pointers.
static void addConversion(OpPassManager &manager, bool freeBuffers) {
  manager.addPass(createExpandF8Pass());
  manager.addPass(createConvertDotToLLVMPass());
  ConvertCpuToLLVMPassOptions conversion;
  conversion.freeBuffers = freeBuffers;
  manager.addPass(createConvertCpuToLLVMPass(conversion));
}

void tileir::buildScheduledToCpuPipeline(OpPassManager &manager,
                                         const EinsumToCpuOptions &options) {
  if (makesKernels(options)) {
    // LLVM has no powers of vectors.
    math::MathExpandOpsPassOptions expand;
    expand.opMnemonics = {"fpowi"};
    if (!isFast(options))
      manager.addPass(math::createMathExpandOpsPass(expand));
    addKernelPass(manager, options);
  }
  if (isFast(options)) {
    if (options.openmp)
      addOpenMPPass(manager, options);
    manager.addNestedPass<func::FuncOp>(createMemRefFenceNontemporalPass());
    addConversion(manager, /*freeBuffers=*/true);
    return;
  }
  addTensorPasses(manager);
  // What is stored to a buffer is computed there.
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  addBufferizePasses(manager);
  // Kernels are as they stay: what follows is faster on small functions.
  ScfOutlineLoopsPassOptions outline;
  outline.minSingleOps = 256;
  manager.addPass(createScfOutlineLoopsPass(outline));
  if (makesKernels(options)) {
    ConvertLinalgToVectorPassOptions windows;
    windows.parallel = options.openmp;
    windows.borderedWindows = true;
    manager.addPass(createConvertLinalgToVectorPass(windows));
  }
  MemRefCopyWithBorderPassOptions copies;
  copies.parallel = runsThreads(options);
  manager.addNestedPass<func::FuncOp>(createMemRefCopyWithBorderPass(copies));
  if (makesKernels(options)) {
    ConvertLinalgToVectorPassOptions vector;
    vector.parallel = options.openmp;
    vector.collapse = true;
    manager.addPass(createConvertLinalgToVectorPass(vector));
    OpPassManager &functions = manager.nest<func::FuncOp>();
    addCleanupPasses(functions);
    functions.addPass(createScfFuseLoopsPass());
    manager.addPass(createCpuApproximateMathPass());
  }
  addLoopPasses(manager, options, createConvertLinalgToParallelLoopsPass());
  if (!options.barePointers)
    return addLLVMPasses(manager, options);
  addMemRefPasses(manager);
  addConversion(manager, /*freeBuffers=*/false);
}

void tileir::buildEinsumToCpuPipeline(OpPassManager &manager,
                                      const EinsumToCpuOptions &options) {
  buildCpuSchedulePipeline(manager, options);
  buildScheduledToCpuPipeline(manager, options);
}

void tileir::registerEinsumToCpuPipeline(bool verifyContracts) {
  registerModulePipeline<EinsumToCpuOptions>(
      "einsum-to-cpu-pipeline",
      "From einsum on tensors to the LLVM dialect for the CPU",
      [](OpPassManager &manager,
         const EinsumToCpuOptions &options) -> LogicalResult {
        // Its message goes to stderr, as those of all options do.
        auto fail = [](const Twine &message) {
          llvm::errs() << message << '\n';
          return failure();
        };
        if (failed(setConfig(*einsum::createEinsumChooseSchedulePass(), options,
                             fail)))
          return failure();
        buildEinsumToCpuPipeline(manager, options);
        return success();
      },
      verifyContracts);
}

//===- TileToCpu.cpp - tile-to-cpu-pipeline -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each program of a grid is one iteration of a parallel loop and serial inside.
// Its tiles are buffers, never SSA vectors: large ones would take minutes to
// compile. Fusion leaves few ops on these buffers, which become loops over
// vectors of the machine.
//
//===----------------------------------------------------------------------===//

#include "CpuStages.h"
#include "ModulePipeline.h"
#include "TextPipeline.h"

#include "tileir/Conversion/LinalgToVector/LinalgToVector.h"
#include "tileir/Conversion/TileToLinalg/TileToLinalg.h"
#include "tileir/Dialect/Linalg/Transforms/Passes.h"
#include "tileir/Dialect/Math/Transforms/Passes.h"
#include "tileir/Dialect/MemRef/Transforms/Passes.h"
#include "tileir/Dialect/SCF/Transforms/Passes.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::pipelines;

/// Buffers of a loop are made once, before it.
static void addPlacementPasses(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(
      bufferization::createBufferLoopHoistingPass());
  manager.addNestedPass<func::FuncOp>(createMemRefPromoteToStackPass());
}

void tileir::buildTileToCpuPipeline(OpPassManager &manager,
                                    const CpuOptions &options) {
  if (options.verifyContracts)
    manager.addPass(tile::createTileVerifyProgramPass());
  addCleanupPasses(manager);
  manager.addPass(tile::createTilePeepholePass());
  manager.addPass(tile::createTileEliminateMasksPass());
  manager.addPass(tile::createTileCarryOffsetsPass());
  manager.addPass(createConvertTileToLinalgPass());
  addTensorPasses(manager);
  addCleanupPasses(manager);
  // Element-wise ops are computed in one loop, with their indices and masks,
  // whose axes of size one are in the way.
  manager.addNestedPass<func::FuncOp>(createLinalgFoldUnitExtentDimsPass());
  addCleanupPasses(manager);
  manager.addNestedPass<func::FuncOp>(createLinalgRecomputeIndicesPass());
  manager.addNestedPass<func::FuncOp>(createLinalgElementwiseOpFusionPass());
  // Fusion takes in reshapes, which give columns of addresses such axes again.
  manager.addNestedPass<func::FuncOp>(createLinalgFoldUnitExtentDimsPass());
  addCleanupPasses(manager);
  manager.addNestedPass<func::FuncOp>(createLinalgComputeInPlacePass());
  addBufferizePasses(manager);
  // Loops that carried tiles need not carry their buffers.
  addCleanupPasses(manager);
  manager.addPass(createConvertLinalgToVectorPass());
  addCleanupPasses(manager);
  manager.addNestedPass<func::FuncOp>(createScfFuseLoopsPass());
  manager.addPass(createCpuApproximateMathPass());
  addPlacementPasses(manager);
  addLoopPasses(manager, options, createConvertLinalgToLoopsPass());
  manager.addNestedPass<func::FuncOp>(createScfPrefetchPass());
  addLLVMPasses(manager, options);
}

void pipelines::registerTileToCpuPipeline(bool verifyContracts) {
  registerModulePipeline<CpuOptions>(
      "tile-to-cpu-pipeline",
      "From tile kernels and their launches to the LLVM dialect for the CPU",
      [](OpPassManager &manager, const CpuOptions &options) {
        buildTileToCpuPipeline(manager, options);
        return success();
      },
      verifyContracts);
}

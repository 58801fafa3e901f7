//===- TileToCpu.cpp - tile-to-cpu-pipeline -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each program of a grid is one iteration of a parallel loop and serial inside.
// Its tiles are buffers, never SSA vectors: large ones would take minutes to
// compile. What fusion leaves is loops over these buffers, whose innermost ones
// LLVM vectorizes.
//
//===----------------------------------------------------------------------===//

#include "CpuStages.h"
#include "TextPipeline.h"

using namespace mlir;
using namespace tileir;

/// What is element-wise is computed in one loop.
static constexpr StringLiteral kFusionPasses =
    "canonicalize,cse,func.func(linalg-fuse-elementwise-ops),canonicalize,cse,";

/// Buffers of a loop are made once, before it. Small ones lie on the stack;
/// others do not: threads of OpenMP have little of it, and a kernel may have
/// hundreds of tiles.
static constexpr StringLiteral kPlacementPasses =
    "func.func(buffer-loop-hoisting,"
    "promote-buffers-to-stack{max-alloc-size-in-bytes=1024}),";

static std::string getTileToCpuText(const CpuOptions &options) {
  return ("canonicalize,cse,convert-tile-to-linalg," + kTensorPasses +
          kFusionPasses + kBufferizePasses + kPlacementPasses)
             .str() +
         getBufferPasses(options, "convert-linalg-to-loops");
}

static constexpr StringLiteral kTileToCpuName = "tile-to-cpu-pipeline";

void tileir::buildTileToCpuPipeline(OpPassManager &manager,
                                    const CpuOptions &options) {
  addTextPipeline(manager, kTileToCpuName, getTileToCpuText(options));
}

void tileir::registerTileToCpuPipeline() {
  registerTextPipeline(
      kTileToCpuName,
      "From tile kernels and their launches to the LLVM dialect for the CPU",
      getTileToCpuText);
}

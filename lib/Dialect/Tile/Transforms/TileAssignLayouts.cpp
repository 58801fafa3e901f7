//===- TileAssignLayouts.cpp - tile-assign-layouts ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses of memory and products have layouts of their own (LayoutChoice.h);
// sums of elements, and what is computed of these element by element, have
// those of their operands. All other tiles are cheap to rematerialize
// (constants, ranges, masks, pointers, and broadcast, transposed or reshaped
// tiles): they are made in each layout in which they are needed, and a tile
// loaded only to be broadcast has the layout for that. What is left are
// conversions between layouts.
//
// Needs kernels without tile.psi, and sizes that are powers of two. Afterwards
// every tile has a layout, and products by matrix instructions are tile.mma.
//
//===----------------------------------------------------------------------===//

#include "LayoutAssigner.h"

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEASSIGNLAYOUTSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

namespace {

struct TileAssignLayoutsPass
    : tileir::tile::impl::TileAssignLayoutsPassBase<TileAssignLayoutsPass> {
  using TileAssignLayoutsPassBase::TileAssignLayoutsPassBase;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel))
      return;
    if (numWarps != 0 && (!llvm::isPowerOf2_64(numWarps) || numWarps > 32)) {
      kernel.emitError("expected 'num-warps' to be 0 or a power of two up to "
                       "32, found ")
          << numWarps.getValue();
      return signalPassFailure();
    }
    LayoutAssigner assigner(kernel, getConfig(kernel), numWarps, useMma);
    if (failed(assigner.run()))
      return signalPassFailure();
    numConversions += assigner.getNumConversions();
    numMmas += assigner.getNumMmas();
  }
};

} // namespace

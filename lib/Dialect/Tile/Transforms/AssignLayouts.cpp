//===- AssignLayouts.cpp - tile-assign-layouts ----------------------------===//
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

/// Reads "64x32x32": three powers of two.
static FailureOr<std::array<int64_t, 3>> parseSizes(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  std::array<int64_t, 3> sizes;
  if (parts.size() != 3)
    return failure();
  for (auto [part, size] : llvm::zip_equal(parts, sizes))
    if (part.getAsInteger(10, size) || !llvm::isPowerOf2_64(size) ||
        size > 4096)
      return failure();
  return sizes;
}

namespace {

struct TileAssignLayoutsPass
    : tileir::tile::impl::TileAssignLayoutsPassBase<TileAssignLayoutsPass> {
  using TileAssignLayoutsPassBase::TileAssignLayoutsPassBase;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel))
      return;
    auto warpSizes = parseSizes(warp);
    if (failed(warpSizes) || (*warpSizes)[0] < 16 || (*warpSizes)[1] < 16) {
      kernel.emitError("expected 'warp' to be three powers of two, rows and "
                       "columns at least 16, as in '64x32x32', found '")
          << warp << "'";
      return signalPassFailure();
    }
    const layout::MmaAtom *preferred = layout::findAtom(atom);
    if (!atom.empty() && !preferred) {
      kernel.emitError("expected 'atom' to be ")
          << layout::getAtomNames() << ", found '" << atom << "'";
      return signalPassFailure();
    }
    if (numWarps != 0 && (!llvm::isPowerOf2_64(numWarps) || numWarps > 32)) {
      kernel.emitError("expected 'num-warps' to be 0 or a power of two up to "
                       "32, found ")
          << numWarps.getValue();
      return signalPassFailure();
    }
    MmaOptions options;
    options.warpRows = (*warpSizes)[0];
    options.warpColumns = (*warpSizes)[1];
    options.atom = preferred;
    if (ConfigAttr config = ConfigAttr::find(kernel)) {
      options.warpRows = config.getWarp()[0];
      options.warpColumns = config.getWarp()[1];
      options.atom = config.getAtom();
    }
    LayoutAssigner assigner(kernel, options, numWarps, useMma);
    if (failed(assigner.run()))
      return signalPassFailure();
    numConversions += assigner.getNumConversions();
    numMmas += assigner.getNumMmas();
  }
};

} // namespace

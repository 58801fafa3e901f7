//===- TileAttachTarget.cpp - tile-attach-target --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks the chip up in the table of GPUs. Afterwards the module has
// `tile.target`.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEATTACHTARGETPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir::tile;

namespace {

struct TileAttachTargetPass
    : tileir::tile::impl::TileAttachTargetPassBase<TileAttachTargetPass> {
  using TileAttachTargetPassBase::TileAttachTargetPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto given = module->getAttrOfType<TargetAttr>(TileDialect::kTarget);
    if (given && given.getChip() == chip)
      return;
    if (given) {
      module.emitError("expected kernels for ")
          << given.getChip() << ", as 'tile.target' says, found 'chip' to be "
          << chip;
      return signalPassFailure();
    }
    const tileir::machine::Gpu *gpu = tileir::machine::findGpu(chip);
    if (!gpu) {
      module.emitError("expected 'chip' to be one of ")
          << tileir::machine::getGpuNames() << ", found '" << chip
          << "'; a module with 'tile.target' can be for any other";
      return signalPassFailure();
    }
    module->setAttr(TileDialect::kTarget, TargetAttr::get(&getContext(), *gpu));
    ++numAttached;
  }
};

} // namespace

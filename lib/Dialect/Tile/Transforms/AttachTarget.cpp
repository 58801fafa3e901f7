//===- AttachTarget.cpp - tile-attach-target ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place where the name of a chip is looked at. Afterwards the module
// has `tile.target`.
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
    TargetAttr target = TargetAttr::getChip(&getContext(), chip);
    if (!target) {
      module.emitError("expected 'chip' to be one of ")
          << llvm::join(TargetAttr::getChips(), ", ") << ", found '" << chip
          << "'; a module with 'tile.target' can be for any other";
      return signalPassFailure();
    }
    module->setAttr(TileDialect::kTarget, target);
    ++numAttached;
  }
};

} // namespace

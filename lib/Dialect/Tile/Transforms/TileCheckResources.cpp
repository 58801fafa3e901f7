//===- TileCheckResources.cpp - tile-check-resources ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes after tile-allocate-shared, when tiles have layouts. Afterwards kernels
// fit in what `tile.target` has.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/RegisterCounts.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILECHECKRESOURCESPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

static LogicalResult check(func::FuncOp kernel, TargetAttr target) {
  auto getNumber = [&](StringRef name, int64_t otherwise) {
    auto number = kernel->getAttrOfType<IntegerAttr>(name);
    return number ? number.getInt() : otherwise;
  };
  int64_t shared = getNumber(TileDialect::kSharedBytes, 0);
  if (shared > target.getShared())
    return kernel.emitError("needs ")
           << shared << " bytes of shared memory for a program, and "
           << target.getChip() << " has " << target.getShared()
           << ": use a smaller 'block', or fewer 'stages'";
  int64_t threads = 32 * std::max<int64_t>(countWarps(kernel), 1);
  if (threads > target.getThreads())
    return kernel.emitError("needs ")
           << threads << " threads for a program, and " << target.getChip()
           << " has " << target.getThreads()
           << ": use a larger 'warp', or a smaller 'block'";
  int64_t registers = countCarried(kernel);
  if (registers > target.getRegisters())
    return kernel.emitError("carries tiles of ")
           << registers << " registers of a thread through its loops, and "
           << target.getChip() << " has " << target.getRegisters()
           << ": use a smaller 'warp', so that there are more warps, or a "
              "smaller 'block'";
  return success();
}

namespace {

struct TileCheckResourcesPass
    : tileir::tile::impl::TileCheckResourcesPassBase<TileCheckResourcesPass> {
  using TileCheckResourcesPassBase::TileCheckResourcesPassBase;

  void runOnOperation() override {
    TargetAttr target = TargetAttr::find(getOperation());
    if (!target)
      return;
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      if (failed(check(kernel, target)))
        signalPassFailure();
      ++numChecked;
    }
  }
};

} // namespace

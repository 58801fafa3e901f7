//===- MemRefHoistLoads.cpp - memref-hoist-loads --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loop-invariant code motion that also moves loads of scalars. LLVM does that
// as well, where it knows that no store of the loop goes to the same place: it
// no longer does once a parallel loop is a function whose buffers are
// arguments.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/MemRef/Transforms/Passes.h"

#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace tileir {
#define GEN_PASS_DEF_MEMREFHOISTLOADSPASS
#include "tileir/Dialect/MemRef/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

/// Whether an iteration of `loop` may write what `load` reads.
static bool mayWrite(LoopLikeOpInterface loop, memref::LoadOp load,
                     AliasAnalysis &aliases) {
  for (Region *region : loop.getLoopRegions()) {
    bool isWritten =
        region
            ->walk([&](Operation *op) {
              // What it does is that of the ops in it.
              if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
                return WalkResult::advance();
              return WalkResult(
                  failure(aliases.getModRef(op, load.getMemref()).isMod()));
            })
            .wasInterrupted();
    if (isWritten)
      return true;
  }
  return false;
}

/// Whether the body of `loop` runs at all.
static bool hasIterations(LoopLikeOpInterface loop) {
  auto count = loop.getStaticTripCount();
  return count && count->isStrictlyPositive();
}

namespace {
struct MemRefHoistLoadsPass
    : tileir::impl::MemRefHoistLoadsPassBase<MemRefHoistLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    auto &aliases = getAnalysis<AliasAnalysis>();
    // The innermost loops first.
    getOperation()->walk([&](LoopLikeOpInterface loop) {
      unsigned left = hasIterations(loop) ? maxLoads : 0;
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) {
            return loop.isDefinedOutsideOfLoop(value);
          },
          [&](Operation *op, Region *) {
            if (isMemoryEffectFree(op) && isSpeculatable(op))
              return true;
            auto load = dyn_cast<memref::LoadOp>(op);
            if (!load || left == 0 || mayWrite(loop, load, aliases))
              return false;
            --left;
            ++numHoisted;
            return true;
          },
          [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
    });
  }
};
} // namespace

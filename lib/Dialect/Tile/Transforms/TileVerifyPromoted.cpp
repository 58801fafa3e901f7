//===- TileVerifyPromoted.cpp - tile-verify-promoted ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract of kernels that can become what one thread does (S in
// Passes.td): what warps exchange goes through shared memory, which has places
// and barriers. It comes after tile-insert-barriers and changes nothing.
//
//===----------------------------------------------------------------------===//

#include "LocalAccess.h"

#include "tileir/Dialect/Tile/Analysis/ThreadLayouts.h"
#include "tileir/Dialect/Tile/Transforms/Contracts.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEVERIFYPROMOTEDPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::ConversionPlan;

static constexpr Contract kPromotedContract{"tile-verify-promoted"};

/// S1.
static LogicalResult verifyStaysInWarp(ConvertLayoutOp op) {
  if (getConversionPlan(op).kind != ConversionPlan::Kind::SharedMemory)
    return success();
  return kPromotedContract.violate(op, "S1")
         << "expects a conversion that each warp can do by itself, found one "
            "that needs shared memory: run tile-promote-shared before";
}

/// S2.
template <typename Op> static LogicalResult verifyAxisInWarp(Op op) {
  if (getAxisSteps(getTileLayout(op.getSource().getType()), op.getAxis()))
    return success();
  return kPromotedContract.violate(op, "S2")
         << "expects each warp to have all elements of axis " << op.getAxis()
         << ", found it divided among warps: run tile-promote-shared before";
}

LogicalResult tile::verifyBufferUses(func::FuncOp kernel) {
  auto verify = [](Operation *op) -> WalkResult {
    for (const LocalAccess &access : LocalAccess::list(op))
      if (!access.buffer.getDefiningOp<AllocOp>())
        return kPromotedContract.violate(op, "S3")
               << "expects a buffer from a tile.alloc in this kernel, found "
                  "one of another op: allocate it here";
    auto alloc = dyn_cast<AllocOp>(op);
    if (!alloc)
      return success();
    for (Operation *user : alloc->getUsers())
      if (!LocalAccess::get(user) && !isOfChannel(user)) {
        InFlightDiagnostic diagnostic =
            kPromotedContract.violate(alloc, "S3")
            << "expects a buffer that only tile.local_store, tile.local_load, "
               "tile.async_load, tile.async_load_view, tile.bulk_load, "
               "tile.bulk_store and tile.mma_async use, found '"
            << user->getName() << "': use it by these";
        diagnostic.attachNote(user->getLoc()) << "used here";
        return diagnostic;
      }
    return success();
  };
  return failure(kernel.walk<WalkOrder::PreOrder>(verify).wasInterrupted());
}

LogicalResult tile::verifyOffsets(func::FuncOp kernel) {
  auto verify = [](Operation *op) -> WalkResult {
    if (!isa<AllocOp, ChannelOp>(op))
      return success();
    auto offset = op->getAttrOfType<IntegerAttr>("offset");
    int64_t alignment = getAlignment(op);
    if (offset && offset.getInt() % alignment == 0)
      return success();
    return kPromotedContract.violate(op, "S4")
           << "expects an offset, a multiple of " << alignment
           << ", as tile-allocate-shared leaves it, found "
           << (offset ? std::to_string(offset.getInt()) : "none");
  };
  return failure(kernel.walk(verify).wasInterrupted());
}

/// S5.
template <typename Op>
static LogicalResult verifyRoom(Op op, int64_t bytesOfOp) {
  auto attr =
      cast<func::FuncOp>(getKernel(op))
          ->template getAttrOfType<IntegerAttr>(TileDialect::kSharedBytes);
  int64_t bytes = attr ? attr.getInt() : 0;
  int64_t end = *op.getOffset() + bytesOfOp;
  if (end <= bytes)
    return success();
  return kPromotedContract.violate(op, "S5")
         << "expects a buffer within '" << TileDialect::kSharedBytes
         << "' of the kernel, " << bytes << ", found one that ends at " << end
         << ": run tile-allocate-shared again";
}

/// S6.
template <typename Op> static LogicalResult verifyStages(Op op, Type tile) {
  if (getStageLayout(op.getBuffer().getType(), getShape(tile)))
    return success();
  return kPromotedContract.violate(op, "S6")
         << "expects the layout of the buffer to be that of one stage, found "
         << op.getBuffer().getType() << ": let it have the axes of the tile, "
         << tile;
}

/// S9.
static LogicalResult verifyHasAsync(Operation *op) {
  TargetAttr target = TargetAttr::find(op);
  if (!target || target.getAsync())
    return success();
  return kPromotedContract.violate(op, "S9")
         << "expects a chip with asynchronous copies, found "
         << target.getChip()
         << ": use tile.load and tile.local_store, or a later chip";
}

/// S7.
static LogicalResult verifyHalf(Operation *op, Value whole, Value half) {
  if (mapHalf(whole.getType(), half.getType(), 0))
    return success();
  return kPromotedContract.violate(op, "S7")
         << "expects a bit of the register to choose the half, and halves in "
            "the layout of the whole without it, found "
         << half.getType() << " of " << whole.getType()
         << ": convert the whole to such a layout before";
}

/// S10.
static LogicalResult verifyFence(LocalStoreOp op) {
  if (!lacksFence(op))
    return success();
  return kPromotedContract.violate(op, "S10")
         << "expects a tile.proxy_fence behind it, for a bulk store reads its "
            "buffer, found none before the next barrier: run "
            "tile-insert-fences";
}

/// S11.
static LogicalResult verifyActsOnce(Operation *op) {
  auto isStored = [](Operation *user) {
    return isa<LocalStoreOp>(user) ||
           (isa<SplatOp>(user) &&
            llvm::all_of(user->getUsers(),
                         [](auto *next) { return isa<LocalStoreOp>(next); }));
  };
  if (reachesAllWarps(op) || llvm::all_of(op->getUsers(), isStored))
    return success();
  return kPromotedContract.violate(op, "S11")
         << "expects a result that goes to shared memory, as several warps "
            "hold its elements and one acts: run tile-promote-shared before";
}

static LogicalResult verifyPromotedOp(Operation *op) {
  if (actsOnce(op))
    return verifyActsOnce(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case(verifyStaysInWarp)
      .Case<ReduceOp, ScanOp>([](auto op) { return verifyAxisInWarp(op); })
      .Case([](AllocOp op) {
        return verifyRoom(op, getNumBytes(op.getBuffer().getType()));
      })
      .Case([](ChannelOp op) { return verifyRoom(op, op.getNumBytes()); })
      .Case([](LocalStoreOp op) {
        return failure(failed(verifyStages(op, op.getValue().getType())) ||
                       failed(verifyFence(op)));
      })
      .Case([](LocalLoadOp op) {
        auto tile = cast<RankedTensorType>(op.getType());
        return verifyStages(op, tile.clone(op.getStageShape()));
      })
      .Case<AsyncLoadOp, AsyncLoadViewOp>([](auto op) {
        return failure(failed(verifyStages(op, op.getTile())) ||
                       failed(verifyHasAsync(op)));
      })
      .Case([](SplitOp op) {
        return verifyHalf(op, op.getSource(), op.getLhs());
      })
      .Case(
          [](JoinOp op) { return verifyHalf(op, op.getResult(), op.getLhs()); })
      .Default(success());
}

LogicalResult tile::verifyPromoted(ModuleOp module) {
  if (failed(verifyLayouts(module)))
    return failure();
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!isKernel(kernel))
      continue;
    if (failed(verifyBufferUses(kernel)) || failed(verifyOffsets(kernel)))
      return failure();
    auto verify = [](Operation *op) -> WalkResult {
      return verifyPromotedOp(op);
    };
    if (kernel.walk<WalkOrder::PreOrder>(verify).wasInterrupted())
      return failure();
  }
  return success();
}

/// S8.
static LogicalResult verifyBarriers(func::FuncOp kernel) {
  Operation *access = findMissingBarrier(kernel);
  if (!access)
    return success();
  return kPromotedContract.violate(access, "S8")
         << "expects a tile.barrier between it and what other threads do to "
            "the same shared memory before it, found none on some path: run "
            "tile-insert-barriers";
}

namespace {
struct TileVerifyPromotedPass
    : tileir::tile::impl::TileVerifyPromotedPassBase<TileVerifyPromotedPass> {
  using TileVerifyPromotedPassBase::TileVerifyPromotedPassBase;

  void runOnOperation() override {
    if (failed(verifyPromoted(getOperation())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      if (failed(verifyBarriers(kernel)))
        return signalPassFailure();
      ++numKernels;
    }
  }
};
} // namespace

//===- TileInsertFences.cpp - tile-insert-fences --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread stores to a buffer that a bulk store reads gets a fence right
// behind it, unless there is one. The barrier between the fence and the bulk
// store is another one's: run tile-insert-barriers afterwards.
//
//===----------------------------------------------------------------------===//

#include "LocalAccess.h"

#include "tileir/Dialect/Tile/Transforms/Passes.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEINSERTFENCESPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

bool tile::lacksFence(Operation *op) {
  auto store = dyn_cast<LocalStoreOp>(op);
  if (!store ||
      llvm::none_of(store.getBuffer().getUsers(), llvm::IsaPred<BulkStoreOp>))
    return false;
  // What other threads wait for must not come before it.
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    if (isa<ProxyFenceOp>(next))
      return false;
    if (isa<BarrierOp, BulkStoreOp>(next) || next->getNumRegions() > 0)
      return true;
  }
  return true;
}

namespace {
struct TileInsertFencesPass
    : tileir::tile::impl::TileInsertFencesPassBase<TileInsertFencesPass> {
  using TileInsertFencesPassBase::TileInsertFencesPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> stores;
    getOperation()->walk([&](LocalStoreOp op) {
      if (getKernel(op) && lacksFence(op))
        stores.push_back(op);
    });
    for (Operation *store : stores) {
      OpBuilder builder(store->getContext());
      builder.setInsertionPointAfter(store);
      ProxyFenceOp::create(builder, store->getLoc());
    }
    numFences += stores.size();
  }
};
} // namespace

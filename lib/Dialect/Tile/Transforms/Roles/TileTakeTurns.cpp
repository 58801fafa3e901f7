//===- TileTakeTurns.cpp - tile-take-turns --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs roles, as tile-overlap-products leaves them. A turn is from the first
// product that an iteration begins to the last one.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"
#include "tileir/Layout/Fragments/Warpgroup.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILETAKETURNSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// Whether an iteration computes something of what a product gives.
static bool computes(scf::ForOp loop) {
  return llvm::any_of(loop.getBody()->getOps<MmaWaitOp>(), [](MmaWaitOp wait) {
    return llvm::any_of(wait->getUsers(), [](Operation *user) {
      return !isa<MmaAsyncOp, MmaWaitOp, scf::YieldOp>(user);
    });
  });
}

namespace {
struct TileTakeTurnsPass
    : tileir::tile::impl::TileTakeTurnsPassBase<TileTakeTurnsPass> {
  using TileTakeTurnsPassBase::TileTakeTurnsPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](RolesOp roles) {
      for (auto [warps, role] :
           llvm::zip_equal(roles.getWarps(), roles.getRoles()))
        if (warps > layout::kGroupWarps)
          role.walk(
              [&](scf::ForOp loop) { run(loop, warps / layout::kGroupWarps); });
    });
  }

private:
  void run(scf::ForOp loop, int64_t groups);
};
} // namespace

void TileTakeTurnsPass::run(scf::ForOp loop, int64_t groups) {
  auto products = llvm::to_vector(loop.getBody()->getOps<MmaAsyncOp>());
  if (products.size() < 2 || !computes(loop))
    return;
  auto opts = remark::RemarkOpts::name("take-turns").category("tile");
  for (Operation *op = products.front(); op != products.back();
       op = op->getNextNode())
    if (!isInTurn(op)) {
      remark::missed(op->getLoc(), opts)
          << remark::reason("'{0}' is between the products of an iteration",
                            op->getName().getStringRef());
      return;
    }
  OpBuilder builder(products.front());
  TakeTurnOp::create(builder, products.front().getLoc());
  builder.setInsertionPointAfter(products.back());
  PassTurnOp::create(builder, products.back().getLoc());
  ++numTurns;
  remark::passed(products.front().getLoc(), opts)
      << remark::metric("groups", groups);
}

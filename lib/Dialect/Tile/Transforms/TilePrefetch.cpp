//===- TilePrefetch.cpp - tile-prefetch -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loads that feed a product run ahead of it (RunAhead.h): what
// tile-pipeline has made asynchronous is no load any more. Run canonicalization
// and loop-invariant code motion before. A loop that has been pipelined has no
// load that feeds a product in its own iteration, and is left alone.
//
//===----------------------------------------------------------------------===//

#include "RunAhead.h"

#include "tileir/Dialect/Tile/Transforms/Masks.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPREFETCHPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// The loads that feed a product in the same iteration, if it has operands in
/// registers.
static SmallVector<Operation *> findLoads(scf::ForOp loop) {
  SmallVector<Operation *> loads, products = findProducts(loop);
  for (auto product : loop.getBody()->getOps<MmaAsyncOp>())
    products.push_back(product);
  for (Operation *source : getSources(loop, products, /*isCarried=*/false))
    if (isPlainLoad(source))
      loads.push_back(source);
  return loads;
}

namespace {
struct TilePrefetchPass
    : tileir::tile::impl::TilePrefetchPassBase<TilePrefetchPass> {
  using TilePrefetchPassBase::TilePrefetchPassBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      Operation *kernel = getKernel(loop);
      if (kernel && getConfig(kernel).stages > 1)
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      if (!findProducts(loop).empty() || !findLoads(loop).empty())
        prefetch(rewriter, loop);
  }

private:
  void prefetch(RewriterBase &rewriter, scf::ForOp loop) {
    Location loc = loop.getLoc();
    auto name = remark::RemarkOpts::name("prefetch").category("tile");
    auto keep = [&](StringRef reason) {
      ++numKept;
      remark::missed(loc, name) << remark::reason("{0}", reason);
    };
    SmallVector<Operation *> loads = findLoads(loop);
    if (loads.empty())
      return keep("no tile.load or tile.load_view of an iteration feeds its "
                  "product");
    RunAhead ahead(loop, loads);
    if (std::string reason = ahead.check(); !reason.empty())
      return keep(reason);
    unsigned numLoads = llvm::count_if(
        ahead.getOps(), [](Operation *op) { return isMaskable(op); });
    int64_t stages = getRegisterStages(getKernel(loop));
    rewriter.setInsertionPoint(loop);
    if (failed(ahead.apply(rewriter, stages - 1)))
      return keep("upstream's pipeliner does not take it");
    ++numPipelined;
    remark::passed(loc, name) << remark::metric("loads", numLoads)
                              << remark::metric("stages", stages);
  }
};
} // namespace

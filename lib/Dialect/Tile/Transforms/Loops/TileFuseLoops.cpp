//===- TileFuseLoops.cpp - tile-fuse-loops --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two loops of a block become one if they have the same bounds, the second one
// does not depend on the first one, both load the same tile, and nothing from
// the first to the end of the second one writes to memory. What the second one
// depends on moves before the first one, then the second one itself, then
// upstream makes one loop of both. Loads that are now twice in it are left to
// cse, so constants and bounds should have been through it before.
//
//===----------------------------------------------------------------------===//

#include "RunAhead.h"

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEFUSELOOPSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

namespace {
/// Two loops, which go through the same numbers.
struct LoopPair {
  scf::ForOp first, second;

  /// Whether a value of the first loop's iteration is that of the second one.
  bool isSame(Value a, Value b) {
    if (a == b)
      return true;
    Operation *opA = a.getDefiningOp(), *opB = b.getDefiningOp();
    if (!opA || !opB)
      return a == first.getInductionVar() && b == second.getInductionVar();
    return opA->getBlock() == first.getBody() &&
           opB->getBlock() == second.getBody() && isSame(opA, opB);
  }
  bool isSame(Operation *a, Operation *b) {
    return a->getNumRegions() == 0 &&
           OperationEquivalence::isEquivalentTo(
               a, b, [&](Value a, Value b) { return success(isSame(a, b)); },
               /*markEquivalent=*/nullptr,
               OperationEquivalence::IgnoreLocations);
  }
  /// The tiles that both load.
  unsigned countSharedLoads();
  /// The failure reason why they cannot be one loop; empty if they can.
  std::string check();
};
} // namespace

static bool isTileLoad(Operation *op) {
  return isPlainLoad(op) && isa<RankedTensorType>(op->getResult(0).getType());
}

unsigned LoopPair::countSharedLoads() {
  return llvm::count_if(*first.getBody(), [&](Operation &a) {
    return isTileLoad(&a) && llvm::any_of(*second.getBody(), [&](Operation &b) {
             return isTileLoad(&b) && isSame(&a, &b);
           });
  });
}

std::string LoopPair::check() {
  if (first.getLowerBound() != second.getLowerBound() ||
      first.getUpperBound() != second.getUpperBound() ||
      first.getStep() != second.getStep() ||
      first.getUnsignedCmp() != second.getUnsignedCmp())
    return "their bounds differ";
  for (Operation *op = first; op != second->getNextNode();
       op = op->getNextNode())
    if (op->walk([](Operation *inner) {
            return mayWrite(inner) ? WalkResult::interrupt()
                                   : WalkResult::advance();
          }).wasInterrupted())
      return "memory is written between";
  return "";
}

namespace {

struct TileFuseLoopsPass
    : tileir::tile::impl::TileFuseLoopsPassBase<TileFuseLoopsPass> {
  using TileFuseLoopsPassBase::TileFuseLoopsPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](func::FuncOp function) {
      if (isKernel(function))
        function.walk([&](Block *block) { fuseIn(*block); });
    });
  }

private:
  void fuseIn(Block &block) {
    IRRewriter rewriter(&getContext());
    auto loops = llvm::to_vector(block.getOps<scf::ForOp>());
    for (size_t i = 1; i < loops.size(); ++i)
      if (scf::ForOp fused = fuse(rewriter, {loops[i - 1], loops[i]}))
        loops[i] = fused;
  }

  /// Returns the loop that two become; null if they stay.
  scf::ForOp fuse(RewriterBase &rewriter, LoopPair loops) {
    unsigned shared = loops.countSharedLoads();
    if (shared == 0)
      return {};
    std::string reason = loops.check();
    if (reason.empty() &&
        failed(moveOperationDependencies(rewriter, loops.second, loops.first)))
      reason = "the second one depends on the first one";
    auto name = remark::RemarkOpts::name("fuse-loops").category("tile");
    if (!reason.empty()) {
      ++numKept;
      remark::missed(loops.second.getLoc(), name)
          << remark::reason("{0}", reason);
      return {};
    }
    remark::passed(loops.second.getLoc(), name)
        << remark::metric("loads", shared);
    rewriter.moveOpAfter(loops.second, loops.first);
    ++numFused;
    return fuseIndependentSiblingForLoops(loops.first, loops.second, rewriter);
  }
};

} // namespace

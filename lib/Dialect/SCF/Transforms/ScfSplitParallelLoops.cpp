//===- ScfSplitParallelLoops.cpp - scf-split-parallel-loops ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes before OpenMP, which divides to tell the dimensions of a loop apart.
// Afterwards, the inner dimensions of loops without other loops are nested
// loops, of which LLVM makes vectors.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/SCF/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {
#define GEN_PASS_DEF_SCFSPLITPARALLELLOOPSPASS
#include "tileir/Dialect/SCF/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

namespace {

struct ScfSplitParallelLoopsPass
    : tileir::impl::ScfSplitParallelLoopsPassBase<ScfSplitParallelLoopsPass> {
  using ScfSplitParallelLoopsPassBase::ScfSplitParallelLoopsPassBase;

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation()->walk([&](scf::ParallelOp op) { loops.push_back(op); });
    for (scf::ParallelOp op : loops)
      if (unsigned numParallel = getNumParallel(op);
          numParallel < op.getNumLoops()) {
        split(op, numParallel);
        ++numSplit;
      }
  }

private:
  /// How many dimensions, from the first on, have enough iterations: all, if
  /// the loop stays as it is.
  unsigned getNumParallel(scf::ParallelOp op) const {
    bool hasLoops =
        op.getBody()
            ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (hasLoops || !op.getInitVals().empty())
      return op.getNumLoops();
    int64_t count = 1;
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
      std::optional<int64_t> begin =
          getConstantIntValue(op.getLowerBound()[dim]);
      std::optional<int64_t> end = getConstantIntValue(op.getUpperBound()[dim]);
      std::optional<int64_t> step = getConstantIntValue(op.getStep()[dim]);
      if (!begin || !end || !step)
        return op.getNumLoops();
      count *= llvm::divideCeil(std::max<int64_t>(*end - *begin, 0), *step);
      if (count >= iterations)
        return dim + 1;
    }
    return op.getNumLoops();
  }

  static void split(scf::ParallelOp op, unsigned numParallel) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto outer = scf::ParallelOp::create(
        builder, loc, op.getLowerBound().take_front(numParallel),
        op.getUpperBound().take_front(numParallel),
        op.getStep().take_front(numParallel));
    SmallVector<Value> indices(outer.getInductionVars());
    Block *body = outer.getBody();
    for (unsigned dim = numParallel; dim < op.getNumLoops(); ++dim) {
      builder.setInsertionPointToStart(body);
      auto inner =
          scf::ForOp::create(builder, loc, op.getLowerBound()[dim],
                             op.getUpperBound()[dim], op.getStep()[dim]);
      indices.push_back(inner.getInductionVar());
      body = inner.getBody();
    }
    op.getBody()->getTerminator()->erase();
    body->getOperations().splice(body->begin(), op.getBody()->getOperations());
    for (auto [from, to] : llvm::zip_equal(op.getInductionVars(), indices))
      from.replaceAllUsesWith(to);
    op.erase();
  }
};

} // namespace

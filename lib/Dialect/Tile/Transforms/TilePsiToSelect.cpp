//===- TilePsiToSelect.cpp - tile-psi-to-select ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites tile.psi and tile.cmpp, one op at a time, as ops of arith.
// Afterwards neither is left. What was poison (a psi without a true predicate)
// is the first pair's value.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPSITOSELECTPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

namespace {

struct PsiToSelect : OpRewritePattern<PsiOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PsiOp op,
                                PatternRewriter &rewriter) const override {
    Value result = op.getValues().front();
    for (auto [predicate, value] :
         llvm::drop_begin(llvm::zip(op.getPredicates(), op.getValues())))
      result = arith::SelectOp::create(rewriter, op.getLoc(), predicate, value,
                                       result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct CmppToCmp : OpRewritePattern<CmppOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CmppOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    StringRef name = op.getPredicate();
    Value holds;
    if (isa<FloatType>(getElement(op.getLhs().getType())))
      holds = arith::CmpFOp::create(rewriter, loc,
                                    *arith::symbolizeCmpFPredicate(name),
                                    op.getLhs(), op.getRhs());
    else
      holds = arith::CmpIOp::create(rewriter, loc,
                                    *arith::symbolizeCmpIPredicate(name),
                                    op.getLhs(), op.getRhs());
    // The opposite of an ordered comparison is not another one: NaN.
    Value opposite;
    if (!op.getElsePredicate().use_empty()) {
      Value ones = arith::ConstantOp::create(
          rewriter, loc, rewriter.getOneAttr(holds.getType()));
      opposite = arith::XOrIOp::create(rewriter, loc, holds, ones);
    }
    rewriter.replaceOp(op, {holds, opposite});
    return success();
  }
};

struct TilePsiToSelectPass
    : tileir::tile::impl::TilePsiToSelectPassBase<TilePsiToSelectPass> {
  using TilePsiToSelectPassBase::TilePsiToSelectPassBase;

  void runOnOperation() override {
    getOperation()->walk(
        [&](PsiOp op) { numSelects += op.getValues().size() - 1; });
    RewritePatternSet patterns(&getContext());
    populatePsiToSelectPatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

void tile::populatePsiToSelectPatterns(RewritePatternSet &patterns) {
  patterns.add<CmppToCmp, PsiToSelect>(patterns.getContext());
}

//===- IfToPsi.cpp - tile-if-to-psi ---------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If-conversion of kernels (MAPL 2019, section 4.3), from the innermost scf.if
// outwards. Run canonicalization before, so that conditions are comparisons,
// and after, so that equal masks become one. Afterwards an scf.if that is left
// holds an op which cannot be run where its condition is false, or too many.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Masks.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEIFTOPSIPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

static remark::RemarkOpts getRemarkName() {
  return remark::RemarkOpts::name("if-to-psi").category("tile");
}

/// Why `op` cannot be run where the condition is false; empty if it can.
static std::string whyNotSpeculated(Operation *op) {
  std::string name = "'" + op->getName().getStringRef().str() + "'";
  if (isMaskable(op) || isa<AssumeOp>(op))
    return "";
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    APInt step;
    if (!matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
        !step.isStrictlyPositive())
      return name + " has a step that is not known to be positive";
    for (Operation &inner : loop.getBody()->without_terminator())
      if (std::string why = whyNotSpeculated(&inner); !why.empty())
        return why;
    return "";
  }
  if (!isMemoryEffectFree(op))
    return name + " has effects that no mask takes away";
  if (!isSpeculatable(op))
    return name + " may fail where the condition is false";
  return "";
}

/// Whether values of this type can be in a tile, or are tiles.
static bool isTileValue(Type type) {
  if (isa<ShapedType>(type) && !TileType::isTile(type))
    return false;
  Type element = getElement(type);
  return isa<PtrType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
             element) ||
         llvm::any_of(
             ArrayRef<unsigned>{1, 8, 16, 32, 64},
             [&](unsigned width) { return element.isSignlessInteger(width); });
}

namespace {

/// Makes one scf.if straight.
class IfConverter {
public:
  IfConverter(scf::IfOp op, RewriterBase &rewriter)
      : op(op), rewriter(rewriter) {}

  void convert() {
    makePredicates();
    SmallVector<Value> thenValues = inlineBranch(op.thenBlock(), thenPredicate);
    SmallVector<Value> elseValues;
    if (op.elseBlock())
      elseValues = inlineBranch(op.elseBlock(), elsePredicate);
    SmallVector<Value> results;
    for (auto [a, b] : llvm::zip_equal(thenValues, elseValues))
      results.push_back(merge(a, b));
    rewriter.replaceOp(op, results);
  }

private:
  /// The condition and its opposite. A comparison becomes a tile.cmpp, for all
  /// of its users, as another scf.if may be among them.
  void makePredicates() {
    OpBuilder::InsertionGuard guard(rewriter);
    Operation *condition = op.getCondition().getDefiningOp();
    auto becomesCmpp = [&](auto compare) {
      if (!isTileValue(compare.getLhs().getType()))
        return;
      rewriter.setInsertionPoint(compare);
      Type type = compare.getType();
      auto cmpp = CmppOp::create(rewriter, compare.getLoc(), type, type,
                                 stringifyEnum(compare.getPredicate()),
                                 compare.getLhs(), compare.getRhs());
      rewriter.replaceOp(compare, cmpp.getThenPredicate());
    };
    if (auto compare = dyn_cast_if_present<arith::CmpIOp>(condition))
      becomesCmpp(compare);
    else if (auto compare = dyn_cast_if_present<arith::CmpFOp>(condition))
      becomesCmpp(compare);

    thenPredicate = op.getCondition();
    auto cmpp = thenPredicate.getDefiningOp<CmppOp>();
    if (cmpp && thenPredicate == cmpp.getThenPredicate()) {
      elsePredicate = cmpp.getElsePredicate();
    } else if (cmpp) {
      elsePredicate = cmpp.getThenPredicate();
    } else if (op.elseBlock()) {
      rewriter.setInsertionPoint(op);
      Value one = arith::ConstantOp::create(rewriter, op.getLoc(),
                                            rewriter.getBoolAttr(true));
      elsePredicate =
          arith::XOrIOp::create(rewriter, op.getLoc(), thenPredicate, one);
    }
  }

  /// Moves the ops of a branch before the scf.if; returns what it yields.
  SmallVector<Value> inlineBranch(Block *block, Value predicate) {
    block->walk([&](Operation *inner) {
      if (isMaskable(inner))
        addToMask(rewriter, inner, predicate);
      else if (auto assume = dyn_cast<AssumeOp>(inner))
        rewriter.replaceOp(assume, assume.getValue());
    });
    Operation *yield = block->getTerminator();
    SmallVector<Value> values(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(block, op);
    return values;
  }

  Value merge(Value a, Value b) {
    rewriter.setInsertionPoint(op);
    if (!isTileValue(a.getType()))
      return arith::SelectOp::create(rewriter, op.getLoc(), thenPredicate, a,
                                     b);
    return PsiOp::create(rewriter, op.getLoc(), a.getType(),
                         ValueRange{thenPredicate, elsePredicate},
                         ValueRange{a, b});
  }

  scf::IfOp op;
  RewriterBase &rewriter;
  Value thenPredicate, elsePredicate;
};

struct TileIfToPsiPass
    : tileir::tile::impl::TileIfToPsiPassBase<TileIfToPsiPass> {
  using TileIfToPsiPassBase::TileIfToPsiPassBase;

  void runOnOperation() override {
    // Inner ones come first.
    SmallVector<scf::IfOp> ops;
    getOperation()->walk([&](scf::IfOp op) {
      if (getKernel(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (scf::IfOp op : ops)
      convert(op, rewriter);
  }

private:
  void convert(scf::IfOp op, RewriterBase &rewriter) {
    unsigned numOps = 0;
    std::string why;
    for (Region *region : {&op.getThenRegion(), &op.getElseRegion()}) {
      for (Operation &inner : region->getOps())
        if (why.empty() && !inner.hasTrait<OpTrait::IsTerminator>())
          why = whyNotSpeculated(&inner);
      region->walk([&](Operation *inner) {
        numOps += !inner->hasTrait<OpTrait::IsTerminator>();
      });
    }
    if (why.empty() && numOps > maxOps)
      why = llvm::formatv("the branches hold {0} ops, more than max-ops = {1}",
                          numOps, maxOps.getValue());
    if (!why.empty()) {
      ++numKept;
      remark::missed(op.getLoc(), getRemarkName())
          << remark::reason("{0}", why);
      return;
    }
    ++numConverted;
    remark::passed(op.getLoc(), getRemarkName())
        << remark::metric("ops", numOps);
    rewriter.setInsertionPoint(op);
    IfConverter(op, rewriter).convert();
  }
};

} // namespace

//===- TileEliminateMasks.cpp - tile-eliminate-masks ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds comparisons of tiles whose answer is known, by upstream's integer range
// analysis, or that are the same for the whole tile, by axis analysis; makes
// them constants, or comparisons of scalars; then lets the patterns of
// canonicalization take away the masks. Constants should have been propagated
// before (canonicalization); scf.for loops tell what their induction variable
// is below.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <numeric>

namespace tileir::tile {
#define GEN_PASS_DEF_TILEELIMINATEMASKSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

namespace {

/// The elements of a tile: `scalar` (0 if null) plus numbers from `lo` to `hi`,
/// the sum modulo the width.
struct Lanes {
  Value scalar;
  int64_t lo = 0, hi = 0;
};

/// An arith.cmpi or tile.cmpp of tiles of integers.
struct Comparison {
  Operation *op;
  arith::CmpIPredicate predicate;

  static std::optional<Comparison> get(Operation *op);
};

/// A comparison in the form `first + [0, length) < bound`, signed, all scalars;
/// or, if `isNegated`, its opposite. 0 for a first that is null. The bound is a
/// value, a constant, or both.
struct Inside {
  Value first, bound;
  std::optional<int64_t> constantBound;
  int64_t length = 0;
  bool isNegated = false;
};

/// The result found for a comparison.
enum class Answer { Unknown, False, True, Uniform };

class MaskFinder {
public:
  explicit MaskFinder(const DataFlowSolver &solver) : solver(solver) {}

  /// The answer of a comparison; if it is uniform, of which one of scalars.
  Answer find(const Comparison &comparison, Inside &inside) const;

private:
  std::optional<ConstantIntRanges> getRange(Value value) const;
  std::optional<Lanes> getLanes(Value value) const;
  std::optional<Inside> getInside(const Comparison &comparison) const;
  bool isBelowInLoop(const Inside &inside) const;

  const DataFlowSolver &solver;
};

} // namespace

std::optional<ConstantIntRanges> MaskFinder::getRange(Value value) const {
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  if (!lattice || lattice->getValue().isUninitialized())
    return std::nullopt;
  return lattice->getValue().getValue();
}

std::optional<Lanes> MaskFinder::getLanes(Value value) const {
  Operation *op = value.getDefiningOp();
  if (auto splat = dyn_cast_if_present<SplatOp>(op))
    return Lanes{splat.getValue()};
  if (isa_and_present<BroadcastOp, ReshapeOp, TransOp>(op))
    return getLanes(op->getOperand(0));
  if (auto sum = dyn_cast_if_present<arith::AddIOp>(op)) {
    auto lhs = getLanes(sum.getLhs()), rhs = getLanes(sum.getRhs());
    if (!lhs || !rhs || (lhs->scalar && rhs->scalar))
      return std::nullopt;
    return Lanes{lhs->scalar ? lhs->scalar : rhs->scalar, lhs->lo + rhs->lo,
                 lhs->hi + rhs->hi};
  }
  // Small numbers only: their sums never overflow here.
  auto range = getRange(value);
  if (!range || !range->smin().isSignedIntN(31) ||
      !range->smax().isSignedIntN(31))
    return std::nullopt;
  return Lanes{Value(), range->smin().getSExtValue(),
               range->smax().getSExtValue()};
}

std::optional<Inside>
MaskFinder::getInside(const Comparison &comparison) const {
  using P = arith::CmpIPredicate;
  Value item = comparison.op->getOperand(0);
  Value bound = comparison.op->getOperand(1);
  P predicate = comparison.predicate;
  if (predicate == P::sgt || predicate == P::sle) {
    std::swap(item, bound);
    predicate = predicate == P::sgt ? P::slt : P::sge;
  }
  if (predicate != P::slt && predicate != P::sge)
    return std::nullopt;
  auto lanes = getLanes(item), limit = getLanes(bound);
  if (!lanes || !limit || limit->lo != limit->hi || lanes->lo < 0 ||
      (limit->scalar && limit->lo != 0))
    return std::nullopt;
  Inside inside{lanes->scalar, limit->scalar, std::nullopt, lanes->hi + 1,
                predicate == P::sge};
  APInt constant;
  if (!limit->scalar)
    inside.constantBound = limit->lo;
  else if (matchPattern(limit->scalar, m_ConstantInt(&constant)))
    inside.constantBound = constant.getSExtValue();
  return inside;
}

/// Whether first, first + 1, ..., first + length - 1 are below the bound (and
/// do not wrap), because the first is the induction variable of a loop up to
/// the bound, and a number not less than `length` divides both.
bool MaskFinder::isBelowInLoop(const Inside &inside) const {
  auto argument = dyn_cast_if_present<BlockArgument>(inside.first);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : nullptr;
  if (!loop || loop.getInductionVar() != argument || loop.getUnsignedCmp())
    return false;
  APInt end;
  bool isEnd = loop.getUpperBound() == inside.bound ||
               (inside.constantBound &&
                matchPattern(loop.getUpperBound(), m_ConstantInt(&end)) &&
                end.getSExtValue() == *inside.constantBound);
  if (!isEnd)
    return false;
  int64_t divisor =
      std::gcd(getAxisInfo(solver, argument).getDivisor(),
               getAxisInfo(solver, loop.getUpperBound()).getDivisor());
  return divisor == 0 || inside.length <= divisor;
}

Answer MaskFinder::find(const Comparison &comparison, Inside &inside) const {
  // One answer by ranges.
  if (auto range = getRange(comparison.op->getResult(0)))
    if (auto value = range->getConstantValue())
      return value->isOne() ? Answer::True : Answer::False;
  auto form = getInside(comparison);
  if (!form)
    return Answer::Unknown;
  inside = *form;
  Answer yes = form->isNegated ? Answer::False : Answer::True;
  if (form->first) {
    // i < n in a loop of i up to n.
    if (isBelowInLoop(*form))
      return yes;
    // Aligned blocks of lanes are on one side of the bound.
    if (!form->bound)
      return Answer::Unknown;
    int64_t block =
        getPowerOfTwo(std::gcd(getAxisInfo(solver, form->first).getDivisor(),
                               getAxisInfo(solver, form->bound).getDivisor()));
    return block == 0 || form->length <= block ? Answer::Uniform
                                               : Answer::Unknown;
  }
  // 0 < n - i, the same: i is not negative, so that the difference fits.
  auto rest =
      form->bound ? form->bound.getDefiningOp<arith::SubIOp>() : nullptr;
  if (!rest)
    return Answer::Unknown;
  auto range = getRange(rest.getRhs());
  if (!range || !range->smin().isNonNegative())
    return Answer::Unknown;
  Inside difference{rest.getRhs(), rest.getLhs(), std::nullopt, form->length};
  return isBelowInLoop(difference) ? yes : Answer::Unknown;
}

std::optional<Comparison> Comparison::get(Operation *op) {
  if (!getKernel(op))
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op);
      compare && TileType::isTile(compare.getType()))
    return Comparison{op, compare.getPredicate()};
  if (auto compare = dyn_cast<CmppOp>(op);
      compare && TileType::isTile(compare.getLhs().getType()))
    if (auto predicate = arith::symbolizeCmpIPredicate(compare.getPredicate()))
      return Comparison{op, *predicate};
  return std::nullopt;
}

namespace {
struct TileEliminateMasksPass
    : tileir::tile::impl::TileEliminateMasksPassBase<TileEliminateMasksPass> {
  using TileEliminateMasksPassBase::TileEliminateMasksPassBase;

  void runOnOperation() override {
    DataFlowSolver solver;
    loadAxisInfoAnalysis(solver);
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    // All answers come before the first change.
    struct Found {
      Operation *op;
      Answer answer;
      Inside inside;
    };
    SmallVector<Found> found;
    MaskFinder finder(solver);
    getOperation()->walk([&](Operation *op) {
      auto comparison = Comparison::get(op);
      if (!comparison)
        return;
      Inside inside;
      Answer answer = finder.find(*comparison, inside);
      if (answer != Answer::Unknown)
        found.push_back({op, answer, inside});
    });
    IRRewriter rewriter(&getContext());
    for (auto &[op, answer, inside] : found)
      replace(rewriter, op, answer, inside);
    if (failed(simplify()))
      return signalPassFailure();
  }

private:
  void replace(RewriterBase &rewriter, Operation *op, Answer answer,
               const Inside &inside) {
    Location loc = op->getLoc();
    rewriter.setInsertionPoint(op);
    bool isUniform = answer == Answer::Uniform;
    remark::passed(loc,
                   remark::RemarkOpts::name("eliminate-masks").category("tile"))
        << remark::metric("answer", isUniform                ? "uniform"
                                    : answer == Answer::True ? "true"
                                                             : "false");
    ++(isUniform ? numUniform : numConstant);
    SmallVector<Value> results;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!isUniform) {
      for (bool isOpposite : {false, true})
        results.push_back(arith::ConstantOp::create(
            rewriter, loc,
            DenseElementsAttr::get(type,
                                   (answer == Answer::True) != isOpposite)));
    } else {
      Operation *scalar =
          compareScalars(rewriter, op, type.getElementType(), inside);
      for (Value predicate : scalar->getResults())
        results.push_back(SplatOp::create(rewriter, loc, type, predicate));
    }
    rewriter.replaceOp(op, ArrayRef(results).take_front(op->getNumResults()));
  }

  /// The comparison `op`, of the scalars that it is about.
  Operation *compareScalars(OpBuilder &builder, Operation *op, Type i1,
                            const Inside &inside) {
    if (isa<CmppOp>(op))
      return CmppOp::create(builder, op->getLoc(), i1, i1,
                            inside.isNegated ? "sge" : "slt", inside.first,
                            inside.bound);
    return arith::CmpIOp::create(builder, op->getLoc(),
                                 inside.isNegated ? arith::CmpIPredicate::sge
                                                  : arith::CmpIPredicate::slt,
                                 inside.first, inside.bound);
  }

  /// Folds masks of constants, and the ops that make them of others.
  LogicalResult simplify() {
    RewritePatternSet patterns(&getContext());
    LoadOp::getCanonicalizationPatterns(patterns, &getContext());
    StoreOp::getCanonicalizationPatterns(patterns, &getContext());
    PsiOp::getCanonicalizationPatterns(patterns, &getContext());
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace

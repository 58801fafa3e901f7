//===- TilePeephole.cpp - tile-peephole -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns that make other ops than canonicalization would: they choose where
// tiles are retiled. Transpositions and reshapes sink towards their uses, where
// they meet and cancel; broadcasts sink too, so that less is computed; a
// transposition rises above a broadcast, where it moves less. Each makes fewer
// ops, or moves one of these ops past another in its direction, so that the
// greedy driver ends.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPEEPHOLEPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// `value`, all of whose elements are the same, as a tile of another shape;
/// null if they are not, or not known to be, or the tile has a layout, which is
/// for its shape alone.
static Value reshapeSplat(OpBuilder &builder, Value value,
                          ArrayRef<int64_t> shape) {
  if (tile::getLayout(value.getType()))
    return {};
  auto type = cast<RankedTensorType>(value.getType()).clone(shape);
  if (auto splat = value.getDefiningOp<SplatOp>())
    return SplatOp::create(builder, value.getLoc(), type, splat.getValue());
  SplatElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(builder, value.getLoc(),
                                     constant.resizeSplat(type));
  return {};
}

static bool isSplat(Value value) {
  SplatElementsAttr constant;
  return value.getDefiningOp<SplatOp>() ||
         matchPattern(value, m_Constant(&constant));
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

namespace {

/// f(retile x, retile y, splat) is retile f(x, y, splat), where retile is a
/// tile.trans, tile.reshape or tile.broadcast. Next to a transposition a
/// broadcast is taken as one, of what is transposed back.
struct SinkRetiling : RewritePattern {
  explicit SinkRetiling(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || !isMemoryEffectFree(op) ||
        op->getNumResults() != 1 ||
        !TileType::isTile(op->getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "no elementwise op on a tile");
    SmallVector<Value> tiles;
    Operation *retile = nullptr;
    if (tile::getLayout(op->getResult(0).getType()))
      return rewriter.notifyMatchFailure(op, "the tile has a layout");
    for (Value operand : op->getOperands()) {
      if (!TileType::isTile(operand.getType()) || isSplat(operand))
        continue;
      tiles.push_back(operand);
      Operation *source = operand.getDefiningOp();
      if (isa_and_present<TransOp, ReshapeOp>(source) ||
          (!retile && isa_and_present<BroadcastOp>(source)))
        retile = source;
    }
    if (!retile)
      return rewriter.notifyMatchFailure(op, "no operand is retiled");
    for (Value tile : tiles)
      if (!canSink(op, retile, tile.getDefiningOp()))
        return rewriter.notifyMatchFailure(
            op, "an operand is not retiled, not in the same way, or used "
                "elsewhere");

    ArrayRef<int64_t> shape = getShape(retile->getOperand(0).getType());
    IRMapping mapping;
    for (Value operand : op->getOperands())
      if (TileType::isTile(operand.getType()))
        mapping.map(operand, getSource(rewriter, retile, operand));
    Operation *inner = rewriter.clone(*op, mapping);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    inner->getResult(0).setType(type.clone(shape));
    IRMapping outer;
    outer.map(retile->getOperand(0), inner->getResult(0));
    Operation *result = rewriter.clone(*retile, outer);
    result->getResult(0).setType(type);
    rewriter.replaceOp(op, result);
    return success();
  }

  /// Whether `other`, which gives an operand of `op`, can be taken as `retile`
  /// of something, and is not needed any longer, or cheap.
  static bool canSink(Operation *op, Operation *retile, Operation *other) {
    if (!other)
      return false;
    if (isa<BroadcastOp>(other) && isa<TransOp>(retile))
      return true;
    bool isOnlyUser = llvm::all_of(other->getUsers(),
                                   [&](Operation *user) { return user == op; });
    return isSame(retile, other) && (isOnlyUser || isa<BroadcastOp>(other));
  }

  /// Returns the value whose `retile` is `operand`.
  static Value getSource(OpBuilder &builder, Operation *retile, Value operand) {
    ArrayRef<int64_t> shape = getShape(retile->getOperand(0).getType());
    if (Value splat = reshapeSplat(builder, operand, shape))
      return splat;
    Operation *source = operand.getDefiningOp();
    if (source->getName() == retile->getName())
      return source->getOperand(0);
    return TransOp::create(
        builder, source->getLoc(), operand,
        invertPermutationVector(cast<TransOp>(retile).getPermutation()));
  }

  /// Whether two ops retile from one shape in one way. Tiles with layouts stay.
  static bool isSame(Operation *lhs, Operation *rhs) {
    return lhs->getName() == rhs->getName() &&
           lhs->getAttrDictionary() == rhs->getAttrDictionary() &&
           !tile::getLayout(lhs->getOperand(0).getType()) &&
           !tile::getLayout(rhs->getOperand(0).getType()) &&
           getShape(lhs->getOperand(0).getType()) ==
               getShape(rhs->getOperand(0).getType());
  }
};

//===----------------------------------------------------------------------===//
// Retiling
//===----------------------------------------------------------------------===//

/// trans (broadcast x) is broadcast (trans x).
struct TransOfBroadcast : OpRewritePattern<TransOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransOp op,
                                PatternRewriter &rewriter) const override {
    auto broadcast = op.getSource().getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return rewriter.notifyMatchFailure(op, "the operand is not a broadcast");
    Value source = broadcast.getSource();
    if (tile::getLayout(source.getType()))
      return rewriter.notifyMatchFailure(op, "the operand has a layout");
    ArrayRef<int64_t> shape = getShape(source.getType());
    size_t padding = op.getPermutation().size() - shape.size();
    if (padding) {
      SmallVector<int64_t> padded(padding, 1);
      llvm::append_range(padded, shape);
      source = ReshapeOp::create(
          rewriter, op.getLoc(),
          cast<RankedTensorType>(source.getType()).clone(padded), source);
    }
    Value moved =
        TransOp::create(rewriter, op.getLoc(), source, op.getPermutationAttr());
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), moved);
    return success();
  }
};

/// A transposition that moves axes of one element only is a reshape.
struct TransOfUnitAxes : OpRewritePattern<TransOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = getShape(op.getSource().getType());
    SmallVector<int64_t> longAxes;
    for (int64_t axis : op.getPermutation())
      if (shape[axis] != 1)
        longAxes.push_back(axis);
    if (!llvm::is_sorted(longAxes))
      return rewriter.notifyMatchFailure(op, "it changes the order of axes of "
                                             "more than one element");
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getSource());
    return success();
  }
};

/// broadcast (reshape x), where the reshape adds axes of one element on the
/// left, is broadcast x, which does so itself.
struct BroadcastOfReshape : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto reshape = op.getSource().getDefiningOp<ReshapeOp>();
    if (!reshape)
      return rewriter.notifyMatchFailure(op, "the operand is not a reshape");
    ArrayRef<int64_t> from = getShape(reshape.getSource().getType());
    ArrayRef<int64_t> to = getShape(reshape.getType());
    if (from.size() >= to.size() || to.take_back(from.size()) != from)
      return rewriter.notifyMatchFailure(
          op, "the reshape does more than to add axes on the left");
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(),
                                             reshape.getSource());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Dots and loads
//===----------------------------------------------------------------------===//

/// dot(trans b, trans a, c) is trans dot(a, b, trans c), where `trans` swaps
/// the last two axes, and c is transposed for nothing, or little: a splat, a
/// broadcast, or transposed already.
struct DotOfTrans : OpRewritePattern<DotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotOp op,
                                PatternRewriter &rewriter) const override {
    TransOp lhs = getSwap(op.getA()), rhs = getSwap(op.getB());
    if (!lhs || !rhs)
      return rewriter.notifyMatchFailure(op, "the operands are not transposed");
    Value acc = swap(rewriter, op.getAcc(), lhs.getPermutationAttr());
    if (!acc)
      return rewriter.notifyMatchFailure(
          op, "the accumulator would have to be transposed");
    Value product =
        DotOp::create(rewriter, op.getLoc(), acc.getType(), rhs.getSource(),
                      lhs.getSource(), acc, op.getPrecisionAttr());
    rewriter.replaceOpWithNewOp<TransOp>(op, product, lhs.getPermutationAttr());
    return success();
  }

  /// `value` with the last two axes swapped; null if that is work.
  static Value swap(OpBuilder &builder, Value value,
                    DenseI64ArrayAttr permutation) {
    if (TransOp trans = getSwap(value))
      return trans.getSource();
    if (value.getDefiningOp<BroadcastOp>())
      return TransOp::create(builder, value.getLoc(), value, permutation);
    SmallVector<int64_t> shape(getShape(value.getType()));
    std::swap(shape.back(), shape[shape.size() - 2]);
    return reshapeSplat(builder, value, shape);
  }

  /// The op that gives `value` if it swaps the last two axes.
  static TransOp getSwap(Value value) {
    auto trans = value.getDefiningOp<TransOp>();
    if (!trans)
      return {};
    SmallVector<int64_t> swap =
        llvm::to_vector(llvm::seq<int64_t>(trans.getPermutation().size()));
    std::swap(swap.back(), swap[swap.size() - 2]);
    return trans.getPermutation() == ArrayRef(swap) ? trans : TransOp();
  }
};

/// select(m, load(p, m, other), z) is load(p, m, z).
struct SelectOfLoad : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    auto load = op.getTrueValue().getDefiningOp<LoadOp>();
    if (!load || load.getMask() != op.getCondition())
      return rewriter.notifyMatchFailure(op, "no load under this mask");
    // The load stays where it is, so that the other value has to come before.
    Operation *other = op.getFalseValue().getDefiningOp();
    if (!load->hasOneUse() ||
        (other && other->getBlock() == load->getBlock() &&
         !other->isBeforeInBlock(load)) ||
        op->getBlock() != load->getBlock())
      return rewriter.notifyMatchFailure(op,
                                         "the load has other uses, or comes "
                                         "before the other value");
    rewriter.modifyOpInPlace(
        load, [&] { load.getOtherMutable().assign(op.getFalseValue()); });
    rewriter.replaceOp(op, load);
    return success();
  }
};

/// Counts the patterns that applied.
struct RewriteCounter : RewriterBase::Listener {
  unsigned count = 0;
  void notifyPatternEnd(const Pattern &, LogicalResult status) override {
    count += succeeded(status);
  }
};

struct TilePeepholePass
    : tileir::tile::impl::TilePeepholePassBase<TilePeepholePass> {
  using TilePeepholePassBase::TilePeepholePassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populatePeepholePatterns(patterns);
    RewriteCounter counter;
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns),
                                  GreedyRewriteConfig().setListener(&counter))))
      signalPassFailure();
    numRewrites += counter.count;
  }
};

} // namespace

void tile::populatePeepholePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<BroadcastOfReshape, DotOfTrans, SelectOfLoad, SinkRetiling,
               TransOfBroadcast, TransOfUnitAxes>(context);
  for (StringRef name :
       {AddPtrOp::getOperationName(), BroadcastOp::getOperationName(),
        DotOp::getOperationName(), LoadOp::getOperationName(),
        PsiOp::getOperationName(), ReshapeOp::getOperationName(),
        StoreOp::getOperationName(), TransOp::getOperationName()})
    RegisteredOperationName::lookup(name, context)
        ->getCanonicalizationPatterns(patterns, context);
}

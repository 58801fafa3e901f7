//===- SplitPatterns.cpp - Pairs and their halves -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles are split by a choice: the elements of an axis of two that are not
// wanted become 0, and those of the axis are combined by `or`. So Triton's
// reductions by regions go from pairs to pairs. Here a vector of pairs is
// loaded, and half of its elements taken. Tiles are joined by a choice, too: of
// two halves whose elements are twice there; here vectors of them are
// interleaved.
//
//===----------------------------------------------------------------------===//

#include "RunAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_linalg;

/// Bytes of the vectors that are made, of twice as many that are loaded.
static constexpr int64_t kHalfBytes = 64;
static constexpr int64_t kLeastHalf = 4;

/// Whether `mask` is true for the first one of each pair along the last axis,
/// and for no other.
static bool isOfFirst(Value mask) {
  while (Operation *op = mask.getDefiningOp()) {
    if (!isa<BroadcastOp, ReshapeOp>(op))
      break;
    ArrayRef<int64_t> shape = getShape(op->getOperand(0).getType());
    if (shape.empty() || shape.back() != 2)
      return false;
    mask = op->getOperand(0);
  }
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(compare.getRhs(), m_Zero()))
    return false;
  Value number = compare.getLhs();
  while (auto reshape = number.getDefiningOp<ReshapeOp>())
    number = reshape.getSource();
  auto range = number.getDefiningOp<RangeOp>();
  return range && range.getStart() == 0 && range.getEnd() == 2 &&
         cast<RankedTensorType>(compare.getLhs().getType()).getNumElements() ==
             2;
}

/// Where the pair at `indices` begins in a row of pairs that follow each other.
static SmallVector<Value> getPairAt(OpBuilder &builder, Location loc,
                                    ValueRange indices) {
  SmallVector<Value> at(indices);
  at.back() = arith::AddIOp::create(builder, loc, at.back(), at.back());
  return at;
}

/// Each axis of a tile of `rank` axes, and one more with the last one.
static SmallVector<ReassociationIndices> joinLastAxis(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0; axis < rank; ++axis)
    groups.push_back({axis});
  groups.back().push_back(rank);
  return groups;
}

/// Lanes of the vectors of halves with these rows, or 0.
static int64_t getNumLanes(ArrayRef<int64_t> shape, Type element) {
  if (shape.empty() || !hasVectors(element))
    return 0;
  int64_t lanes =
      std::gcd(shape.back(), kHalfBytes * 8 / element.getIntOrFloatBitWidth());
  return lanes < kLeastHalf ? 0 : lanes;
}

namespace {

/// The tile that halves are taken from, and which.
struct Half {
  Value pairs;
  bool isFirst;
};

struct ConvertSplit : OpConversionPattern<ReduceOp> {
  explicit ConvertSplit(const TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<Half> half = findHalf(op);
    if (!half)
      return rewriter.notifyMatchFailure(op, "no halves of pairs");
    auto type = dyn_cast<RankedTensorType>(op.getType());
    int64_t lanes =
        type ? getNumLanes(type.getShape(), type.getElementType()) : 0;
    if (lanes == 0)
      return rewriter.notifyMatchFailure(op, "rows have no vectors");
    rewriter.replaceOp(op, take(rewriter, op.getLoc(), type,
                                rewriter.getRemappedValue(half->pairs),
                                half->isFirst, lanes));
    return success();
  }

private:
  static std::optional<Half> findHalf(ReduceOp op) {
    auto select = op.getSource().getDefiningOp<arith::SelectOp>();
    auto type = cast<RankedTensorType>(op.getSource().getType());
    if (!select || op.getCombiner() != Combiner::Or ||
        static_cast<int64_t>(op.getAxis()) + 1 != type.getRank() ||
        type.getShape().back() != 2 || !isOfFirst(select.getCondition()))
      return std::nullopt;
    if (matchPattern(select.getFalseValue(), m_Zero()))
      return Half{select.getTrueValue(), true};
    if (matchPattern(select.getTrueValue(), m_Zero()))
      return Half{select.getFalseValue(), false};
    return std::nullopt;
  }

  static Value take(OpBuilder &builder, Location loc, RankedTensorType type,
                    Value pairs, bool isFirst, int64_t lanes) {
    Value rows = tensor::CollapseShapeOp::create(builder, loc, pairs,
                                                 joinLastAxis(type.getRank()));
    return buildRunLoops(
        builder, loc, type.getShape(), Run{lanes, type.getRank() - 1},
        createEmptyTile(builder, loc, type),
        [&](OpBuilder &inner, Location, ValueRange indices, Value tile) {
          Value all = readVector(inner, loc, rows,
                                 getPairAt(inner, loc, indices), 2 * lanes);
          auto halves = vector::DeinterleaveOp::create(inner, loc, all);
          Value half = isFirst ? halves.getRes1() : halves.getRes2();
          return writeVector(inner, loc, half, tile, indices);
        });
  }
};

struct ConvertJoin : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isJoin(op))
      return rewriter.notifyMatchFailure(op, "joins no halves to pairs");
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    ArrayRef<int64_t> shape = type.getShape().drop_back();
    int64_t rank = shape.size(),
            lanes = getNumLanes(shape, type.getElementType());
    auto getHalf = [&](Value value) -> Value {
      value = rewriter.getRemappedValue(
          value.getDefiningOp<BroadcastOp>().getSource());
      return tensor::CollapseShapeOp::create(rewriter, loc, value,
                                             joinLastAxis(rank));
    };
    Value first = getHalf(op.getTrueValue()),
          second = getHalf(op.getFalseValue());
    SmallVector<int64_t> whole(shape);
    whole.back() *= 2;
    Value rows = buildRunLoops(
        rewriter, loc, shape, Run{lanes, rank - 1},
        createEmptyTile(rewriter, loc, type.clone(whole)),
        [&](OpBuilder &inner, Location, ValueRange indices, Value tile) {
          Value pairs = vector::InterleaveOp::create(
              inner, loc, readVector(inner, loc, first, indices, lanes),
              readVector(inner, loc, second, indices, lanes));
          return writeVector(inner, loc, pairs, tile,
                             getPairAt(inner, loc, indices));
        });
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, type, rows,
                                                       joinLastAxis(rank));
    return success();
  }
};

} // namespace

bool to_linalg::isJoin(arith::SelectOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || type.getRank() < 2 || type.getShape().back() != 2 ||
      !isOfFirst(op.getCondition()))
    return false;
  ArrayRef<int64_t> shape = type.getShape().drop_back();
  auto isHalf = [&](Value value) {
    auto broadcast = value.getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return false;
    ArrayRef<int64_t> from = getShape(broadcast.getSource().getType());
    return from.size() == shape.size() + 1 && from.back() == 1 &&
           from.drop_back() == shape;
  };
  return getNumLanes(shape, type.getElementType()) > 0 &&
         isHalf(op.getTrueValue()) && isHalf(op.getFalseValue());
}

void to_linalg::populateSplitPatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<ConvertSplit, ConvertJoin>(converter, patterns.getContext());
}

//===- CombinePatterns.cpp - Reductions and scans -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a region of one op combines has a name in the dialect of tiles. Other
// regions, and those of several operands, are applied to tiles of halves.
//
// A reduction combines neighbours, log2(n) times, in their order: an
// associative region needs no more. A scan does so, too, and keeps for each run
// of 1, 2, 4, ... elements the prefixes within it and its total: of two runs
// that become one, what comes later takes in the total of the other one.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

std::optional<tile::Combiner> triton_to_tile::getCombiner(Block &body) {
  if (body.getNumArguments() != 2 || body.getOperations().size() != 2)
    return std::nullopt;
  Operation &op = body.front();
  Value a = body.getArgument(0), b = body.getArgument(1);
  if (op.getNumOperands() != 2 || op.getNumResults() != 1 ||
      body.back().getOperand(0) != op.getResult(0) ||
      !(ValueRange{a, b} == op.getOperands() ||
        ValueRange{b, a} == op.getOperands()))
    return std::nullopt;
  using C = std::optional<tile::Combiner>;
  bool isBool = a.getType().isInteger(1);
  C found = llvm::TypeSwitch<Operation *, C>(&op)
                .Case<arith::AndIOp>([](auto) { return tile::Combiner::And; })
                .Case<arith::OrIOp>([](auto) { return tile::Combiner::Or; })
                .Case<arith::XOrIOp>([](auto) { return tile::Combiner::Xor; })
                .Default(C());
  // Of booleans there are no others.
  if (found || isBool)
    return found;
  return llvm::TypeSwitch<Operation *, C>(&op)
      .Case<arith::AddFOp, arith::AddIOp>(
          [](auto) { return tile::Combiner::Add; })
      .Case<arith::MulFOp, arith::MulIOp>(
          [](auto) { return tile::Combiner::Mul; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>(
          [](auto) { return tile::Combiner::Max; })
      .Case<arith::MinimumFOp, arith::MinSIOp>(
          [](auto) { return tile::Combiner::Min; })
      .Case<arith::MaxNumFOp>([](auto) { return tile::Combiner::MaxNum; })
      .Case<arith::MinNumFOp>([](auto) { return tile::Combiner::MinNum; })
      .Case<arith::MaxUIOp>([](auto) { return tile::Combiner::UMax; })
      .Case<arith::MinUIOp>([](auto) { return tile::Combiner::UMin; })
      .Default(C());
}

bool triton_to_tile::isElementwise(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) {
    return (isa<arith::ConstantOp>(op) ||
            OpTrait::hasElementwiseMappableTraits(&op)) &&
           op.getNumRegions() == 0;
  });
}

namespace {

/// Applies a region to tiles of one shape.
class Combination {
public:
  Combination(OpBuilder &builder, Location loc, Block &body)
      : builder(builder), loc(loc), body(body) {}

  SmallVector<Value> combine(ValueRange lhs, ValueRange rhs) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(lhs.front().getType()).getShape();
    IRMapping mapping;
    mapping.map(body.getArguments().take_front(lhs.size()), lhs);
    mapping.map(body.getArguments().drop_front(lhs.size()), rhs);
    // What the region knows from outside, or as constants, is a scalar.
    auto get = [&](Value value) {
      Value known = mapping.lookupOrDefault(value);
      if (known.getType() == value.getType())
        known = tile::SplatOp::create(
            builder, loc, RankedTensorType::get(shape, value.getType()), known);
      return known;
    };
    for (Operation &op : body.without_terminator()) {
      if (isa<arith::ConstantOp>(op)) {
        builder.clone(op, mapping);
        continue;
      }
      OperationState state(op.getLoc(), op.getName());
      for (Value operand : op.getOperands())
        state.operands.push_back(get(operand));
      for (Type type : op.getResultTypes())
        state.addTypes(RankedTensorType::get(shape, type));
      state.addAttributes(op.getAttrs());
      mapping.map(op.getResults(), builder.create(state)->getResults());
    }
    return llvm::map_to_vector(body.back().getOperands(), get);
  }

private:
  OpBuilder &builder;
  Location loc;
  Block &body;
};

/// Tiles that are combined along an axis, which is moved to the end.
class Lines {
public:
  Lines(OpBuilder &builder, Location loc, ValueRange tiles, unsigned axis)
      : builder(builder), loc(loc) {
    auto type = cast<RankedTensorType>(tiles.front().getType());
    for (unsigned i = 0; i < type.getRank(); ++i)
      if (i != axis)
        order.push_back(i);
    order.push_back(axis);
    for (Value tile : tiles)
      values.push_back(permute(tile, order));
    shape.assign(type.getShape());
    length = shape[axis];
    shape.erase(shape.begin() + axis);
  }

  /// The tiles with the axis split into others.
  SmallVector<Value> reshape(ValueRange tiles, ArrayRef<int64_t> last) {
    SmallVector<int64_t> whole(shape);
    llvm::append_range(whole, last);
    return llvm::map_to_vector(tiles, [&](Value tile) {
      return emitReshape(builder, loc, tile, whole);
    });
  }

  /// Puts the axis back where it was.
  Value restore(Value tile) {
    SmallVector<int64_t> inverse(order.size());
    for (auto [i, from] : llvm::enumerate(order))
      inverse[from] = i;
    return permute(tile, inverse);
  }

  /// Exchanges the last two axes.
  Value exchangeLast(Value tile) {
    int64_t rank = cast<RankedTensorType>(tile.getType()).getRank();
    auto swapped = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(swapped[rank - 1], swapped[rank - 2]);
    return permute(tile, swapped);
  }

  SmallVector<Value> values;
  SmallVector<int64_t> shape; // of the other axes
  int64_t length;

private:
  Value permute(Value tile, ArrayRef<int64_t> permutation) {
    if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
      return tile;
    return tile::TransOp::create(builder, loc, tile, permutation);
  }

  OpBuilder &builder;
  Location loc;
  SmallVector<int64_t> order;
};

struct ConvertReduce : OpConversionPattern<triton::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Block &body = op.getCombineOp().front();
    if (std::optional<tile::Combiner> combiner = getCombiner(body)) {
      rewriter.replaceOpWithNewOp<tile::ReduceOp>(
          op, *combiner, adaptor.getSrcs().front(), op.getAxis());
      return success();
    }
    Location loc = op.getLoc();
    Combination combination(rewriter, loc, body);
    Lines lines(rewriter, loc, adaptor.getSrcs(), op.getAxis());
    SmallVector<Value> values = lines.values;
    for (int64_t length = lines.length; length > 1; length /= 2) {
      SmallVector<Value> lhs, rhs;
      for (Value pairs : lines.reshape(values, {length / 2, 2})) {
        auto [first, second] = emitSplit(rewriter, loc, pairs);
        lhs.push_back(first);
        rhs.push_back(second);
      }
      values = combination.combine(lhs, rhs);
    }
    SmallVector<Value> results;
    for (Value value : values)
      results.push_back(lines.shape.empty()
                            ? emitOnlyElement(rewriter, loc, value)
                            : emitReshape(rewriter, loc, value, lines.shape));
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct ConvertScan : OpConversionPattern<triton::ScanOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(triton::ScanOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Block &body = op.getCombineOp().front();
    if (std::optional<tile::Combiner> combiner = getCombiner(body)) {
      rewriter.replaceOpWithNewOp<tile::ScanOp>(
          op, op.getResultTypes().front(), *combiner, adaptor.getSrcs().front(),
          op.getAxis(), op.getReverse());
      return success();
    }
    Location loc = op.getLoc();
    Combination combination(rewriter, loc, body);
    Lines lines(rewriter, loc, adaptor.getSrcs(), op.getAxis());
    SmallVector<Value> totals = lines.values, prefixes = lines.values;
    for (int64_t size = 1; size < lines.length; size *= 2) {
      int64_t pairs = lines.length / size / 2;
      SmallVector<Value> earlier, later, earlierTotals, laterTotals;
      for (auto [prefix, total] :
           llvm::zip(lines.reshape(prefixes, {pairs, 2, size}),
                     lines.reshape(totals, {pairs, 2}))) {
        auto halves = emitSplit(rewriter, loc, lines.exchangeLast(prefix));
        auto sums = emitSplit(rewriter, loc, total);
        if (op.getReverse()) {
          std::swap(halves.first, halves.second);
          std::swap(sums.first, sums.second);
        }
        earlier.push_back(halves.first);
        later.push_back(halves.second);
        earlierTotals.push_back(sums.first);
        laterTotals.push_back(sums.second);
      }
      SmallVector<Value> wide;
      for (auto [total, prefix] :
           llvm::zip(lines.reshape(earlierTotals, {pairs, 1}), later))
        wide.push_back(size == 1 ? total
                                 : tile::BroadcastOp::create(
                                       rewriter, loc, prefix.getType(), total)
                                       .getResult());
      later = combination.combine(wide, later);
      totals = combination.combine(earlierTotals, laterTotals);
      for (auto [prefix, first, second] : llvm::zip(prefixes, earlier, later))
        prefix = lines.exchangeLast(
            op.getReverse() ? emitJoin(rewriter, loc, second, first)
                            : emitJoin(rewriter, loc, first, second));
    }
    SmallVector<Value> results;
    for (Value value : lines.reshape(prefixes, {lines.length}))
      results.push_back(lines.restore(value));
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void triton_to_tile::populateCombinePatterns(const PointerConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<ConvertReduce, ConvertScan>(converter, patterns.getContext());
}

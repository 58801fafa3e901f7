//===- TileCarryOffsets.cpp - tile-carry-offsets --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile that a loop carries, and that goes up by one number in each iteration,
// is what it was before the loop plus a scalar. Inner loops come first: what
// they add is then such a number of the loop around them.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILECARRYOFFSETSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// The operand of a sum that is a tile like it, if the other one is uniform,
/// which is returned as well.
static std::optional<std::pair<Value, Value>> getTerms(Value sum) {
  auto isUniform = [](Value tile) {
    SplatElementsAttr constant;
    return tile.getDefiningOp<SplatOp>() ||
           matchPattern(tile, m_Constant(&constant));
  };
  Operation *op = sum.getDefiningOp();
  if (!op || !isa<AddPtrOp, arith::AddIOp>(op))
    return std::nullopt;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (isa<arith::AddIOp>(op) && isUniform(lhs))
    std::swap(lhs, rhs);
  if (!isUniform(rhs))
    return std::nullopt;
  return std::pair(lhs, rhs);
}

/// What is added to `carried` on the way to `next`, tile by tile. Null if
/// anything else happens to it.
static std::optional<SmallVector<Value>> findSteps(Value carried, Value next) {
  SmallVector<Value> steps;
  while (next != carried) {
    auto terms = getTerms(next);
    if (!terms)
      return std::nullopt;
    next = terms->first;
    steps.push_back(terms->second);
  }
  return steps;
}

/// The offset of a tile of `type`: pointers are advanced by 64 bits.
static IntegerType getOffsetType(RankedTensorType type) {
  if (isa<PtrType>(type.getElementType()))
    return IntegerType::get(type.getContext(), 64);
  return dyn_cast<IntegerType>(type.getElementType());
}

/// The number that all elements of `tile` are, as one of `type`.
static Value createNumber(OpBuilder &builder, Location loc, Value tile,
                          IntegerType type) {
  Value number;
  if (auto splat = tile.getDefiningOp<SplatOp>()) {
    number = splat.getValue();
  } else {
    SplatElementsAttr constant;
    matchPattern(tile, m_Constant(&constant));
    number = arith::ConstantOp::create(builder, loc,
                                       constant.getSplatValue<TypedAttr>());
  }
  if (number.getType() == type)
    return number;
  return arith::ExtSIOp::create(builder, loc, type, number);
}

/// `tile` with `offset` added to each element.
static Value addOffset(OpBuilder &builder, Location loc, Value tile,
                       Value offset) {
  auto type = cast<RankedTensorType>(tile.getType());
  Value offsets =
      SplatOp::create(builder, loc, type.clone(offset.getType()), offset);
  if (isa<PtrType>(type.getElementType()))
    return AddPtrOp::create(builder, loc, tile, offsets);
  return arith::AddIOp::create(builder, loc, tile, offsets);
}

namespace {
struct TileCarryOffsetsPass
    : tileir::tile::impl::TileCarryOffsetsPassBase<TileCarryOffsetsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      if (failed(carryOffsets(rewriter, loop)))
        return signalPassFailure();
    // Tiles that are carried unchanged are no longer carried.
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

private:
  LogicalResult carryOffsets(RewriterBase &rewriter, scf::ForOp loop) {
    SmallVector<unsigned> numbers;
    SmallVector<SmallVector<Value>> steps;
    for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
      auto type = dyn_cast<RankedTensorType>(carried.getType());
      if (!type || !getOffsetType(type) || getLayout(type))
        continue;
      auto found = findSteps(carried, loop.getYieldedValues()[number]);
      if (!found || found->empty())
        continue;
      numbers.push_back(number);
      steps.push_back(std::move(*found));
    }
    if (numbers.empty())
      return success();
    numCarried += numbers.size();

    Location loc = loop.getLoc();
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> starts;
    for (unsigned number : numbers) {
      IntegerType type = getOffsetType(
          cast<RankedTensorType>(loop.getInitArgs()[number].getType()));
      starts.push_back(arith::ConstantOp::create(
          rewriter, loc, rewriter.getIntegerAttr(type, 0)));
    }
    auto yield = [&](OpBuilder &builder, Location loc,
                     ArrayRef<BlockArgument> offsets) {
      SmallVector<Value> next(offsets);
      for (auto [offset, tiles] : llvm::zip(next, steps))
        for (Value tile : llvm::reverse(tiles))
          offset = arith::AddIOp::create(
              builder, loc, offset,
              createNumber(builder, loc, tile,
                           cast<IntegerType>(offset.getType())));
      return next;
    };
    auto loops = loop.replaceWithAdditionalYields(
        rewriter, starts, /*replaceInitOperandUsesInLoop=*/false, yield);
    if (failed(loops))
      return failure();
    auto with = cast<scf::ForOp>(**loops);
    ArrayRef<BlockArgument> offsets = ArrayRef(with.getRegionIterArgs().begin(),
                                               with.getRegionIterArgs().end());
    offsets = offsets.take_back(numbers.size());
    for (auto [number, offset] : llvm::zip(numbers, offsets)) {
      Value start = with.getInitArgs()[number];
      rewriter.setInsertionPointToStart(with.getBody());
      rewriter.replaceAllUsesWith(with.getRegionIterArg(number),
                                  addOffset(rewriter, loc, start, offset));
      cast<scf::YieldOp>(with.getBody()->getTerminator())
          ->setOperand(number, with.getRegionIterArg(number));
      Value result = with.getResult(number);
      if (result.use_empty())
        continue;
      rewriter.setInsertionPointAfter(with);
      Value total =
          with.getResult(offset.getArgNumber() - with.getNumInductionVars());
      rewriter.replaceAllUsesWith(result,
                                  addOffset(rewriter, loc, start, total));
    }
    return success();
  }
};
} // namespace

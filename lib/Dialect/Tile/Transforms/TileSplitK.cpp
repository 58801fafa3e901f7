//===- TileSplitK.cpp - tile-split-k --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Split-K within a CTA (Bhaskaracharya et al. 2020, sections IV-E and V-D2)
// as a rewrite of tiles: a product becomes one of a batch, whose elements are
// the parts of K, and a sum over the batch. Where the accumulator is
// carried by a loop, the loop carries the batch, and the sum comes after it.
// tile-assign-layouts then gives each element of the batch warps of its own.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILESPLITKPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// Less than the K of an atom is not worth a warp.
static int64_t getLeastDepth(DotOp op) {
  int64_t least = 8; // without matrix instructions
  auto atoms = listAtoms(op);
  if (!atoms.empty())
    least = (*llvm::min_element(atoms, [](auto *x, auto *y) {
              return x->k < y->k;
            }))->k;
  return least;
}

/// Returns the reason why a product cannot be split, or an empty text.
static std::string getReason(DotOp op, int64_t factor) {
  auto a = cast<RankedTensorType>(op.getA().getType());
  if (a.getRank() != 2)
    return "it is a batch already";
  int64_t depth = a.getDimSize(1);
  int64_t least = getLeastDepth(op);
  if (depth % factor != 0 || depth / factor < least)
    return "a depth of " + std::to_string(depth) + " has no " +
           std::to_string(factor) + " parts of at least " +
           std::to_string(least) + ": use deeper blocks";
  return "";
}

/// The loop that carries the accumulator of `op`, if it does nothing else with
/// it.
static scf::ForOp getSummingLoop(DotOp op) {
  auto acc = dyn_cast<BlockArgument>(op.getAcc());
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!acc || !loop || acc.getOwner() != loop.getBody() || !acc.hasOneUse() ||
      !op.getResult().hasOneUse())
    return nullptr;
  return loop.getTiedLoopYieldedValue(acc)->get() == op.getResult()
             ? loop
             : scf::ForOp();
}

static Value createZero(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

static Value createSum(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (isa<FloatType>(getElementTypeOrSelf(lhs)))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

/// The product of the parts: `acc` has one accumulator for each.
static Value createBatch(OpBuilder &builder, DotOp op, int64_t factor,
                         Value acc) {
  Location loc = op.getLoc();
  auto a = cast<RankedTensorType>(op.getA().getType());
  auto b = cast<RankedTensorType>(op.getB().getType());
  int64_t rows = a.getDimSize(0), columns = b.getDimSize(1);
  int64_t depth = a.getDimSize(1) / factor;
  Value partsA = ReshapeOp::create(builder, loc, a.clone({rows, factor, depth}),
                                   op.getA());
  partsA = TransOp::create(builder, loc, partsA,
                           builder.getDenseI64ArrayAttr({1, 0, 2}));
  Value partsB = ReshapeOp::create(
      builder, loc, b.clone({factor, depth, columns}), op.getB());
  return DotOp::create(builder, loc, acc.getType(), partsA, partsB, acc,
                       op.getPrecisionAttr());
}

/// The sum of the parts and of `init`, unless that is zero.
static Value createTotal(OpBuilder &builder, Location loc, Value parts,
                         Value init) {
  Value total = ReduceOp::create(builder, loc, Combiner::Add, parts, 0);
  if (matchPattern(init, m_Zero()) || matchPattern(init, m_AnyZeroFloat()))
    return total;
  return createSum(builder, loc, init, total);
}

static void split(RewriterBase &rewriter, DotOp op, int64_t factor) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<int64_t> shape = {factor};
  llvm::append_range(shape, type.getShape());
  auto batch = type.clone(shape);
  scf::ForOp loop = getSummingLoop(op);
  if (!loop) {
    rewriter.setInsertionPoint(op);
    Value parts =
        createBatch(rewriter, op, factor, createZero(rewriter, loc, batch));
    rewriter.replaceOp(op, createTotal(rewriter, loc, parts, op.getAcc()));
    return;
  }
  // The loop goes on to carry the former accumulator until it is unused.
  unsigned number = cast<BlockArgument>(op.getAcc()).getArgNumber() - 1;
  rewriter.setInsertionPoint(loop);
  Value zero = createZero(rewriter, loc, batch);
  LoopLikeOpInterface replaced = *loop.replaceWithAdditionalYields(
      rewriter, zero, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> parts) {
        builder.setInsertionPoint(op);
        return SmallVector<Value>{
            createBatch(builder, op, factor, parts.front())};
      });
  auto newLoop = cast<scf::ForOp>(replaced.getOperation());
  rewriter.replaceOp(op, op.getAcc());
  rewriter.setInsertionPointAfter(newLoop);
  Value init = newLoop.getInitArgs()[number];
  Value total = createTotal(rewriter, loc, newLoop.getResults().back(), init);
  rewriter.replaceAllUsesWith(newLoop.getResult(number), total);
}

namespace {

struct TileSplitKPass : tileir::tile::impl::TileSplitKPassBase<TileSplitKPass> {
  using TileSplitKPassBase::TileSplitKPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *kernel) {
      if (!isKernel(kernel))
        return;
      int64_t factor = getConfig(kernel).splitK;
      if (factor == 1)
        return;
      SmallVector<DotOp> dots;
      kernel->walk([&](DotOp op) { dots.push_back(op); });
      for (DotOp op : dots)
        visit(rewriter, op, factor);
    });
  }

private:
  void visit(RewriterBase &rewriter, DotOp op, int64_t factor) {
    auto name = remark::RemarkOpts::name("split-k").category("tile");
    std::string reason = getReason(op, factor);
    if (!reason.empty()) {
      remark::missed(op.getLoc(), name) << remark::reason("{0}", reason);
      return;
    }
    remark::passed(op.getLoc(), name) << remark::metric("split-k", factor);
    split(rewriter, op, factor);
    ++numSplit;
  }
};

} // namespace

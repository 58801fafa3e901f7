//===- GenericReducePatterns.cpp - Sums of computed elements --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg.generic whose last loop alone is a reduction, as of a softmax or a
// norm: each lane combines what the body computes of its elements, and the
// lanes are combined at the end. Floats are added in another order than that of
// their indices.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

namespace {

/// How a reduction computes vectors and combines them.
struct GenericReduction {
  linalg::GenericOp op;
  RowReduction row;
  Value filled; ///< what all elements of the result begin with, or null

  void emitRow(OpBuilder &builder, ValueRange outer);

private:
  /// What is combined of the elements from `last` on.
  Value compute(OpBuilder &builder, ValueRange outer, Value last,
                int64_t width) {
    SmallVector<Value> indices(outer);
    indices.push_back(last);
    IRMapping values = emitGeneric(builder, op, row.combiner, indices, width);
    return createVector(builder, op.getLoc(),
                        values.lookupOrDefault(getCombined()), width);
  }
  Value getCombined() {
    Value before = op.getRegionOutputArgs().front();
    return row.combiner->getOperand(row.combiner->getOperand(0) == before);
  }
};

struct VectorizeGenericReduce : OpRewritePattern<linalg::GenericOp> {
  VectorizeGenericReduce(MLIRContext *context, int64_t minParallel,
                         Fills &fills, Pass::Statistic &count)
      : OpRewritePattern(context), minParallel(minParallel), fills(fills),
        count(count) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> shape = op.getStaticLoopRanges();
    if (!op.hasPureBufferSemantics() || shape.empty() ||
        ShapedType::isDynamicShape(shape) || op.getNumDpsInits() != 1)
      return rewriter.notifyMatchFailure(op, "not on buffers of static shapes "
                                             "with one result");
    if (op.getNumReductionLoops() != 1 ||
        op.getIteratorTypesArray().back() != utils::IteratorType::reduction)
      return rewriter.notifyMatchFailure(op, "the last loop is not the only "
                                             "reduction");
    if (shape.back() < kLeastRow)
      return rewriter.notifyMatchFailure(op, "the last loop is short");
    Operation *combiner = findCombiner(op);
    auto kind = combiner ? linalg::getCombinerOpKind(combiner) : std::nullopt;
    if (!kind)
      return rewriter.notifyMatchFailure(op, "vectors do not combine that way");
    unsigned bits;
    if (failed(matchGeneric(rewriter, op, combiner, bits)))
      return failure();

    GenericReduction reduction{op,
                               {op.getLoc(), combiner, *kind, shape.back(),
                                getLanes(op, bits, shape.back())},
                               fills.take(op, op.getDpsInits().front())};
    buildLoops(
        rewriter, op.getLoc(), ArrayRef(shape).drop_back(),
        [&](OpBuilder &inner, ValueRange indices) {
          reduction.emitRow(inner, indices);
        },
        isParallel(op, minParallel));
    rewriter.eraseOp(op);
    ++count;
    return success();
  }

private:
  static int64_t getLanes(linalg::GenericOp op, unsigned bits, int64_t size) {
    int64_t lanes = getNumLanes(op, bits, kReduceVectors, size);
    for (Value input : op.getInputs())
      if (int64_t before = getLanesOfLoop(op, input, lanes))
        return before;
    return lanes;
  }

  /// The op that combines the result so far, which nothing else reads, with
  /// what is yielded then; or null.
  static Operation *findCombiner(linalg::GenericOp op) {
    BlockArgument before = op.getRegionOutputArgs().front();
    Operation *combiner =
        op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
    return combiner && before.hasOneUse() && *before.user_begin() == combiner &&
                   combiner->getNumOperands() == 2 &&
                   combiner->getResult(0).hasOneUse()
               ? combiner
               : nullptr;
  }

  int64_t minParallel;
  Fills &fills;
  Pass::Statistic &count;
};

} // namespace

void GenericReduction::emitRow(OpBuilder &builder, ValueRange outer) {
  OpOperand &init = *op.getDpsInitOperand(0);
  SmallVector<Value> indices(outer);
  indices.push_back(Value()); // the result does not move along it
  SmallVector<Value> at = getIndices(builder, op, init, indices);
  Value start = filled;
  if (!start)
    start = memref::LoadOp::create(builder, row.loc, init.get(), at);
  Value total = row.emit(builder, start,
                         [&](OpBuilder &inner, Value last, int64_t width) {
                           return compute(inner, outer, last, width);
                         });
  memref::StoreOp::create(builder, row.loc, total, init.get(), at);
}

void linalg_to_vector::populateGenericReducePatterns(
    RewritePatternSet &patterns, int64_t minParallel, Fills &fills,
    Pass::Statistic &count) {
  patterns.add<VectorizeGenericReduce>(patterns.getContext(), minParallel,
                                       fills, count);
}

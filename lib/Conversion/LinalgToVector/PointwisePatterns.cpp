//===- PointwisePatterns.cpp - Element-wise ops on buffers ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors go along the last loop, of the body by GenericBody.cpp.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

/// Vectors of the machine that one iteration computes: independent chains of
/// polynomials hide each other's latency.
static constexpr int64_t kPointwiseVectors = 2;

namespace {

struct VectorizePointwise : OpRewritePattern<linalg::GenericOp> {
  VectorizePointwise(MLIRContext *context, bool parallel,
                     Pass::Statistic &count)
      : OpRewritePattern(context), parallel(parallel), count(count) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<int64_t> shape = op.getStaticLoopRanges();
    if (!op.hasPureBufferSemantics() || shape.empty() ||
        ShapedType::isDynamicShape(shape))
      return rewriter.notifyMatchFailure(op, "not on buffers of static shapes");
    if (op.getNumParallelLoops() != shape.size())
      return rewriter.notifyMatchFailure(op, "not all loops are parallel");
    if (shape.back() < kLeastRow)
      return rewriter.notifyMatchFailure(op, "the last loop is short");
    for (OpOperand &init : op.getDpsInitsMutable())
      if (!movesAlong(op.getMatchingIndexingMap(&init)))
        return rewriter.notifyMatchFailure(
            op, "a result does not move along the last loop");
    unsigned bits;
    if (failed(matchGeneric(rewriter, op, /*combiner=*/nullptr, bits)))
      return failure();

    int64_t lanes = getNumLanes(op, bits, kPointwiseVectors, shape.back());
    bool isRow = shape.size() == 1;
    buildLoops(
        rewriter, op.getLoc(), ArrayRef(shape).drop_back(),
        [&](OpBuilder &outer, ValueRange indices) {
          buildVectors(
              outer, op.getLoc(), shape.back(), lanes,
              [&](OpBuilder &inner, Value last, int64_t width) {
                SmallVector<Value> all(indices);
                all.push_back(last);
                emit(inner, op, all, width);
              },
              parallel && isRow);
        },
        parallel);
    rewriter.eraseOp(op);
    ++count;
    return success();
  }

private:
  /// Computes the elements at `indices`, and those of the next lanes.
  static void emit(OpBuilder &builder, linalg::GenericOp op,
                   ArrayRef<Value> indices, int64_t lanes) {
    IRMapping values =
        emitGeneric(builder, op, /*combiner=*/nullptr, indices, lanes);
    Operation *yield = op.getBody()->getTerminator();
    for (auto [init, result] :
         llvm::zip(op.getDpsInitsMutable(), yield->getOperands()))
      vector::StoreOp::create(
          builder, op.getLoc(),
          createVector(builder, op.getLoc(), values.lookupOrDefault(result),
                       lanes),
          init.get(), getIndices(builder, op, init, indices));
  }

  bool parallel;
  Pass::Statistic &count;
};

} // namespace

void linalg_to_vector::populatePointwisePatterns(RewritePatternSet &patterns,
                                                 bool parallel,
                                                 Pass::Statistic &count) {
  patterns.add<VectorizePointwise>(patterns.getContext(), parallel, count);
}

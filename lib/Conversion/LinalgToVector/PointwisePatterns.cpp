//===- PointwisePatterns.cpp - Element-wise ops on buffers ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors go along the last loop. An operand moves along its own last axis with
// it, or not at all: then its element is loaded once for a vector. What of the
// body depends on such elements only is computed once as well.
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

/// Whether an operand with this map moves along the last loop.
static bool movesAlong(AffineMap map) {
  return map.isFunctionOfDim(map.getNumDims() - 1);
}

static Value createVector(OpBuilder &builder, Location loc, Value value,
                          int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get(lanes, value.getType()), value);
}

namespace {

struct VectorizePointwise : OpRewritePattern<linalg::GenericOp> {
  VectorizePointwise(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

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
    unsigned bits = 8;
    for (OpOperand &operand : op->getOpOperands())
      if (failed(matchOperand(rewriter, op, operand, bits)))
        return failure();
    if (failed(matchBody(rewriter, op, bits)))
      return failure();

    int64_t lanes = getNumLanes(op, bits, kPointwiseVectors, shape.back());
    buildLoops(rewriter, op.getLoc(), ArrayRef(shape).drop_back(),
               [&](OpBuilder &outer, ValueRange indices) {
                 buildVectors(outer, op.getLoc(), shape.back(), lanes,
                              [&](OpBuilder &inner, Value last, int64_t width) {
                                SmallVector<Value> all(indices);
                                all.push_back(last);
                                emit(inner, op, all, width);
                              });
               });
    rewriter.eraseOp(op);
    ++count;
    return success();
  }

private:
  static LogicalResult matchOperand(PatternRewriter &rewriter,
                                    linalg::GenericOp op, OpOperand &operand,
                                    unsigned &bits) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!isa<MemRefType>(operand.get().getType()))
      return success(); // a scalar
    if (!map.isProjectedPermutation())
      return rewriter.notifyMatchFailure(
          op, "the indices of an operand are no projection of the loops");
    Type element = getElementTypeOrSelf(operand.get().getType());
    if (!element.isIntOrIndexOrFloat())
      return rewriter.notifyMatchFailure(op, "elements are no numbers");
    bits = std::max(bits,
                    element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
    if (!movesAlong(map))
      return success();
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!last || last.getPosition() + 1 != map.getNumDims() ||
        !hasVectors(operand.get()))
      return rewriter.notifyMatchFailure(
          op, "an operand has no vectors along the last loop");
    return success();
  }

  static LogicalResult matchBody(PatternRewriter &rewriter,
                                 linalg::GenericOp op, unsigned &bits) {
    for (OpOperand &init : op.getDpsInitsMutable())
      if (!movesAlong(op.getMatchingIndexingMap(&init)))
        return rewriter.notifyMatchFailure(
            op, "a result does not move along the last loop");
    for (Operation &inner : op.getBody()->without_terminator()) {
      if (isa<linalg::IndexOp, arith::ConstantOp>(inner))
        continue;
      if (!OpTrait::hasElementwiseMappableTraits(&inner) ||
          inner.getNumRegions() > 0)
        return rewriter.notifyMatchFailure(
            op, "an op of the body is not element-wise");
      for (Type type : inner.getResultTypes())
        if (!type.isIntOrIndexOrFloat())
          return rewriter.notifyMatchFailure(op, "a value is no number");
    }
    return success();
  }

  /// Computes the elements at `indices`, and those of the next lanes.
  static void emit(OpBuilder &builder, linalg::GenericOp op,
                   ArrayRef<Value> indices, int64_t lanes) {
    Location loc = op.getLoc();
    auto getIndices = [&](OpOperand &operand) {
      return llvm::map_to_vector(
          op.getMatchingIndexingMap(&operand).getResults(),
          [&](AffineExpr expression) {
            return indices[cast<AffineDimExpr>(expression).getPosition()];
          });
    };
    IRMapping values;
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (argument.use_empty())
        continue;
      Value value = operand.get();
      if (type && movesAlong(op.getMatchingIndexingMap(&operand)))
        value = vector::LoadOp::create(
            builder, loc, VectorType::get(lanes, type.getElementType()), value,
            getIndices(operand));
      else if (type)
        value =
            memref::LoadOp::create(builder, loc, value, getIndices(operand));
      values.map(argument, value);
    }
    for (Operation &inner : op.getBody()->without_terminator())
      emitBodyOp(builder, inner, values, indices, lanes);
    Operation *yield = op.getBody()->getTerminator();
    for (auto [init, result] :
         llvm::zip(op.getDpsInitsMutable(), yield->getOperands()))
      vector::StoreOp::create(
          builder, loc,
          createVector(builder, loc, values.lookupOrDefault(result), lanes),
          init.get(), getIndices(init));
  }

  static void emitBodyOp(OpBuilder &builder, Operation &op, IRMapping &values,
                         ArrayRef<Value> indices, int64_t lanes) {
    Location loc = op.getLoc();
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      Value value = indices[index.getDim()];
      if (index.getDim() + 1 == indices.size()) {
        auto type = VectorType::get(lanes, builder.getIndexType());
        value = arith::AddIOp::create(
            builder, loc, createVector(builder, loc, value, lanes),
            vector::StepOp::create(builder, loc, type));
      }
      values.map(index.getResult(), value);
      return;
    }
    auto operands = llvm::map_to_vector(op.getOperands(), [&](Value operand) {
      return values.lookupOrDefault(operand);
    });
    bool isUniform = llvm::none_of(operands, [](Value operand) {
      return isa<VectorType>(operand.getType());
    });
    if (isUniform) {
      builder.clone(op, values);
      return;
    }
    for (Value &operand : operands)
      operand = createVector(builder, loc, operand, lanes);
    OperationState state(loc, op.getName(), operands, {}, op.getAttrs());
    for (Type type : op.getResultTypes())
      state.types.push_back(VectorType::get(lanes, type));
    values.map(op.getResults(), builder.create(state)->getResults());
  }

  Pass::Statistic &count;
};

} // namespace

void linalg_to_vector::populatePointwisePatterns(RewritePatternSet &patterns,
                                                 Pass::Statistic &count) {
  patterns.add<VectorizePointwise>(patterns.getContext(), count);
}

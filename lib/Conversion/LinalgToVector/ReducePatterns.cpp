//===- ReducePatterns.cpp - Sums along an axis of a buffer ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along the last axis rows are combined (RowReduction.cpp). Along another axis
// each element of the result is a lane, and stays in its register.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

namespace {

/// A reduction of `source` along `axis` to `result`.
struct Reduction {
  RowReduction row;
  Value source, result;
  Value filled; ///< what all elements of the result begin with, or null
  SmallVector<int64_t> shape;
  int64_t axis;
  bool parallel;

  Value load(OpBuilder &builder, ValueRange indices, int64_t width) const {
    Type element = cast<MemRefType>(source.getType()).getElementType();
    return vector::LoadOp::create(
        builder, row.loc, VectorType::get(width, element), source, indices);
  }

  Value loadStart(OpBuilder &builder, ValueRange indices) const {
    return filled ? filled
                  : memref::LoadOp::create(builder, row.loc, result, indices);
  }

  void emitAlongLanes(OpBuilder &builder) const;
  void emitAcrossLanes(OpBuilder &builder) const;
};

struct VectorizeReduce : OpRewritePattern<linalg::ReduceOp> {
  VectorizeReduce(MLIRContext *context, int64_t minParallel, Fills &fills,
                  Pass::Statistic &count)
      : OpRewritePattern(context), minParallel(minParallel), fills(fills),
        count(count) {}

  LogicalResult matchAndRewrite(linalg::ReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics() || op.getInputs().size() != 1 ||
        op.getDimensions().size() != 1)
      return rewriter.notifyMatchFailure(op,
                                         "not of one buffer along one axis");
    Value source = op.getInputs().front(), result = op.getInits().front();
    auto type = cast<MemRefType>(source.getType());
    if (!type.hasStaticShape() || type.getShape().back() < kLeastRow)
      return rewriter.notifyMatchFailure(op, "the last axis is not static, or "
                                             "short");
    Block &body = op.getCombiner().front();
    Operation &combiner = body.front();
    if (!llvm::hasNItems(body, 2) ||
        !llvm::is_contained(combiner.getOperands(), body.getArgument(0)) ||
        !llvm::is_contained(combiner.getOperands(), body.getArgument(1)) ||
        combiner.getNumOperands() != 2 ||
        body.getTerminator()->getOperand(0) != combiner.getResult(0))
      return rewriter.notifyMatchFailure(op, "it combines by more than one op");
    auto kind = linalg::getCombinerOpKind(&combiner);
    if (!kind)
      return rewriter.notifyMatchFailure(op, "vectors do not combine that way");
    int64_t axis = op.getDimensions().front();
    bool isAlong = axis + 1 == type.getRank();
    if (!hasVectors(source) || (!isAlong && !hasVectors(result)))
      return rewriter.notifyMatchFailure(op, "there are no vectors along the "
                                             "last axis");
    Type element = type.getElementType();
    unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    int64_t size = type.getShape().back();
    int64_t lanes = getNumLanes(op, bits, kReduceVectors, size);
    if (int64_t before = getLanesOfLoop(op, source, lanes))
      lanes = before;
    Reduction reduction{{op.getLoc(), &combiner, *kind, size, lanes},
                        source,
                        result,
                        isAlong ? fills.take(op, result) : Value(),
                        SmallVector<int64_t>(type.getShape()),
                        axis,
                        isParallel(op, minParallel)};
    if (isAlong)
      reduction.emitAlongLanes(rewriter);
    else
      reduction.emitAcrossLanes(rewriter);
    rewriter.eraseOp(op);
    ++count;
    return success();
  }

private:
  int64_t minParallel;
  Fills &fills;
  Pass::Statistic &count;
};

} // namespace

void Reduction::emitAlongLanes(OpBuilder &builder) const {
  auto body = [&](OpBuilder &outer, ValueRange indices) {
    Value start = loadStart(outer, indices);
    auto loadAt = [&](OpBuilder &inner, Value last, int64_t width) {
      SmallVector<Value> all(indices);
      all.push_back(last);
      return load(inner, all, width);
    };
    memref::StoreOp::create(outer, row.loc, row.emit(outer, start, loadAt),
                            result, indices);
  };
  buildLoops(builder, row.loc, ArrayRef(shape).drop_back(), body, parallel);
}

void Reduction::emitAcrossLanes(OpBuilder &builder) const {
  SmallVector<int64_t> outerShape(shape);
  outerShape.pop_back();
  outerShape.erase(outerShape.begin() + axis);
  auto body = [&](OpBuilder &outer, ValueRange indices) {
    buildVectors(
        outer, row.loc, shape.back(), row.lanes,
        [&](OpBuilder &inner, Value last, int64_t width) {
          SmallVector<Value> at(indices);
          at.push_back(last);
          Type element = cast<MemRefType>(source.getType()).getElementType();
          Value sum = vector::LoadOp::create(
              inner, row.loc, VectorType::get(width, element), result, at);
          auto getConstant = [&](int64_t number) -> Value {
            return arith::ConstantIndexOp::create(inner, row.loc, number);
          };
          auto loop = scf::ForOp::create(
              inner, row.loc, getConstant(0), getConstant(shape[axis]),
              getConstant(1), sum,
              [&](OpBuilder &step, Location, Value index, ValueRange carried) {
                SmallVector<Value> from(at);
                from.insert(from.begin() + axis, index);
                Value value = load(step, from, width);
                scf::YieldOp::create(step, row.loc,
                                     row.combine(step, value, carried.front()));
              });
          vector::StoreOp::create(inner, row.loc, loop.getResult(0), result,
                                  at);
        });
  };
  buildLoops(builder, row.loc, outerShape, body, parallel);
}

void linalg_to_vector::populateReducePatterns(RewritePatternSet &patterns,
                                              int64_t minParallel, Fills &fills,
                                              Pass::Statistic &count) {
  patterns.add<VectorizeReduce>(patterns.getContext(), minParallel, fills,
                                count);
}

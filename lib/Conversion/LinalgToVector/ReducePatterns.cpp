//===- ReducePatterns.cpp - Sums along an axis of a buffer ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along the last axis each lane combines what it meets, and the lanes are
// combined at the end: floats are added in another order than that of their
// indices. Along another axis each element of the result is a lane, and stays
// in its register.
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
  Location loc;
  Value source, result;
  SmallVector<int64_t> shape;
  int64_t axis, lanes;
  Operation *combiner;
  vector::CombiningKind kind;
  bool parallel;

  /// Combines what `value` and `before` hold, scalars or vectors.
  Value combine(OpBuilder &builder, Value value, Value before) const {
    OperationState state(loc, combiner->getName(), {value, before},
                         value.getType(), combiner->getAttrs());
    return builder.create(state)->getResult(0);
  }
  Value load(OpBuilder &builder, ValueRange indices, int64_t width) const {
    Type element = cast<MemRefType>(source.getType()).getElementType();
    return vector::LoadOp::create(builder, loc, VectorType::get(width, element),
                                  source, indices);
  }
  Value combineLanes(OpBuilder &builder, Value vector, Value before) const {
    return vector::ReductionOp::create(builder, loc, kind, vector, before,
                                       arith::FastMathFlags::reassoc);
  }

  void emitAlongLanes(OpBuilder &builder) const;
  void emitAcrossLanes(OpBuilder &builder) const;
};

struct VectorizeReduce : OpRewritePattern<linalg::ReduceOp> {
  VectorizeReduce(MLIRContext *context, bool parallel, Pass::Statistic &count)
      : OpRewritePattern(context), parallel(parallel), count(count) {}

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
    Reduction reduction{
        op.getLoc(), source, result,    SmallVector<int64_t>(type.getShape()),
        axis,        0,      &combiner, *kind,
        parallel};
    reduction.lanes =
        getNumLanes(op, bits, kReduceVectors, type.getShape().back());
    if (isAlong)
      reduction.emitAlongLanes(rewriter);
    else
      reduction.emitAcrossLanes(rewriter);
    rewriter.eraseOp(op);
    ++count;
    return success();
  }

private:
  bool parallel;
  Pass::Statistic &count;
};

} // namespace

void Reduction::emitAlongLanes(OpBuilder &builder) const {
  auto getConstant = [&](OpBuilder &builder, int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  int64_t size = shape.back();
  auto body = [&](OpBuilder &outer, ValueRange indices) {
    auto loadAt = [&](OpBuilder &builder, Value last, int64_t width) {
      SmallVector<Value> all(indices);
      all.push_back(last);
      return load(builder, all, width);
    };
    Value sum = loadAt(outer, getConstant(outer, 0), lanes);
    int64_t done = size - size % lanes;
    if (done > lanes) {
      auto loop = scf::ForOp::create(
          outer, loc, getConstant(outer, lanes), getConstant(outer, done),
          getConstant(outer, lanes), sum,
          [&](OpBuilder &inner, Location, Value index, ValueRange carried) {
            Value value = loadAt(inner, index, lanes);
            scf::YieldOp::create(inner, loc,
                                 combine(inner, value, carried.front()));
          });
      sum = loop.getResult(0);
    }
    Value start = memref::LoadOp::create(outer, loc, result, indices);
    Value total = combineLanes(outer, sum, start);
    for (int64_t width = lanes / 2; width > 0; width /= 2)
      for (; size - done >= width; done += width)
        total = combineLanes(
            outer, loadAt(outer, getConstant(outer, done), width), total);
    memref::StoreOp::create(outer, loc, total, result, indices);
  };
  buildLoops(builder, loc, ArrayRef(shape).drop_back(), body, parallel);
}

void Reduction::emitAcrossLanes(OpBuilder &builder) const {
  SmallVector<int64_t> outerShape(shape);
  outerShape.pop_back();
  outerShape.erase(outerShape.begin() + axis);
  auto body = [&](OpBuilder &outer, ValueRange indices) {
    buildVectors(
        outer, loc, shape.back(), lanes,
        [&](OpBuilder &inner, Value last, int64_t width) {
          SmallVector<Value> at(indices);
          at.push_back(last);
          Type element = cast<MemRefType>(source.getType()).getElementType();
          Value sum = vector::LoadOp::create(
              inner, loc, VectorType::get(width, element), result, at);
          auto getConstant = [&](int64_t number) -> Value {
            return arith::ConstantIndexOp::create(inner, loc, number);
          };
          auto loop = scf::ForOp::create(
              inner, loc, getConstant(0), getConstant(shape[axis]),
              getConstant(1), sum,
              [&](OpBuilder &step, Location, Value index, ValueRange carried) {
                SmallVector<Value> from(at);
                from.insert(from.begin() + axis, index);
                Value value = load(step, from, width);
                scf::YieldOp::create(step, loc,
                                     combine(step, value, carried.front()));
              });
          vector::StoreOp::create(inner, loc, loop.getResult(0), result, at);
        });
  };
  buildLoops(builder, loc, outerShape, body, parallel);
}

void linalg_to_vector::populateReducePatterns(RewritePatternSet &patterns,
                                              bool parallel,
                                              Pass::Statistic &count) {
  patterns.add<VectorizeReduce>(patterns.getContext(), parallel, count);
}

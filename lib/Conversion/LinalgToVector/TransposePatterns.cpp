//===- TransposePatterns.cpp - Operands whose axes are turned -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand whose last axis is not the last loop has no vectors along that.
// Where it is only moved, squares of it are loaded by rows, transposed in
// registers, and stored by rows. Where more is computed, such a move into a
// buffer comes before, so that the op finds vectors.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "tileir/Conversion/EinsumLowering/VectorTranspose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

/// Rows of a square: they and what the shuffles make of them are in registers.
static constexpr int64_t kMostRows = 16;

namespace {

/// A move of `from`, of which the element at `map(i)` is that of the result at
/// `i`, where the last axis of `from` is not the last loop.
struct Move {
  Value from;
  AffineMap map;
  SmallVector<int64_t> shape; // of the loops

  unsigned getLastLoop() const { return shape.size() - 1; }
  /// The loop along the last axis of `from`.
  unsigned getTurnedLoop() const {
    return cast<AffineDimExpr>(map.getResults().back()).getPosition();
  }
};

} // namespace

/// The move of an operand, if it has vectors, but not along the last loop.
static std::optional<Move> findMove(linalg::GenericOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> shape = op.getStaticLoopRanges();
  if (!isa<MemRefType>(operand.get().getType()) || !hasVectors(operand.get()) ||
      ShapedType::isDynamicShape(shape) || !map.isProjectedPermutation() ||
      !movesAlong(map))
    return std::nullopt;
  Move move{operand.get(), map, shape};
  if (move.getTurnedLoop() == move.getLastLoop())
    return std::nullopt;
  return move;
}

/// Rows of the squares, or 0 if sizes are odd.
static int64_t getNumRows(Operation *op, const Move &move) {
  auto type = cast<MemRefType>(move.from.getType());
  unsigned bits =
      type.getElementType().isIndex() ? 64 : type.getElementTypeBitWidth();
  int64_t rows = std::gcd(std::gcd(move.shape[move.getTurnedLoop()],
                                   move.shape[move.getLastLoop()]),
                          getNumLanes(op, bits, /*count=*/1, kMostRows));
  return rows < kLeastRow ? 0 : rows;
}

/// Moves by squares of `rows` rows into `to`, which has the shape of the loops.
static void emitMove(OpBuilder &builder, Location loc, const Move &move,
                     Value to, int64_t rows, bool parallel) {
  unsigned turned = move.getTurnedLoop(), last = move.getLastLoop();
  SmallVector<int64_t> steps(move.shape.size(), 1);
  steps[turned] = steps[last] = rows;
  Type element = cast<MemRefType>(move.from.getType()).getElementType();
  auto type = VectorType::get(rows, element);
  buildLoops(
      builder, loc, move.shape,
      [&](OpBuilder &inner, ValueRange indices) {
        auto getIndices = [&](unsigned loop, int64_t offset) {
          SmallVector<Value> at(indices);
          at[loop] = arith::AddIOp::create(
              inner, loc, at[loop],
              arith::ConstantIndexOp::create(inner, loc, offset));
          return at;
        };
        SmallVector<Value> square;
        for (int64_t row = 0; row < rows; ++row) {
          SmallVector<Value> at = getIndices(last, row), place;
          for (AffineExpr axis : move.map.getResults())
            place.push_back(at[cast<AffineDimExpr>(axis).getPosition()]);
          square.push_back(
              vector::LoadOp::create(inner, loc, type, move.from, place));
        }
        square = lowering::createTranspose(inner, loc, square);
        for (int64_t row = 0; row < rows; ++row)
          vector::StoreOp::create(inner, loc, square[row], to,
                                  getIndices(turned, row));
      },
      parallel, steps);
}

/// Whether all that `op` does is to move elements.
static bool isMove(linalg::GenericOp op) {
  Block *body = op.getBody();
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         llvm::hasSingleElement(*body) &&
         body->getTerminator()->getOperand(0) == body->getArgument(0);
}

namespace {

struct VectorizeMove : OpRewritePattern<linalg::GenericOp> {
  VectorizeMove(MLIRContext *context, int64_t minParallel,
                Pass::Statistic &count)
      : OpRewritePattern(context, /*benefit=*/2), minParallel(minParallel),
        count(count) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics() || !isMove(op) ||
        op.getNumParallelLoops() != op.getNumLoops())
      return rewriter.notifyMatchFailure(op, "more than a move of elements");
    Value to = op.getDpsInits()[0];
    std::optional<Move> move = findMove(op, *op.getDpsInputOperand(0));
    if (!move || !op.getIndexingMapsArray().back().isIdentity() ||
        !hasVectors(to))
      return rewriter.notifyMatchFailure(op, "no axes are turned");
    int64_t rows = getNumRows(op, *move);
    if (rows == 0)
      return rewriter.notifyMatchFailure(op, "no squares of a power of two");
    emitMove(rewriter, op.getLoc(), *move, to, rows,
             isParallel(op, minParallel));
    rewriter.eraseOp(op);
    ++count;
    return success();
  }

  int64_t minParallel;
  Pass::Statistic &count;
};

} // namespace

void linalg_to_vector::straightenOperands(Operation *root,
                                          int64_t minParallel) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (op.hasPureBufferSemantics() && !isMove(op) &&
        op.getNumParallelLoops() == op.getNumLoops())
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops)
    for (OpOperand *input : op.getDpsInputOperands()) {
      std::optional<Move> move = findMove(op, *input);
      int64_t rows = move ? getNumRows(op, *move) : 0;
      if (rows == 0)
        continue;
      // Loops that the operand does not move along are none of the buffer.
      SmallVector<AffineExpr> loops, axes(op.getNumLoops());
      SmallVector<int64_t> shape;
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
        if (!move->map.isFunctionOfDim(loop))
          continue;
        axes[loop] = getAffineDimExpr(loops.size(), op.getContext());
        loops.push_back(getAffineDimExpr(loop, op.getContext()));
        shape.push_back(move->shape[loop]);
      }
      OpBuilder builder(op);
      Type element = cast<MemRefType>(move->from.getType()).getElementType();
      Value to = memref::AllocOp::create(builder, op.getLoc(),
                                         MemRefType::get(shape, element),
                                         builder.getI64IntegerAttr(64));
      move->map = move->map.replaceDimsAndSymbols(axes, {}, loops.size(), 0);
      move->shape = shape;
      emitMove(builder, op.getLoc(), *move, to, rows,
               isParallel(op, minParallel));
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[input->getOperandNumber()] =
          AffineMap::get(op.getNumLoops(), 0, loops, op.getContext());
      input->set(to);
      op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
    }
}

void linalg_to_vector::populateTransposePatterns(RewritePatternSet &patterns,
                                                 int64_t minParallel,
                                                 Pass::Statistic &count) {
  patterns.add<VectorizeMove>(patterns.getContext(), minParallel, count);
}

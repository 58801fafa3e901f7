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

#include "tileir/Conversion/EinsumLowering/Buffers.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

/// Vectors of the machine that one iteration computes: independent chains of
/// polynomials hide each other's latency.
static constexpr int64_t kPointwiseVectors = 2;

namespace {

struct VectorizePointwise : OpRewritePattern<linalg::GenericOp> {
  VectorizePointwise(MLIRContext *context, int64_t minParallel,
                     Pass::Statistic &count)
      : OpRewritePattern(context), minParallel(minParallel), count(count) {}

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
    SmallVector<Value> streams;
    for (OpOperand &init : op.getDpsInitsMutable())
      streams.push_back(emitStreamCondition(rewriter, op, init, lanes));
    bool isRow = shape.size() == 1;
    bool parallel = isParallel(op, minParallel);
    buildLoops(
        rewriter, op.getLoc(), ArrayRef(shape).drop_back(),
        [&](OpBuilder &outer, ValueRange indices) {
          buildVectors(
              outer, op.getLoc(), shape.back(), lanes,
              [&](OpBuilder &inner, Value last, int64_t width) {
                SmallVector<Value> all(indices);
                all.push_back(last);
                emit(inner, op, all, width, streams);
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
                   ArrayRef<Value> indices, int64_t lanes,
                   ArrayRef<Value> streams) {
    IRMapping values =
        emitGeneric(builder, op, /*combiner=*/nullptr, indices, lanes);
    Operation *yield = op.getBody()->getTerminator();
    for (auto [init, result, isStreamed] :
         llvm::zip(op.getDpsInitsMutable(), yield->getOperands(), streams)) {
      Value value = createVector(builder, op.getLoc(),
                                 values.lookupOrDefault(result), lanes);
      Value memref = init.get();
      SmallVector<Value> at = getIndices(builder, op, init, indices);
      if (!isStreamed) {
        vector::StoreOp::create(builder, op.getLoc(), value, memref, at);
        continue;
      }
      scf::IfOp::create(
          builder, op.getLoc(), isStreamed,
          [&](OpBuilder &inner, Location loc) {
            stream(inner, loc, value, memref, at, getAlignment(op));
            scf::YieldOp::create(inner, loc);
          },
          [&](OpBuilder &inner, Location loc) {
            vector::StoreOp::create(inner, loc, value, memref, at);
            scf::YieldOp::create(inner, loc);
          });
    }
  }

  /// Stores by vectors of `bytes`, those of the machine: code generation makes
  /// scalars of others that are not temporal.
  static void stream(OpBuilder &builder, Location loc, Value value,
                     Value memref, SmallVector<Value> at, int64_t bytes) {
    auto type = cast<VectorType>(value.getType());
    int64_t lanes = 8 * bytes / type.getElementTypeBitWidth();
    Value begin = at.back();
    for (int64_t lane = 0; lane < type.getNumElements(); lane += lanes) {
      Value part = vector::ExtractStridedSliceOp::create(
          builder, loc, value, /*offsets=*/lane, /*sizes=*/lanes,
          /*strides=*/int64_t(1));
      if (lane > 0)
        at.back() = arith::AddIOp::create(
            builder, loc, begin,
            arith::ConstantIndexOp::create(builder, loc, lane));
      vector::StoreOp::create(builder, loc, part, memref, at,
                              /*nontemporal=*/true, llvm::Align(bytes));
    }
  }

  /// What a view, of a view, is of.
  static Value getMemory(Value memref) {
    while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
      memref = view.getViewSource();
    return memref;
  }

  /// Bytes at multiples of which vectors of the machine are stored past caches.
  static int64_t getAlignment(linalg::GenericOp op) {
    return einsum::MachineAttr::find(op).getVectorBits() / 8;
  }

  /// Whether a result is written past the caches, which keep nothing of it, by
  /// vectors of `lanes` elements: a condition, or null if it never is.
  static Value emitStreamCondition(OpBuilder &builder, linalg::GenericOp op,
                                   OpOperand &init, int64_t lanes) {
    auto type = cast<MemRefType>(init.get().getType());
    // Lines that are read are in the caches anyway.
    Value memory = getMemory(init.get());
    bool isRead = op.payloadUsesValueFromOperand(&init) ||
                  llvm::any_of(op.getDpsInputs(), [&](Value input) {
                    return getMemory(input) == memory;
                  });
    if (isRead || !type.getElementType().isIntOrFloat())
      return {};
    int64_t alignment = getAlignment(op),
            bytes = type.getElementTypeBitWidth() / 8;
    if (!type.getLayout().isIdentity() || lanes * bytes % alignment != 0 ||
        type.getShape().back() * bytes % alignment != 0 ||
        !einsum::MachineAttr::find(op).streams(
            static_cast<double>(type.getNumElements()) * bytes))
      return {};
    return lowering::createIsAligned(builder, op.getLoc(), init.get(),
                                     alignment);
  }

  int64_t minParallel;
  Pass::Statistic &count;
};

} // namespace

void linalg_to_vector::populatePointwisePatterns(RewritePatternSet &patterns,
                                                 int64_t minParallel,
                                                 Pass::Statistic &count) {
  patterns.add<VectorizePointwise>(patterns.getContext(), minParallel, count);
}

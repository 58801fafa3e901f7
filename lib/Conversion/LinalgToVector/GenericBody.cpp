//===- GenericBody.cpp - Bodies of linalg.generic on vectors --------------===//
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
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

bool linalg_to_vector::movesAlong(AffineMap map) {
  return map.isFunctionOfDim(map.getNumDims() - 1);
}

Value linalg_to_vector::createVector(OpBuilder &builder, Location loc,
                                     Value value, int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get(lanes, value.getType()), value);
}

static LogicalResult matchOperand(PatternRewriter &rewriter,
                                  linalg::GenericOp op, OpOperand &operand,
                                  unsigned &bits) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!isa<MemRefType>(operand.get().getType()))
    return success(); // a scalar
  if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return rewriter.notifyMatchFailure(
        op, "the indices of an operand are no projection of the loops");
  Type element = getElementTypeOrSelf(operand.get().getType());
  if (!element.isIntOrIndexOrFloat())
    return rewriter.notifyMatchFailure(op, "elements are no numbers");
  bits =
      std::max(bits, element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
  if (!movesAlong(map))
    return success();
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  if (!last || last.getPosition() + 1 != map.getNumDims() ||
      !hasVectors(operand.get()))
    return rewriter.notifyMatchFailure(
        op, "an operand has no vectors along the last loop");
  return success();
}

static void emitBodyOp(OpBuilder &builder, Operation &op, IRMapping &values,
                       ArrayRef<Value> indices, int64_t lanes) {
  Location loc = op.getLoc();
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    Value value = indices[index.getDim()];
    if (index.getDim() + 1 == indices.size()) {
      auto type = VectorType::get(lanes, builder.getIndexType());
      value = arith::AddIOp::create(builder, loc,
                                    createVector(builder, loc, value, lanes),
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

LogicalResult linalg_to_vector::matchGeneric(PatternRewriter &rewriter,
                                             linalg::GenericOp op,
                                             Operation *combiner,
                                             unsigned &bits) {
  bits = 8;
  for (OpOperand &operand : op->getOpOperands())
    if (failed(matchOperand(rewriter, op, operand, bits)))
      return failure();
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (&inner == combiner || isa<linalg::IndexOp, arith::ConstantOp>(inner))
      continue;
    // LLVM's powers have one exponent for all lanes.
    if (!OpTrait::hasElementwiseMappableTraits(&inner) ||
        inner.getNumRegions() > 0 || isa<math::FPowIOp>(inner))
      return rewriter.notifyMatchFailure(
          op, "an op of the body is not element-wise");
    for (Type type : inner.getResultTypes())
      if (!type.isIntOrIndexOrFloat())
        return rewriter.notifyMatchFailure(op, "a value is no number");
  }
  return success();
}

SmallVector<Value> linalg_to_vector::getIndices(OpBuilder &builder,
                                                linalg::GenericOp op,
                                                OpOperand &operand,
                                                ArrayRef<Value> indices) {
  return llvm::map_to_vector(
      op.getMatchingIndexingMap(&operand).getResults(),
      [&](AffineExpr expression) -> Value {
        if (auto loop = dyn_cast<AffineDimExpr>(expression))
          return indices[loop.getPosition()];
        return arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
      });
}

IRMapping linalg_to_vector::emitGeneric(OpBuilder &builder,
                                        linalg::GenericOp op,
                                        Operation *combiner,
                                        ArrayRef<Value> indices,
                                        int64_t lanes) {
  Location loc = op.getLoc();
  IRMapping values;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (argument.use_empty() || (combiner && op.isDpsInit(&operand)))
      continue;
    Value value = operand.get();
    if (type && movesAlong(op.getMatchingIndexingMap(&operand)))
      value = vector::LoadOp::create(
          builder, loc, VectorType::get(lanes, type.getElementType()), value,
          getIndices(builder, op, operand, indices));
    else if (type)
      value = memref::LoadOp::create(builder, loc, value,
                                     getIndices(builder, op, operand, indices));
    values.map(argument, value);
  }
  for (Operation &inner : op.getBody()->without_terminator())
    if (&inner != combiner)
      emitBodyOp(builder, inner, values, indices, lanes);
  return values;
}

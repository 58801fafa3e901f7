//===- EmitMasks.cpp - Masks of loads in arms and behind predicates -------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an element of an expression is not needed, nothing is loaded for it.
// Downwards in an expression, an element of an operand is needed if any of
// those is that it becomes part of.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tileir::triton_c {

Value Emitter::toShape(Location loc, Value mask, ArrayRef<int64_t> shape) {
  if (!mask || tile::getShape(mask.getType()) == shape)
    return mask;
  if (!isa<RankedTensorType>(mask.getType()))
    return emitSplat(loc, mask, shape);
  return tile::BroadcastOp::create(
      builder, loc, RankedTensorType::get(shape, builder.getI1Type()), mask);
}

Value Emitter::combineMasks(Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  ArrayRef<int64_t> shape = tile::getShape(lhs.getType());
  if (shape.empty())
    shape = tile::getShape(rhs.getType());
  return arith::AndIOp::create(builder, loc, toShape(loc, lhs, shape),
                               toShape(loc, rhs, shape));
}

Value Emitter::negateMask(Location loc, Value mask) {
  Value always = emitConstant(loc, builder.getI1Type(), int64_t(1));
  ArrayRef<int64_t> shape = tile::getShape(mask.getType());
  return arith::XOrIOp::create(builder, loc, mask, toShape(loc, always, shape));
}

Value Emitter::reduceMask(Location loc, Value mask, ArrayRef<int64_t> to) {
  SmallVector<int64_t> shape(tile::getShape(mask.getType()));
  size_t pad = shape.size() - to.size();
  // From the last axis on, so that the numbers of those before stay.
  for (size_t axis = shape.size(); axis-- > 0;)
    if (axis < pad || (to[axis - pad] == 1 && shape[axis] != 1))
      mask = tile::ReduceOp::create(builder, loc, tile::Combiner::Or, mask,
                                    static_cast<int64_t>(axis));
  if (tile::getShape(mask.getType()) == to)
    return mask;
  if (!isa<RankedTensorType>(mask.getType()))
    return emitSplat(loc, mask, to);
  return tile::ReshapeOp::create(
      builder, loc, RankedTensorType::get(to, builder.getI1Type()), mask);
}

Value Emitter::getOperandMask(const Expr &expr, Value mask) {
  if (!mask || !isa<RankedTensorType>(mask.getType()))
    return mask;
  Location loc = getLoc(expr.place);
  const ValueType &operand = expr.operands.front()->type;
  Type type = RankedTensorType::get(operand.shape, builder.getI1Type());
  switch (expr.kind) {
  case ExprKind::Splat:
  case ExprKind::Broadcast:
    return reduceMask(loc, mask, operand.shape);
  case ExprKind::Reshape:
    return tile::ReshapeOp::create(builder, loc, type, mask);
  case ExprKind::Trans: {
    auto permutation = llvm::to_vector(
        llvm::seq<int64_t>(0, static_cast<int64_t>(operand.shape.size())));
    std::swap(permutation.back(), permutation[permutation.size() - 2]);
    return tile::TransOp::create(builder, loc, mask, permutation);
  }
  case ExprKind::Reduce: {
    Sizes shape(operand.shape);
    shape[expr.axis] = 1;
    mask = tile::ReshapeOp::create(
        builder, loc, RankedTensorType::get(shape, builder.getI1Type()), mask);
    return toShape(loc, mask, operand.shape);
  }
  default:
    return mask;
  }
}

} // namespace tileir::triton_c

//===- EmitExpressions.cpp - Expressions ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tileir::triton_c {

Value Emitter::emitConstant(Location loc, Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value Emitter::emitConstant(Location loc, Type type, double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value Emitter::emitSplat(Location loc, Value scalar, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, scalar.getType());
  if (auto constant = scalar.getDefiningOp<arith::ConstantOp>()) {
    auto splat = DenseElementsAttr::get(type, constant.getValue());
    return arith::ConstantOp::create(builder, loc, splat);
  }
  return tile::SplatOp::create(builder, loc, type, scalar);
}

Value Emitter::emitPredicate(const Expr &expr, Value mask) {
  if (expr.kind != ExprKind::Splat)
    return emit(expr, mask);
  return emit(*expr.operands[0],
              expr.operands[0]->hasLoad ? getOperandMask(expr, mask) : nullptr);
}

Value Emitter::emit(const Expr &expr, Value mask) {
  if (Value value = shared.lookup(&expr))
    return value;
  Location loc = getLoc(expr.place);
  Type type = getType(expr.type);
  if (expr.constant && !expr.type.isTile())
    return emitConstant(loc, type, *expr.constant);
  switch (expr.kind) {
  case ExprKind::Floating:
    return emitConstant(loc, type, expr.number);
  case ExprKind::Name:
    return values.lookup(expr.variable);
  case ExprKind::Range:
    return tile::RangeOp::create(builder, loc, type, expr.start, expr.end);
  case ExprKind::ProgramId:
    return tile::ProgramIdOp::create(builder, loc,
                                     static_cast<tile::Axis>(expr.axis));
  case ExprKind::NumPrograms:
    return tile::NumProgramsOp::create(builder, loc,
                                       static_cast<tile::Axis>(expr.axis));
  case ExprKind::Load:
    return emitLoad(expr, mask);
  case ExprKind::Atomic:
    return emitAtomic(expr, mask);
  case ExprKind::Conditional:
    return emitConditional(expr, mask);
  case ExprKind::Dot:
    return emitDot(expr, mask);
  case ExprKind::Binary:
    if (expr.text == "&&" || expr.text == "||")
      return emitLogical(expr, mask);
    break;
  default:
    break;
  }

  SmallVector<Value> operands;
  for (const Expr *operand : expr.operands)
    operands.push_back(emit(
        *operand, operand->hasLoad ? getOperandMask(expr, mask) : nullptr));
  switch (expr.kind) {
  case ExprKind::Unary:
    return emitUnary(expr, operands[0]);
  case ExprKind::Binary:
    return emitBinary(expr, operands[0], operands[1]);
  case ExprKind::Convert:
    return emitConvert(expr, operands[0]);
  case ExprKind::Splat:
    return emitSplat(loc, operands[0], expr.type.shape);
  case ExprKind::Reshape:
    return tile::ReshapeOp::create(builder, loc, type, operands[0]);
  case ExprKind::Broadcast:
    return tile::BroadcastOp::create(builder, loc, type, operands[0]);
  case ExprKind::Trans: {
    auto permutation = llvm::to_vector(
        llvm::seq<int64_t>(0, static_cast<int64_t>(expr.type.shape.size())));
    std::swap(permutation.back(), permutation[permutation.size() - 2]);
    return tile::TransOp::create(builder, loc, operands[0], permutation);
  }
  case ExprKind::Reduce:
    return emitReduce(expr, operands[0]);
  case ExprKind::AddPtr:
    return tile::AddPtrOp::create(builder, loc, operands[0], operands[1]);
  case ExprKind::Function:
    return emitFunction(expr, operands);
  case ExprKind::Select:
    return arith::SelectOp::create(builder, loc, operands[0], operands[1],
                                   operands[2]);
  default:
    llvm_unreachable("analysis leaves no other expressions");
  }
}

Value Emitter::emitLoad(const Expr &expr, Value mask, Value other) {
  Location loc = getLoc(expr.place);
  Value pointer = emit(*expr.operands[0], mask);
  if (expr.operands.size() > 1)
    mask = combineMasks(loc, mask, emit(*expr.operands[1], mask));
  mask = toShape(loc, mask, expr.type.shape);
  return tile::LoadOp::create(builder, loc, pointer, mask, other);
}

Value Emitter::emitAtomic(const Expr &expr, Value mask) {
  Location loc = getLoc(expr.place);
  Value pointer = emit(*expr.operands[0], mask);
  Value value = emit(*expr.operands[1], mask);
  if (expr.operands.size() > 2)
    mask = combineMasks(loc, mask, emit(*expr.operands[2], mask));
  mask = toShape(loc, mask, expr.type.shape);
  bool hasSign = !isUnsigned(expr.type.element);
  using Kind = tile::AtomicKind;
  Kind kind = expr.text == "add"   ? Kind::Add
              : expr.text == "max" ? hasSign ? Kind::Max : Kind::UMax
              : expr.text == "min" ? hasSign ? Kind::Min : Kind::UMin
              : expr.text == "and" ? Kind::And
              : expr.text == "or"  ? Kind::Or
              : expr.text == "xor" ? Kind::Xor
                                   : Kind::Exchange;
  return tile::AtomicRMWOp::create(builder, loc, value.getType(), kind, pointer,
                                   value, mask);
}

Value Emitter::emitConditional(const Expr &expr, Value mask) {
  Location loc = getLoc(expr.place);
  const Expr &first = *expr.operands[1], &second = *expr.operands[2];
  Value condition = emitPredicate(*expr.operands[0], mask);
  // c ? *p : x is one load, if x is the same in all elements that it is for.
  bool isLoad = first.kind == ExprKind::Load && first.operands.size() == 1;
  bool isZero = (second.constant == 0 && !second.type.isTile()) ||
                (second.kind == ExprKind::Floating && second.number == 0 &&
                 !std::signbit(second.number));
  if (second.kind == ExprKind::Splat) {
    const Expr &scalar = *second.operands[0];
    isZero = scalar.constant == 0 ||
             (scalar.kind == ExprKind::Floating && scalar.number == 0 &&
              !std::signbit(scalar.number));
  }
  if (isLoad && !mask) {
    if (isZero)
      return emitLoad(first, condition);
    Value other =
        emit(second, second.hasLoad ? negateMask(loc, condition) : Value());
    return emitLoad(first, condition, other);
  }
  Value x =
      emit(first, first.hasLoad ? combineMasks(loc, mask, condition) : Value());
  Value y =
      emit(second, second.hasLoad
                       ? combineMasks(loc, mask, negateMask(loc, condition))
                       : Value());
  condition = toShape(loc, condition, expr.type.shape);
  return arith::SelectOp::create(builder, loc, condition, x, y);
}

Value Emitter::emitLogical(const Expr &expr, Value mask) {
  Location loc = getLoc(expr.place);
  Value lhs = emit(*expr.operands[0], mask);
  Value needed;
  bool isAnd = expr.text == "&&";
  if (expr.operands[1]->hasLoad)
    needed = combineMasks(loc, mask, isAnd ? lhs : negateMask(loc, lhs));
  Value rhs = emit(*expr.operands[1], needed);
  if (isAnd)
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  return arith::OrIOp::create(builder, loc, lhs, rhs);
}

Value Emitter::emitDot(const Expr &expr, Value mask) {
  Location loc = getLoc(expr.place);
  const Expr &a = *expr.operands[0], &b = *expr.operands[1];
  bool isTile = mask && isa<RankedTensorType>(mask.getType());
  // A row of a is needed if any element of that row of the product is.
  auto getMask = [&](const Expr &operand, size_t fromLast) -> Value {
    if (!operand.hasLoad || !isTile)
      return operand.hasLoad ? mask : Value();
    Sizes shape(expr.type.shape);
    shape[shape.size() - fromLast] = 1;
    return toShape(loc, reduceMask(loc, mask, shape), operand.type.shape);
  };
  Value lhs = emit(a, getMask(a, 1));
  Value rhs = emit(b, getMask(b, 2));
  Value acc;
  if (expr.operands.size() > 2) {
    acc = emit(*expr.operands[2], mask);
  } else {
    Type element = getElementType(expr.type.element);
    acc = emitSplat(loc,
                    isFloat(expr.type.element)
                        ? emitConstant(loc, element, 0.0)
                        : emitConstant(loc, element, int64_t(0)),
                    expr.type.shape);
  }
  return tile::DotOp::create(builder, loc, acc.getType(), lhs, rhs, acc,
                             StringAttr());
}

} // namespace tileir::triton_c

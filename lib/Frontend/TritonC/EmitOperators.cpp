//===- EmitOperators.cpp - Operators on elements --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tileir::triton_c {

Value Emitter::emitUnary(const Expr &expr, Value operand) {
  Location loc = getLoc(expr.place);
  if (isFloat(expr.type.element))
    return arith::NegFOp::create(builder, loc, operand);
  Type element = getElementType(expr.type.element);
  bool isNegation = expr.text == "-";
  // All bits: for a bool 1, for other integers -1.
  Value bits = emitConstant(loc, element,
                            int64_t(isNegation             ? 0
                                    : element.isInteger(1) ? 1
                                                           : -1));
  if (expr.type.isTile())
    bits = emitSplat(loc, bits, expr.type.shape);
  if (isNegation)
    return arith::SubIOp::create(builder, loc, bits, operand);
  return arith::XOrIOp::create(builder, loc, operand, bits);
}

Value Emitter::emitBinary(const Expr &expr, Value lhs, Value rhs) {
  Location loc = getLoc(expr.place);
  Element element = expr.operands[0]->type.element;
  bool hasSign = !isUnsigned(element);
  StringRef op = expr.text;
  auto compare = [&](arith::CmpIPredicate isSigned,
                     arith::CmpIPredicate isNotSigned,
                     arith::CmpFPredicate ofFloats) -> Value {
    if (isFloat(element))
      return arith::CmpFOp::create(builder, loc, ofFloats, lhs, rhs);
    return arith::CmpIOp::create(builder, loc, hasSign ? isSigned : isNotSigned,
                                 lhs, rhs);
  };
  using PI = arith::CmpIPredicate;
  using PF = arith::CmpFPredicate;
  if (op == "<")
    return compare(PI::slt, PI::ult, PF::OLT);
  if (op == "<=")
    return compare(PI::sle, PI::ule, PF::OLE);
  if (op == ">")
    return compare(PI::sgt, PI::ugt, PF::OGT);
  if (op == ">=")
    return compare(PI::sge, PI::uge, PF::OGE);
  if (op == "==")
    return compare(PI::eq, PI::eq, PF::OEQ);
  if (op == "!=")
    return compare(PI::ne, PI::ne, PF::UNE);

  auto create = [&](auto ofFloats, auto isSigned, auto isNotSigned) -> Value {
    using F = decltype(ofFloats);
    using S = decltype(isSigned);
    using U = decltype(isNotSigned);
    if (isFloat(element))
      return F::create(builder, loc, lhs, rhs);
    if (hasSign)
      return S::create(builder, loc, lhs, rhs);
    return U::create(builder, loc, lhs, rhs);
  };
  using namespace arith;
  if (op == "+")
    return create(AddFOp(), AddIOp(), AddIOp());
  if (op == "-")
    return create(SubFOp(), SubIOp(), SubIOp());
  if (op == "*")
    return create(MulFOp(), MulIOp(), MulIOp());
  if (op == "/")
    return create(DivFOp(), DivSIOp(), DivUIOp());
  if (op == "%")
    return create(RemFOp(), RemSIOp(), RemUIOp());
  if (op == "<<")
    return ShLIOp::create(builder, loc, lhs, rhs);
  if (op == ">>" && hasSign)
    return ShRSIOp::create(builder, loc, lhs, rhs);
  if (op == ">>")
    return ShRUIOp::create(builder, loc, lhs, rhs);
  if (op == "&")
    return AndIOp::create(builder, loc, lhs, rhs);
  if (op == "|")
    return OrIOp::create(builder, loc, lhs, rhs);
  return XOrIOp::create(builder, loc, lhs, rhs);
}

Value Emitter::emitConvert(const Expr &expr, Value operand) {
  Location loc = getLoc(expr.place);
  Element from = expr.operands[0]->type.element, to = expr.type.element;
  Type type = getType(expr.type);
  if (to == Element::Bool) {
    Type element = getElementType(from);
    Value zero = isFloat(from) ? emitConstant(loc, element, 0.0)
                               : emitConstant(loc, element, int64_t(0));
    if (expr.type.isTile())
      zero = emitSplat(loc, zero, expr.type.shape);
    if (isFloat(from))
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE,
                                   operand, zero);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                 operand, zero);
  }
  if (isFloat(from) && isFloat(to)) {
    if (getBits(from) < getBits(to))
      return arith::ExtFOp::create(builder, loc, type, operand);
    if (getBits(from) > getBits(to))
      return arith::TruncFOp::create(builder, loc, type, operand);
    // Half and bfloat16: float holds both.
    Type wide = getType(expr.type.withElement(Element::Float));
    operand = arith::ExtFOp::create(builder, loc, wide, operand);
    return arith::TruncFOp::create(builder, loc, type, operand);
  }
  if (isFloat(from)) {
    if (isUnsigned(to))
      return arith::FPToUIOp::create(builder, loc, type, operand);
    return arith::FPToSIOp::create(builder, loc, type, operand);
  }
  if (isFloat(to)) {
    if (isUnsigned(from))
      return arith::UIToFPOp::create(builder, loc, type, operand);
    return arith::SIToFPOp::create(builder, loc, type, operand);
  }
  if (getBits(from) > getBits(to))
    return arith::TruncIOp::create(builder, loc, type, operand);
  if (getBits(from) == getBits(to))
    return operand;
  if (isUnsigned(from))
    return arith::ExtUIOp::create(builder, loc, type, operand);
  return arith::ExtSIOp::create(builder, loc, type, operand);
}

Value Emitter::emitFunction(const Expr &expr, ArrayRef<Value> operands) {
  Location loc = getLoc(expr.place);
  bool ofFloats = isFloat(expr.type.element);
  bool hasSign = !isUnsigned(expr.type.element);
  StringRef name = expr.text;
  auto binary = [&](auto op) -> Value {
    return decltype(op)::create(builder, loc, operands[0], operands[1]);
  };
  if (name == "min" && ofFloats)
    return binary(arith::MinimumFOp());
  if (name == "max" && ofFloats)
    return binary(arith::MaximumFOp());
  if (name == "min")
    return hasSign ? binary(arith::MinSIOp()) : binary(arith::MinUIOp());
  if (name == "max")
    return hasSign ? binary(arith::MaxSIOp()) : binary(arith::MaxUIOp());
  auto unary = [&](auto op) -> Value {
    return decltype(op)::create(builder, loc, operands[0]);
  };
  if (name == "abs")
    return ofFloats  ? unary(math::AbsFOp())
           : hasSign ? unary(math::AbsIOp())
                     : operands[0];
  if (name == "exp")
    return unary(math::ExpOp());
  if (name == "exp2")
    return unary(math::Exp2Op());
  if (name == "log")
    return unary(math::LogOp());
  if (name == "log2")
    return unary(math::Log2Op());
  if (name == "sqrt")
    return unary(math::SqrtOp());
  if (name == "rsqrt")
    return unary(math::RsqrtOp());
  if (name == "sin")
    return unary(math::SinOp());
  if (name == "cos")
    return unary(math::CosOp());
  if (name == "tanh")
    return unary(math::TanhOp());
  if (name == "erf")
    return unary(math::ErfOp());
  if (name == "floor")
    return unary(math::FloorOp());
  return unary(math::CeilOp());
}

Value Emitter::emitReduce(const Expr &expr, Value operand) {
  bool hasSign = isFloat(expr.type.element) || !isUnsigned(expr.type.element);
  using tile::Combiner;
  Combiner combiner =
      expr.text == "+"     ? Combiner::Add
      : expr.text == "*"   ? Combiner::Mul
      : expr.text == "min" ? hasSign ? Combiner::Min : Combiner::UMin
      : expr.text == "max" ? hasSign ? Combiner::Max : Combiner::UMax
      : expr.text == "&"   ? Combiner::And
      : expr.text == "|"   ? Combiner::Or
                           : Combiner::Xor;
  return tile::ReduceOp::create(builder, getLoc(expr.place), combiner, operand,
                                expr.axis);
}

} // namespace tileir::triton_c

//===- IndexEmitter.cpp - Indices of operands -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Index expressions in arith, from loads of the tables.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/IndexEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;

Value lowering::createInteger(OpBuilder &builder, Location loc, Type type,
                              int64_t value) {
  TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, static_cast<Attribute>(attr));
  return arith::ConstantOp::create(builder, loc, attr);
}

Value lowering::emitIndexArithmetic(
    OpBuilder &builder, Location loc, AffineExpr expr, Type type,
    function_ref<Value(AffineExpr)> getLeaf,
    function_ref<Value(AffineExpr, Value)> getDivisor) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return createInteger(builder, loc, type, constant.getValue());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return getLeaf(expr);
  auto emitPart = [&](AffineExpr part) {
    return emitIndexArithmetic(builder, loc, part, type, getLeaf, getDivisor);
  };
  Value lhs = emitPart(binary.getLHS());
  Value rhs = emitPart(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  default:
    break;
  }
  rhs = getDivisor(binary.getRHS(), rhs);
  Value quotient = arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
  if (binary.getKind() == AffineExprKind::FloorDiv)
    return quotient;
  Value multiple = arith::MulIOp::create(builder, loc, quotient, rhs);
  return arith::SubIOp::create(builder, loc, lhs, multiple);
}

Value IndexEmitter::emit(OpBuilder &builder, unsigned operand, AffineExpr expr,
                         ArrayRef<Value> indices) {
  auto getLeaf = [&](AffineExpr leaf) -> Value {
    if (auto dim = dyn_cast<AffineDimExpr>(leaf))
      return indices[dim.getPosition()];
    return emitLookup(builder, cast<AffineSymbolExpr>(leaf).getPosition(),
                      indices);
  };
  auto getDivisor = [&](AffineExpr divisor, Value value) {
    return emitDivisor(builder, operand, divisor, value, indices);
  };
  return emitIndexArithmetic(builder, loc, expr, builder.getIndexType(),
                             getLeaf, getDivisor);
}

Value IndexEmitter::emitLookup(OpBuilder &builder, unsigned symbol,
                               ArrayRef<Value> indices) {
  LookupAttr lookup = spec.getLookups()[symbol];
  if (lookup.isIndex())
    return indices[lookup.getIndices().front()];
  SmallVector<Value> positions;
  for (unsigned index : lookup.getIndices())
    positions.push_back(indices[index]);
  Value table = memrefs.getTable(lookup.getTable());
  Value value = memref::LoadOp::create(builder, loc, table, positions);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    value);
}

/// A divisor from a table is checked, and replaced by 1 where it is not
/// positive, because the processor would trap.
Value IndexEmitter::emitDivisor(OpBuilder &builder, unsigned operand,
                                AffineExpr divisor, Value value,
                                ArrayRef<Value> indices) {
  if (!spec.usesTable(divisor))
    return value;
  Value one = createInteger(builder, loc, value.getType(), 1);
  if (checks.getLevel() != RuntimeChecks::None) {
    Value positive = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, value, one);
    SmallVector<Value> values;
    std::string lookups = describeLookups(builder, divisor, indices, values);
    std::string text;
    llvm::raw_string_ostream os(text);
    spec.printAxis(os, divisor);
    values.push_back(value);
    checks.emitCheck(builder, loc, positive,
                     lookups + ": the divisor " + text + " of operand " +
                         Twine(operand) + " is {" + Twine(values.size() - 1) +
                         "}, expected it to be positive",
                     values);
  }
  return arith::MaxSIOp::create(builder, loc, value, one);
}

std::string IndexEmitter::describeLookups(OpBuilder &builder, AffineExpr expr,
                                          ArrayRef<Value> indices,
                                          SmallVectorImpl<Value> &values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  expr.walk([&](AffineExpr inner) {
    auto symbol = dyn_cast<AffineSymbolExpr>(inner);
    if (!symbol || spec.getLookups()[symbol.getPosition()].isIndex())
      return;
    LookupAttr lookup = spec.getLookups()[symbol.getPosition()];
    os << (text.empty() ? "" : ", ") << "table '" << lookup.getTable()
       << "' at [";
    llvm::interleaveComma(lookup.getIndices(), os, [&](unsigned index) {
      os << '{' << values.size() << '}';
      values.push_back(indices[index]);
    });
    os << "] holds {" << values.size() << '}';
    values.push_back(emitLookup(builder, symbol.getPosition(), indices));
  });
  return text;
}

void IndexEmitter::emitReadCheck(OpBuilder &builder, unsigned operand,
                                 unsigned axis, ArrayRef<Value> indices,
                                 Value position, Value size, Value inside) {
  SmallVector<Value> values;
  std::string message = describeLookups(
      builder, spec.getMaps()[operand].getResult(axis), indices, values);
  llvm::raw_string_ostream os(message);
  os << (message.empty() ? "" : ": ") << "axis " << axis << " ("
     << spec.axisToString(operand, axis) << ") of operand " << operand
     << " reads index {" << values.size() << "}, outside of its size {"
     << values.size() + 1 << '}';
  values.push_back(position);
  values.push_back(size);
  checks.emitCheck(builder, loc, inside, message, values);
}

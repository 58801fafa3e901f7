//===- TilePredicateOps.cpp -----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Syntax and verifiers of predicated SSA and of assumptions
// (TilePredicateOps.td).
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using Operand = OpAsmParser::UnresolvedOperand;

static Type getPredicateType(Type type) {
  return withElement(type, IntegerType::get(type.getContext(), 1));
}

//===----------------------------------------------------------------------===//
// cmpp
//===----------------------------------------------------------------------===//

ParseResult CmppOp::parse(OpAsmParser &parser, OperationState &state) {
  StringRef predicate;
  Operand lhs, rhs;
  Type type;
  if (parser.parseKeyword(&predicate) || parser.parseOperand(lhs) ||
      parser.parseComma() || parser.parseOperand(rhs) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands({lhs, rhs}, type, state.operands))
    return failure();
  state.getOrAddProperties<Properties>().predicate =
      parser.getBuilder().getStringAttr(predicate);
  state.addTypes({getPredicateType(type), getPredicateType(type)});
  return success();
}

void CmppOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getPredicate() << ' ' << getLhs() << ", " << getRhs();
  printer.printOptionalAttrDict((*this)->getAttrs(), {getPredicateAttrName()});
  printer << " : " << getLhs().getType();
}

LogicalResult CmppOp::verify() {
  Type type = getLhs().getType();
  for (Type predicate : getResultTypes())
    if (predicate != getPredicateType(type))
      return emitOpError("expects predicates of ")
             << getPredicateType(type) << " for operands of " << type
             << ", found " << predicate;
  bool isFloat = isa<FloatType>(getElement(type));
  if (isFloat ? arith::symbolizeCmpFPredicate(getPredicate()).has_value()
              : arith::symbolizeCmpIPredicate(getPredicate()).has_value())
    return success();
  return emitOpError("expects a predicate of ")
         << (isFloat ? "arith.cmpf (oeq, olt, ult, ...)"
                     : "arith.cmpi (eq, slt, ult, ...)")
         << " for " << type << ", found '" << getPredicate() << "' (T22)";
}

//===----------------------------------------------------------------------===//
// psi
//===----------------------------------------------------------------------===//

// %p ? %v (`,` %p ? %v)* attr-dict `:` predicate-type `,` value-type
ParseResult PsiOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<Operand> predicates, values;
  Type predicateType, valueType;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseOperand(predicates.emplace_back()) ||
                   parser.parseQuestion() ||
                   parser.parseOperand(values.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(parsePair) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.parseType(predicateType) || parser.parseComma() ||
      parser.parseType(valueType) ||
      parser.resolveOperands(predicates, predicateType, state.operands) ||
      parser.resolveOperands(values, valueType, state.operands))
    return failure();
  state.addTypes(valueType);
  return success();
}

void PsiOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  llvm::interleaveComma(
      llvm::zip(getPredicates(), getValues()), printer, [&](auto pair) {
        printer << std::get<0>(pair) << " ? " << std::get<1>(pair);
      });
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getPredicates().front().getType() << ", " << getType();
}

LogicalResult PsiOp::verify() {
  // The accessors leave out one of an odd number of operands.
  if (getNumOperands() == 0 || getNumOperands() % 2 != 0)
    return emitOpError("expects at least one pair of predicate and value, "
                       "found ")
           << getNumOperands() << " operands (T23)";
  for (Value value : getValues())
    if (value.getType() != getType())
      return emitOpError("expects values of the result's type ")
             << getType() << ", found " << value.getType() << " (T24)";
  Type i1 = IntegerType::get(getContext(), 1);
  Type tile = getPredicateType(getType());
  Type first = getPredicates().front().getType();
  for (Type type : getPredicates().getTypes()) {
    if (type == first && (type == i1 || type == tile))
      continue;
    InFlightDiagnostic error = emitOpError("expects predicates that are all ")
                               << i1;
    if (tile != i1)
      error << ", or all " << tile;
    error << ", found " << first;
    if (type != first)
      error << " and " << type;
    return error << " (T25)";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// assume
//===----------------------------------------------------------------------===//

LogicalResult AssumeOp::verify() {
  ArrayRef<int64_t> shape = tile::getShape(getType());
  size_t numAxes = std::max<size_t>(shape.size(), 1);
  auto verifyList = [&](StringRef name, std::optional<ArrayRef<int64_t>> list,
                        bool dividesSize) -> LogicalResult {
    if (!list)
      return success();
    if (list->size() != numAxes)
      return emitOpError("expects '")
             << name << "' with " << numAxes << " entries for " << getType()
             << ", found " << list->size() << " (T26)";
    for (auto [i, entry] : llvm::enumerate(*list)) {
      int64_t size = shape.empty() ? 1 : shape[i];
      if (entry < 1 || (dividesSize && size % entry != 0))
        return emitOpError("expects entries of '")
               << name << "' to be positive"
               << (dividesSize ? " and to divide the axis" : "") << ", found "
               << entry << " for an axis of " << size << " (T26)";
    }
    return success();
  };
  if (failed(verifyList("divisibility", getDivisibility(), false)) ||
      failed(verifyList("contiguity", getContiguity(), true)) ||
      failed(verifyList("constancy", getConstancy(), true)))
    return failure();
  if (auto range = getRange()) {
    if (range->size() != 2 || (*range)[0] > (*range)[1])
      return emitOpError("expects 'range' to be lo, hi with lo <= hi, found [")
             << *range << "] (T26)";
    if (isa<PtrType>(getElement(getType())))
      return emitOpError("expects no 'range' of pointers, found ")
             << getType() << " (T26)";
  }
  if (!getDivisibility() && !getContiguity() && !getConstancy() && !getRange())
    return emitOpError("expects at least one of divisibility, contiguity, "
                       "constancy and range (T27)");
  return success();
}

//===- AnalyzeExpressions.cpp - Operands ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Analyzer.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"

namespace tileir::triton_c {

Expr *Analyzer::analyze(Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Integer:
    return analyzeInteger(expr);
  case ExprKind::Floating:
    return analyzeFloating(expr);
  case ExprKind::Name:
    return analyzeName(expr);
  case ExprKind::Unary:
    return analyzeUnary(expr);
  case ExprKind::Binary:
    return analyzeBinary(expr);
  case ExprKind::Conditional:
    return analyzeConditional(expr);
  case ExprKind::Range:
    return analyzeRange(expr);
  case ExprKind::Subscript:
    return analyzeSubscript(expr);
  case ExprKind::Call:
    return analyzeCall(expr);
  case ExprKind::Load:
    return analyzeLoad(expr);
  case ExprKind::Cast: {
    Expr *operand = analyze(expr->operands[0]);
    if (operand->isError())
      return operand;
    if (operand->type.isPointer) {
      diagnostics.error(expr->place, "expected a number behind a cast, found " +
                                         operand->type.str());
      return makeError(*expr);
    }
    return convert(operand, expr->castTo.element);
  }
  default:
    return expr;
  }
}

Expr *Analyzer::analyzeInteger(Expr *expr) {
  llvm::StringRef digits = expr->text.rtrim("uUlL");
  llvm::StringRef suffix = expr->text.drop_front(digits.size());
  uint64_t value;
  if (digits.getAsInteger(0, value)) {
    llvm::APInt wide;
    bool isNumber = !digits.getAsInteger(0, wide);
    diagnostics.error(expr->place,
                      "expected an integer" +
                          llvm::Twine(isNumber ? " below 2^64" : "") +
                          ", found '" + expr->text + "'");
    return makeError(*expr);
  }
  llvm::StringRef letters[] = {"u", "l", "ul", "lu", "ll", "ull", "llu"};
  if (!suffix.empty() && !llvm::is_contained(letters, suffix.lower())) {
    diagnostics.error(expr->place, "expected a suffix of u, l or ul behind an "
                                   "integer, found '" +
                                       suffix + "'");
    return makeError(*expr);
  }
  bool isLong = suffix.contains_insensitive("l");
  bool isMarkedUnsigned = suffix.contains_insensitive("u");
  Element element = Element::Int32;
  if (isMarkedUnsigned)
    element = isLong || value > UINT32_MAX ? Element::UInt64 : Element::UInt32;
  else if (value > INT64_MAX)
    element = Element::UInt64;
  else if (isLong || value > INT32_MAX)
    element = Element::Int64;
  return makeInteger(value, element, expr->place);
}

Expr *Analyzer::analyzeFloating(Expr *expr) {
  llvm::StringRef digits = expr->text;
  bool isMarked = digits.consume_back("f") || digits.consume_back("F");
  llvm::APFloat number(llvm::APFloat::IEEEdouble());
  auto status =
      number.convertFromString(digits, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    diagnostics.error(expr->place,
                      "expected a number, found '" + expr->text + "'");
    return makeError(*expr);
  }
  ValueType type;
  type.element = Element::Float;
  Expr *result = make(ExprKind::Floating, expr->place, {}, type);
  result->number = number.convertToDouble();
  result->isWeak = !isMarked;
  if (isMarked)
    result->number = roundTo(Element::Float, result->number);
  return result;
}

Variable *Analyzer::find(llvm::StringRef name) const {
  for (const auto &scope : llvm::reverse(scopes))
    if (Variable *variable = scope.lookup(name))
      return variable;
  return nullptr;
}

std::vector<llvm::StringRef> Analyzer::getNames() const {
  std::vector<llvm::StringRef> names = program.macroNames;
  for (const auto &scope : scopes)
    llvm::append_range(names, scope.keys());
  return names;
}

Expr *Analyzer::analyzeName(Expr *expr) {
  Variable *variable = find(expr->text);
  if (!variable) {
    std::string why = suggest(expr->text, getNames());
    if (expr->text == "newaxis")
      why = ": it is only part of subscripts";
    diagnostics.error(expr->place, "expected the name of a variable, found '" +
                                       expr->text + "'" + why);
    return makeError(*expr);
  }
  if (!assigned.count(variable)) {
    // Once is enough.
    assigned.insert(variable);
    diagnostics.error(expr->place,
                      "'" + variable->name + "' is read before it is assigned");
    diagnostics.note(variable->place,
                     "'" + variable->name + "' is declared here");
  }
  if (isHost && variable->type.isPointer) {
    diagnostics.error(expr->place, "expected a scalar argument in the size of "
                                   "a grid, found the pointer '" +
                                       variable->name + "'");
    return makeError(*expr);
  }
  Expr *result = make(ExprKind::Name, expr->place, {}, variable->type);
  result->variable = variable;
  result->text = variable->name;
  if (variable->isConst && !variable->type.isPointer)
    result->constant = variable->constant;
  return result;
}

Expr *Analyzer::analyzeRange(Expr *expr) {
  Expr *first = analyze(expr->operands[0]);
  Expr *last = analyze(expr->operands[1]);
  auto start = getConstant(first, "the start of a range");
  auto end = getConstant(last, "the end of a range");
  if (!start || !end)
    return makeError(*expr);
  if (*end <= *start) {
    diagnostics.error(expr->place, "expected a range whose end is larger than "
                                   "its start, found " +
                                       llvm::Twine(*start) + " ... " +
                                       llvm::Twine(*end));
    return makeError(*expr);
  }
  uint64_t size = static_cast<uint64_t>(*end) - static_cast<uint64_t>(*start);
  if (size > INT32_MAX)
    size = INT32_MAX;
  ValueType type;
  type.shape = {static_cast<int64_t>(size)};
  if (!checkSize(type.shape, expr->place))
    return makeError(*expr);
  if (!holds(Element::Int32, *start) || !holds(Element::Int32, *end - 1))
    type.element = Element::Int64;
  Expr *result = make(ExprKind::Range, expr->place, {}, type);
  result->start = *start;
  result->end = *end;
  return result;
}

Expr *Analyzer::makeReduce(Expr *operand, const SubscriptAxis &axis,
                           int64_t number) {
  Element element = operand->type.element;
  bool isBitwise = llvm::is_contained({"&", "|", "^"}, axis.combiner);
  if (isBitwise && isFloat(element)) {
    diagnostics.error(axis.place, "expected integers to combine by '" +
                                      axis.combiner + "', found " +
                                      operand->type.str());
    return makeError(*operand);
  }
  if (!isBitwise)
    operand = convert(operand, promote(element));
  Sizes shape = operand->type.shape;
  shape.erase(shape.begin() + number);
  Expr *result = make(ExprKind::Reduce, axis.place, {operand},
                      operand->type.withShape(shape));
  result->text = axis.combiner;
  result->axis = number;
  return result;
}

Expr *Analyzer::analyzeSubscript(Expr *expr) {
  Expr *source = analyze(expr->operands[0]);
  if (source->isError())
    return source;
  size_t count = llvm::count_if(expr->axes, [](const SubscriptAxis &axis) {
    return axis.kind != SubscriptAxis::New;
  });
  size_t rank = source->type.shape.size();
  if (count != rank) {
    diagnostics.error(expr->place, "expected a subscript for " +
                                       llvm::Twine(rank) +
                                       (rank == 1 ? " axis of " : " axes of ") +
                                       source->type.str() + ", found one for " +
                                       llvm::Twine(count));
    noteDeclarations({source});
    return makeError(*expr);
  }
  Expr *result = source;
  // From the last axis on, so that the numbers of those before stay.
  size_t number = rank;
  for (const SubscriptAxis &axis : llvm::reverse(expr->axes)) {
    number -= axis.kind != SubscriptAxis::New;
    if (axis.kind != SubscriptAxis::Reduce)
      continue;
    if (result->type.isPointer) {
      diagnostics.error(axis.place, "expected numbers to combine by '" +
                                        axis.combiner + "', found " +
                                        result->type.str());
      return makeError(*expr);
    }
    result = makeReduce(result, axis, number);
    if (result->isError())
      return result;
  }
  Sizes shape;
  number = 0;
  for (const SubscriptAxis &axis : expr->axes) {
    if (axis.kind == SubscriptAxis::New)
      shape.push_back(1);
    else if (axis.kind == SubscriptAxis::Keep)
      shape.push_back(source->type.shape[number]);
    number += axis.kind != SubscriptAxis::New;
  }
  if (shape == result->type.shape)
    return result;
  // New axes of what has become a scalar.
  if (!result->type.isTile())
    return broadcast(result, shape);
  return make(ExprKind::Reshape, expr->place, {result},
              result->type.withShape(shape));
}

Expr *Analyzer::analyzeLoad(Expr *expr) {
  Expr *pointer = analyze(expr->operands[0]);
  Expr *mask = expr->operands.size() > 1 ? analyze(expr->operands[1]) : nullptr;
  if (pointer->isError() || (mask && mask->isError()))
    return makeError(*expr);
  if (!pointer->type.isPointer) {
    diagnostics.error(expr->place, "expected a pointer behind '*', found " +
                                       pointer->type.str());
    noteDeclarations({pointer});
    return makeError(*expr);
  }
  std::vector<Expr *> operands = {pointer};
  if (mask) {
    ValueType type = pointer->type;
    type.isPointer = false;
    type.element = Element::Bool;
    mask = convertToBool(mask);
    if (!mask->isError())
      mask = coerce(mask, type, mask->place, "the mask of '*?'");
    if (mask->isError())
      return mask;
    operands.push_back(mask);
  }
  ValueType type = pointer->type;
  type.isPointer = type.isConst = false;
  Expr *load = make(ExprKind::Load, expr->place, operands, type);
  load->hasLoad = true;
  return load;
}

Expr *Analyzer::analyzeConditional(Expr *expr) {
  Expr *condition = analyze(expr->operands[0]);
  Expr *first = analyze(expr->operands[1]);
  Expr *second = analyze(expr->operands[2]);
  return makeConditional(condition, first, second, expr->place);
}

Expr *Analyzer::makeConditional(Expr *condition, Expr *first, Expr *second,
                                const Place &place) {
  if (!condition->isError())
    condition = convertToBool(condition);
  if (condition->isError() || first->isError() || second->isError())
    return makeError(*condition);
  if (first->type.isPointer || second->type.isPointer) {
    if (!first->type.hasSameElement(second->type)) {
      diagnostics.error(place, "expected arms of '?' of one type, found " +
                                   first->type.str() + " and " +
                                   second->type.str());
      return makeError(*condition);
    }
  } else if (first->type.element != second->type.element || first->isWeak ||
             second->isWeak) {
    Element common = getCommonOf(*first, *second);
    first = convert(first, common);
    second = convert(second, common);
  }
  Expr *operands[] = {condition, first, second};
  if (!unify(operands, place))
    return makeError(*condition);
  return make(ExprKind::Conditional, place,
              {operands[0], operands[1], operands[2]}, operands[1]->type);
}

} // namespace tileir::triton_c

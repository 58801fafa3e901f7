//===- AnalyzeOperators.cpp - Operators -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Analyzer.h"

namespace tileir::triton_c {

namespace {

bool isComparison(llvm::StringRef op) {
  return llvm::is_contained({"<", "<=", ">", ">=", "==", "!="}, op);
}

} // namespace

Expr *Analyzer::makeTrans(Expr *operand, const Place &place) {
  size_t rank = operand->type.shape.size();
  if (rank < 2) {
    diagnostics.error(place, "expected a tile of 2 axes or more to transpose, "
                             "found " +
                                 operand->type.str());
    noteDeclarations({operand});
    return makeError(*operand);
  }
  Sizes shape = operand->type.shape;
  std::swap(shape[rank - 1], shape[rank - 2]);
  return make(ExprKind::Trans, place, {operand},
              operand->type.withShape(shape));
}

Expr *Analyzer::analyzeUnary(Expr *expr) {
  Expr *operand = analyze(expr->operands[0]);
  if (operand->isError())
    return operand;
  llvm::StringRef op = expr->text;
  if (op == "^")
    return makeTrans(operand, expr->place);
  auto fail = [&](const llvm::Twine &expected) {
    diagnostics.error(expr->place, "expected " + expected + " behind '" + op +
                                       "', found " + operand->type.str());
    return makeError(*expr);
  };
  if (operand->type.isPointer)
    return fail("a number");
  if (op == "!") {
    operand = convertToBool(operand);
    Expr *result = make(ExprKind::Unary, expr->place, {operand}, operand->type);
    result->text = op;
    if (operand->constant)
      result->constant = !*operand->constant;
    return result;
  }
  if (op == "~" && !operand->type.isInteger())
    return fail("an integer");
  if (op == "~" && operand->type.element == Element::Bool)
    return fail("an integer ('!' is the opposite of a condition)");
  if (op == "-" && operand->kind == ExprKind::Floating) {
    Expr *result = make(ExprKind::Floating, expr->place, {}, operand->type);
    result->number = -operand->number;
    result->isWeak = operand->isWeak;
    return result;
  }
  operand = convert(operand, promote(operand->type.element));
  if (op == "+")
    return operand;
  Expr *result = make(ExprKind::Unary, expr->place, {operand}, operand->type);
  result->text = op;
  if (operand->constant) {
    uint64_t value = *operand->constant;
    result->constant =
        wrap(operand->type.element, op == "-" ? 0 - value : ~value);
  }
  return result;
}

Expr *Analyzer::analyzeBinary(Expr *expr) {
  Expr *lhs = analyze(expr->operands[0]);
  Expr *rhs = analyze(expr->operands[1]);
  if (lhs->isError() || rhs->isError())
    return makeError(*expr);
  return makeBinary(expr->text, lhs, rhs, expr->place);
}

Expr *Analyzer::makeLogical(llvm::StringRef op, Expr *lhs, Expr *rhs,
                            const Place &place) {
  lhs = convertToBool(lhs);
  rhs = convertToBool(rhs);
  if (lhs->isError() || rhs->isError())
    return makeError(*lhs);
  std::optional<int64_t> constant;
  if (lhs->constant && rhs->constant)
    constant = op == "&&" ? *lhs->constant && *rhs->constant
                          : *lhs->constant || *rhs->constant;
  Expr *operands[] = {lhs, rhs};
  if (!unify(operands, place))
    return makeError(*lhs);
  Expr *result = make(ExprKind::Binary, place, {operands[0], operands[1]},
                      operands[0]->type);
  result->text = op;
  result->constant = constant;
  return result;
}

Expr *Analyzer::makePointerSum(llvm::StringRef op, Expr *lhs, Expr *rhs,
                               const Place &place) {
  bool isSwapped = !lhs->type.isPointer;
  Expr *pointer = isSwapped ? rhs : lhs;
  Expr *offset = isSwapped ? lhs : rhs;
  if ((op != "+" && op != "-") || !offset->type.isInteger() ||
      (isSwapped && op == "-")) {
    diagnostics.error(place, "expected numbers, or a pointer and an integer to "
                             "add, as operands of '" +
                                 op + "', found " + lhs->type.str() + " and " +
                                 rhs->type.str());
    return makeError(*lhs);
  }
  Element element = offset->type.element;
  // Offsets are signed: an unsigned one of 32 bits needs more.
  offset = convert(offset, getBits(element) == 64 || element == Element::UInt32
                               ? Element::Int64
                               : Element::Int32);
  if (op == "-") {
    Expr *zero = makeInteger(0, offset->type.element, offset->place);
    offset = makeBinary("-", zero, offset, place);
  }
  Expr *operands[] = {pointer, offset};
  if (!unify(operands, place))
    return makeError(*lhs);
  return make(ExprKind::AddPtr, place, {operands[0], operands[1]},
              operands[0]->type);
}

Expr *Analyzer::makeBinary(llvm::StringRef op, Expr *lhs, Expr *rhs,
                           const Place &place) {
  if (lhs->isError() || rhs->isError())
    return makeError(*lhs);
  if (op == "@")
    return makeDot(lhs, rhs, nullptr, place);
  if (op == "&&" || op == "||")
    return makeLogical(op, lhs, rhs, place);
  if (lhs->type.isPointer || rhs->type.isPointer)
    return makePointerSum(op, lhs, rhs, place);

  bool isShift = op == "<<" || op == ">>";
  bool isBitwise = op == "&" || op == "|" || op == "^";
  if ((isShift || isBitwise || op == "%") &&
      !(lhs->type.isInteger() && rhs->type.isInteger())) {
    diagnostics.error(place, "expected integers as operands of '" + op +
                                 "', found " + lhs->type.str() + " and " +
                                 rhs->type.str());
    return makeError(*lhs);
  }
  Element common =
      isShift ? promote(lhs->type.element) : getCommonOf(*lhs, *rhs);
  // Masks stay masks; the values are those of C.
  if (isBitwise && lhs->type.element == Element::Bool &&
      rhs->type.element == Element::Bool)
    common = Element::Bool;
  // A sum with a product adds to its accumulator.
  if (op == "+") {
    for (auto [product, other] : {std::pair(rhs, lhs), std::pair(lhs, rhs)})
      if (product->kind == ExprKind::Dot && product->operands.size() == 2 &&
          other->type.shape == product->type.shape &&
          common == product->type.element &&
          other->type.element == product->type.element)
        return make(ExprKind::Dot, place,
                    {product->operands[0], product->operands[1], other},
                    product->type);
  }
  Expr *operands[] = {convert(lhs, common), convert(rhs, common)};
  std::optional<int64_t> constant;
  if (operands[0]->constant && operands[1]->constant) {
    constant =
        fold(op, common, *operands[0]->constant, *operands[1]->constant, place);
    if (!constant)
      return makeError(*lhs);
  }
  if (!unify(operands, place))
    return makeError(*lhs);
  ValueType type = operands[0]->type;
  if (isComparison(op))
    type.element = Element::Bool;
  Expr *result =
      make(ExprKind::Binary, place, {operands[0], operands[1]}, type);
  result->text = op;
  result->constant = constant;
  return result;
}

std::optional<int64_t> Analyzer::fold(llvm::StringRef op, Element element,
                                      int64_t lhs, int64_t rhs,
                                      const Place &place) {
  uint64_t a = lhs, b = rhs;
  bool hasSign = !isUnsigned(element);
  if (op == "/" || op == "%") {
    if (rhs == 0 ||
        (hasSign && rhs == -1 && wrap(element, 0 - a) == lhs && lhs != 0)) {
      diagnostics.error(place, rhs == 0 ? "expected a divisor that is not 0"
                                        : "expected a quotient that fits its "
                                          "type");
      return std::nullopt;
    }
    if (!hasSign)
      return wrap(element, op == "/" ? a / b : a % b);
    return wrap(element, op == "/" ? lhs / rhs : lhs % rhs);
  }
  if (op == "<<" || op == ">>") {
    if (b >= getBits(element)) {
      diagnostics.error(place, "expected a shift by less than " +
                                   llvm::Twine(getBits(element)) +
                                   " bits, found " + llvm::Twine(rhs));
      return std::nullopt;
    }
    if (op == "<<")
      return wrap(element, a << b);
    return wrap(element, hasSign ? lhs >> b : a >> b);
  }
  if (op == "<")
    return hasSign ? lhs < rhs : a < b;
  if (op == "<=")
    return hasSign ? lhs <= rhs : a <= b;
  if (op == ">")
    return hasSign ? lhs > rhs : a > b;
  if (op == ">=")
    return hasSign ? lhs >= rhs : a >= b;
  if (op == "==")
    return lhs == rhs;
  if (op == "!=")
    return lhs != rhs;
  if (op == "&")
    return lhs & rhs;
  if (op == "|")
    return lhs | rhs;
  if (op == "^")
    return lhs ^ rhs;
  if (op == "+")
    return wrap(element, a + b);
  if (op == "-")
    return wrap(element, a - b);
  return wrap(element, a * b);
}

Expr *Analyzer::makeDot(Expr *a, Expr *b, Expr *acc, const Place &place) {
  auto fail = [&](const llvm::Twine &expected) {
    diagnostics.error(place, "expected " + expected +
                                 " as operands of '@', "
                                 "found " +
                                 a->type.str() + " and " + b->type.str());
    noteDeclarations({a, b});
    return makeError(*a);
  };
  if (a->type.isPointer || b->type.isPointer)
    return fail("tiles of numbers");
  Shape m = a->type.shape, n = b->type.shape;
  if (m.size() < 2 || m.size() != n.size())
    return fail("tiles of as many axes, two or more,");
  if (m.drop_back(2) != n.drop_back(2))
    return fail("tiles of the same batches");
  if (m.back() != n[n.size() - 2])
    return fail("M x K and K x N elements with one K");
  Element element = a->type.element;
  if (element != b->type.element) {
    if (!isFloat(element) || !isFloat(b->type.element))
      return fail("two tiles of floats, or of int8,");
    element = getCommon(element, b->type.element);
    a = convert(a, element);
    b = convert(b, element);
  }
  if (!isFloat(element) && element != Element::Int8)
    return fail("two tiles of floats, or of int8,");
  ValueType type = a->type;
  type.element = element == Element::Double ? Element::Double
                 : element == Element::Int8 ? Element::Int32
                                            : Element::Float;
  type.shape.back() = n.back();
  if (!checkSize(type.shape, place))
    return makeError(*a);
  if (!acc)
    return make(ExprKind::Dot, place, {a, b}, type);
  // The accumulator of halves may be of halves.
  if (acc->type.element == element && !acc->type.isPointer)
    type.element = element;
  acc = coerce(acc, type, acc->place, "the accumulator of 'dot'");
  return acc->isError() ? acc : make(ExprKind::Dot, place, {a, b, acc}, type);
}

} // namespace tileir::triton_c

//===- Conversions.cpp - Types and shapes that operands are brought to ----===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Analyzer.h"

namespace tileir::triton_c {

namespace {

/// As many elements as Triton allows a tile.
constexpr int64_t kMaxElements = 1 << 20;

/// Below what analysis has put around it.
const Expr *strip(const Expr *expr) {
  while (expr->kind == ExprKind::Convert || expr->kind == ExprKind::Splat ||
         expr->kind == ExprKind::Broadcast || expr->kind == ExprKind::Reshape)
    expr = expr->operands.front();
  return expr;
}

} // namespace

Expr *Analyzer::make(ExprKind kind, const Place &place,
                     std::vector<Expr *> operands, ValueType type) {
  Expr *expr = program.newExpr(kind, place);
  for (Expr *operand : operands)
    expr->hasLoad |= operand->hasLoad;
  expr->operands = std::move(operands);
  expr->type = std::move(type);
  return expr;
}

Expr *Analyzer::makeInteger(int64_t value, Element element,
                            const Place &place) {
  ValueType type;
  type.element = element;
  Expr *expr = make(ExprKind::Integer, place, {}, type);
  expr->constant = wrap(element, value);
  return expr;
}

Expr *Analyzer::convert(Expr *expr, Element element) {
  if (expr->kind == ExprKind::Floating && isFloat(element)) {
    // A weak literal has been rounded to no type yet.
    Expr *copy = make(ExprKind::Floating, expr->place, {}, expr->type);
    copy->number = roundTo(element, expr->number);
    copy->type.element = element;
    return copy;
  }
  if (expr->type.element == element)
    return expr;
  if (expr->constant && isFloat(element)) {
    Expr *copy = make(ExprKind::Floating, expr->place, {}, expr->type);
    copy->number =
        expr->type.element == Element::UInt64
            ? static_cast<double>(static_cast<uint64_t>(*expr->constant))
            : static_cast<double>(*expr->constant);
    copy->type.element = element;
    // Not rounded twice: what float does not hold goes by way of the op.
    if (roundTo(element, copy->number) == copy->number)
      return copy;
  }
  Expr *result = make(ExprKind::Convert, expr->place, {expr},
                      expr->type.withElement(element));
  if (expr->constant && !isFloat(element))
    result->constant = wrap(element, *expr->constant);
  return result;
}

Expr *Analyzer::convertToBool(Expr *expr) {
  if (!expr->type.isPointer)
    return convert(expr, Element::Bool);
  diagnostics.error(expr->place, "expected a number as a condition, found " +
                                     expr->type.str());
  return makeError(*expr);
}

Expr *Analyzer::broadcast(Expr *expr, Shape shape) {
  if (Shape(expr->type.shape) == shape)
    return expr;
  ExprKind kind = expr->type.isTile() ? ExprKind::Broadcast : ExprKind::Splat;
  return make(kind, expr->place, {expr}, expr->type.withShape(shape));
}

void Analyzer::noteDeclarations(llvm::ArrayRef<Expr *> operands) {
  llvm::SmallVector<const Variable *> told;
  for (Expr *operand : operands) {
    const Variable *variable = strip(operand)->variable;
    if (!variable || !variable->type.isTile() ||
        llvm::is_contained(told, variable))
      continue;
    told.push_back(variable);
    diagnostics.note(variable->place, "'" + variable->name +
                                          "' is declared here as " +
                                          variable->type.str());
  }
}

bool Analyzer::checkSize(Shape shape, const Place &place) {
  int64_t count = 1;
  for (int64_t size : shape) {
    count *= size;
    if (size > kMaxElements || count > kMaxElements) {
      diagnostics.error(place, "a tile of shape " + toString(shape) +
                                   " is too large: expected at most " +
                                   llvm::Twine(kMaxElements) + " elements");
      return false;
    }
  }
  return true;
}

bool Analyzer::unify(llvm::MutableArrayRef<Expr *> operands,
                     const Place &place) {
  Sizes common;
  for (Expr *operand : operands) {
    auto next = broadcastShapes(common, operand->type.shape);
    if (!next) {
      diagnostics.error(place, "expected operands whose shapes fit, found " +
                                   toString(common) + " and " +
                                   toString(operand->type.shape));
      noteDeclarations(operands);
      return false;
    }
    common = *next;
  }
  if (!checkSize(common, place))
    return false;
  for (Expr *&operand : operands)
    operand = broadcast(operand, common);
  return true;
}

Expr *Analyzer::coerce(Expr *expr, const ValueType &type, const Place &place,
                       const llvm::Twine &target, const Variable *variable) {
  auto fail = [&](const llvm::Twine &why) {
    diagnostics.error(place, "expected a value of " + type.str() + " for " +
                                 target + ", found " + expr->type.str() + why);
    if (variable)
      diagnostics.note(variable->place, "'" + variable->name +
                                            "' is declared here as " +
                                            variable->type.str());
    noteDeclarations({expr});
    return makeError(*expr);
  };
  if (expr->type.isPointer != type.isPointer ||
      (type.isPointer && expr->type.element != type.element))
    return fail(expr->type.isPointer && !type.isPointer
                    ? ": a '*' loads what a pointer points at"
                    : "");
  auto common = broadcastShapes(expr->type.shape, type.shape);
  if (!common || *common != type.shape)
    return fail("");
  if (!type.isPointer)
    expr = convert(expr, type.element);
  return broadcast(expr, type.shape);
}

Element Analyzer::getCommonOf(const Expr &lhs, const Expr &rhs) {
  // A literal such as 0.5 takes the other operand's type.
  if (lhs.isWeak && !rhs.isWeak && isFloat(rhs.type.element))
    return rhs.type.element;
  if (rhs.isWeak && !lhs.isWeak && isFloat(lhs.type.element))
    return lhs.type.element;
  return getCommon(lhs.type.element, rhs.type.element);
}

std::optional<int64_t> Analyzer::getConstant(Expr *expr,
                                             const llvm::Twine &what) {
  if (expr->isError())
    return std::nullopt;
  if (expr->constant && !expr->type.isTile())
    return expr->constant;
  diagnostics.error(
      expr->place,
      "expected an integer constant as " + what + ", found " +
          (strip(expr)->variable
               ? "the variable '" + strip(expr)->variable->name + "'"
               : "a value of " + expr->type.str()));
  if (const Variable *variable = strip(expr)->variable)
    diagnostics.note(variable->place,
                     "'" + variable->name +
                         "' is declared here: a macro or 'const int' would be "
                         "a constant");
  return std::nullopt;
}

} // namespace tileir::triton_c

//===- ParseExpressions.cpp - Expressions ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Parser.h"

namespace tileir::triton_c {

namespace {

constexpr unsigned kMaxDepth = 200;

struct Precedence {
  llvm::StringLiteral op;
  unsigned level;
};
constexpr Precedence kPrecedences[] = {
    {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6}, {"!=", 6},
    {"<=", 7}, {">=", 7}, {"<", 7},  {">", 7},  {"<<", 8}, {">>", 8}, {"+", 9},
    {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}, {"@", 11}};

unsigned getPrecedence(const Token &token) {
  for (const Precedence &entry : kPrecedences)
    if (token.is(entry.op))
      return entry.level;
  return 0;
}

} // namespace

bool Parser::enter() {
  if (depth++ < kMaxDepth)
    return true;
  --depth;
  fail(peek().place,
       "expected at most " + llvm::Twine(kMaxDepth) + " levels of nesting");
  // Nothing that follows could be understood.
  at = lastFailure = tokens.size() - 1;
  return false;
}

Expr *Parser::parseConditional() {
  if (!enter())
    return makeError(peek().place);
  Expr *condition = parseBinary(0);
  if (!condition->isError() && peek().is("?")) {
    Place about = take().place;
    Expr *first = parseExpr();
    if (first->isError() || !expect(":", "between the arms of '?'")) {
      --depth;
      return makeError(about);
    }
    Expr *second = parseConditional();
    Expr *expr = program.newExpr(
        second->isError() ? ExprKind::Error : ExprKind::Conditional,
        spanPlaces(condition->place, second->place, about));
    expr->operands = {condition, first, second};
    condition = expr;
  }
  --depth;
  return condition;
}

Expr *Parser::parseBinary(unsigned least) {
  Expr *lhs = parseRange();
  while (!lhs->isError()) {
    const Token &op = peek();
    unsigned level = getPrecedence(op);
    if (level <= least)
      break;
    take();
    Expr *rhs = parseBinary(level);
    if (rhs->isError())
      return rhs;
    Expr *expr = program.newExpr(ExprKind::Binary,
                                 spanPlaces(lhs->place, rhs->place, op.place));
    expr->text = op.text;
    expr->operands = {lhs, rhs};
    lhs = expr;
  }
  return lhs;
}

Expr *Parser::parseRange() {
  Expr *start = parseUnary();
  if (start->isError() || !peek().is("..."))
    return start;
  Place about = take().place;
  Expr *end = parseUnary();
  if (end->isError())
    return end;
  Expr *expr = program.newExpr(ExprKind::Range,
                               spanPlaces(start->place, end->place, about));
  expr->operands = {start, end};
  return expr;
}

Expr *Parser::parseUnary() {
  if (!enter())
    return makeError(peek().place);
  Expr *result;
  const Token &op = peek();
  if (op.is("*") || op.is("*?")) {
    result = parseDereference();
  } else if (op.is("-") || op.is("+") || op.is("!") || op.is("~") ||
             op.is("^")) {
    take();
    Expr *operand = parseUnary();
    result = operand;
    if (!operand->isError()) {
      result = program.newExpr(ExprKind::Unary,
                               spanPlaces(op.place, operand->place, op.place));
      result->text = op.text;
      result->operands = {operand};
    }
  } else if (op.is("&")) {
    fail(op.place, "expected an expression, found '&': variables "
                   "of Triton-C have no address");
    result = makeError(op.place);
  } else {
    result = parsePostfix();
  }
  --depth;
  return result;
}

Expr *Parser::parseDereference() {
  const Token &star = take();
  Expr *mask = nullptr;
  if (star.is("*?")) {
    if (!expect("(", "behind '*?'"))
      return makeError(star.place);
    mask = parseExpr();
    if (mask->isError() || !expect(")", "behind the mask of '*?'"))
      return makeError(star.place);
  }
  Expr *pointer = parseUnary();
  if (pointer->isError())
    return pointer;
  Expr *expr = program.newExpr(
      ExprKind::Load, spanPlaces(star.place, pointer->place, star.place));
  expr->operands = {pointer};
  if (mask)
    expr->operands.push_back(mask);
  return expr;
}

Expr *Parser::parsePostfix() {
  Expr *expr = parsePrimary();
  while (!expr->isError() && peek().is("["))
    expr = parseSubscript(expr);
  if (!expr->isError() && (peek().is(".") || peek().is("->"))) {
    fail(peek().place, "expected an operator, found " + peek().describe() +
                           ": Triton-C has no members");
    return makeError(peek().place);
  }
  return expr;
}

Expr *Parser::parseSubscript(Expr *source) {
  const Token &open = take();
  Expr *expr = program.newExpr(ExprKind::Subscript, source->place);
  expr->operands = {source};
  static constexpr llvm::StringRef combiners[] = {"+", "*",   "&",  "|",
                                                  "^", "min", "max"};
  static constexpr llvm::StringRef words[] = {"newaxis", "min", "max"};
  do {
    SubscriptAxis axis;
    axis.place = peek().place;
    if (takeIf(":")) {
      axis.kind = SubscriptAxis::Keep;
    } else if (takeName("newaxis")) {
      axis.kind = SubscriptAxis::New;
    } else if (llvm::is_contained(combiners, peek().text) &&
               (peek(1).is(",") || peek(1).is("]"))) {
      axis.kind = SubscriptAxis::Reduce;
      axis.combiner = take().text;
    } else {
      std::string near;
      if (peek().kind == TokenKind::Name)
        near = suggest(peek().text, words);
      if (peek().kind == TokenKind::Name && near.empty()) {
        // A macro for axes that is called otherwise on the command line.
        near = suggest(peek().text, program.macroNames);
      }
      failExpected("':', 'newaxis', or '+', 'min' or 'max' in a subscript",
                   near);
      if (near.empty() &&
          (peek().kind == TokenKind::Integer || peek().kind == TokenKind::Name))
        diagnostics.note(peek().place,
                         "single elements of a tile cannot be read: compute an "
                         "address instead, as *(p + i)");
      return makeError(peek().place);
    }
    expr->axes.push_back(axis);
  } while (takeIf(","));
  if (!expect("]", "behind a subscript"))
    return makeError(open.place);
  Place about = source->place;
  about.loc = open.place.loc;
  about.expansion = open.place.expansion;
  expr->place = spanPlaces(source->place, previous().place, about);
  return expr;
}

Expr *Parser::parsePrimary() {
  const Token &token = peek();
  switch (token.kind) {
  case TokenKind::Integer:
  case TokenKind::Floating: {
    Expr *expr =
        program.newExpr(token.kind == TokenKind::Integer ? ExprKind::Integer
                                                         : ExprKind::Floating,
                        take().place);
    expr->text = token.text;
    return expr;
  }
  case TokenKind::Name: {
    if (startsType()) {
      fail(token.place,
           "expected an expression, found the type '" + token.text + "'");
      return makeError(token.place);
    }
    take();
    if (peek().is("(") || (peek().is("[") && token.text == "get_global_range"))
      return parseCall(token);
    Expr *expr = program.newExpr(ExprKind::Name, token.place);
    expr->text = token.text;
    return expr;
  }
  case TokenKind::Punctuator:
    break;
  default:
    failExpected("an expression");
    return makeError(token.place);
  }
  if (!token.is("(")) {
    failExpected("an expression");
    return makeError(token.place);
  }
  take();
  if (startsType()) {
    Expr *expr = program.newExpr(ExprKind::Cast, token.place);
    Promises ignored;
    if (!parseType(expr->castTo, ignored))
      return makeError(token.place);
    if (peek().is("*")) {
      fail(peek().place, "expected ')' behind the type of a cast, "
                         "found '*': pointers cannot be cast");
      return makeError(token.place);
    }
    if (!expect(")", "behind the type of a cast"))
      return makeError(token.place);
    Expr *operand = parseUnary();
    if (operand->isError())
      return operand;
    expr->operands = {operand};
    expr->place = spanPlaces(token.place, operand->place, token.place);
    return expr;
  }
  Expr *expr = parseExpr();
  if (expr->isError())
    return expr;
  if (!expect(")", "behind an expression")) {
    diagnostics.note(token.place, "to match this '('");
    return makeError(token.place);
  }
  Place about = expr->place;
  expr->place = spanPlaces(token.place, previous().place, about);
  expr->isParenthesised = true;
  return expr;
}

Expr *Parser::parseCall(const Token &name) {
  Expr *expr = program.newExpr(ExprKind::Call, name.place);
  expr->text = name.text;
  if (takeIf("[")) {
    expr->castTo.sizes.push_back(parseExpr());
    if (!expect("]", "behind the size of 'get_global_range'"))
      return makeError(name.place);
  }
  if (!expect("(", "behind '" + name.text + "'"))
    return makeError(name.place);
  if (!peek().is(")")) {
    do {
      Expr *operand = parseExpr();
      if (operand->isError())
        return operand;
      expr->operands.push_back(operand);
    } while (takeIf(","));
  }
  if (!expect(")", "behind the arguments of '" + name.text + "'"))
    return makeError(name.place);
  expr->place = spanPlaces(name.place, previous().place, name.place);
  return expr;
}

} // namespace tileir::triton_c

//===- ParseStatements.cpp - Statements -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Parser.h"

namespace tileir::triton_c {

namespace {

constexpr llvm::StringRef kAssignments[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

} // namespace

bool Parser::expectSemicolon(const llvm::Twine &after) {
  if (takeIf(";"))
    return true;
  // Behind what lacks it, which is often the end of a line.
  if (fail(endOfPrevious(),
           "expected ';' behind " + after + ", found " + peek().describe()))
    noteMissingSemicolon(statementStart);
  // The next line may be right.
  return peek().isFirstOfLine;
}

void Parser::noteMissingSemicolon(size_t start) {
  for (size_t i = at; i > start; --i) {
    const Token &token = tokens[i];
    if (!token.isFirstOfLine || token.kind != TokenKind::Punctuator ||
        !llvm::is_contained({"*", "*?", "^", "@", "-", "+", "("}, token.text))
      continue;
    Place place = tokens[i - 1].place;
    place.loc = place.range.End;
    place.range = {};
    place.expansion = nullptr;
    return diagnostics.note(place, "a ';' may be missing at the end of this "
                                   "line: the next one goes on with '" +
                                       token.text + "'");
  }
}

Stmt *Parser::parseBlock() {
  Stmt *block = program.newStmt(StmtKind::Block, take().place);
  if (!enter())
    return block;
  while (!peek().is("}") && peek().kind != TokenKind::End &&
         !diagnostics.isFull())
    parseInto(block->body);
  --depth;
  if (!takeIf("}")) {
    failExpected("'}' at the end of a block");
    diagnostics.note(block->place, "the block begins here");
  }
  return block;
}

void Parser::parseInto(std::vector<Stmt *> &body) {
  statementStart = at;
  if (peek().kind == TokenKind::Pragma) {
    fail(peek().place, "expected '#pragma tile grid' before a kernel, found it "
                       "inside of one");
    while (take().kind != TokenKind::PragmaEnd && peek().kind != TokenKind::End)
      ;
    return;
  }
  if (startsType())
    return parseDeclarations(body);
  if (Stmt *stmt = parseStatement())
    body.push_back(stmt);
}

void Parser::parseDeclarations(std::vector<Stmt *> &body) {
  TypeSyntax type;
  Promises promises;
  if (!parseType(type, promises))
    return skipStatement();
  do {
    Variable *variable = parseDeclarator(type, promises, "a variable");
    if (!variable)
      return skipStatement();
    // Of a pointer it is what it points at.
    variable->isConst = type.isConst && !variable->syntax.isPointer;
    Stmt *stmt = program.newStmt(StmtKind::Declaration, variable->place);
    stmt->variable = variable;
    if (takeIf("=")) {
      if (peek().is("{")) {
        fail(peek().place, "expected an expression behind '=': tiles have no "
                           "lists of elements; 'a ... b' makes a range");
        return skipStatement();
      }
      stmt->value = parseExpr();
    }
    body.push_back(stmt);
    if (!peek().is(",") &&
        !expectSemicolon("the declaration of '" + variable->name + "'"))
      return skipStatement();
  } while (takeIf(","));
}

Stmt *Parser::parseStatement() {
  if (takeIf(";"))
    return program.newStmt(StmtKind::Block, previous().place);
  if (peek().is("{"))
    return parseBlock();
  if (peek().is("@"))
    return parsePredicated();
  if (peek().isName("if"))
    return parseIf();
  if (peek().isName("for"))
    return parseFor();
  if (peek().isName("while"))
    return parseWhile();
  if (peek().isName("return")) {
    Stmt *stmt = program.newStmt(StmtKind::Return, take().place);
    if (!peek().is(";"))
      fail(peek().place,
           "expected ';' behind 'return': kernels have no result");
    if (!takeIf(";"))
      skipStatement();
    return stmt;
  }
  for (llvm::StringRef word :
       {"break", "continue", "goto", "switch", "do", "case", "else", "struct",
        "typedef", "enum", "union", "__shared__"})
    if (peek().isName(word)) {
      fail(peek().place,
           "expected a statement, found '" + word + "'" +
               (word == "else" ? " without an 'if' before it"
                               : ", which Triton-C does not have"));
      take();
      if (word != "else")
        skipStatement();
      return nullptr;
    }
  Stmt *stmt = parseSimple();
  if (stmt &&
      expectSemicolon(stmt->kind == StmtKind::Assignment ? "an assignment"
                                                         : "an expression"))
    return stmt;
  skipStatement();
  return nullptr;
}

Stmt *Parser::parseSimple() {
  Stmt *stmt = program.newStmt(StmtKind::Expression, peek().place);
  auto count = [&](llvm::StringRef op) {
    stmt->kind = StmtKind::Assignment;
    stmt->place = previous().place;
    stmt->op = op == "++" ? "+=" : "-=";
    stmt->value = program.newExpr(ExprKind::Integer, previous().place);
    stmt->value->text = "1";
  };
  if (peek().is("++") || peek().is("--")) {
    llvm::StringRef op = take().text;
    count(op);
    stmt->target = parseUnary();
    return stmt->target->isError() ? nullptr : stmt;
  }
  Expr *first = parseExpr();
  if (first->isError())
    return nullptr;
  if (first->kind == ExprKind::Name && peek().kind == TokenKind::Name) {
    failUnknownType(first->text, first->place);
    return nullptr;
  }
  if (peek().is("++") || peek().is("--")) {
    llvm::StringRef op = take().text;
    count(op);
    stmt->target = first;
    return stmt;
  }
  bool isAssignment = peek().kind == TokenKind::Punctuator &&
                      llvm::is_contained(kAssignments, peek().text);
  if (!isAssignment) {
    stmt->value = first;
    stmt->place = first->place;
    return stmt;
  }
  stmt->kind = StmtKind::Assignment;
  stmt->op = peek().text;
  stmt->place = take().place;
  stmt->target = first;
  // Before the value is parsed, which is on the right side of it.
  bool isAssignable =
      first->kind == ExprKind::Name || first->kind == ExprKind::Load;
  if (!isAssignable) {
    fail(first->place,
         "expected a variable, '*p' or '*?(m)p' on the left of '" + stmt->op +
             "', found " +
             (first->kind == ExprKind::Subscript
                  ? "a subscript, which makes a new tile"
                  : "an expression"));
    noteMissingSemicolon(statementStart);
    return nullptr;
  }
  stmt->value = parseExpr();
  if (peek().kind == TokenKind::Punctuator &&
      llvm::is_contained(kAssignments, peek().text)) {
    fail(peek().place, "expected ';' behind an assignment, found "
                       "a second one: assignments are statements");
    noteMissingSemicolon(statementStart);
    return nullptr;
  }
  return stmt->value->isError() ? nullptr : stmt;
}

Stmt *Parser::parsePredicated() {
  Stmt *stmt = program.newStmt(StmtKind::Predicated, take().place);
  if (peek().kind == TokenKind::Name) {
    stmt->condition = program.newExpr(ExprKind::Name, peek().place);
    stmt->condition->text = take().text;
  } else if (takeIf("(")) {
    stmt->condition = parseExpr();
    if (!expect(")", "behind a predicate")) {
      skipStatement();
      return nullptr;
    }
  } else {
    failExpected("a name or '(' behind '@'");
    skipStatement();
    return nullptr;
  }
  if (!enter())
    return nullptr;
  parseInto(stmt->body);
  --depth;
  return stmt;
}

Stmt *Parser::parseIf() {
  Stmt *stmt = program.newStmt(StmtKind::If, take().place);
  if (!expect("(", "behind 'if'")) {
    skipStatement();
    return nullptr;
  }
  stmt->condition = parseExpr();
  if (!expect(")", "behind the condition of 'if'")) {
    skipStatement();
    return nullptr;
  }
  if (!enter())
    return nullptr;
  parseInto(stmt->body);
  if (takeName("else"))
    parseInto(stmt->orElse);
  --depth;
  return stmt;
}

Stmt *Parser::parseWhile() {
  Stmt *stmt = program.newStmt(StmtKind::For, take().place);
  stmt->op = "while";
  if (expect("(", "behind 'while'")) {
    stmt->condition = parseExpr();
    if (expect(")", "behind the condition of 'while'") && enter()) {
      parseInto(stmt->body);
      --depth;
      return stmt;
    }
  }
  skipStatement();
  return nullptr;
}

Stmt *Parser::parseFor() {
  Stmt *stmt = program.newStmt(StmtKind::For, take().place);
  stmt->op = "for";
  auto giveUp = [&]() -> Stmt * {
    // Of the parentheses, then of what is repeated.
    while (!peek().is("{") && !peek().is("}") &&
           peek().kind != TokenKind::End && !peek().isFirstOfLine)
      take();
    if (peek().is("{"))
      parseBlock();
    return nullptr;
  };
  if (!expect("(", "behind 'for'"))
    return giveUp();
  if (startsType()) {
    std::vector<Stmt *> declarations;
    parseDeclarations(declarations);
    if (declarations.size() != 1)
      return giveUp();
    stmt->init = declarations.front();
  } else if (!takeIf(";")) {
    stmt->init = parseSimple();
    if (!stmt->init || !expect(";", "behind the start of 'for'"))
      return giveUp();
  }
  if (!peek().is(";"))
    stmt->condition = parseExpr();
  if (!expect(";", "behind the condition of 'for'"))
    return giveUp();
  if (!peek().is(")")) {
    do {
      Stmt *step = parseSimple();
      if (!step)
        return giveUp();
      stmt->steps.push_back(step);
    } while (takeIf(","));
  }
  if (!expect(")", "behind the steps of 'for'") || !enter())
    return giveUp();
  parseInto(stmt->body);
  --depth;
  return stmt;
}

} // namespace tileir::triton_c

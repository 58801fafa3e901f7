//===- ParseDeclarations.cpp - Kernels, variables and their types ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Parser.h"

namespace tileir::triton_c {

namespace {

constexpr llvm::StringRef kFileScope[] = {"void",  "__global__",   "kernel",
                                          "const", "__constant__", "tunable"};

bool isOneOf(const Token &token, llvm::ArrayRef<llvm::StringRef> words) {
  return token.kind == TokenKind::Name && llvm::is_contained(words, token.text);
}

} // namespace

bool Parser::takeIf(llvm::StringRef punctuator) {
  bool isThere = peek().is(punctuator);
  at += isThere;
  return isThere;
}

bool Parser::takeName(llvm::StringRef name) {
  bool isThere = peek().isName(name);
  at += isThere;
  return isThere;
}

Place Parser::endOfPrevious() const {
  Place place = previous().place;
  place.loc = place.range.End;
  place.range = {};
  return place;
}

bool Parser::fail(const Place &place, const llvm::Twine &message) {
  // What follows from an error is none.
  if (lastFailure == at)
    return false;
  lastFailure = at;
  diagnostics.error(place, message);
  return true;
}

bool Parser::failExpected(const llvm::Twine &what, const llvm::Twine &near) {
  return fail(peek().place,
              "expected " + what + ", found " + peek().describe() + near);
}

bool Parser::expect(llvm::StringRef punctuator, const llvm::Twine &where) {
  if (takeIf(punctuator))
    return true;
  failExpected("'" + punctuator + "' " + where);
  return false;
}

void Parser::skipStatement() {
  unsigned open = 0;
  while (peek().kind != TokenKind::End) {
    if (open == 0 && peek().is("}"))
      return;
    const Token &token = take();
    open += token.is("{");
    open -= open && token.is("}");
    if (open == 0 && (token.is(";") || token.is("}")))
      return;
  }
}

void Parser::skipToFileScope() {
  int depth = 0;
  while (peek().kind != TokenKind::End) {
    if (peek().isFirstOfLine &&
        (isOneOf(peek(), kFileScope) || peek().kind == TokenKind::Pragma))
      return;
    const Token &token = take();
    depth += token.is("(") || token.is("{");
    depth -= token.is(")") || token.is("}");
    if (depth <= 0 && (token.is(";") || token.is("}")))
      return;
  }
}

void Parser::parseFile() {
  while (peek().kind != TokenKind::End && !diagnostics.isFull()) {
    size_t before = at;
    parseGlobal();
    // What cannot start anything is left behind.
    if (at == before)
      take();
  }
  if (program.kernels.empty() && !diagnostics.hasErrors())
    failExpected("a kernel ('void name(...) {...}') in the file");
  if (!pendingGrid.empty())
    fail(pendingGridPlace,
         "expected a kernel behind '#pragma tile grid', found the "
         "end of the file");
}

void Parser::parseGlobal() {
  if (takeIf(";"))
    return;
  if (peek().kind == TokenKind::Pragma)
    return parsePragma();
  if (peek().isName("__global__") || peek().isName("kernel") ||
      peek().isName("void"))
    return parseKernel();
  if (peek().isName("__constant__") || startsType())
    return parseGlobalVariable();
  if (peek().isName("for") || peek().isName("while") || peek().isName("if"))
    fail(peek().place,
         "'" + peek().text +
             "' outside of a kernel is host code, which is not "
             "part of Triton-C: '#pragma tile grid(...)' says how "
             "many programs run");
  else
    fail(peek().place,
         "expected a kernel ('void name(...) {...}') or a "
         "constant, found " +
             peek().describe() +
             (peek().kind == TokenKind::Name ? suggest(peek().text, kFileScope)
                                             : ""));
  skipToFileScope();
}

void Parser::parsePragma() {
  Place place = take().place;
  static constexpr llvm::StringRef words[] = {"grid"};
  if (!takeName("grid")) {
    std::string near =
        peek().kind == TokenKind::Name ? suggest(peek().text, words) : "";
    failExpected("'grid' behind '#pragma tile'", near);
  } else if (expect("(", "behind 'grid'")) {
    pendingGridPlace = place;
    pendingGrid.clear();
    do {
      pendingGrid.push_back(parseExpr());
    } while (takeIf(","));
    if (expect(")", "behind the sizes of the grid") &&
        peek().kind != TokenKind::PragmaEnd)
      failExpected("the end of the line behind '#pragma tile grid(...)'");
    if (pendingGrid.size() > 3)
      fail(pendingGrid[3]->place,
           "expected at most 3 sizes of the grid, found " +
               llvm::Twine(pendingGrid.size()));
  }
  while (peek().kind != TokenKind::PragmaEnd && peek().kind != TokenKind::End)
    take();
  if (peek().kind == TokenKind::PragmaEnd)
    take();
}

void Parser::parseKernel() {
  while (takeName("__global__") || takeName("kernel"))
    ;
  if (!takeName("void")) {
    failExpected("'void': kernels have no result");
    return skipToFileScope();
  }
  if (peek().kind != TokenKind::Name) {
    failExpected("the name of a kernel");
    return skipToFileScope();
  }
  Kernel *kernel = program.newKernel();
  kernel->name = peek().text;
  kernel->place = take().place;
  kernel->grid = std::exchange(pendingGrid, {});
  if (!expect("(", "behind the name of kernel '" + kernel->name + "'"))
    return skipToFileScope();
  if (!takeIf(")")) {
    parseArguments(*kernel);
    if (!expect(")", "behind the arguments of kernel '" + kernel->name + "'"))
      return skipToFileScope();
  }
  if (!peek().is("{")) {
    failExpected("'{' before the body of kernel '" + kernel->name + "'");
    return skipToFileScope();
  }
  kernel->body = parseBlock();
  program.kernels.push_back(kernel);
}

void Parser::parseArguments(Kernel &kernel) {
  do {
    TypeSyntax type;
    Promises promises;
    Variable *argument = nullptr;
    if (parseType(type, promises))
      argument = parseDeclarator(type, promises, "an argument");
    if (argument) {
      argument->isArgument = true;
      kernel.arguments.push_back(argument);
    } else {
      while (!peek().is(",") && !peek().is(")") && !peek().is("{") &&
             peek().kind != TokenKind::End)
        take();
    }
  } while (takeIf(",") && !diagnostics.isFull());
}

void Parser::parseGlobalVariable() {
  Place place = peek().place;
  bool isArray = takeName("__constant__");
  TypeSyntax type;
  Promises promises;
  size_t start = at;
  bool isTunable = false;
  for (size_t i = 0; i < 3; ++i)
    isTunable |= peek(i).isName("tunable");
  if (!parseType(type, promises))
    return skipToFileScope();
  Variable *variable = parseDeclarator(type, promises, "a constant");
  if (!variable)
    return skipToFileScope();
  Stmt *declaration = program.newStmt(StmtKind::Declaration, variable->place);
  declaration->variable = variable;
  if (peek().is("(")) {
    fail(place, "expected 'void': kernels have no result, and "
                "there are no other functions");
    return skipToFileScope();
  }
  if (!isArray && !type.isConst) {
    fail(place, "expected 'const' before a variable outside of a "
                "kernel, found " +
                    tokens[start].describe());
    return skipStatement();
  }
  if (!expect("=", "behind '" + variable->name + "'"))
    return skipStatement();
  if (isTunable) {
    parseTunable(*declaration);
  } else if (isArray) {
    Element element;
    if (!takeName("alloc_const")) {
      failExpected("'alloc_const' behind '='");
      return skipStatement();
    }
    Place typePlace = peek().place;
    if (!parseElement(element))
      return skipStatement();
    if (!variable->syntax.isPointer || element != type.element)
      fail(typePlace, "expected '" + variable->name + "' to be a pointer to " +
                          getName(element) + ", as what 'alloc_const' makes");
    if (!expect("[", "behind the type of 'alloc_const'"))
      return skipStatement();
    declaration->value = parseExpr();
    if (!expect("]", "behind the size of 'alloc_const'"))
      return skipStatement();
    variable->promises.isReadOnly = variable->isArgument = true;
    program.arrays.push_back(variable);
  } else {
    declaration->value = parseExpr();
  }
  program.globals.push_back(declaration);
  if (!expectSemicolon("the declaration of '" + variable->name + "'"))
    skipToFileScope();
}

void Parser::parseTunable(Stmt &declaration) {
  Tunable &tunable = program.tunables.emplace_back();
  tunable.name = declaration.variable->name.str();
  if (!expect("{", "before the values of 'tunable' '" +
                       declaration.variable->name + "'"))
    return;
  do {
    Expr *value = parseExpr();
    if (value->kind != ExprKind::Integer)
      fail(value->place, "expected an integer among the values of "
                         "'tunable'");
    tunable.values.push_back(value->text.str());
    // The first one holds, unless the command line chooses.
    if (!declaration.value)
      declaration.value = value;
  } while (takeIf(","));
  expect("}", "behind the values of 'tunable'");
}

} // namespace tileir::triton_c

//===- Parser.h - Syntax of Triton-C ----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent. Types are keywords, so that no symbol is needed to tell a
// declaration from an expression. Behind an error it goes on with the next
// statement.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_PARSER_H
#define TILEIR_FRONTEND_TRITONC_PARSER_H

#include "tileir/Frontend/TritonC/Program.h"

namespace tileir::triton_c {

class Parser {
public:
  /// `tokens` end with End.
  Parser(llvm::ArrayRef<Token> tokens, Program &program,
         Diagnostics &diagnostics)
      : tokens(tokens), program(program), diagnostics(diagnostics) {}

  void parseFile();

private:
  // Tokens.
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  const Token &take() { return tokens[std::min(at++, tokens.size() - 1)]; }
  const Token &previous() const { return tokens[at ? at - 1 : 0]; }
  bool takeIf(llvm::StringRef punctuator);
  bool takeName(llvm::StringRef name);
  /// Takes a punctuator or says that it was expected, `where`.
  bool expect(llvm::StringRef punctuator, const llvm::Twine &where);
  /// Says what is wrong, once for each token that parsing stops at.
  bool fail(const Place &place, const llvm::Twine &message);
  bool failExpected(const llvm::Twine &what, const llvm::Twine &near = "");
  /// The place behind the last token.
  Place endOfPrevious() const;
  /// Goes on behind the statement.
  void skipStatement();
  void skipToFileScope();

  // Declarations (ParseDeclarations.cpp).
  void parseGlobal();
  void parsePragma();
  void parseKernel();
  void parseArguments(Kernel &kernel);
  void parseGlobalVariable();
  void parseTunable(Stmt &declaration);

  // Types (ParseTypes.cpp).
  bool startsType() const;
  /// Words and promises before a name.
  bool parseType(TypeSyntax &type, Promises &promises);
  bool parseElement(Element &element);
  void failUnknownType(llvm::StringRef name, const Place &place);
  bool parsePromise(TypeSyntax &type, Promises &promises);
  /// The sizes in brackets.
  bool parseShape(TypeSyntax &type);
  Variable *parseDeclarator(TypeSyntax type, Promises promises,
                            const llvm::Twine &of);

  // Statements (ParseStatements.cpp).
  Stmt *parseStatement();
  Stmt *parseBlock();
  void parseInto(std::vector<Stmt *> &body);
  void parseDeclarations(std::vector<Stmt *> &body);
  /// An assignment or a call, without its semicolon.
  Stmt *parseSimple();
  Stmt *parseIf();
  Stmt *parseFor();
  Stmt *parseWhile();
  Stmt *parsePredicated();
  bool expectSemicolon(const llvm::Twine &after);
  /// If a line of the statement from `start` begins with what is an operator as
  /// well, a note that a semicolon may be missing before.
  void noteMissingSemicolon(size_t start);

  // Expressions (ParseExpressions.cpp).
  Expr *parseExpr() { return parseConditional(); }
  Expr *parseConditional();
  Expr *parseBinary(unsigned least);
  Expr *parseRange();
  Expr *parseUnary();
  Expr *parseDereference();
  Expr *parsePostfix();
  Expr *parsePrimary();
  Expr *parseSubscript(Expr *source);
  Expr *parseCall(const Token &name);
  Expr *makeError(const Place &place) {
    return program.newExpr(ExprKind::Error, place);
  }
  bool enter();

  llvm::ArrayRef<Token> tokens;
  Program &program;
  Diagnostics &diagnostics;
  size_t at = 0;
  /// Where parsing was when the last error was told of.
  size_t lastFailure = ~size_t(0);
  /// Where the statement begins.
  size_t statementStart = 0;
  unsigned depth = 0;
  std::vector<Expr *> pendingGrid;
  Place pendingGridPlace;
};

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_PARSER_H

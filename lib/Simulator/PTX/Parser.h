//===- Parser.h -------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser of PTX, a recursive descent. A function that returns false has
// met an error; the first one is kept.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PTX_PARSER_H
#define TILEIR_LIB_SIMULATOR_PTX_PARSER_H

#include "PTX/Lexer.h"
#include "PTX/Syntax.h"

#include "llvm/ADT/Twine.h"

namespace tileir::sim::ptx {

class Parser {
public:
  explicit Parser(llvm::StringRef text) : text(text), lexer(text) { advance(); }

  bool parseStatements(std::vector<Statement> &statements);
  bool parseFile(File &file);

  /// What the first error says, and its line.
  std::string message;
  unsigned line = 0;

private:
  // Parser.cpp
  void advance();
  bool fail(const llvm::Twine &expected);
  bool refuse(const llvm::Twine &what);
  bool accept(char sign);
  bool expect(char sign, const llvm::Twine &where);
  bool acceptWord(llvm::StringRef word);
  bool parseWord(llvm::StringRef &word, const llvm::Twine &what);
  bool parseNumber(uint64_t &value, const llvm::Twine &what);
  bool parseSum(int64_t &value);
  bool parseStatement(Statement &statement);
  bool parseInstruction(Statement &statement);
  bool parseLocation(Statement &statement);
  bool parsePlace(SourcePlace &place);
  bool parseOperands(Statement &statement);
  bool parseOperand(Operand &operand, unsigned depth = 0);
  bool parsePrimary(Operand &operand, unsigned depth);
  bool parseList(Operand &operand, char end, unsigned depth);
  bool parseAddress(Operand &operand, unsigned depth);
  bool parseConstant(Operand &operand);
  // ParseDeclarations.cpp
  /// Whether a directive declares registers or variables.
  static bool isStorage(llvm::StringRef word);
  bool parseDeclaration(std::vector<Variable> &variables);
  bool parseVariable(Variable &variable);
  bool parseInitial(Variable &variable);
  bool parseInitialValue(Variable &variable, unsigned bytes);
  bool parseParameters(std::vector<Variable> &parameters);
  bool parseFunction(Function &function);
  bool parseDimensions(std::string &dimensions);
  bool parseSource(File &file);
  bool parseStrings(File &file);
  bool skipSection();
  bool skipToEndOfSection();

  llvm::StringRef text;
  Lexer lexer;
  Token token;
};

} // namespace tileir::sim::ptx

#endif // TILEIR_LIB_SIMULATOR_PTX_PARSER_H

//===- Parser.cpp ---------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements and operands. Declarations are in ParseDeclarations.cpp.
//
//===----------------------------------------------------------------------===//

#include "PTX/Parser.h"

using namespace llvm;

namespace tileir::sim::ptx {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

void Parser::advance() { token = lexer.lex(); }

bool Parser::fail(const Twine &expected) {
  if (!message.empty())
    return false;
  line = token.line;
  std::string found = token.kind == Token::Kind::End
                          ? "the end"
                          : "'" + token.text.take_front(40).str() + "'";
  message = ("expected " + expected + ", found " + found).str();
  return false;
}

bool Parser::refuse(const Twine &what) {
  if (!message.empty())
    return false;
  line = token.line;
  message = what.str();
  return false;
}

bool Parser::accept(char sign) {
  if (!token.is(sign))
    return false;
  advance();
  return true;
}

bool Parser::expect(char sign, const Twine &where) {
  return accept(sign) || fail("'" + Twine(sign) + "' " + where);
}

bool Parser::acceptWord(StringRef word) {
  if (!token.isWord() || token.text != word)
    return false;
  advance();
  return true;
}

bool Parser::parseWord(StringRef &word, const Twine &what) {
  if (!token.isWord())
    return fail(what);
  word = token.text;
  advance();
  return true;
}

bool Parser::parseNumber(uint64_t &value, const Twine &what) {
  if (token.kind != Token::Kind::Integer)
    return fail(what);
  value = token.bits;
  advance();
  return true;
}

/// An integer, or a sum of several: -4, 8+16, after an optional sign.
bool Parser::parseSum(int64_t &value) {
  uint64_t sum = 0;
  do {
    bool isNegative = false;
    while (token.is('+') || token.is('-')) {
      isNegative ^= token.is('-');
      advance();
    }
    uint64_t term = 0;
    if (!parseNumber(term, "an integer"))
      return false;
    sum += isNegative ? -term : term;
  } while (token.is('+') || token.is('-'));
  value = int64_t(sum);
  return true;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Lists in lists occur, as many as this do not.
constexpr unsigned kMaxDepth = 8;

bool Parser::parseList(Operand &operand, char end, unsigned depth) {
  operand.kind = Operand::Kind::List;
  if (accept(end))
    return true;
  do {
    if (!parseOperand(operand.elements.emplace_back(), depth + 1))
      return false;
  } while (accept(','));
  return expect(end, "after a list of operands");
}

/// [name], [name + 8], [8], [name, {x, y}]
bool Parser::parseAddress(Operand &operand, unsigned depth) {
  operand.kind = Operand::Kind::Address;
  if (token.isWord()) {
    operand.name = token.text;
    advance();
    if ((token.is('+') || token.is('-')) && !parseSum(operand.offset))
      return false;
  } else if (!parseSum(operand.offset)) {
    return false;
  }
  while (accept(','))
    if (!parseOperand(operand.elements.emplace_back(), depth + 1))
      return false;
  return expect(']', "after an address");
}

bool Parser::parseConstant(Operand &operand) {
  bool isNegative = false;
  while (token.is('-') || token.is('+')) {
    isNegative ^= token.is('-');
    advance();
  }
  if (isNegative && token.isWord()) {
    operand.kind = Operand::Kind::Name;
    operand.name = token.text;
    operand.minus = true;
    advance();
    return true;
  }
  operand.bits = token.bits;
  switch (token.kind) {
  case Token::Kind::Integer: {
    operand.kind = Operand::Kind::Integer;
    advance();
    if (isNegative)
      operand.bits = -operand.bits;
    int64_t rest = 0;
    if ((token.is('+') || token.is('-')) && !parseSum(rest))
      return false;
    operand.bits += rest;
    return true;
  }
  case Token::Kind::Single:
  case Token::Kind::Double:
    operand.kind = Operand::Kind::Float;
    operand.isSingle = token.kind == Token::Kind::Single;
    if (isNegative)
      operand.bits ^= uint64_t(1) << (operand.isSingle ? 31 : 63);
    advance();
    return true;
  default:
    return fail("an operand");
  }
}

bool Parser::parsePrimary(Operand &operand, unsigned depth) {
  if (depth > kMaxDepth)
    return refuse("expected at most 8 lists in each other");
  if (accept('{'))
    return parseList(operand, '}', depth);
  if (accept('('))
    return parseList(operand, ')', depth);
  if (accept('['))
    return parseAddress(operand, depth);
  operand.negated = accept('!');
  if (!token.isWord())
    return operand.negated ? fail("a predicate after '!'")
                           : parseConstant(operand);
  operand.kind = token.text == "_" ? Operand::Kind::Discard //
                                   : Operand::Kind::Name;
  operand.name = token.text;
  advance();
  if (token.is('+') || token.is('-'))
    return parseSum(operand.offset);
  return true;
}

bool Parser::parseOperand(Operand &operand, unsigned depth) {
  if (!parsePrimary(operand, depth))
    return false;
  if (!accept('|'))
    return true;
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.elements.push_back(std::move(operand));
  if (!parsePrimary(pair.elements.emplace_back(), depth))
    return false;
  operand = std::move(pair);
  return true;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool Parser::parseOperands(Statement &statement) {
  if (token.is(';') || token.kind == Token::Kind::End)
    return true;
  do {
    if (!parseOperand(statement.operands.emplace_back()))
      return false;
  } while (accept(','));
  return true;
}

bool Parser::parseInstruction(Statement &statement) {
  if (accept('@')) {
    statement.guardNegated = accept('!');
    if (!parseWord(statement.guard, "a predicate after '@'"))
      return false;
  }
  StringRef opcode;
  if (!parseWord(opcode, "an instruction"))
    return false;
  SmallVector<StringRef, 8> parts;
  opcode.split(parts, '.');
  // Modifiers may be written apart.
  while (token.isWord() && token.text.starts_with(".")) {
    token.text.drop_front().split(parts, '.');
    advance();
  }
  statement.name = parts.front();
  statement.modifiers.assign(parts.begin() + 1, parts.end());
  if (!parseOperands(statement))
    return false;
  // The last one of an inline assembly does not need it.
  return token.kind == Token::Kind::End ||
         expect(';', "after the operands of '" + opcode + "'");
}

bool Parser::parsePlace(SourcePlace &place) {
  for (unsigned &number : place) {
    uint64_t value = 0;
    if (!parseNumber(value, "file, line and column"))
      return false;
    number = value;
  }
  return true;
}

/// .loc file line column [, function_name label [+ n]] [, inlined_at f l c]
bool Parser::parseLocation(Statement &statement) {
  statement.kind = Statement::Kind::Location;
  Location &location = statement.location;
  if (!parsePlace(location.place))
    return false;
  while (accept(',')) {
    if (acceptWord("inlined_at")) {
      if (!parsePlace(location.inlinedAt))
        return false;
      continue;
    }
    if (!acceptWord("function_name"))
      return fail("'function_name' or 'inlined_at'");
    if (!parseWord(location.label, "a label after 'function_name'"))
      return false;
    if (accept('+') && !parseNumber(location.offset, "a number after '+'"))
      return false;
  }
  return true;
}

bool Parser::isStorage(StringRef word) {
  StringRef space = word.drop_front().split('.').first;
  return word.starts_with(".") &&
         (space == "reg" || space == "shared" || space == "global" ||
          space == "local" || space == "const" || space == "param");
}

bool Parser::parseStatement(Statement &statement) {
  statement.line = token.line;
  if (accept('{')) {
    statement.kind = Statement::Kind::Open;
    return true;
  }
  if (accept('}')) {
    statement.kind = Statement::Kind::Close;
    return true;
  }
  if (!token.isWord() || !token.text.starts_with(".")) {
    Token first = token;
    if (first.isWord()) {
      Lexer ahead = lexer;
      if (ahead.lex().is(':')) {
        statement.kind = Statement::Kind::Label;
        statement.name = first.text;
        advance();
        advance();
        return true;
      }
    }
    return parseInstruction(statement);
  }
  if (acceptWord(".loc"))
    return parseLocation(statement);
  if (isStorage(token.text)) {
    statement.kind = Statement::Kind::Declaration;
    return parseDeclaration(statement.variables);
  }
  if (acceptWord(".pragma")) {
    statement.kind = Statement::Kind::Location; // nothing
    if (token.kind != Token::Kind::String)
      return fail("a string after '.pragma'");
    advance();
    return expect(';', "after '.pragma'");
  }
  // .branchtargets and the like belong to the label before them.
  if (token.text == ".branchtargets" || token.text == ".calltargets" ||
      token.text == ".callprototype")
    return parseInstruction(statement);
  return fail("a statement");
}

bool Parser::parseStatements(std::vector<Statement> &statements) {
  unsigned open = 0;
  while (token.kind != Token::Kind::End) {
    if (accept(';'))
      continue;
    const char *begin = token.text.data();
    if (token.is('}') && open == 0)
      return refuse("expected '{' before '}'");
    Statement &statement = statements.emplace_back();
    if (!parseStatement(statement))
      return false;
    const char *end = token.kind == Token::Kind::End ? text.end()
                      : token.kind == Token::Kind::String
                          ? token.text.data() - 1
                          : token.text.data();
    statement.text = StringRef(begin, end - begin).split(';').first.trim();
    open += statement.kind == Statement::Kind::Open;
    open -= statement.kind == Statement::Kind::Close;
  }
  return open == 0 || fail("'}' for each '{'");
}

Expected<std::vector<Statement>> parseStatements(StringRef text) {
  Parser parser(text);
  std::vector<Statement> statements;
  if (parser.parseStatements(statements))
    return statements;
  return createStringError("line " + Twine(parser.line) + ": " +
                           parser.message);
}

} // namespace tileir::sim::ptx

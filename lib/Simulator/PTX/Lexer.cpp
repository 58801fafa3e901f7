//===- Lexer.cpp ----------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes PTX apart into tokens.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lexer.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace tileir::sim::ptx {

static bool beginsWord(char c) {
  return isAlpha(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static bool continuesWord(char c) { return beginsWord(c) || isDigit(c); }

void Lexer::skipSpace() {
  while (!rest.empty()) {
    size_t length = 0;
    if (rest.starts_with("//"))
      length = std::min(rest.find('\n'), rest.size());
    else if (rest.starts_with("/*"))
      length = std::min(rest.find("*/", 2), rest.size() - 2) + 2;
    else if (isSpace(rest.front()) || rest.front() == '\0')
      length = 1;
    if (length == 0)
      return;
    line += rest.take_front(length).count('\n');
    rest = rest.drop_front(length);
  }
}

Token Lexer::take(Token::Kind kind, size_t length) {
  Token token;
  token.kind = kind;
  token.text = rest.take_front(length);
  token.line = line;
  line += token.text.count('\n');
  rest = rest.drop_front(length);
  return token;
}

/// 12, 0x1F, 0b101, 017, each with U; 0f3F800000, 0d3FF0000000000000; 1.5e3.
Token Lexer::lexNumber() {
  size_t length = 0;
  auto accepts = [&](char c) {
    bool isExponentSign = (c == '+' || c == '-') && length > 0 &&
                          toLower(rest[length - 1]) == 'e' &&
                          !rest.starts_with_insensitive("0x") &&
                          !rest.starts_with_insensitive("0f") &&
                          !rest.starts_with_insensitive("0d");
    return isAlnum(c) || c == '.' || isExponentSign;
  };
  while (length < rest.size() && accepts(rest[length]))
    ++length;
  Token token = take(Token::Kind::Integer, length);
  StringRef text = token.text;
  bool isBits = text.consume_front_insensitive("0f") ||
                text.consume_front_insensitive("0d");
  if (isBits) {
    bool isSingle = toLower(token.text[1]) == 'f';
    token.kind = isSingle ? Token::Kind::Single : Token::Kind::Double;
    if (text.size() != (isSingle ? 8 : 16) || text.getAsInteger(16, token.bits))
      token.kind = Token::Kind::Bad;
    return token;
  }
  bool isHex = text.starts_with_insensitive("0x");
  if (!isHex && text.find_first_of(".eE") != StringRef::npos) {
    APFloat value(APFloat::IEEEdouble());
    auto status = value.convertFromString(text, APFloat::rmNearestTiesToEven);
    token.kind = Token::Kind::Double;
    token.bits = value.bitcastToAPInt().getZExtValue();
    if (errorToBool(status.takeError()))
      token.kind = Token::Kind::Bad;
    return token;
  }
  text.consume_back_insensitive("u");
  if (text.getAsInteger(0, token.bits))
    token.kind = Token::Kind::Bad;
  return token;
}

Token Lexer::lex() {
  skipSpace();
  if (rest.empty())
    return take(Token::Kind::End, 0);
  char first = rest.front();
  if (isDigit(first))
    return lexNumber();
  if (beginsWord(first)) {
    size_t length = 1;
    while (length < rest.size()) {
      if (continuesWord(rest[length]))
        ++length;
      else if (rest.substr(length).starts_with("::") &&
               length + 2 < rest.size() && continuesWord(rest[length + 2]))
        length += 2; // L2::128B
      else
        break;
    }
    if (rest.take_front(length) == "_")
      return take(Token::Kind::Word, 1);
    return take(Token::Kind::Word, length);
  }
  if (first == '"') {
    size_t end = rest.find('"', 1);
    if (end == StringRef::npos)
      return take(Token::Kind::Bad, rest.size());
    Token token = take(Token::Kind::String, end + 1);
    token.text = token.text.drop_front().drop_back();
    return token;
  }
  if (StringRef("{}()[],;:@!|<>=+-*~/").contains(first))
    return take(Token::Kind::Sign, 1);
  return take(Token::Kind::Bad, 1);
}

} // namespace tileir::sim::ptx

//===- Lexer.cpp - Tokens of Triton-C -------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Lexer.h"

#include "llvm/ADT/StringExtras.h"

namespace tileir::triton_c {

std::string Token::describe() const {
  switch (kind) {
  case TokenKind::End:
    return "the end of the file";
  case TokenKind::Pragma:
    return "'#pragma tile'";
  case TokenKind::PragmaEnd:
    return "the end of the line";
  default:
    return ("'" + text + "'").str();
  }
}

namespace {

/// Longest first.
constexpr llvm::StringLiteral kPunctuators[] = {
    "...", "<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=",
    "&=",  "|=",  "^=",  "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "->",  "##",  "*?", "+",  "-",  "*",  "/",  "%",  "&",
    "|",   "^",   "~",   "!",  "<",  ">",  "=",  "?",  ":",  ";",
    ",",   ".",   "(",   ")",  "[",  "]",  "{",  "}",  "@",  "#"};

class Lexer {
public:
  Lexer(llvm::StringRef buffer, Diagnostics &diagnostics)
      : rest(buffer), diagnostics(diagnostics) {}

  std::vector<Token> lexAll() {
    std::vector<Token> tokens;
    do {
      tokens.push_back(lex());
    } while (tokens.back().kind != TokenKind::End);
    return tokens;
  }

private:
  Place placeOf(llvm::StringRef text) {
    auto start = llvm::SMLoc::getFromPointer(text.begin());
    return {start, {start, llvm::SMLoc::getFromPointer(text.end())}, nullptr};
  }

  /// Takes a comment, a line that goes on, or white space.
  bool skipSpace() {
    if (rest.consume_front("\\\n") || rest.consume_front("\\\r\n"))
      return true;
    if (rest.starts_with("//")) {
      rest = rest.drop_front(std::min(rest.find('\n'), rest.size()));
      return true;
    }
    if (rest.starts_with("/*")) {
      size_t end = rest.find("*/", 2);
      if (end == llvm::StringRef::npos) {
        diagnostics.error(placeOf(rest.take_front(2)),
                          "expected '*/' at the end of this comment, found the "
                          "end of the file");
        rest = rest.drop_front(rest.size());
        return true;
      }
      isFirstOfLine |= rest.take_front(end).contains('\n');
      rest = rest.drop_front(end + 2);
      return true;
    }
    if (rest.empty() || !llvm::isSpace(rest.front()))
      return false;
    isFirstOfLine |= rest.front() == '\n';
    rest = rest.drop_front();
    return true;
  }

  /// The size of the number at the start.
  size_t findNumberEnd(bool &isFloating) {
    size_t end = 0;
    auto at = [&](size_t i) { return i < rest.size() ? rest[i] : '\0'; };
    auto skip = [&](auto isDigit) {
      while (isDigit(at(end)))
        ++end;
    };
    if (rest.starts_with_insensitive("0x")) {
      end = 2;
      skip(llvm::isHexDigit);
    } else {
      skip([](char c) { return llvm::isDigit(c); });
      // Not the start of an ellipsis.
      if (at(end) == '.' && at(end + 1) != '.') {
        isFloating = true;
        ++end;
        skip([](char c) { return llvm::isDigit(c); });
      }
      if (llvm::toLower(at(end)) == 'e') {
        size_t digit = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-');
        if (llvm::isDigit(at(digit))) {
          isFloating = true;
          end = digit;
          skip([](char c) { return llvm::isDigit(c); });
        }
      }
    }
    skip([](char c) { return llvm::isAlnum(c) || c == '_'; });
    return end;
  }

  Token finish(TokenKind kind, size_t size) {
    Token token;
    token.kind = kind;
    token.text = rest.take_front(size);
    token.place = placeOf(token.text);
    token.isFirstOfLine = isFirstOfLine;
    token.isSpaced = isSpaced;
    rest = rest.drop_front(size);
    isFirstOfLine = isSpaced = false;
    return token;
  }

  Token lex() {
    while (true) {
      while (skipSpace())
        isSpaced = true;
      if (rest.empty())
        return finish(TokenKind::End, 0);
      char c = rest.front();
      if (llvm::isAlpha(c) || c == '_')
        return finish(TokenKind::Name,
                      rest.size() - rest.drop_while([](char c) {
                                          return llvm::isAlnum(c) || c == '_';
                                        })
                                        .size());
      if (llvm::isDigit(c) ||
          (c == '.' && rest.size() > 1 && llvm::isDigit(rest[1]))) {
        bool isFloating = false;
        size_t end = findNumberEnd(isFloating);
        return finish(isFloating ? TokenKind::Floating : TokenKind::Integer,
                      end);
      }
      if (c == '"') {
        size_t end = rest.find_first_of("\"\n", 1);
        if (end != llvm::StringRef::npos && rest[end] == '"')
          return finish(TokenKind::String, end + 1);
        diagnostics.error(placeOf(rest.take_front(1)),
                          "expected '\"' at the end of this string, found the "
                          "end of the line");
        rest = rest.drop_front(std::min(end, rest.size()));
        continue;
      }
      for (llvm::StringRef punctuator : kPunctuators)
        if (rest.starts_with(punctuator))
          return finish(TokenKind::Punctuator, punctuator.size());
      skipUnknown();
    }
  }

  /// Tells of characters that no token has.
  void skipUnknown() {
    size_t size = 1;
    // The bytes of one character of UTF-8.
    while (size < rest.size() && (rest[size] & 0xC0) == 0x80)
      ++size;
    llvm::StringRef text = rest.take_front(size);
    std::string shown = text.str();
    if (size == 1 && !llvm::isPrint(text[0]))
      shown = "\\x" + llvm::toHex(text);
    diagnostics.error(placeOf(text),
                      "expected a token of Triton-C, found the character '" +
                          shown + "'");
    rest = rest.drop_front(size);
  }

  llvm::StringRef rest;
  Diagnostics &diagnostics;
  bool isFirstOfLine = true;
  bool isSpaced = false;
};

} // namespace

std::vector<Token> lexBuffer(llvm::StringRef buffer, Diagnostics &diagnostics) {
  return Lexer(buffer, diagnostics).lexAll();
}

} // namespace tileir::triton_c

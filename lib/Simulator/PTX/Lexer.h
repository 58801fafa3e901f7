//===- Lexer.h --------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tokens of PTX. A word is a name with all its modifiers, as "%tid.x",
// "ld.global.L1::evict_last.b32" and ".reg"; the parser takes it apart.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PTX_LEXER_H
#define TILEIR_LIB_SIMULATOR_PTX_LEXER_H

#include "llvm/ADT/StringRef.h"

namespace tileir::sim::ptx {

struct Token {
  enum class Kind { Word, Integer, Single, Double, String, Sign, Bad, End };
  Kind kind = Kind::End;
  llvm::StringRef text; ///< of a string without its quotes
  unsigned line = 1;
  uint64_t bits = 0; ///< of numbers

  bool is(char sign) const {
    return kind == Kind::Sign && text.front() == sign;
  }
  bool isWord() const { return kind == Kind::Word; }
};

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : rest(text) {}
  /// The next token; after the last one, End again and again. Bad: characters
  /// that begin no token, or a number that is none.
  Token lex();

private:
  void skipSpace();
  Token lexNumber();
  Token take(Token::Kind kind, size_t length);

  llvm::StringRef rest;
  unsigned line = 1;
};

} // namespace tileir::sim::ptx

#endif // TILEIR_LIB_SIMULATOR_PTX_LEXER_H

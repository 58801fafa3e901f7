//===- Lexer.h - Tokens of Triton-C -----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C's tokens, but for numbers: `0...8` is 0, an ellipsis and 8.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_LEXER_H
#define TILEIR_FRONTEND_TRITONC_LEXER_H

#include "tileir/Frontend/TritonC/Diagnostics.h"

namespace tileir::triton_c {

enum class TokenKind {
  /// The end of the file.
  End,
  /// `#pragma tile`; the rest of the line follows, and then PragmaEnd.
  Pragma,
  PragmaEnd,
  Name,
  Integer,
  Floating,
  String,
  Punctuator,
};

/// A token. Its text is what it is spelled as, by which it is recognised.
struct Token {
  TokenKind kind = TokenKind::End;
  llvm::StringRef text;
  Place place;
  bool isFirstOfLine = false;
  /// Whether white space comes before it.
  bool isSpaced = false;

  bool is(llvm::StringRef punctuator) const {
    return kind == TokenKind::Punctuator && text == punctuator;
  }
  bool isName(llvm::StringRef name) const {
    return kind == TokenKind::Name && text == name;
  }
  /// As messages call it.
  std::string describe() const;
};

/// The tokens of a buffer, with End as the last one.
std::vector<Token> lexBuffer(llvm::StringRef buffer, Diagnostics &diagnostics);

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_LEXER_H

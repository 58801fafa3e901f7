//===- Preprocessor.h - Macros, conditions and included files ---*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes one list of tokens of a file and what it includes. Macros come from
// `#define` and from the command line, whose definitions may be lists of values
// for a tuner.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_PREPROCESSOR_H
#define TILEIR_FRONTEND_TRITONC_PREPROCESSOR_H

#include "tileir/Frontend/TritonC/Lexer.h"

#include "llvm/ADT/StringMap.h"

#include <deque>
#include <optional>

namespace tileir::triton_c {

/// A value that a tuner may choose: the list of a definition or of a
/// `const tunable int`.
struct Tunable {
  std::string name;
  std::vector<std::string> values;
};

/// What the command line says.
struct Options {
  /// Each as `NAME`, `NAME=text` or `NAME=[text, text]`.
  std::vector<std::string> definitions;
  /// Where included files are looked for, behind the folder of the file.
  std::vector<std::string> includeFolders;
};

/// Reads files into tokens without directives.
class Preprocessor {
public:
  Preprocessor(Diagnostics &diagnostics, const Options &options);

  /// The tokens of the main file of the sources, with End as the last one.
  std::vector<Token> run();
  /// Definitions of the command line that are lists. The first value holds.
  llvm::ArrayRef<Tunable> getTunables() const { return tunables; }
  /// The text that the command line defines `name` as; none if it does not.
  std::optional<llvm::StringRef> getDefinition(llvm::StringRef name) const;
  /// The names of all macros.
  std::vector<llvm::StringRef> getMacroNames() const;

private:
  struct Macro {
    bool isFunction = false;
    std::vector<llvm::StringRef> parameters;
    std::vector<Token> body;
    Place place;
  };
  /// A `#if` that is open.
  struct Condition {
    Place place;
    bool isActive = false;
    /// Whether a branch was active, or none may be.
    bool isDone = false;
    bool hasElse = false;
  };
  using Tokens = llvm::ArrayRef<Token>;

  void defineFromCommandLine(const std::string &definition);
  void processBuffer(unsigned buffer);
  void processDirective(const Token &hash, Tokens line);
  bool processConditional(const Token &name, Tokens rest);
  bool isActive() const {
    return conditions.empty() || conditions.back().isActive;
  }
  void define(Tokens line);
  void include(const Token &name, Tokens line);
  void pragma(const Token &name, Tokens line);
  /// The value of the expression of `#if`.
  bool evaluate(const Token &name, Tokens line);
  void expectEnd(Tokens rest, const llvm::Twine &after);

  /// Appends `tokens` to `out` with macros replaced.
  void expand(Tokens tokens, std::vector<Token> &out, unsigned depth = 0);
  /// The arguments of a macro whose name is `tokens[at]`; moves `at` to the
  /// last token. None if there are no parentheses, or they are wrong.
  std::optional<std::vector<Tokens>> readArguments(const Macro &macro,
                                                   Tokens tokens, size_t &at);
  std::vector<Token> substitute(const Macro &macro, const Token &name,
                                llvm::ArrayRef<Tokens> arguments,
                                unsigned depth);

  Diagnostics &diagnostics;
  const Options &options;
  llvm::StringMap<Macro> macros;
  llvm::StringMap<std::string> commandLine;
  std::vector<Tunable> tunables;
  std::vector<Condition> conditions;
  std::deque<Expansion> expansions;
  std::vector<Token> output;
  unsigned includeDepth = 0;
  /// The tokens that came out of macros, or were read as their arguments; too
  /// many end expansion for good.
  size_t numExpanded = 0;
  bool isExpanding = true;
};

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_PREPROCESSOR_H

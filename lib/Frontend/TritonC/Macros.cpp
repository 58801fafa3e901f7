//===- Macros.cpp - Expansion of macros, and conditions -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Preprocessor.h"

#include "llvm/ADT/ScopeExit.h"

namespace tileir::triton_c {

namespace {

/// What macros may make of a file at most.
constexpr size_t kMaxTokens = 1 << 17;
constexpr unsigned kMaxMacroDepth = 100;

bool isInExpansionOf(llvm::StringRef macro, const Expansion *expansion) {
  for (; expansion; expansion = expansion->parent)
    if (expansion->macro == macro)
      return true;
  return false;
}

/// Whether `at` declares a tunable value, whose definition on the command line
/// chooses among its values.
bool isTunableName(llvm::ArrayRef<Token> tokens, size_t at) {
  return at >= 2 && tokens[at - 2].isName("tunable");
}

/// Evaluates what stands behind `#if`.
class ConditionParser {
public:
  ConditionParser(llvm::ArrayRef<Token> tokens, const Token &directive,
                  Diagnostics &diagnostics)
      : tokens(tokens), directive(directive), diagnostics(diagnostics) {}

  int64_t parse() {
    int64_t value = parseBinary(0);
    if (!tokens.empty())
      fail("expected the end of the line");
    return isWrong ? 0 : value;
  }

private:
  bool take(llvm::StringRef punctuator) {
    if (tokens.empty() || !tokens[0].is(punctuator))
      return false;
    tokens = tokens.drop_front();
    return true;
  }

  int64_t fail(const llvm::Twine &expected) {
    if (!isWrong)
      diagnostics.error(
          tokens.empty() ? directive.place : tokens[0].place,
          expected + " in the condition of '#" + directive.text + "', found " +
              (tokens.empty() ? "the end of the line" : tokens[0].describe()));
    isWrong = true;
    tokens = {};
    return 0;
  }

  int64_t parseUnary() {
    if (++depth > kMaxMacroDepth)
      return fail("expected fewer nested operators");
    auto leave = llvm::scope_exit([&] { --depth; });
    if (take("!"))
      return !parseUnary();
    if (take("-"))
      return -static_cast<uint64_t>(parseUnary());
    if (take("+"))
      return parseUnary();
    if (take("~"))
      return ~parseUnary();
    if (take("(")) {
      int64_t value = parseBinary(0);
      return take(")") ? value : fail("expected ')'");
    }
    if (tokens.empty())
      return fail("expected an integer");
    if (tokens[0].kind == TokenKind::Name) {
      // Not a macro.
      tokens = tokens.drop_front();
      return 0;
    }
    llvm::StringRef digits = tokens[0].text.rtrim("uUlL");
    int64_t value;
    if (tokens[0].kind != TokenKind::Integer || digits.getAsInteger(0, value))
      return fail("expected an integer");
    tokens = tokens.drop_front();
    return value;
  }

  int64_t parseBinary(unsigned least) {
    struct Operator {
      llvm::StringLiteral text;
      unsigned level;
    };
    static constexpr Operator kOperators[] = {
        {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
        {"!=", 6}, {"<=", 7}, {">=", 7}, {"<", 7},  {">", 7},  {"<<", 8},
        {">>", 8}, {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
    int64_t lhs = parseUnary();
    while (!tokens.empty()) {
      const Operator *found =
          llvm::find_if(kOperators, [&](const Operator &op) {
            return tokens[0].is(op.text);
          });
      if (found == std::end(kOperators) || found->level <= least)
        break;
      tokens = tokens.drop_front();
      int64_t rhs = parseBinary(found->level);
      lhs = apply(found->text, lhs, rhs);
    }
    return lhs;
  }

  int64_t apply(llvm::StringRef op, int64_t lhs, int64_t rhs) {
    uint64_t a = lhs, b = rhs;
    if ((op == "/" || op == "%") &&
        (rhs == 0 || (rhs == -1 && lhs == INT64_MIN)))
      return fail("expected a divisor that is not 0");
    if (op == "||")
      return lhs || rhs;
    if (op == "&&")
      return lhs && rhs;
    if (op == "|")
      return lhs | rhs;
    if (op == "^")
      return lhs ^ rhs;
    if (op == "&")
      return lhs & rhs;
    if (op == "==")
      return lhs == rhs;
    if (op == "!=")
      return lhs != rhs;
    if (op == "<=")
      return lhs <= rhs;
    if (op == ">=")
      return lhs >= rhs;
    if (op == "<")
      return lhs < rhs;
    if (op == ">")
      return lhs > rhs;
    if (op == "<<")
      return b < 64 ? a << b : 0;
    if (op == ">>")
      return lhs >> std::min<uint64_t>(b, 63);
    if (op == "+")
      return a + b;
    if (op == "-")
      return a - b;
    if (op == "*")
      return a * b;
    return op == "/" ? lhs / rhs : lhs % rhs;
  }

  llvm::ArrayRef<Token> tokens;
  const Token &directive;
  Diagnostics &diagnostics;
  unsigned depth = 0;
  bool isWrong = false;
};

} // namespace

bool Preprocessor::evaluate(const Token &name, Tokens line) {
  // `defined` comes before macros are replaced.
  std::vector<Token> tokens, expanded;
  for (size_t i = 0; i < line.size(); ++i) {
    if (!line[i].isName("defined")) {
      tokens.push_back(line[i]);
      continue;
    }
    bool inParentheses =
        i + 3 < line.size() && line[i + 1].is("(") && line[i + 3].is(")");
    size_t at = i + (inParentheses ? 2 : 1);
    if (at >= line.size() || line[at].kind != TokenKind::Name) {
      diagnostics.error(line[i].place,
                        "expected the name of a macro behind 'defined'");
      return false;
    }
    tokens.push_back(line[at]);
    tokens.back().kind = TokenKind::Integer;
    tokens.back().text = macros.count(line[at].text) ? "1" : "0";
    i = inParentheses ? at + 1 : at;
  }
  expand(tokens, expanded);
  return ConditionParser(expanded, name, diagnostics).parse() != 0;
}

void Preprocessor::expand(Tokens tokens, std::vector<Token> &out,
                          unsigned depth) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token &token = tokens[i];
    if (!isExpanding)
      return;
    // Of macros of the whole file, and as often as arguments are read.
    numExpanded += depth > 0;
    auto found =
        token.kind == TokenKind::Name ? macros.find(token.text) : macros.end();
    if (found == macros.end() ||
        isInExpansionOf(token.text, token.place.expansion) ||
        isTunableName(tokens, i)) {
      out.push_back(token);
      continue;
    }
    const Macro &macro = found->second;
    if (depth == kMaxMacroDepth || numExpanded > kMaxTokens) {
      isExpanding = false;
      diagnostics.error(token.place, "macro '" + token.text +
                                         "' expands to too much: expected at "
                                         "most " +
                                         llvm::Twine(kMaxTokens) +
                                         " tokens, and macros " +
                                         llvm::Twine(kMaxMacroDepth) + " deep");
      return;
    }
    std::vector<Tokens> arguments;
    if (macro.isFunction) {
      size_t last = i;
      auto read = readArguments(macro, tokens, last);
      // Without an end they are read up to that of the tokens.
      if (depth > 0)
        numExpanded += (read ? last : tokens.size()) - i;
      if (!read) {
        out.push_back(token);
        continue;
      }
      arguments = std::move(*read);
      i = last;
    }
    expand(substitute(macro, token, arguments, depth), out, depth + 1);
  }
}

std::optional<std::vector<llvm::ArrayRef<Token>>>
Preprocessor::readArguments(const Macro &macro, Tokens tokens, size_t &at) {
  const Token &name = tokens[at];
  size_t i = at + 1;
  if (i >= tokens.size() || !tokens[i].is("("))
    return std::nullopt;
  std::vector<Tokens> arguments;
  size_t start = ++i;
  for (unsigned depth = 0; i < tokens.size(); ++i) {
    const Token &token = tokens[i];
    bool isEnd = depth == 0 && token.is(")");
    if (isEnd || (depth == 0 && token.is(","))) {
      if (!isEnd || i != start || !arguments.empty() ||
          !macro.parameters.empty())
        arguments.push_back(tokens.slice(start, i - start));
      start = i + 1;
    }
    if (isEnd)
      break;
    depth += token.is("(") || token.is("[");
    if (depth > 0)
      depth -= token.is(")") || token.is("]");
  }
  if (i == tokens.size()) {
    diagnostics.error(name.place,
                      "expected ')' behind the arguments of macro '" +
                          name.text + "'");
    return std::nullopt;
  }
  if (arguments.size() != macro.parameters.size()) {
    diagnostics.error(name.place,
                      "expected " + llvm::Twine(macro.parameters.size()) +
                          " arguments of macro '" + name.text + "', found " +
                          llvm::Twine(arguments.size()));
    diagnostics.note(macro.place, "macro '" + name.text + "' is defined here");
    return std::nullopt;
  }
  at = i;
  return arguments;
}

std::vector<Token> Preprocessor::substitute(const Macro &macro,
                                            const Token &name,
                                            llvm::ArrayRef<Tokens> arguments,
                                            unsigned depth) {
  std::vector<Token> result;
  for (const Token &token : macro.body) {
    auto parameter = token.kind == TokenKind::Name
                         ? llvm::find(macro.parameters, token.text)
                         : macro.parameters.end();
    if (parameter != macro.parameters.end()) {
      // Arguments stand in the file, not in the macro.
      expand(arguments[parameter - macro.parameters.begin()], result,
             depth + 1);
      continue;
    }
    Token copy = token;
    expansions.push_back({name.text, token.place.loc, name.place.expansion});
    copy.place = name.place;
    copy.place.expansion = &expansions.back();
    copy.isFirstOfLine =
        token.place.loc == macro.body.front().place.loc && name.isFirstOfLine;
    result.push_back(copy);
  }
  return result;
}

} // namespace tileir::triton_c

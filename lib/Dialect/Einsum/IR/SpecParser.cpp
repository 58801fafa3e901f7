//===- SpecParser.cpp - Parser of einsum specifications -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent over the grammar that EinsumAttrs.td documents, into a tree
// per axis. When the indices of the result are known, each axis is checked to
// split into f(external indices) + g(reduced indices) and becomes a
// semi-affine expression. Constraints C1 to C6 of EinsumOps.td.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tileir::einsum;

namespace {

/// A node of the tree of one axis.
struct Expr {
  enum Kind { Constant, Letter, Table, Add, Sub, Mul, Div, Mod, Neg };
  Kind kind;
  size_t offset;       // in the text
  int64_t value = 0;   // Constant
  StringRef name;      // Index, Table
  std::string letters; // Table: what indexes it
  std::unique_ptr<Expr> lhs, rhs;

  Expr(Kind kind, size_t offset) : kind(kind), offset(offset) {}
};

/// The most indices, integers and parentheses of one axis: trees are walked
/// recursively, here and upstream.
constexpr unsigned kMaxAxisSize = 1000;
using ExprPtr = std::unique_ptr<Expr>;

/// Which indices an expression uses.
struct Use {
  char external = 0; // one of the external indices, or none
  char reduced = 0;  // one of the reduced indices, or none
  bool mixed() const { return external && reduced; }
  bool none() const { return !external && !reduced; }
};

class SpecParser {
public:
  SpecParser(MLIRContext *context, StringRef text,
             function_ref<InFlightDiagnostic(size_t)> emitError)
      : context(context), text(text), emitError(emitError) {}

  SpecAttr parse();

private:
  // Scanning.
  void skipSpace() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  /// The next character that is not white space, 0 at the end.
  char peek() {
    skipSpace();
    return position < text.size() ? text[position] : 0;
  }
  bool consume(char c) {
    if (peek() != c)
      return false;
    ++position;
    return true;
  }
  bool atArrow() { return peek() == '-' && text.substr(position, 2) == "->"; }
  /// Describes what stands at the position, for messages: a name, a character
  /// (which may be several bytes), or the end.
  std::string found() {
    skipSpace();
    if (position == text.size())
      return "the end";
    StringRef rest = text.substr(position);
    size_t size = rest.take_while(isNameCharacter).size();
    if (size == 0)
      size = rest.find_if_not([](char c) { return (c & 0xC0) == 0x80; },
                              /*From=*/1);
    return "'" + rest.take_front(size).str() + "'";
  }
  static bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }
  /// Notes that an operand uses `letter`.
  void use(char letter, size_t offset) {
    usedIndices.try_emplace(letter, offset);
  }

  // Grammar. Null or failure after an error was emitted.
  LogicalResult parseTerm();
  LogicalResult parseResult();
  ExprPtr parseAxis();
  bool close(size_t open);
  ExprPtr parseSum(size_t open);
  ExprPtr parseProduct(size_t open);
  ExprPtr parseUnary(size_t open);
  ExprPtr parseInteger();
  ExprPtr parseName();
  ExprPtr parseTable(ExprPtr table);

  // Meaning.
  LogicalResult checkResult();
  Use getUse(const Expr &expr);
  LogicalResult checkSplit(const Expr &expr);
  std::optional<int64_t> getMagnitude(const Expr &expr);
  LogicalResult checkAxis(const Expr &axis);
  unsigned getIndex(char letter) { return letters.find(letter); }
  AffineExpr getLookup(StringRef table, ArrayRef<unsigned> index);
  AffineExpr convert(const Expr &expr, bool indicesAsSymbols = false);

  MLIRContext *context;
  StringRef text;
  function_ref<InFlightDiagnostic(size_t)> emitError;
  size_t position = 0;
  unsigned axisSize = 0;

  SmallVector<SmallVector<ExprPtr>> terms;
  std::string resultIndices;
  SmallVector<size_t> resultOffsets;
  llvm::MapVector<char, size_t> usedIndices; // by operands, with first offset
  std::string letters; // the result's, then the reduced ones
  struct TableUse {
    size_t arity, offset;
  };
  llvm::StringMap<TableUse> tables;

  llvm::SmallSetVector<LookupAttr, 4> lookups;
};

//===----------------------------------------------------------------------===//
// Grammar (C1)
//===----------------------------------------------------------------------===//

LogicalResult SpecParser::parseTerm() {
  terms.emplace_back();
  while (true) {
    char c = peek();
    if (c == ',' || c == 0 || atArrow())
      return success();
    ExprPtr axis = parseAxis();
    if (!axis)
      return failure();
    terms.back().push_back(std::move(axis));
  }
}

ExprPtr SpecParser::parseAxis() {
  char c = peek();
  if (llvm::isAlpha(c)) {
    auto letter = std::make_unique<Expr>(Expr::Letter, position);
    letter->name = text.substr(position++, 1);
    if (peek() == '[') {
      // The name is all that stands before the bracket.
      size_t start = letter->offset;
      while (start > 0 && isNameCharacter(text[start - 1]))
        --start;
      StringRef name = text.slice(start, letter->offset + 1);
      emitError(start) << "look-up in table '" << name
                       << "' outside parentheses: expected (" << name
                       << "[...])";
      return nullptr;
    }
    use(c, letter->offset);
    return letter;
  }
  size_t open = position;
  axisSize = 0;
  if (!consume('(')) {
    if (c == ')')
      emitError(position) << "unbalanced parentheses: ')' without a '('";
    else
      emitError(position) << "expected an index, '(', ',' or '->', found "
                          << found();
    return nullptr;
  }
  ExprPtr axis = parseSum(open);
  if (!axis)
    return nullptr;
  return close(open) ? std::move(axis) : nullptr;
}

/// Consumes the ')' for the '(' at `open`.
bool SpecParser::close(size_t open) {
  if (consume(')'))
    return true;
  if (position == text.size() || peek() == ',' || atArrow())
    emitError(open) << "unbalanced parentheses: '(' is not closed";
  else
    emitError(position) << "expected an operator or ')', found " << found();
  return false;
}

ExprPtr SpecParser::parseSum(size_t open) {
  ExprPtr lhs = parseProduct(open);
  while (lhs && (peek() == '+' || (peek() == '-' && !atArrow()))) {
    auto sum = std::make_unique<Expr>(
        text[position] == '+' ? Expr::Add : Expr::Sub, position);
    ++position;
    sum->lhs = std::move(lhs);
    sum->rhs = parseProduct(open);
    if (!sum->rhs)
      return nullptr;
    lhs = std::move(sum);
  }
  return lhs;
}

ExprPtr SpecParser::parseProduct(size_t open) {
  ExprPtr lhs = parseUnary(open);
  while (lhs && llvm::is_contained({'*', '/', '%'}, peek())) {
    Expr::Kind kind = text[position] == '*'   ? Expr::Mul
                      : text[position] == '/' ? Expr::Div
                                              : Expr::Mod;
    auto product = std::make_unique<Expr>(kind, position++);
    product->lhs = std::move(lhs);
    product->rhs = parseUnary(open);
    if (!product->rhs)
      return nullptr;
    lhs = std::move(product);
  }
  return lhs;
}

ExprPtr SpecParser::parseUnary(size_t open) {
  char c = peek();
  size_t offset = position;
  if (++axisSize > kMaxAxisSize) {
    emitError(offset) << "axis is too long: expected at most " << kMaxAxisSize
                      << " indices, integers and parentheses";
    return nullptr;
  }
  if (c == '-' && !atArrow()) {
    ++position;
    auto negation = std::make_unique<Expr>(Expr::Neg, offset);
    negation->lhs = parseUnary(open);
    return negation->lhs ? std::move(negation) : nullptr;
  }
  if (llvm::isDigit(c))
    return parseInteger();
  if (llvm::isAlpha(c) || c == '_')
    return parseName();
  if (consume('(')) {
    ExprPtr inner = parseSum(offset);
    return inner && close(offset) ? std::move(inner) : nullptr;
  }
  if (c == 0 || c == ',' || atArrow())
    emitError(open) << "unbalanced parentheses: '(' is not closed";
  else
    emitError(position)
        << "expected an index, an integer, a table look-up or '(', found "
        << found();
  return nullptr;
}

ExprPtr SpecParser::parseInteger() {
  auto constant = std::make_unique<Expr>(Expr::Constant, position);
  StringRef digits = text.substr(position).take_while(llvm::isDigit);
  position += digits.size();
  // C4
  if (digits.getAsInteger(10, constant->value)) {
    emitError(constant->offset)
        << "constant " << digits << " overflows: expected at most "
        << std::numeric_limits<int64_t>::max();
    return nullptr;
  }
  return constant;
}

ExprPtr SpecParser::parseName() {
  size_t offset = position;
  StringRef name = text.substr(position).take_while(isNameCharacter);
  position += name.size();
  if (peek() == '[') {
    auto table = std::make_unique<Expr>(Expr::Table, offset);
    table->name = name;
    return parseTable(std::move(table));
  }
  if (name.size() != 1 || !llvm::isAlpha(name.front())) {
    emitError(offset) << "unknown index '" << name
                      << "': expected a single letter; write a product as "
                         "h*w, a table look-up as "
                      << name << "[c]";
    return nullptr;
  }
  auto letter = std::make_unique<Expr>(Expr::Letter, offset);
  letter->name = name;
  use(name.front(), offset);
  return letter;
}

ExprPtr SpecParser::parseTable(ExprPtr table) {
  consume('[');
  do {
    char c = peek();
    bool isIndex = llvm::isAlpha(c) && (position + 1 == text.size() ||
                                        !isNameCharacter(text[position + 1]));
    if (!isIndex) {
      emitError(position) << "expected an index in the brackets of table '"
                          << table->name << "', found " << found();
      return nullptr;
    }
    use(c, position++);
    table->letters.push_back(c);
  } while (consume(','));
  if (!consume(']')) {
    emitError(position) << "expected ',' or ']' after the index of table '"
                        << table->name << "', found " << found();
    return nullptr;
  }
  // C6
  auto [known, isNew] = tables.try_emplace(
      table->name, TableUse{table->letters.size(), table->offset});
  if (!isNew && known->second.arity != table->letters.size()) {
    emitError(table->offset)
        << "table '" << table->name << "' is indexed by "
        << table->letters.size() << " indices here, but by "
        << known->second.arity << " before";
    return nullptr;
  }
  return table;
}

LogicalResult SpecParser::parseResult() {
  for (skipSpace(); position < text.size(); skipSpace()) {
    char c = peek();
    if (!llvm::isAlpha(c))
      return emitError(position)
             << "expected an index in the result, found " << found();
    resultOffsets.push_back(position++);
    resultIndices.push_back(c);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Checks (C2 - C5)
//===----------------------------------------------------------------------===//

LogicalResult SpecParser::checkResult() {
  for (auto [i, letter] : llvm::enumerate(resultIndices)) {
    if (resultIndices.find(letter) != i)
      return emitError(resultOffsets[i])
             << "repeated result index '" << Twine(letter)
             << "': expected each index once in the result";
    if (!usedIndices.contains(letter))
      return emitError(resultOffsets[i])
             << "result index '" << Twine(letter) << "' is used by no operand";
  }
  return success();
}

Use SpecParser::getUse(const Expr &expr) {
  Use use;
  auto add = [&](StringRef names) {
    for (char c : names)
      (resultIndices.find(c) != std::string::npos ? use.external
                                                  : use.reduced) = c;
  };
  if (expr.kind == Expr::Letter)
    add(expr.name);
  if (expr.kind == Expr::Table)
    add(expr.letters);
  for (const ExprPtr *child : {&expr.lhs, &expr.rhs})
    if (*child) {
      Use inner = getUse(**child);
      if (inner.external)
        use.external = inner.external;
      if (inner.reduced)
        use.reduced = inner.reduced;
    }
  return use;
}

/// C3: sums split when their addends do, products with a constant when the
/// other factor does; anything else must not mix the two kinds of indices.
LogicalResult SpecParser::checkSplit(const Expr &expr) {
  Use use = getUse(expr);
  if (!use.mixed())
    return success();
  switch (expr.kind) {
  case Expr::Neg:
    return checkSplit(*expr.lhs);
  case Expr::Add:
  case Expr::Sub:
    return failed(checkSplit(*expr.lhs)) ? failure() : checkSplit(*expr.rhs);
  case Expr::Mul:
    if (getUse(*expr.lhs).none())
      return checkSplit(*expr.rhs);
    if (getUse(*expr.rhs).none())
      return checkSplit(*expr.lhs);
    break;
  default:
    break;
  }
  StringRef what = expr.kind == Expr::Mul   ? "product"
                   : expr.kind == Expr::Div ? "division"
                   : expr.kind == Expr::Mod ? "modulus"
                                            : "table look-up";
  auto diagnostic = emitError(expr.offset) << what;
  if (expr.kind == Expr::Table)
    diagnostic << " '" << expr.name << "'";
  return diagnostic << " mixes result index '" << Twine(use.external)
                    << "' and reduced index '" << Twine(use.reduced)
                    << "': an axis must be f(result indices) + g(reduced "
                       "indices)";
}

/// An upper bound of every constant that simplifying `expr` can form.
std::optional<int64_t> SpecParser::getMagnitude(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Constant:
    return expr.value;
  case Expr::Letter:
  case Expr::Table:
    return 1;
  case Expr::Neg:
    return getMagnitude(*expr.lhs);
  default:
    break;
  }
  auto lhs = getMagnitude(*expr.lhs), rhs = getMagnitude(*expr.rhs);
  if (!lhs || !rhs)
    return std::nullopt;
  switch (expr.kind) {
  case Expr::Add:
  case Expr::Sub:
    return llvm::checkedAdd(*lhs, *rhs);
  case Expr::Mul:
    return llvm::checkedMul(*lhs, *rhs);
  default:
    return std::max(*lhs, *rhs);
  }
}

LogicalResult SpecParser::checkAxis(const Expr &axis) {
  // C5, where the divisor is a plain constant; C19 has the rest.
  std::function<LogicalResult(const Expr &)> checkDivisors =
      [&](const Expr &expr) -> LogicalResult {
    if ((expr.kind == Expr::Div || expr.kind == Expr::Mod)) {
      AffineExpr divisor = convert(*expr.rhs);
      auto constant = dyn_cast<AffineConstantExpr>(divisor);
      if (constant && constant.getValue() <= 0)
        return emitError(expr.rhs->offset)
               << (expr.kind == Expr::Div ? "division" : "modulus") << " by "
               << constant.getValue() << ": expected a positive divisor";
    }
    for (const ExprPtr *child : {&expr.lhs, &expr.rhs})
      if (*child && failed(checkDivisors(**child)))
        return failure();
    return success();
  };
  if (failed(checkSplit(axis)))
    return failure();
  if (!getMagnitude(axis)) // C4
    return emitError(axis.offset)
           << "constants of this axis overflow: expected products and sums of "
              "at most "
           << std::numeric_limits<int64_t>::max();
  return checkDivisors(axis);
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

AffineExpr SpecParser::getLookup(StringRef table, ArrayRef<unsigned> index) {
  auto lookup = LookupAttr::get(context, table, index);
  lookups.insert(lookup);
  unsigned symbol = llvm::find(lookups, lookup) - lookups.begin();
  return getAffineSymbolExpr(symbol, context);
}

/// With `indicesAsSymbols` indices become symbols, because affine expressions
/// allow only those as second factor and divisor.
AffineExpr SpecParser::convert(const Expr &expr, bool indicesAsSymbols) {
  switch (expr.kind) {
  case Expr::Constant:
    return getAffineConstantExpr(expr.value, context);
  case Expr::Letter: {
    unsigned letter = getIndex(expr.name.front());
    return indicesAsSymbols ? getLookup("", letter)
                            : getAffineDimExpr(letter, context);
  }
  case Expr::Table: {
    SmallVector<unsigned> index;
    for (char letter : expr.letters)
      index.push_back(getIndex(letter));
    return getLookup(expr.name, index);
  }
  case Expr::Neg:
    return -convert(*expr.lhs, indicesAsSymbols);
  case Expr::Add:
  case Expr::Sub: {
    // One after the other: each may number a look-up.
    AffineExpr lhs = convert(*expr.lhs, indicesAsSymbols);
    AffineExpr rhs = convert(*expr.rhs, indicesAsSymbols);
    return expr.kind == Expr::Add ? lhs + rhs : lhs - rhs;
  }
  case Expr::Mul: {
    bool symbolic = indicesAsSymbols;
    AffineExpr lhs = convert(*expr.lhs, symbolic);
    // The left factor may be the constant one.
    bool needed = !lhs.isSymbolicOrConstant();
    AffineExpr rhs = convert(*expr.rhs, symbolic || needed);
    return lhs * rhs;
  }
  case Expr::Div:
  case Expr::Mod: {
    AffineExpr lhs = convert(*expr.lhs, indicesAsSymbols);
    AffineExpr rhs = convert(*expr.rhs, /*indicesAsSymbols=*/true);
    return expr.kind == Expr::Div ? lhs.floorDiv(rhs) : lhs % rhs;
  }
  }
  llvm_unreachable("unknown expression");
}

SpecAttr SpecParser::parse() {
  do {
    if (failed(parseTerm()))
      return {};
  } while (consume(','));
  if (!atArrow()) {
    emitError(position) << "expected ',' or '->' after an operand, found "
                        << found();
    return {};
  }
  position += 2;
  if (failed(parseResult()) || failed(checkResult()))
    return {};

  letters = resultIndices;
  for (auto [letter, offset] : usedIndices)
    if (letters.find(letter) == std::string::npos)
      letters.push_back(letter);

  for (const auto &term : terms)
    for (const ExprPtr &axis : term)
      if (failed(checkAxis(*axis)))
        return {};

  // The checks convert parts of axes: number the symbols from here.
  lookups.clear();
  SmallVector<SmallVector<AffineExpr>> axes;
  for (const auto &term : terms) {
    axes.emplace_back();
    for (const ExprPtr &axis : term)
      axes.back().push_back(convert(*axis));
  }
  SmallVector<AffineMap> maps;
  for (const auto &term : axes)
    maps.push_back(
        AffineMap::get(letters.size(), lookups.size(), term, context));
  auto spec = SpecAttr::getCanonical(context, letters, resultIndices.size(),
                                     lookups.getArrayRef(), maps);

  // C2: what cancels out, as in h-h, leaves nothing to tell its size.
  for (char letter : letters)
    if (!spec.getIndices().contains(letter) || !spec.isUsed(letter)) {
      emitError(usedIndices.lookup(letter))
          << "index '" << Twine(letter)
          << "' cancels out of every axis: expected an operand to use it; "
             "leave it out";
      return {};
    }
  llvm::StringSet<> usedTables;
  for (StringRef table : spec.getTables())
    usedTables.insert(table);
  for (const auto &table : tables)
    if (!usedTables.contains(table.getKey())) {
      emitError(table.getValue().offset)
          << "table '" << table.getKey()
          << "' cancels out of every axis: expected an operand to use it; "
             "leave it out";
      return {};
    }
  return spec;
}

} // namespace

SpecAttr SpecAttr::parse(MLIRContext *context, StringRef text,
                         function_ref<InFlightDiagnostic(size_t)> emitError) {
  return SpecParser(context, text, emitError).parse();
}

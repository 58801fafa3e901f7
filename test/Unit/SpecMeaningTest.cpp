//===- SpecMeaningTest.cpp - Tests of what specifications mean ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The maps of SpecAttr against an evaluator of the text of specifications that
// shares nothing with the parser: simplifying must not change a value.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "gtest/gtest.h"

#include <random>

using namespace llvm;
using namespace mlir;
using namespace tileir::einsum;

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {
/// Values of indices and contents of tables.
struct Point {
  std::map<char, int64_t> letters;
  uint64_t seed = 0;

  /// An element of a table, from -20 to 20.
  int64_t lookUp(StringRef table, ArrayRef<int64_t> index) const {
    uint64_t hash = seed * 0x9e3779b97f4a7c15;
    for (char c : table)
      hash = (hash ^ c) * 0x100000001b3;
    for (int64_t i : index)
      hash = (hash ^ (i + 77)) * 0x9e3779b97f4a7c15;
    return static_cast<int64_t>((hash >> 33) % 41) - 20;
  }
};
} // namespace

/// The q with q * b <= a < (q + 1) * b, and a - q * b.
static std::pair<int64_t, int64_t> divide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  while (quotient * b > a)
    --quotient;
  return {quotient, a - quotient * b};
}

namespace {
/// Evaluates the text of a specification that is known to be well formed.
class TextEvaluator {
public:
  TextEvaluator(StringRef text, const Point &point) : point(point) {
    for (char c : text)
      if (!isSpace(c))
        rest.push_back(c);
    std::reverse(rest.begin(), rest.end());
  }

  /// The indices of all operands; nothing after a division by less than 1.
  std::optional<std::vector<std::vector<int64_t>>> evaluate() {
    std::vector<std::vector<int64_t>> operands(1);
    while (rest.back() != '-') {
      char c = take();
      if (c == ',')
        operands.emplace_back();
      else if (c != '(')
        operands.back().push_back(point.letters.at(c));
      else {
        operands.back().push_back(sum());
        take();
      }
    }
    if (!valid)
      return std::nullopt;
    return operands;
  }

private:
  char take() {
    char c = rest.back();
    rest.pop_back();
    return c;
  }
  int64_t sum() {
    int64_t value = product();
    while (rest.back() == '+' || rest.back() == '-')
      value += take() == '+' ? product() : -product();
    return value;
  }
  int64_t product() {
    int64_t value = factor();
    while (StringRef("*/%").contains(rest.back())) {
      char op = take();
      int64_t other = factor();
      if (op == '*')
        value *= other;
      else if (other < 1)
        valid = false;
      else
        value = op == '/' ? divide(value, other).first
                          : divide(value, other).second;
    }
    return value;
  }
  int64_t factor() {
    if (rest.back() == '-') {
      take();
      return -factor();
    }
    if (rest.back() == '(') {
      take();
      int64_t value = sum();
      take();
      return value;
    }
    std::string name;
    while (isAlnum(rest.back()) || rest.back() == '_')
      name += take();
    if (isDigit(name[0]))
      return std::stoll(name);
    if (rest.back() != '[')
      return point.letters.at(name[0]);
    SmallVector<int64_t> index;
    while (take() != ']') {
      index.push_back(point.letters.at(take()));
    }
    return point.lookUp(name, index);
  }

  const Point &point;
  std::string rest; // reversed
  bool valid = true;
};

/// Evaluates the maps of a parsed specification.
struct MapEvaluator {
  SpecAttr spec;
  const Point &point;

  int64_t evaluateIndex(unsigned letter) {
    return point.letters.at(spec.getIndices()[letter]);
  }

  std::optional<int64_t> evaluate(AffineExpr expr) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue();
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return evaluateIndex(dim.getPosition());
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
      LookupAttr lookup = spec.getLookups()[symbol.getPosition()];
      SmallVector<int64_t> index;
      for (unsigned letter : lookup.getIndices())
        index.push_back(evaluateIndex(letter));
      return lookup.isIndex() ? index[0]
                              : point.lookUp(lookup.getTable(), index);
    }
    auto binary = cast<AffineBinaryOpExpr>(expr);
    auto lhs = evaluate(binary.getLHS()), rhs = evaluate(binary.getRHS());
    if (!lhs || !rhs)
      return std::nullopt;
    if (binary.getKind() == AffineExprKind::Add)
      return *lhs + *rhs;
    if (binary.getKind() == AffineExprKind::Mul)
      return *lhs * *rhs;
    if (*rhs < 1)
      return std::nullopt;
    return binary.getKind() == AffineExprKind::FloorDiv
               ? divide(*lhs, *rhs).first
               : divide(*lhs, *rhs).second;
  }
};
} // namespace

/// Checks that the maps of `spec` mean what `text` says; returns whether that
/// is defined at `point`.
static bool expectSameValues(SpecAttr spec, StringRef text,
                             const Point &point) {
  auto operands = TextEvaluator(text, point).evaluate();
  if (!operands)
    return false;
  EXPECT_EQ(operands->size(), spec.getNumOperands());
  for (auto [map, axes] : llvm::zip(spec.getMaps(), *operands)) {
    EXPECT_EQ(map.getNumResults(), axes.size());
    for (auto [expr, value] : llvm::zip(map.getResults(), axes))
      EXPECT_EQ((MapEvaluator{spec, point}.evaluate(expr)), value);
  }
  return true;
}

namespace {
/// Writes random specifications.
class SpecWriter {
public:
  explicit SpecWriter(unsigned seed) : engine(seed) {}

  std::string write() {
    std::string letters = "abcdeF";
    std::shuffle(letters.begin(), letters.end(), engine);
    size_t numResult = 1 + below(3);
    result = letters.substr(0, numResult);
    reduced = letters.substr(numResult, below(4));
    std::string text;
    for (unsigned operand = 0, e = 1 + below(3); operand < e; ++operand) {
      for (unsigned axis = 0, f = below(4); axis < f; ++axis)
        text += below(4) ? "(" + split(2) + ")" : pick(result + reduced);
      text += "," + space();
    }
    // Nothing is left out, whatever cancels above.
    text += result + reduced + "(a[" + result[0] + "])(u_2[" + result[0] + "," +
            result[0] + "])";
    return text + space() + "->" + space() + result;
  }

  unsigned below(unsigned n) { return engine() % n; }

private:
  std::string space() { return std::string(below(8) == 0, ' '); }
  std::string pick(StringRef from) {
    return std::string(1, from[below(from.size())]);
  }

  /// f(result indices) + g(reduced indices)
  std::string split(unsigned depth) {
    switch (depth == 0 ? 0 : below(6)) {
    case 1:
      return "-" + space() + "(" + split(depth - 1) + ")";
    case 2:
      return std::to_string(below(5)) + "*(" + split(depth - 1) + ")";
    case 3:
      return split(depth - 1) + space() + "+" + space() + split(depth - 1);
    case 4:
      return split(depth - 1) + "-" + space() + split(depth - 1);
    default:
      return expr(!reduced.empty() && below(2) ? reduced : result, 2);
    }
  }

  /// Any expression of some indices; what binds how is up to the reader.
  std::string expr(StringRef letters, unsigned depth) {
    std::string text;
    switch (below(depth == 0 ? 4 : 9)) {
    case 0:
      return std::to_string(below(10));
    case 1:
    case 2:
      return pick(letters);
    case 3:
      return below(2)
                 ? "a" + space() + "[" + pick(letters) + "]"
                 : "u_2[" + pick(letters) + "," + space() + pick(letters) + "]";
    case 4:
      return "(" + expr(letters, depth - 1) + space() + ")";
    case 5:
      return "-" + expr(letters, depth - 1);
    default:
      text = expr(letters, depth - 1) + space() + pick("+-**/%");
      if (text.back() == '/' || text.back() == '%')
        return text + divisor(letters);
      return text + space() + expr(letters, depth - 1);
    }
  }

  std::string divisor(StringRef letters) {
    switch (below(6)) {
    case 0:
      return "(" + pick(letters) + "+1)";
    case 1:
      return "(" + pick(letters) + "%3*a[" + pick(letters) + "]+2)";
    case 2:
      return "(" + pick(letters) + "*" + pick(letters) + "+3)";
    default:
      return space() + std::to_string(1 + below(6));
    }
  }

  std::mt19937 engine;
  std::string result, reduced;
};
} // namespace

namespace {
class SpecMeaningTest : public ::testing::Test {
protected:
  SpecMeaningTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<EinsumDialect>();
  }

  SpecAttr parse(StringRef text) {
    SpecAttr spec = SpecAttr::parse(&context, text, [&](size_t offset) {
      return emitError(UnknownLoc::get(&context));
    });
    EXPECT_TRUE(spec) << text.str();
    return spec;
  }

  /// The value of the last axis of `text` with index h = `h`.
  int64_t evaluate(StringRef text, int64_t h = 0) {
    SpecAttr spec = parse(text);
    if (!spec)
      return 0;
    Point point;
    point.letters['h'] = h;
    auto value = MapEvaluator{spec, point}.evaluate(
        spec.getMaps()[0].getResults().back());
    EXPECT_TRUE(value) << text.str();
    return value.value_or(0);
  }

  MLIRContext context;
};
} // namespace

TEST_F(SpecMeaningTest, RandomSpecs) {
  SpecWriter writer(1);
  unsigned evaluated = 0;
  for (unsigned trial = 0; trial < 4000; ++trial) {
    std::string text = writer.write();
    SCOPED_TRACE(text);
    SpecAttr spec = parse(text);
    ASSERT_TRUE(spec);
    std::string printed = spec.toString();
    ASSERT_EQ(parse(printed), spec) << printed;
    for (unsigned i = 0; i < 8; ++i) {
      Point point;
      point.seed = writer.below(1000);
      for (char letter : StringRef("abcdeF"))
        point.letters[letter] = writer.below(12);
      evaluated += expectSameValues(spec, text, point);
      expectSameValues(spec, printed, point);
      if (HasFailure())
        return;
    }
  }
  EXPECT_GT(evaluated, 16000u);
}

TEST_F(SpecMeaningTest, Precedence) {
  EXPECT_EQ(evaluate("(1+2*3) -> "), 7);
  EXPECT_EQ(evaluate("((1+2)*3) -> "), 9);
  EXPECT_EQ(evaluate("(9-4-3) -> "), 2);
  EXPECT_EQ(evaluate("(9-(4-3)) -> "), 8);
  EXPECT_EQ(evaluate("(9-4+3) -> "), 8);
  EXPECT_EQ(evaluate("(100/7/2) -> "), 7);
  EXPECT_EQ(evaluate("(100/(7/2)) -> "), 33);
  EXPECT_EQ(evaluate("(2*7%4) -> "), 2);
  EXPECT_EQ(evaluate("(2*(7%4)) -> "), 6);
  EXPECT_EQ(evaluate("(7%4*2) -> "), 6);
  EXPECT_EQ(evaluate("(17%10/2) -> "), 3);
  EXPECT_EQ(evaluate("(17/10%2) -> "), 1);
  EXPECT_EQ(evaluate("(1+17%10) -> "), 8);
  EXPECT_EQ(evaluate("(20-6/2*3) -> "), 11);
  EXPECT_EQ(evaluate("(((((5))))) -> "), 5);
}

TEST_F(SpecMeaningTest, UnaryMinus) {
  EXPECT_EQ(evaluate("(-5) -> "), -5);
  EXPECT_EQ(evaluate("(--5) -> "), 5);
  EXPECT_EQ(evaluate("(- - -5) -> "), -5);
  EXPECT_EQ(evaluate("(2--3) -> "), 5);
  EXPECT_EQ(evaluate("(2*-3) -> "), -6);
  EXPECT_EQ(evaluate("(-2*3+1) -> "), -5);
  EXPECT_EQ(evaluate("(-(2+1)) -> "), -3);
  // It binds tighter than division.
  EXPECT_EQ(evaluate("(-7/2) -> "), -4);
  EXPECT_EQ(evaluate("(-(7/2)) -> "), -3);
  EXPECT_EQ(evaluate("(-7%3) -> "), 2);
  EXPECT_EQ(evaluate("(-(7%3)) -> "), -1);
  EXPECT_EQ(evaluate("(-h/2) -> h", 7), -4);
  EXPECT_EQ(evaluate("(-h%3) -> h", 7), 2);
  EXPECT_EQ(evaluate("(1-h) -> h", 7), -6);
  EXPECT_EQ(evaluate("(3--h) -> h", 7), 10);
}

TEST_F(SpecMeaningTest, DivisionRoundsDown) {
  for (int64_t divisor = 1; divisor <= 9; ++divisor) {
    std::string number = std::to_string(divisor);
    for (int64_t h = 0; h <= 60; ++h) {
      auto [quotient, remainder] = divide(h - 30, divisor);
      std::string shifted = std::to_string(h) + "-30";
      EXPECT_EQ(evaluate("h((h-30)/" + number + ") -> h", h), quotient);
      EXPECT_EQ(evaluate("h((h-30)%" + number + ") -> h", h), remainder);
      EXPECT_EQ(evaluate("((" + shifted + ")/" + number + ") -> "), quotient);
      EXPECT_EQ(evaluate("((" + shifted + ")%" + number + ") -> "), remainder);
    }
  }
}

TEST_F(SpecMeaningTest, IntegersAtTheEdgeOf64Bits) {
  EXPECT_EQ(evaluate("(9223372036854775807) -> "), INT64_MAX);
  EXPECT_EQ(evaluate("(000009223372036854775807) -> "), INT64_MAX);
  EXPECT_EQ(evaluate("(-9223372036854775807) -> "), -INT64_MAX);
  EXPECT_EQ(evaluate("(9223372036854775806+1) -> "), INT64_MAX);
  EXPECT_EQ(evaluate("(-9223372036854775806-1) -> "), -INT64_MAX);
  EXPECT_EQ(evaluate("(4611686018427387903*2) -> "), INT64_MAX - 1);
  EXPECT_EQ(evaluate("(h+9223372036854775806) -> h", 1), INT64_MAX);
  EXPECT_EQ(evaluate("(9223372036854775807*h) -> h", 1), INT64_MAX);
  EXPECT_EQ(evaluate("(-9223372036854775807*h) -> h", 1), -INT64_MAX);
  EXPECT_EQ(evaluate("(h%9223372036854775807) -> h", 7), 7);
  EXPECT_EQ(evaluate("(-h/9223372036854775807) -> h", 7), -1);
  // Divisors that would be multiplied with each other.
  EXPECT_EQ(evaluate("(h/9223372036854775807/2) -> h", 7), 0);
  EXPECT_EQ(evaluate("((h/4294967296-1)/4294967296) -> h", 7), -1);
  EXPECT_EQ(evaluate("(h%9223372036854775807%4) -> h", 7), 3);
  // Printing keeps them.
  for (StringRef text :
       {"h(9223372036854775807) -> h", "h(-9223372036854775807) -> h",
        "h(9223372036854775807*h) -> h", "h(h-9223372036854775806) -> h",
        "h(2-9223372036854775805*h) -> h"})
    EXPECT_EQ(parse(parse(text).toString()), parse(text)) << text.str();
}

TEST_F(SpecMeaningTest, WhatCancels) {
  EXPECT_EQ(evaluate("h(h-h) -> h", 5), 0);
  EXPECT_EQ(evaluate("h(0*h) -> h", 5), 0);
  EXPECT_EQ(evaluate("(2*h-h) -> h", 5), 5);
  EXPECT_EQ(evaluate("h(h%1) -> h", 5), 0);
  EXPECT_EQ(evaluate("h(3*h%3) -> h", 5), 0);
  EXPECT_EQ(evaluate("h(h-h/3*3) -> h", 5), 2);
  EXPECT_EQ(evaluate("(h/1) -> h", 5), 5);
  // The axis is a bare index when all else is gone.
  EXPECT_EQ(parse("(1*h+0) -> h"), parse("h -> h"));
  EXPECT_EQ(parse("(h/1) -> h"), parse("h -> h"));
}

TEST_F(SpecMeaningTest, SplitAxes) {
  for (StringRef text :
       {"(h+r) -> h", "(2*(h+r)) -> h", "((h-r)*3*2) -> h", "(-(h-r)) -> h",
        "(h*w+r*s) -> hw", "(h/2+r%3) -> h", "(t[h]+t[r]) -> h",
        "(1+2)(h*(2+1)+r) -> h", "(h*h-(r-h)*4) -> h"})
    EXPECT_TRUE(parse(text)) << text.str();
}

//===- LauncherTest.cpp - Tests of launcher/ ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers, JSON and the values of arguments; LLVM's own are the oracle.
//
//===----------------------------------------------------------------------===//

#include "tileir-launch/Launch.h"
#include "tileir-launch/Manifest.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <iterator>
#include <random>

using namespace tileir::launch;

static uint64_t convert(double number, const llvm::fltSemantics &semantics) {
  llvm::APFloat value(number);
  bool losesInfo;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

TEST(Launcher, SmallFloats) {
  std::vector<double> numbers = {0.0,    -0.0,  1.0,    65504.0, 65519.99,
                                 65520,  448,   464,    464.01,  61439.,
                                 61440., 1e9,   -1e300, 6e-8,    2.9e-8,
                                 1e-9,   2049., 2051.,  -1e-45,  INFINITY};
  std::mt19937_64 generator(1);
  for (int i = 0; i < 100000; ++i) {
    double mantissa = double(generator()) / double(1ull << 63) - 1;
    numbers.push_back(std::ldexp(mantissa, int(generator() % 60) - 40));
  }
  // All that lies between two neighbours.
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    llvm::APFloat value(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits));
    double number = value.convertToDouble();
    numbers.push_back(number);
    numbers.push_back(number +
                      std::ldexp(1, std::ilogb(number ? number : 6e-8) - 11));
  }
  for (double number : numbers) {
    ASSERT_EQ(getBits("f16", number),
              convert(number, llvm::APFloat::IEEEhalf()))
        << number;
    ASSERT_EQ(getBits("bf16", number), convert(number, llvm::APFloat::BFloat()))
        << number;
    ASSERT_EQ(getBits("f8E5M2", number),
              convert(number, llvm::APFloat::Float8E5M2()))
        << number;
    ASSERT_EQ(getBits("f8E4M3FN", number),
              convert(number, llvm::APFloat::Float8E4M3FN()))
        << number;
  }
  EXPECT_EQ(getBits("f16", NAN), 0x7e00u);
  EXPECT_EQ(getBits("bf16", NAN), 0x7fc0u);
  EXPECT_EQ(getBits("f8E5M2", NAN), 0x7eu);
  EXPECT_EQ(getBits("f8E4M3FN", NAN), 0x7fu);
}

TEST(Launcher, Numbers) {
  auto parse = [](const char *type, const char *text) {
    uint64_t bits = 0;
    return parseNumber(type, text, bits) ? ~uint64_t(0) >> 1 : bits;
  };
  constexpr uint64_t kError = ~uint64_t(0) >> 1;
  EXPECT_EQ(parse("i8", "-128"), uint64_t(-128));
  EXPECT_EQ(parse("i8", "255"), 255u);
  EXPECT_EQ(parse("i64", "-9223372036854775808"), uint64_t(1) << 63);
  EXPECT_EQ(parse("f32", "1.5"), 0x3fc00000u);
  EXPECT_EQ(parse("f64", "-inf"), 0xfff0000000000000u);
  EXPECT_EQ(parse("i8", "256"), kError);
  EXPECT_EQ(parse("i8", "-129"), kError);
  EXPECT_EQ(parse("i64", "9223372036854775808"), kError);
  EXPECT_EQ(parse("i32", "1.5"), kError);
  EXPECT_EQ(parse("f32", ""), kError);
  EXPECT_EQ(parse("f32", "1x"), kError);
}

TEST(Launcher, JsonThatIsNone) {
  std::string deep(1000, '[');
  for (std::string text :
       {std::string(), std::string("{"), std::string("[1,]"),
        std::string("[1 2]"), std::string("{\"a\"}"), std::string("\"a"),
        std::string("\"\\"), std::string("nul"), std::string("{} x"),
        std::string("{1: 2}"), std::string("\"\\q\""), deep}) {
    Json json;
    Error error = parseJson(text, json);
    EXPECT_EQ(error.getMessage(), "line 1 is no JSON as expected") << text;
  }
  Json json;
  EXPECT_EQ(parseJson("{\n\n  \"a\" 1\n}", json).getMessage(),
            "line 3 is no JSON as expected");
  // Depth is no danger either: the parser does not recurse.
  std::string balanced = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_FALSE(parseJson(balanced, json));
}

TEST(Launcher, ArgumentsOfALaunch) {
  Argument buffer;
  buffer.isBuffer = true;
  buffer.type = "f32";
  buffer.shape = {-1, 4};
  buffer.alignment = 16;
  Argument rows, constant, open;
  rows.type = constant.type = open.type = "i64";
  rows.size = {1, 0};
  constant.value = "-3";
  Kernel kernel;
  kernel.name = "f";
  kernel.arguments = {rows, buffer, constant, open};
  std::vector<uint64_t> packed;
  EXPECT_FALSE(packArguments(kernel, {{64, {7, 4}}, {5, {}}}, packed));
  EXPECT_EQ(packed, (std::vector<uint64_t>{7, 64, uint64_t(-3), 5}));
  auto getMessage = [&](const std::vector<Value> &values) {
    return packArguments(kernel, values, packed).getMessage();
  };
  EXPECT_EQ(getMessage({{64, {7, 4}}}), "f has 2 arguments to give, found 1");
  EXPECT_EQ(getMessage({}), "f has 2 arguments to give, found 0");
  EXPECT_EQ(getMessage({{64, {7, 5}}, {5, {}}}),
            "argument 1 of f: expected the shape ?x4, found 7x5");
  EXPECT_EQ(getMessage({{72, {7, 4}}, {5, {}}}),
            "argument 1 of f: expected an address that 16 divides");
  EXPECT_EQ(getMessage({{64, {}}, {5, {}}}),
            "argument 1 of f: expected more axes, found ()");
}

TEST(Launcher, Formulas) {
  GetSize getSize = [](size_t argument, size_t axis) {
    return argument == 1 ? std::optional<int64_t>(10 * axis) : std::nullopt;
  };
  Formula size;
  size.kind = Formula::Kind::Size;
  size.argument = 1;
  size.axis = 2;
  EXPECT_EQ(evaluate(size, getSize), 20);
  Formula number;
  number.number = 8;
  Formula formula;
  formula.kind = Formula::Kind::Operation;
  formula.operands = {size, number};
  auto compute = [&](const char *operation) {
    formula.operation = operation;
    return evaluate(formula, getSize);
  };
  const std::pair<const char *, int64_t> expected[] = {
      {"add", 28},    {"sub", 12}, {"mul", 160}, {"div", 2}, {"rem", 4},
      {"ceildiv", 3}, {"min", 8},  {"max", 20},  {"eq", 0},  {"ne", 1},
      {"lt", 0},      {"le", 0},   {"and", 1},   {"or", 1}};
  for (auto [operation, value] : expected)
    EXPECT_EQ(compute(operation), value) << operation;
  EXPECT_EQ(std::size(expected), std::size(kOperations));
  EXPECT_EQ(toString(formula), "or(axis 2 of argument 1, 8)");

  formula.operands[1].number = 0;
  EXPECT_EQ(compute("div"), std::nullopt);
  formula.operands[1].number = INT64_MAX;
  EXPECT_EQ(compute("mul"), std::nullopt);
  EXPECT_EQ(compute("add"), std::nullopt);
  formula.operands[0].argument = 0;
  EXPECT_EQ(compute("lt"), std::nullopt);
}

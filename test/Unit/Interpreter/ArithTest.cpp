//===- ArithTest.cpp - Arithmetic in the interpreter ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats against LLVM's APFloat on random bits, integers and conversions at the
// ends of their ranges, undefined operations as errors.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

TEST(Arith, IntegersWrap) {
  auto i8 = [](int64_t value) { return integer(K::I8, value); };
  EXPECT_EQ(whole("arith.addi %0, %1 : i8", {i8(127), i8(1)}), -128);
  EXPECT_EQ(whole("arith.subi %0, %1 : i8", {i8(-128), i8(1)}), 127);
  EXPECT_EQ(whole("arith.muli %0, %1 : i8", {i8(100), i8(3)}), 44);
  EXPECT_EQ(whole("arith.shli %0, %1 : i8", {i8(65), i8(1)}), -126);
  EXPECT_EQ(whole("arith.shrui %0, %1 : i8", {i8(-2), i8(1)}), 127);
  EXPECT_EQ(whole("arith.shrsi %0, %1 : i8", {i8(-2), i8(1)}), -1);
  EXPECT_EQ(whole("arith.andi %0, %1 : i8", {i8(-4), i8(7)}), 4);
  EXPECT_EQ(whole("arith.ori %0, %1 : i8", {i8(-4), i8(1)}), -3);
  EXPECT_EQ(whole("arith.xori %0, %1 : i8", {i8(-1), i8(1)}), -2);
  EXPECT_EQ(whole("arith.maxsi %0, %1 : i8", {i8(-1), i8(1)}), 1);
  EXPECT_EQ(whole("arith.maxui %0, %1 : i8", {i8(-1), i8(1)}), -1);
  EXPECT_EQ(whole("arith.minsi %0, %1 : i8", {i8(-1), i8(1)}), -1);
  EXPECT_EQ(whole("arith.minui %0, %1 : i8", {i8(-1), i8(1)}), 1);
  int64_t max = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(whole("arith.addi %0, %1 : index",
                  {integer(K::Index, max), integer(K::Index, 1)}),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(
      whole("arith.addi %0, %1 : i1", {integer(K::I1, 1), integer(K::I1, 1)}),
      0);
  EXPECT_EQ(errorOf("arith.shli %0, %1 : i8", {i8(1), i8(8)}),
            "shifts by 8, expected less than the width 8");
}

TEST(Arith, Division) {
  struct Case {
    const char *op;
    int64_t quotients[4]; // of 7/2, -7/2, 7/-2, -7/-2
  };
  for (Case c :
       {Case{"divsi", {3, -3, -3, 3}}, Case{"floordivsi", {3, -4, -4, 3}},
        Case{"ceildivsi", {4, -3, -3, 4}}, Case{"remsi", {1, -1, 1, -1}},
        Case{"divui", {3, 124, 0, 0}}, // 249 is -7
        Case{"ceildivui", {4, 125, 1, 1}}, Case{"remui", {1, 1, 7, -7}}})
    for (int i = 0; i < 4; ++i) {
      std::string op = std::string("arith.") + c.op + " %0, %1 : i8";
      EXPECT_EQ(whole(op, {integer(K::I8, i & 1 ? -7 : 7),
                           integer(K::I8, i & 2 ? -2 : 2)}),
                c.quotients[i])
          << op << " " << i;
      EXPECT_EQ(errorOf(op, {integer(K::I8, 5), integer(K::I8, 0)}),
                "divides 5 by zero");
    }
  for (const char *name : {"divsi", "floordivsi", "ceildivsi"})
    EXPECT_EQ(errorOf(std::string("arith.") + name + " %0, %1 : i32",
                      {integer(K::I32, INT32_MIN), integer(K::I32, -1)}),
              "overflows: divides -2147483648 by -1");
  EXPECT_EQ(whole("arith.remsi %0, %1 : i64",
                  {integer(K::I64, INT64_MIN), integer(K::I64, -1)}),
            0);
}

TEST(Arith, IntegerComparisonsAndCasts) {
  struct Case {
    const char *predicate;
    bool less, equal; // -1 against 1, 1 against 1
  };
  for (Case c : {Case{"eq", false, true}, Case{"ne", true, false},
                 Case{"slt", true, false}, Case{"sle", true, true},
                 Case{"sgt", false, false}, Case{"sge", false, true},
                 Case{"ult", false, false}, Case{"ule", false, true},
                 Case{"ugt", true, false}, Case{"uge", true, true}}) {
    std::string op = std::string("arith.cmpi ") + c.predicate + ", %0, %1 : i8";
    NDArray one = integer(K::I8, 1);
    EXPECT_EQ(whole(op, {integer(K::I8, -1), one}, "i1"), c.less) << op;
    EXPECT_EQ(whole(op, {one, one}, "i1"), c.equal) << op;
  }
  // A true i1 is -1.
  EXPECT_EQ(whole("arith.cmpi slt, %0, %1 : i1",
                  {integer(K::I1, 1), integer(K::I1, 0)}, "i1"),
            1);
  EXPECT_EQ(whole("arith.extsi %0 : i1 to i8", {integer(K::I1, 1)}), -1);
  EXPECT_EQ(whole("arith.extui %0 : i8 to i32", {integer(K::I8, -1)}), 255);
  EXPECT_EQ(whole("arith.trunci %0 : i32 to i8", {integer(K::I32, 384)}), -128);
  EXPECT_EQ(whole("arith.trunci %0 : i32 to i1", {integer(K::I32, 3)}), 1);
  EXPECT_EQ(whole("arith.index_cast %0 : i8 to index", {integer(K::I8, -1)}),
            -1);
  EXPECT_EQ(whole("arith.index_castui %0 : i8 to index", {integer(K::I8, -1)}),
            255);
  EXPECT_EQ(
      whole("arith.index_cast %0 : index to i8", {integer(K::Index, 257)}), 1);
}

TEST(Arith, ExtendedResults) {
  const char *program = R"(
func.func @f(%a: i8, %b: i8) -> (i8, i1, i8, i8, i8, i8) {
  %0:2 = arith.addui_extended %a, %b : i8, i1
  %1:2 = arith.mulsi_extended %a, %b : i8
  %2:2 = arith.mului_extended %a, %b : i8
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : i8, i1, i8, i8, i8, i8
})";
  auto outcome = run(program, {integer(K::I8, -1), integer(K::I8, 100)});
  ASSERT_EQ(outcome.error, "");
  Doubles values;
  for (const NDArray &result : outcome.results)
    values.push_back(result.getInteger(0));
  // 255 + 100; -100 is 0xff9c; 25500 is 0x639c.
  EXPECT_EQ(values, (Doubles{99, 1, -100, -1, -100, 99}));
}

/// Every operator on floats of random bits, against APFloat.
TEST(Arith, FloatsAreCorrectlyRounded) {
  using Operator = APFloat::opStatus (*)(APFloat &, const APFloat &);
  std::pair<const char *, Operator> operators[] = {
      {"addf",
       [](APFloat &a, const APFloat &b) {
         return a.add(b, APFloat::rmNearestTiesToEven);
       }},
      {"subf",
       [](APFloat &a, const APFloat &b) {
         return a.subtract(b, APFloat::rmNearestTiesToEven);
       }},
      {"mulf",
       [](APFloat &a, const APFloat &b) {
         return a.multiply(b, APFloat::rmNearestTiesToEven);
       }},
      {"divf",
       [](APFloat &a, const APFloat &b) {
         return a.divide(b, APFloat::rmNearestTiesToEven);
       }},
      {"remf", [](APFloat &a, const APFloat &b) { return a.mod(b); }},
      {"maximumf",
       [](APFloat &a, const APFloat &b) {
         a = llvm::maximum(a, b);
         return APFloat::opOK;
       }},
      {"minimumf", [](APFloat &a, const APFloat &b) {
         a = llvm::minimum(a, b);
         return APFloat::opOK;
       }}};
  std::mt19937_64 random(1);
  for (K kind : {K::F16, K::BF16, K::F32, K::F64}) {
    const llvm::fltSemantics &semantics = kind == K::F16 ? APFloat::IEEEhalf()
                                          : kind == K::BF16 ? APFloat::BFloat()
                                          : kind == K::F32
                                              ? APFloat::IEEEsingle()
                                              : APFloat::IEEEdouble();
    unsigned width = APFloat::getSizeInBits(semantics);
    int64_t count = 20000, size = width / 8;
    NDArray a(kind, {count}), b(kind, {count});
    auto get = [&](const NDArray &array, int64_t i) {
      uint64_t bits = 0;
      memcpy(&bits, array.getData() + i * size, size);
      return APFloat(semantics, APInt(width, bits));
    };
    for (int64_t i = 0; i < count; ++i) {
      uint64_t bits[] = {random(), random()};
      // Mostly of like exponents, so that sums round and cancel.
      if (i % 4)
        bits[1] = bits[0] + (random() >> (68 - 3 * width / 4)) % (1 << 14);
      memcpy(a.getData() + i * size, &bits[0], size);
      memcpy(b.getData() + i * size, &bits[1], size);
    }
    for (auto [name, function] : operators) {
      NDArray result = apply(
          std::string("arith.") + name + " %0, %1 : " + typeOf(a), {a, b});
      for (int64_t i = 0; i < count; ++i) {
        APFloat expected = get(a, i), found = get(result, i);
        function(expected, get(b, i));
        ASSERT_TRUE(expected.bitwiseIsEqual(found) ||
                    (expected.isNaN() && found.isNaN()))
            << name << " " << get(a, i).convertToDouble() << " "
            << get(b, i).convertToDouble();
      }
    }
  }
}

TEST(Arith, FloatFormats) {
  // All numbers of the narrow types, to f64 and back.
  for (K kind : {K::F16, K::BF16}) {
    NDArray all(kind, {65536});
    for (int64_t i = 0; i < 65536; ++i)
      all.as<uint16_t>()[i] = i;
    std::string narrow = typeOf(all), wide = typeOf(NDArray(K::F64, {65536}));
    NDArray extended =
        apply("arith.extf %0 : " + narrow + " to " + wide, {all});
    NDArray back =
        apply("arith.truncf %0 : " + wide + " to " + narrow, {extended});
    NDArray sum = apply("arith.addf %0, %0 : " + narrow, {all});
    for (int64_t i = 0; i < 65536; ++i) {
      double value = all.getDouble(i);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(extended.getDouble(i)));
        EXPECT_TRUE(std::isnan(back.getDouble(i)));
        continue;
      }
      EXPECT_EQ(extended.getDouble(i), value);
      EXPECT_EQ(back.as<uint16_t>()[i], i);
      NDArray expected(kind, {});
      expected.setDouble(0, value + value);
      EXPECT_EQ(sum.getDouble(i), expected.getDouble(0));
    }
  }
}

TEST(Arith, FloatConversions) {
  auto f64 = [](double value) { return scalar(K::F64, value); };
  EXPECT_EQ(real("arith.truncf %0 : f64 to f16", {f64(65520)}), kInf);
  EXPECT_EQ(real("arith.truncf %0 : f64 to f16", {f64(65519.99)}), 65504);
  EXPECT_EQ(real("arith.truncf %0 toward_zero : f64 to f16", {f64(1e9)}),
            65504);
  // Straight to f16: by way of f32 this would be a tie, and go down.
  double above = 1 + std::ldexp(1, -11) + std::ldexp(1, -40);
  EXPECT_EQ(real("arith.truncf %0 : f64 to f16", {f64(above)}),
            1 + std::ldexp(1, -10));
  // 2^24 + 1 is a tie; i64 to f32 by way of f64 would round twice.
  EXPECT_EQ(real("arith.sitofp %0 : i32 to f32", {integer(K::I32, 16777217)}),
            16777216);
  EXPECT_EQ(real("arith.sitofp %0 : i64 to f32",
                 {integer(K::I64, (1ll << 60) + (1ll << 36) + 1)}),
            std::ldexp(1, 60) + std::ldexp(1, 37));
  EXPECT_EQ(real("arith.uitofp %0 : i8 to f32", {integer(K::I8, -1)}), 255);
  EXPECT_EQ(real("arith.sitofp %0 : i1 to f32", {integer(K::I1, 1)}), -1);
  EXPECT_EQ(whole("arith.fptosi %0 : f64 to i8", {f64(-128.9)}), -128);
  EXPECT_EQ(whole("arith.fptoui %0 : f64 to i8", {f64(255.9)}), -1);
  EXPECT_EQ(errorOf("arith.fptosi %0 : f64 to i8", {f64(128)}),
            "converts 128 to a signed integer of 8 bits, which does not have "
            "it");
  EXPECT_EQ(errorOf("arith.fptoui %0 : f64 to i8", {f64(-1)}),
            "converts -1 to an unsigned integer of 8 bits, which does not have "
            "it");
  EXPECT_NE(errorOf("arith.fptosi %0 : f64 to i64", {f64(kNaN)}), "");
  EXPECT_EQ(whole("arith.bitcast %0 : f32 to i32", {scalar(K::F32, -0.0)}),
            INT32_MIN);
  EXPECT_EQ(real("arith.bitcast %0 : i16 to bf16", {integer(K::I16, 0x4049)}),
            3.140625);
}

TEST(Arith, FloatComparisonsMinimaAndMaxima) {
  struct Case {
    const char *predicate;
    bool less, equal, unordered;
  };
  for (Case c :
       {Case{"false", 0, 0, 0}, Case{"oeq", 0, 1, 0}, Case{"ogt", 0, 0, 0},
        Case{"oge", 0, 1, 0}, Case{"olt", 1, 0, 0}, Case{"ole", 1, 1, 0},
        Case{"one", 1, 0, 0}, Case{"ord", 1, 1, 0}, Case{"ueq", 0, 1, 1},
        Case{"ugt", 0, 0, 1}, Case{"uge", 0, 1, 1}, Case{"ult", 1, 0, 1},
        Case{"ule", 1, 1, 1}, Case{"une", 1, 0, 1}, Case{"uno", 0, 0, 1},
        Case{"true", 1, 1, 1}}) {
    std::string op =
        std::string("arith.cmpf ") + c.predicate + ", %0, %1 : f32";
    NDArray zero = scalar(K::F32, 0);
    EXPECT_EQ(whole(op, {scalar(K::F32, -1), zero}, "i1"), c.less) << op;
    EXPECT_EQ(whole(op, {scalar(K::F32, -0.0), zero}, "i1"), c.equal) << op;
    EXPECT_EQ(whole(op, {scalar(K::F32, kNaN), zero}, "i1"), c.unordered) << op;
  }
  auto f32 = [](double value) { return scalar(K::F32, value); };
  EXPECT_TRUE(
      std::isnan(real("arith.maximumf %0, %1 : f32", {f32(1), f32(kNaN)})));
  EXPECT_FALSE(
      std::signbit(real("arith.maximumf %0, %1 : f32", {f32(-0.0), f32(0)})));
  EXPECT_TRUE(
      std::signbit(real("arith.minimumf %0, %1 : f32", {f32(0), f32(-0.0)})));
  for (const char *name : {"maxnumf", "minnumf"}) {
    std::string op = std::string("arith.") + name + " %0, %1 : f32";
    EXPECT_EQ(real(op, {f32(1), f32(kNaN)}), 1);
    EXPECT_EQ(real(op, {f32(kNaN), f32(2)}), 2);
    EXPECT_TRUE(std::isnan(real(op, {f32(kNaN), f32(kNaN)})));
  }
  EXPECT_TRUE(std::signbit(real("arith.negf %0 : f32", {f32(0)})));
}

TEST(Arith, TensorsSelectionAndConstants) {
  NDArray a = array(K::F32, {3}, {1, 2, 3}), b = array(K::F32, {3}, {4, 5, 6});
  EXPECT_EQ(valuesOf(apply("arith.addf %0, %1 : tensor<3xf32>", {a, b})),
            (Doubles{5, 7, 9}));
  EXPECT_EQ(valuesOf(apply("arith.select %0, %1, %2 : tensor<3xi1>, "
                           "tensor<3xf32>",
                           {array(K::I1, {3}, {1, 0, 1}), a, b})),
            (Doubles{1, 5, 3}));
  EXPECT_EQ(valuesOf(apply("arith.select %0, %1, %2 : tensor<3xf32>",
                           {integer(K::I1, 0), a, b})),
            (Doubles{4, 5, 6}));
  EXPECT_EQ(runForError(R"(
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %r = arith.addf %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
})",
                        {a, numbers(K::F32, {4})}),
            "the shape of operand 0 is 3, but that of another operand is 4");
  EXPECT_EQ(errorOf("arith.divsi %0, %1 : tensor<2xi32>",
                    {array(K::I32, {2}, {1, 2}), array(K::I32, {2}, {1, 0})}),
            "divides 2 by zero");
  EXPECT_EQ(valuesOf(apply("arith.constant dense<[[1, 2], [3, -4]]> : "
                           "tensor<2x2xi8>",
                           {})),
            (Doubles{1, 2, 3, -4}));
  EXPECT_EQ(
      valuesOf(apply("arith.constant dense<[true, false]> : tensor<2xi1>", {})),
      (Doubles{1, 0}));
  EXPECT_EQ(valuesOf(apply("arith.constant dense<0.5> : tensor<2xbf16>", {})),
            (Doubles{0.5, 0.5}));
  EXPECT_EQ(
      valuesOf(apply("arith.constant dense<[2, 3]> : tensor<2xindex>", {})),
      (Doubles{2, 3}));
  EXPECT_EQ(only(run(R"(
func.func @f() -> tensor<2xf32> {
  %r = arith.constant dense_resource<r> : tensor<2xf32>
  return %r : tensor<2xf32>
}
{-# dialect_resources: {
  builtin: { r: "0x040000000000803F00000040" }
} #-})")),
            (Doubles{1, 2}));
}

TEST(Math, Functions) {
  auto f32 = [](double value) { return scalar(K::F32, value); };
  EXPECT_EQ(real("math.sqrt %0 : f32", {f32(2)}), std::sqrt(2.0f));
  EXPECT_EQ(real("math.exp %0 : f32", {f32(1)}), float(std::exp(1.0)));
  EXPECT_EQ(real("math.tanh %0 : f16", {scalar(K::F16, 1)}), 0.76171875);
  EXPECT_EQ(real("math.round %0 : f32", {f32(-2.5)}), -3);
  EXPECT_EQ(real("math.roundeven %0 : f32", {f32(-2.5)}), -2);
  EXPECT_EQ(real("math.floor %0 : f32", {f32(-2.5)}), -3);
  EXPECT_EQ(real("math.absf %0 : f32", {f32(-2.5)}), 2.5);
  EXPECT_EQ(real("math.powf %0, %1 : f32", {f32(2), f32(-1)}), 0.5);
  EXPECT_EQ(real("math.fpowi %0, %1 : f32, i32", {f32(2), integer(K::I32, -3)},
                 "f32"),
            0.125);
  // Rounded once: in double the tiny addend would be lost, and the tie go down.
  double x = 1 + std::ldexp(1, -12);
  EXPECT_EQ(real("math.fma %0, %1, %2 : f32",
                 {f32(x), f32(x), f32(std::ldexp(1, -100))}),
            std::fma(float(x), float(x), std::ldexp(1.0f, -100)));
  EXPECT_EQ(whole("math.isnan %0 : f32", {f32(kNaN)}, "i1"), 1);
  EXPECT_EQ(whole("math.ctlz %0 : i8", {integer(K::I8, 1)}), 7);
  EXPECT_EQ(whole("math.cttz %0 : i8", {integer(K::I8, 0)}), 8);
  EXPECT_EQ(whole("math.ctpop %0 : i8", {integer(K::I8, -1)}), 8);
  EXPECT_EQ(whole("math.absi %0 : i8", {integer(K::I8, -128)}), -128);
  auto power = [](int64_t base, int64_t exponent) {
    return whole("math.ipowi %0, %1 : i32",
                 {integer(K::I32, base), integer(K::I32, exponent)});
  };
  EXPECT_EQ(power(-3, 3), -27);
  EXPECT_EQ(power(2, 32), 0);
  EXPECT_EQ(power(-1, -3), -1);
  EXPECT_EQ(power(2, -1), 0);
  EXPECT_EQ(errorOf("math.ipowi %0, %1 : i32",
                    {integer(K::I32, 0), integer(K::I32, -1)}),
            "raises zero to the negative power -1");
}

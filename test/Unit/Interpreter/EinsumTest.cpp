//===- EinsumTest.cpp - einsum.contract in the interpreter ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each feature of the op against loops written here, or numbers so chosen that
// another order or precision would give others; then each run-time error.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

/// A contraction of tensors, all of whose types are dynamic where `types` says.
static std::string contract(StringRef spec, StringRef rest) {
  auto [signature, attributes] = rest.split(';');
  auto [inputs, result] = signature.split("->");
  SmallVector<StringRef> types;
  inputs.split(types, ',');
  std::string arguments, names, list;
  for (auto [i, type] : llvm::enumerate(types)) {
    std::string name = "%" + std::to_string(i), comma = i ? ", " : "";
    arguments += comma + name + ": tensor<" + type.trim().str() + ">";
    names += comma + name;
    list += comma + "tensor<" + type.trim().str() + ">";
  }
  std::string out = "tensor<" + result.trim().str() + ">";
  return "func.func @f(" + arguments + ") -> " + out +
         " {\n%r = einsum.contract \"" + spec.str() + "\" (" + names + ") " +
         attributes.str() + " : (" + list + ") -> " + out +
         "\nreturn %r : " + out + "\n}";
}

TEST(Einsum, MatrixProduct) {
  NDArray a = numbers(K::F32, {4, 5}), b = numbers(K::F32, {5, 3});
  Doubles expected(12);
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 3; ++n)
      for (int k = 0; k < 5; ++k)
        expected[m * 3 + n] += a.getDouble(m * 5 + k) * b.getDouble(k * 3 + n);
  for (StringRef types :
       {"4x5xf32, 5x3xf32 -> 4x3xf32", "?x?xf32, ?x?xf32 -> ?x?xf32"}) {
    auto outcome = run(contract("mk, kn -> mn", types), {a, b});
    EXPECT_EQ(only(outcome), expected);
    EXPECT_EQ(outcome.longestReduction, 5);
  }
}

TEST(Einsum, OperandOrderAndReductionOrder) {
  // The sum runs with k outer and l inner: only then 1 survives.
  NDArray a = array(K::F32, {2, 2}, {16777216, -16777216, 1, 0});
  EXPECT_EQ(only(run(contract("kl -> ", "2x2xf32 -> f32"), {a})), Doubles{1});
  NDArray b = array(K::F32, {2, 2}, {16777216, 1, -16777216, 0});
  EXPECT_EQ(only(run(contract("kl -> ", "2x2xf32 -> f32"), {b})), Doubles{0});
  // Products from left to right: (huge * huge) * 0 is NaN.
  NDArray huge = array(K::F32, {1}, {3e38});
  EXPECT_TRUE(
      std::isnan(only(run(contract("i, i, i -> ", "1xf32, 1xf32, 1xf32 -> f32"),
                          {huge, huge, array(K::F32, {1}, {0})}))[0]));
}

TEST(Einsum, AffineAxes) {
  // A convolution with stride 2 and dilation 3.
  NDArray x = numbers(K::F32, {15}), w = numbers(K::F32, {4});
  Doubles expected(3);
  for (int h = 0; h < 3; ++h)
    for (int r = 0; r < 4; ++r)
      expected[h] += x.getDouble(2 * h + 3 * r) * w.getDouble(r);
  EXPECT_EQ(only(run(contract("(2*h+3*r), r -> h", "15xf32, 4xf32 -> 3xf32"),
                     {x, w})),
            expected);
  // The size of h from a window: the largest with 2 * (h - 1) + 9 < 15.
  EXPECT_EQ(
      only(run(contract("(2*h+3*r), r -> h", "?xf32, ?xf32 -> ?xf32"), {x, w})),
      expected);
  // No window fits.
  EXPECT_EQ(only(run(contract("(2*h+3*r), r -> h", "?xf32, ?xf32 -> ?xf32"),
                     {numbers(K::F32, {9}), w})),
            Doubles{});
}

TEST(Einsum, DivisionModulusAndReversal) {
  NDArray x = numbers(K::F32, {3, 2});
  Doubles expected;
  for (int i = 0; i < 6; ++i)
    expected.push_back(x.getDouble((5 - i) / 2 * 2 + (5 - i) % 2));
  EXPECT_EQ(
      only(run(contract("((5-i)/2)((5-i)%2) -> i", "3x2xf32 -> 6xf32"), {x})),
      expected);
  // Floor division of negative numbers, and a modulus that is not negative.
  EXPECT_EQ(only(run(contract("((i-3)/2+2)((i-3)%2) -> i", "3x2xf32 -> 4xf32"),
                     {array(K::F32, {3, 2}, {0, 1, 2, 3, 4, 5})})),
            (Doubles{1, 2, 3, 4}));
  // A product of two indices.
  EXPECT_EQ(only(run(contract("(h*w) -> hw", "?xf32 -> 2x3xf32"),
                     {array(K::F32, {3}, {5, 6, 7})})),
            (Doubles{5, 5, 5, 5, 6, 7}));
}

TEST(Einsum, PaddingGivesZero) {
  NDArray x = numbers(K::F32, {2, 5}), w = numbers(K::F32, {2, 3});
  Doubles expected(5);
  for (int h = 0; h < 5; ++h)
    for (int c = 0; c < 2; ++c)
      for (int r = 0; r < 3; ++r)
        if (h + r - 1 >= 0 && h + r - 1 < 5)
          expected[h] +=
              x.getDouble(c * 5 + h + r - 1) * w.getDouble(c * 3 + r);
  EXPECT_EQ(only(run(contract("c(h+r-1), cr -> h",
                              "2x5xf32, 2x3xf32 -> 5xf32; {pad = \"zero\"}"),
                     {x, w})),
            expected);
  // A read outside is 0, and 0 * inf is NaN.
  EXPECT_TRUE(std::isnan(only(
      run(contract("(i-1), i -> i", "2xf32, 2xf32 -> 2xf32; {pad = \"zero\"}"),
          {array(K::F32, {2}, {1, 1}), array(K::F32, {2}, {kInf, 1})}))[0]));
}

static const char *kShift = R"(
func.func @f(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?xf32>,
             %sh: tensor<?xi32>, %sw: tensor<?xi64>)
    -> tensor<?x?x2x3xf32> {
  %r = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%x, %w)
      tables(sh = %sh : tensor<?xi32>, sw = %sw : tensor<?xi64>) {pad = "PAD"}
      : (tensor<?x?x?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x2x3xf32>
  return %r : tensor<?x?x2x3xf32>
})";

static std::string shiftProgram(StringRef pad) {
  std::string text = kShift;
  return text.replace(text.find("PAD"), 3, pad.str());
}

TEST(Einsum, Tables) {
  NDArray x = numbers(K::F32, {2, 3, 4, 5}), w = numbers(K::F32, {3, 2});
  for (bool isPadded : {false, true}) {
    std::vector<int64_t> sh = {0, 2, 1}, sw = {2, 0, 1};
    if (isPadded)
      sh = {-1, 3, 0}, sw = {3, -2, 7};
    Doubles expected;
    for (int n = 0; n < 2; ++n)
      for (int k = 0; k < 2; ++k)
        for (int h = 0; h < 2; ++h)
          for (int v = 0; v < 3; ++v) {
            double sum = 0;
            for (int c = 0; c < 3; ++c) {
              int64_t i = h + sh[c], j = v + sw[c];
              if (i >= 0 && i < 4 && j >= 0 && j < 5)
                sum += x.getDouble(((n * 3 + c) * 4 + i) * 5 + j) *
                       w.getDouble(c * 2 + k);
            }
            expected.push_back(sum);
          }
    EXPECT_EQ(only(run(shiftProgram(isPadded ? "zero" : "none"),
                       {x, w, array(K::I32, {3}, Doubles(sh.begin(), sh.end())),
                        array(K::I64, {3}, Doubles(sw.begin(), sw.end()))})),
              expected);
  }
}

TEST(Einsum, TableErrors) {
  NDArray x = numbers(K::F32, {1, 4, 30, 5}), w = numbers(K::F32, {4, 1});
  EXPECT_EQ(runForError(shiftProgram("none"),
                        {x, w, array(K::I32, {4}, {0, 28, 3, 29}),
                         array(K::I64, {4}, {0, 0, 0, 2})}),
            "table 'sh' at [3] holds 29: axis 2 (h+sh[c]) of operand 0 reads "
            "index 30 at n=0, k=0, h=1, w=0, c=3, outside of its size 30");
  EXPECT_EQ(
      runForError(shiftProgram("none"), {x, w, array(K::I32, {4}, {0, 1, 2, 3}),
                                         array(K::I64, {4}, {0, -1, 0, 0})}),
      "table 'sw' at [1] holds -1: axis 3 (w+sw[c]) of operand 0 reads "
      "index -1 at n=0, k=0, h=0, w=0, c=1, outside of its size 5");
  // Also where every index's axis has a size of its own.
  EXPECT_EQ(
      runForError(shiftProgram("none"), {x, w, array(K::I32, {4}, {0, 1, 2, 3}),
                                         array(K::I64, {3}, {0, 0, 0})}),
      "index 'c' has size 4 in axis 1 of operand 0 but size 3 in axis 0 "
      "of table 'sw'");
}

TEST(Einsum, TwoDimensionalTableAndTableDivisor) {
  const char *program = R"(
func.func @f(%x: tensor<?xf32>, %t: tensor<2x3xi32>) -> tensor<2x3xf32> {
  %r = einsum.contract "(t[i,j]) -> ij" (%x) tables(t = %t : tensor<2x3xi32>)
      : (tensor<?xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
})";
  EXPECT_EQ(only(run(program, {array(K::F32, {4}, {10, 11, 12, 13}),
                               array(K::I32, {2, 3}, {3, 0, 1, 2, 2, 0})})),
            (Doubles{13, 10, 11, 12, 12, 10}));
  EXPECT_EQ(runForError(program, {array(K::F32, {4}, {10, 11, 12, 13}),
                                  array(K::I32, {2, 3}, {3, 0, 1, 2, 4, 0})}),
            "table 't' at [1, 1] holds 4: axis 0 (t[i,j]) of operand 0 reads "
            "index 4 at i=1, j=1, outside of its size 4");

  const char *divisor = R"(
func.func @f(%x: tensor<9xf32>, %d: tensor<3xi32>) -> tensor<3xf32> {
  %r = einsum.contract "(8/d[i]) -> i" (%x) tables(d = %d : tensor<3xi32>)
      : (tensor<9xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
})";
  NDArray x = array(K::F32, {9}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(only(run(divisor, {x, array(K::I32, {3}, {1, 2, 3})})),
            (Doubles{8, 4, 2}));
  EXPECT_EQ(runForError(divisor, {x, array(K::I32, {3}, {1, 2, 0})}),
            "table 'd' at [2] holds 0: axis 0 (8/d[i]) of operand 0 divides 8 "
            "by 0, expected a positive divisor at i=2");
  // The point where all indices are 0 is as any other.
  EXPECT_EQ(runForError(divisor, {x, array(K::I32, {3}, {-1, 2, 1})}),
            "table 'd' at [0] holds -1: axis 0 (8/d[i]) of operand 0 divides 8 "
            "by -1, expected a positive divisor at i=0");
}

TEST(Einsum, ReadErrorsWithoutTables) {
  EXPECT_EQ(runForError(contract("(i+j) -> ij", "?xf32 -> 3x4xf32"),
                        {numbers(K::F32, {5})}),
            "axis 0 (i+j) of operand 0 reads index 5 at i=2, j=3, outside of "
            "its size 5");
  EXPECT_EQ(runForError(contract("(i-1), i -> i", "?xf32, ?xf32 -> ?xf32"),
                        {numbers(K::F32, {5}), numbers(K::F32, {5})}),
            "axis 0 (i-1) of operand 0 reads index -1 at i=0, outside of its "
            "size 5");
  EXPECT_EQ(runForError(contract("mk, kn -> mn", "?x?xf32, ?x?xf32 -> ?x?xf32"),
                        {numbers(K::F32, {2, 3}), numbers(K::F32, {4, 2})}),
            "index 'k' has size 3 in axis 1 of operand 0 but size 4 in axis 0 "
            "of operand 1");
  EXPECT_EQ(runForError(contract("ij -> ij", "?x?xf32 -> ?x4xf32"),
                        {numbers(K::F32, {2, 3})}),
            "index 'j' has size 3 in axis 1 of operand 0 but size 4 in axis 1 "
            "of the result");
  const char *huge = R"(
func.func @f(%x: tensor<2xf32>, %t: tensor<2xi64>) -> tensor<2xf32> {
  %r = einsum.contract "(t[i]*4) -> i" (%x) tables(t = %t : tensor<2xi64>)
      {pad = "zero"} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
})";
  NDArray table(K::I64, {2});
  table.setInteger(1, int64_t(1) << 62);
  EXPECT_EQ(runForError(huge, {numbers(K::F32, {2}), table}),
            "table 't' at [1] holds 4611686018427387904: axis 0 (4*t[i]) of "
            "operand 0 overflows 64 bits at i=1");
}

TEST(Einsum, FirstErrorWinsOnManyThreads) {
  // Enough points for several blocks, and an error in most of them.
  NDArray a = numbers(K::F32, {4000}), b = numbers(K::F32, {3000, 500});
  for (int repetition = 0; repetition < 5; ++repetition)
    EXPECT_EQ(
        runForError(contract("(m+1), mk -> m", "?xf32, ?x?xf32 -> ?xf32"),
                    {numbers(K::F32, {2001}), b}),
        "axis 0 (m+1) of operand 0 reads index 2001 at m=2000, k=0, outside "
        "of its size 2001");
  Doubles expected(3000);
  for (int m = 0; m < 3000; ++m)
    for (int k = 0; k < 500; ++k)
      expected[m] += a.getDouble(m + 1) * b.getDouble(m * 500 + k);
  EXPECT_EQ(
      only(run(contract("(m+1), mk -> m", "?xf32, ?x?xf32 -> ?xf32"), {a, b})),
      expected);
}

TEST(Einsum, LongReductionIsTabulatedInBlocks) {
  // More reduced points than are tabulated at once.
  NDArray x = numbers(K::F64, {1500, 1600});
  double expected = 0;
  for (double value : valuesOf(x))
    expected += value;
  auto outcome = run(contract("ij -> ", "?x?xf64 -> f64"), {x});
  EXPECT_EQ(only(outcome), Doubles{expected});
  EXPECT_EQ(outcome.longestReduction, 1500 * 1600);
}

TEST(Einsum, DiagonalTransposeBroadcastAndRanks) {
  NDArray x = array(K::F32, {3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(only(run(contract("ii -> i", "3x3xf32 -> 3xf32"), {x})),
            (Doubles{0, 4, 8}));
  EXPECT_EQ(only(run(contract("ii -> ", "3x3xf32 -> f32"), {x})), Doubles{12});
  EXPECT_EQ(only(run(contract("ij -> ji", "3x3xf32 -> 3x3xf32"), {x})),
            (Doubles{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_EQ(
      only(run(contract("i, j -> ij", "2xf32, 3xf32 -> 2x3xf32"),
               {array(K::F32, {2}, {2, 3}), array(K::F32, {3}, {5, 7, 11})})),
      (Doubles{10, 14, 22, 15, 21, 33}));
  EXPECT_EQ(only(run(contract(", i -> i", "f32, 2xf32 -> 2xf32"),
                     {scalar(K::F32, 3), array(K::F32, {2}, {2, 4})})),
            (Doubles{6, 12}));
  EXPECT_EQ(only(run(contract("(0)i -> i", "1x2xf32 -> 2xf32"),
                     {array(K::F32, {1, 2}, {2, 4})})),
            (Doubles{2, 4}));
}

TEST(Einsum, ManyOperands) {
  NDArray a = numbers(K::F64, {2, 3}), b = numbers(K::F64, {3, 4}),
          c = numbers(K::F64, {4, 2}), d = numbers(K::F64, {2});
  Doubles expected(4);
  for (int i = 0; i < 2; ++i)
    for (int l = 0; l < 2; ++l)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 4; ++k)
          expected[i * 2 + l] += a.getDouble(i * 3 + j) *
                                 b.getDouble(j * 4 + k) *
                                 c.getDouble(k * 2 + l) * d.getDouble(l);
  EXPECT_EQ(only(run(contract("ij, jk, kl, l -> il",
                              "2x3xf64, 3x4xf64, 4x2xf64, 2xf64 -> 2x2xf64"),
                     {a, b, c, d})),
            expected);
}

TEST(Einsum, EmptySizes) {
  EXPECT_EQ(only(run(contract("mk, kn -> mn", "?x?xf32, ?x?xf32 -> ?x?xf32"),
                     {NDArray(K::F32, {2, 0}), NDArray(K::F32, {0, 1})})),
            (Doubles{0, 0}));
  EXPECT_EQ(only(run(contract("mk, kn -> mn", "?x?xf32, ?x?xf32 -> ?x?xf32"),
                     {NDArray(K::F32, {0, 4}), NDArray(K::F32, {4, 1})})),
            Doubles{});
}

TEST(Einsum, SizesAttribute) {
  // A sum-pooling: nothing but the attribute tells the window.
  EXPECT_EQ(only(run(contract("(2*h+r) -> h", "?xf32 -> ?xf32; "
                                              "{sizes = {r = 3}}"),
                     {array(K::F32, {7}, {1, 2, 3, 4, 5, 6, 7})})),
            (Doubles{6, 12, 18}));
}

TEST(Einsum, Accumulators) {
  // f16: 2048 + 1 is 2048 in f16, but not in the default accumulator.
  NDArray x = array(K::F16, {3}, {2048, 1, 1});
  EXPECT_EQ(only(run(contract("i -> ", "3xf16 -> f16"), {x})), Doubles{2050});
  EXPECT_EQ(only(run(contract("i -> ", "3xf16 -> f16; {acc = f16}"), {x})),
            Doubles{2048});
  EXPECT_EQ(only(run(contract("i -> ", "3xf16 -> f32"), {x})), Doubles{2050});
  // Rounded once: 2048 + 1 + 2^-11 is above the middle, and goes up.
  EXPECT_EQ(only(run(contract("i -> ", "3xf16 -> f16"),
                     {array(K::F16, {3}, {2048, 1, std::ldexp(1, -11)})})),
            Doubles{2050});
  NDArray y = array(K::BF16, {3}, {256, 1, 1});
  EXPECT_EQ(only(run(contract("i -> ", "3xbf16 -> bf16"), {y})), Doubles{258});
  EXPECT_EQ(only(run(contract("i -> ", "3xbf16 -> bf16; {acc = bf16}"), {y})),
            Doubles{256});
  // Products of an f16 accumulator are rounded before they are added.
  NDArray z = array(K::F16, {1}, {1 + std::ldexp(1, -10)});
  EXPECT_EQ(only(run(contract("i, i -> ", "1xf16, 1xf16 -> f16; {acc = f16}"),
                     {z, z})),
            Doubles{1 + std::ldexp(1, -9)});
  NDArray f = array(K::F32, {3}, {16777216, 1, 1});
  EXPECT_EQ(only(run(contract("i -> ", "3xf32 -> f32"), {f})),
            Doubles{16777216});
  EXPECT_EQ(only(run(contract("i -> ", "3xf32 -> f32; {acc = f64}"), {f})),
            Doubles{16777218});
  EXPECT_EQ(only(run(contract("i -> ", "3xf32 -> f64; {acc = f64}"), {f})),
            Doubles{16777218});
  // No fused multiply-add: 1 + 2^-23 squared loses its last bit.
  double e = 1 + std::ldexp(1, -23);
  EXPECT_EQ(only(run(contract("i, i -> ", "2xf32, 2xf32 -> f32"),
                     {array(K::F32, {2}, {-1 - std::ldexp(1, -22), e}),
                      array(K::F32, {2}, {1, e})})),
            Doubles{0});
}

TEST(Einsum, Integers) {
  NDArray x = array(K::I8, {2}, {-128, 127});
  EXPECT_EQ(only(run(contract("i, i -> ", "2xi8, 2xi8 -> i32"), {x, x})),
            Doubles{128 * 128 + 127 * 127});
  // 32513 is 0x7f01.
  EXPECT_EQ(only(run(contract("i, i -> ", "2xi8, 2xi8 -> i8"), {x, x})),
            Doubles{1});
  NDArray y = array(K::I32, {2}, {2147483647, 1});
  EXPECT_EQ(only(run(contract("i -> ", "2xi32 -> i32"), {y})),
            Doubles{-2147483648.0});
  EXPECT_EQ(
      only(run(contract("i, i -> ", "1xi32, 1xi32 -> i32"),
               {array(K::I32, {1}, {65537}), array(K::I32, {1}, {65537})})),
      Doubles{131073});
}

TEST(Einsum, Memrefs) {
  const char *program = R"(
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<4x?xf32>) {
  %at = memref.transpose %a (i, j) -> (j, i)
      : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %part = memref.subview %c[1, 0] [2, 3] [2, 1]
      : memref<4x?xf32> to memref<2x3xf32, strided<[?, 1], offset: ?>>
  einsum.contract "mk, kn -> mn" (%at, %b)
      outs(%part : memref<2x3xf32, strided<[?, 1], offset: ?>>)
      : (memref<?x?xf32, strided<[1, ?]>>, memref<?x?xf32>)
  return
})";
  NDArray a = numbers(K::F32, {5, 2}), b = numbers(K::F32, {5, 3});
  Doubles expected(12, 100);
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 3; ++n) {
      double &sum = expected[(2 * m + 1) * 3 + n];
      sum = 0;
      for (int k = 0; k < 5; ++k)
        sum += a.getDouble(k * 2 + m) * b.getDouble(k * 3 + n);
    }
  std::vector<NDArray> arguments = {a, b,
                                    array(K::F32, {4, 3}, Doubles(12, 100))};
  auto outcome = runInPlace(program, arguments);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(valuesOf(arguments[2]), expected);

  arguments[1] = numbers(K::F32, {5, 4});
  EXPECT_EQ(runInPlace(program, arguments).error,
            "index 'n' has size 4 in axis 1 of operand 1 but size 3 in axis 1 "
            "of outs");
  EXPECT_EQ(runForError(R"(
func.func @f(%a: memref<4x4xf32>) {
  %x = memref.subview %a[0, 0] [4, 2] [1, 1]
      : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
  %y = memref.subview %a[0, 2] [4, 2] [1, 1]
      : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 2>>
  einsum.contract "ij -> ij" (%x)
      outs(%y : memref<4x2xf32, strided<[4, 1], offset: 2>>)
      : (memref<4x2xf32, strided<[4, 1]>>)
  %z = memref.subview %a[0, 1] [4, 2] [1, 1]
      : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 1>>
  einsum.contract "ij -> ij" (%x)
      outs(%z : memref<4x2xf32, strided<[4, 1], offset: 1>>)
      : (memref<4x2xf32, strided<[4, 1]>>)
  return
})",
                        {numbers(K::F32, {4, 4})}),
            "outs overlaps operand 0");
}

//===- VectorTest.cpp - Vectors in the interpreter ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes by hand: arithmetic, moves, reductions; what poison may be used for.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

/// What `ops`, whose result is %r, computes.
static Outcome compute(StringRef ops, StringRef type) {
  return run(("func.func @f() -> " + type + " {\n" + ops +
              "\nreturn %r : " + type + "\n}")
                 .str());
}

static Doubles lanesOf(StringRef ops, StringRef type) {
  return only(compute(ops, type));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

TEST(Vector, Arithmetic) {
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[1, -2, 3, 127]> : vector<4xi8>
    %b = arith.constant dense<[10, 20, -30, 1]> : vector<4xi8>
    %r = arith.addi %a, %b : vector<4xi8>)",
                    "vector<4xi8>"),
            (Doubles{11, 18, -27, -128}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[0, 5, 9]> : vector<3xindex>
    %b = arith.constant dense<7> : vector<3xindex>
    %r = arith.muli %a, %b : vector<3xindex>)",
                    "vector<3xindex>"),
            (Doubles{0, 35, 63}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[1.0, 2.0, 4.0]> : vector<3xf32>
    %b = arith.constant dense<2.0> : vector<3xf32>
    %c = arith.cmpf olt, %a, %b : vector<3xf32>
    %n = arith.negf %a : vector<3xf32>
    %r = arith.select %c, %n, %b : vector<3xi1>, vector<3xf32>)",
                    "vector<3xf32>"),
            (Doubles{-1, 2, 2}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[4.0, 2.25]> : vector<2xf64>
    %r = math.sqrt %a : vector<2xf64>)",
                    "vector<2xf64>"),
            (Doubles{2, 1.5}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[1.5, -2.0]> : vector<2xf16>
    %r = arith.extf %a : vector<2xf16> to vector<2xf32>)",
                    "vector<2xf32>"),
            (Doubles{1.5, -2}));
  // The bits of 1 and -2.
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[1.0, -2.0]> : vector<2xf32>
    %r = arith.bitcast %a : vector<2xf32> to vector<2xi32>)",
                    "vector<2xi32>"),
            (Doubles{0x3f800000, double(int32_t(0xc0000000))}));
}

TEST(Vector, FmaRoundsOnce) {
  // (1 + 2^-12)^2 - 1 is 2^-11 + 2^-24; the product rounded to f32 is
  // 1 + 2^-11.
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[1.000244140625, 3.0]> : vector<2xf32>
    %c = arith.constant dense<[-1.0, 10.0]> : vector<2xf32>
    %r = vector.fma %a, %a, %c : vector<2xf32>)",
                    "vector<2xf32>"),
            (Doubles{std::ldexp(1, -11) + std::ldexp(1, -24), 19}));
}

TEST(Vector, SelectByScalar) {
  for (bool condition : {false, true})
    EXPECT_EQ(only(run(R"(
func.func @f(%c: i1) -> vector<2xi32> {
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %b = arith.constant dense<[3, 4]> : vector<2xi32>
  %r = arith.select %c, %a, %b : vector<2xi32>
  return %r : vector<2xi32>
})",
                       {integer(K::I1, condition)})),
              (condition ? Doubles{1, 2} : Doubles{3, 4}));
}

/// A sum for each lane, carried by a loop, and one in parallel.
TEST(Vector, Loops) {
  EXPECT_EQ(lanesOf(R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0> : vector<3xindex>
    %lanes = vector.step : vector<3xindex>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero)
        -> (vector<3xindex>) {
      %b = vector.broadcast %i : index to vector<3xindex>
      %p = arith.muli %b, %lanes : vector<3xindex>
      %s = arith.addi %sum, %p : vector<3xindex>
      scf.yield %s : vector<3xindex>
    })",
                    "vector<3xindex>"),
            (Doubles{0, 6, 12}));
  EXPECT_EQ(lanesOf(R"(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %init = arith.constant dense<[100, 200]> : vector<2xindex>
    %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%init)
        -> vector<2xindex> {
      %b = vector.broadcast %i : index to vector<2xindex>
      scf.reduce(%b : vector<2xindex>) {
      ^bb0(%x: vector<2xindex>, %y: vector<2xindex>):
        %s = arith.addi %x, %y : vector<2xindex>
        scf.reduce.return %s : vector<2xindex>
      }
    })",
                    "vector<2xindex>"),
            (Doubles{106, 206}));
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

TEST(Vector, FromScalars) {
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant 7 : i32
    %r = vector.broadcast %a : i32 to vector<3xi32>)",
                    "vector<3xi32>"),
            (Doubles{7, 7, 7}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[8]> : vector<1xi32>
    %r = vector.broadcast %a : vector<1xi32> to vector<2xi32>)",
                    "vector<2xi32>"),
            (Doubles{8, 8}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[8, 9]> : vector<2xi32>
    %r = vector.broadcast %a : vector<2xi32> to vector<2xi32>)",
                    "vector<2xi32>"),
            (Doubles{8, 9}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant 1.5 : f32
    %b = arith.constant -2.0 : f32
    %r = vector.from_elements %a, %b, %a : vector<3xf32>)",
                    "vector<3xf32>"),
            (Doubles{1.5, -2, 1.5}));
  EXPECT_EQ(
      lanesOf("%r = vector.constant_mask [2] : vector<4xi1>", "vector<4xi1>"),
      (Doubles{1, 1, 0, 0}));
  for (int64_t count : {-1, 0, 1, 3, 4})
    EXPECT_EQ(
        only(run(R"(
func.func @f(%n: index) -> vector<3xi1> {
  %r = vector.create_mask %n : vector<3xi1>
  return %r : vector<3xi1>
})",
                 {integer(K::Index, count)})),
        (Doubles{double(count > 0), double(count > 1), double(count > 2)}));
}

TEST(Vector, Shuffle) {
  // The operands may differ in size.
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[10, 11, 12]> : vector<3xi32>
    %b = arith.constant dense<[20, 21]> : vector<2xi32>
    %r = vector.shuffle %a, %b [4, 0, 2, 3, 0, 1] : vector<3xi32>, vector<2xi32>)",
                    "vector<6xi32>"),
            (Doubles{21, 10, 12, 20, 10, 11}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[0, 1]> : vector<2xi32>
    %b = arith.constant dense<[2, 3]> : vector<2xi32>
    %r = vector.interleave %a, %b : vector<2xi32> -> vector<4xi32>)",
                    "vector<4xi32>"),
            (Doubles{0, 2, 1, 3}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[5, 6, 7, 8]> : vector<4xi32>
    %r = vector.extract_strided_slice %a
        {offsets = [1], sizes = [2], strides = [1]}
        : vector<4xi32> to vector<2xi32>)",
                    "vector<2xi32>"),
            (Doubles{6, 7}));
}

TEST(Vector, ExtractAndInsert) {
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[5, 6, 7]> : vector<3xi32>
    %r = vector.extract %a[1] : i32 from vector<3xi32>)",
                    "i32"),
            Doubles{6});
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[5, 6, 7]> : vector<3xi32>
    %r = vector.extract %a[] : vector<3xi32> from vector<3xi32>)",
                    "vector<3xi32>"),
            (Doubles{5, 6, 7}));
  // What a vector was inserted into is as it was.
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[5, 6, 7]> : vector<3xi32>
    %x = arith.constant 90 : i32
    %b = vector.insert %x, %a[2] : i32 into vector<3xi32>
    %r = vector.interleave %a, %b : vector<3xi32> -> vector<6xi32>)",
                    "vector<6xi32>"),
            (Doubles{5, 5, 6, 6, 7, 90}));
  const char *dynamic = R"(
func.func @f(%i: index) -> i32 {
  %a = arith.constant dense<[5, 6, 7]> : vector<3xi32>
  %r = vector.extract %a[%i] : i32 from vector<3xi32>
  return %r : i32
})";
  EXPECT_EQ(only(run(dynamic, {integer(K::Index, 2)})), Doubles{7});
  EXPECT_EQ(runForError(dynamic, {integer(K::Index, 3)}),
            "index (3) is outside of the shape 3");
  EXPECT_EQ(runForError(dynamic, {integer(K::Index, -1)}),
            "index (-1) is outside of the shape 3");
}

TEST(Vector, Reductions) {
  auto reduce = [](StringRef kind, StringRef type, StringRef values) {
    std::string vector = ("vector<4x" + type + ">").str();
    auto result = lanesOf(("%a = arith.constant dense<" + values +
                           "> : " + vector + "\n%r = vector.reduction <" +
                           kind + ">, %a : " + vector + " into " + type)
                              .str(),
                          type);
    return result.front();
  };
  StringRef integers = "[3, -5, 7, 1]", floats = "[3.0, -5.0, 7.0, 0.5]";
  EXPECT_EQ(reduce("add", "i32", integers), 6);
  EXPECT_EQ(reduce("mul", "i32", integers), -105);
  EXPECT_EQ(reduce("minsi", "i32", integers), -5);
  EXPECT_EQ(reduce("maxsi", "i32", integers), 7);
  EXPECT_EQ(reduce("minui", "i32", integers), 1);
  EXPECT_EQ(reduce("maxui", "i32", integers), -5);
  EXPECT_EQ(reduce("and", "i32", "[7, 6, 14, 15]"), 6);
  EXPECT_EQ(reduce("or", "i32", "[1, 4, 0, 1]"), 5);
  EXPECT_EQ(reduce("xor", "i32", "[1, 4, 5, 2]"), 2);
  EXPECT_EQ(reduce("add", "f32", floats), 5.5);
  EXPECT_EQ(reduce("mul", "f32", floats), -52.5);
  EXPECT_EQ(reduce("minimumf", "f32", floats), -5);
  EXPECT_EQ(reduce("maximumf", "f32", floats), 7);
  EXPECT_EQ(reduce("minnumf", "f32", floats), -5);
  EXPECT_EQ(reduce("maxnumf", "f32", floats), 7);
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[1, 2, 3]> : vector<3xi32>
    %x = arith.constant 100 : i32
    %r = vector.reduction <add>, %a, %x : vector<3xi32> into i32)",
                    "i32"),
            Doubles{106});
  // In order: 2^24 + 1 is 2^24.
  EXPECT_EQ(reduce("add", "f32", "[16777216.0, 1.0, 1.0, -16777216.0]"), 0);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

TEST(Vector, BitCast) {
  // The first of two narrow lanes is in the low bits.
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[1.0, -2.0, 0.0, 1.0]> : vector<4xbf16>
    %r = vector.bitcast %a : vector<4xbf16> to vector<2xi32>)",
                    "vector<2xi32>"),
            (Doubles{double(int32_t(0xc0003f80)), 0x3f800000}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[0x3f80c000, -1]> : vector<2xi32>
    %r = vector.bitcast %a : vector<2xi32> to vector<8xi8>)",
                    "vector<8xi8>"),
            (Doubles{0, -64, -128, 63, -1, -1, -1, -1}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[0, 0x3ff00000, 0, 0xc0000000]> : vector<4xi32>
    %r = vector.bitcast %a : vector<4xi32> to vector<2xf64>)",
                    "vector<2xf64>"),
            (Doubles{1, -2}));
  EXPECT_EQ(lanesOf(R"(
    %a = arith.constant dense<[1.0, -2.0]> : vector<2xf32>
    %r = vector.bitcast %a : vector<2xf32> to vector<2xi32>)",
                    "vector<2xi32>"),
            (Doubles{0x3f800000, double(int32_t(0xc0000000))}));
}

TEST(Vector, DotOfPairs) {
  EXPECT_EQ(lanesOf(R"(
    %s = arith.constant dense<[1000.0, 2000.0, 3000.0, 4000.0]> : vector<4xf32>
    %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>
        : vector<8xbf16>
    %b = arith.constant dense<[1.0, 10.0, 1.0, 10.0, 1.0, 10.0, -1.0, 0.5]>
        : vector<8xbf16>
    %r = x86vector.avx512.dot %s, %a, %b : vector<8xbf16> -> vector<4xf32>)",
                    "vector<4xf32>"),
            (Doubles{1021, 2043, 3065, 3997}));
  // The odd product is added first: 2^24 + 1 would not be an f32.
  EXPECT_EQ(lanesOf(R"(
    %s = arith.constant dense<1.0> : vector<4xf32>
    %a = arith.constant dense<[-4096.0, 4096.0, 4096.0, -4096.0,
                               4096.0, 1.0, 1.0, 4096.0]> : vector<8xbf16>
    %b = arith.constant dense<[4096.0, 4096.0, 4096.0, 4096.0,
                               4096.0, 1.0, 1.0, 4096.0]> : vector<8xbf16>
    %r = x86vector.avx512.dot %s, %a, %b : vector<8xbf16> -> vector<4xf32>)",
                    "vector<4xf32>"),
            (Doubles{0, 1, 16777218, 16777216}));
}

//===----------------------------------------------------------------------===//
// Poison, and what is not known
//===----------------------------------------------------------------------===//

/// Lane 1 of %p is poison.
static std::string withPoison(StringRef op) {
  return runForError(("func.func @f(%m: memref<4xi32>, %i: index) -> i32 {\n"
                      "%a = arith.constant dense<[5, 6]> : vector<2xi32>\n"
                      "%p = vector.shuffle %a, %a [1, -1] : vector<2xi32>, "
                      "vector<2xi32>\n" +
                      op + "\nreturn %r : i32\n}")
                         .str(),
                     {numbers(K::I32, {4}), integer(K::Index, 0)});
}

TEST(Vector, Poison) {
  const std::string poison = " that is poison (no predicate of a tile.psi was "
                             "true there, no tile.mma_wait has waited for a "
                             "tile.mma_async, or ub.poison)";
  // It may be moved and computed with, as long as nothing depends on it.
  EXPECT_EQ(withPoison(R"(
    %b = arith.addi %p, %p : vector<2xi32>
    %r = vector.extract %b[0] : i32 from vector<2xi32>)"),
            "");
  EXPECT_EQ(withPoison("%r = vector.extract %p[1] : i32 from vector<2xi32>"),
            "depends on a result" + poison);
  EXPECT_EQ(withPoison("%r = vector.extract %a[-1] : i32 from vector<2xi32>"),
            "depends on a result" + poison);
  EXPECT_EQ(withPoison("%r = vector.reduction <add>, %p : vector<2xi32> into "
                       "i32"),
            "element (1): depends on a value" + poison);
  EXPECT_EQ(withPoison(R"(
    vector.store %p, %m[%i] : memref<4xi32>, vector<2xi32>
    %r = arith.constant 0 : i32)"),
            "element (1): depends on a value" + poison);
  // Of lanes with other widths those that it is a part of are.
  const char *halves = R"(
    %h = vector.bitcast %p : vector<2xi32> to vector<4xi16>
    %w = vector.bitcast %h : vector<4xi16> to vector<2xi32>)";
  EXPECT_EQ(withPoison((Twine(halves) + R"(
    %r = vector.extract %w[0] : i32 from vector<2xi32>)")
                           .str()),
            "");
  EXPECT_EQ(withPoison((Twine(halves) + R"(
    %r = vector.extract %w[1] : i32 from vector<2xi32>)")
                           .str()),
            "depends on a result" + poison);
  EXPECT_EQ(withPoison(R"(
    %w = vector.bitcast %p : vector<2xi32> to vector<1xi64>
    %x = vector.extract %w[0] : i64 from vector<1xi64>
    %r = arith.trunci %x : i64 to i32)"),
            "depends on a result" + poison);
  // A condition that is poison makes all lanes poison.
  EXPECT_EQ(withPoison(R"(
    %c = ub.poison : i1
    %s = arith.select %c, %a, %a : vector<2xi32>
    %r = vector.extract %s[0] : i32 from vector<2xi32>)"),
            "depends on a result" + poison);
  // Where it is masked off, it is not stored.
  EXPECT_EQ(withPoison(R"(
    %mask = vector.constant_mask [1] : vector<2xi1>
    vector.maskedstore %m[%i], %mask, %p
        : memref<4xi32>, vector<2xi1>, vector<2xi32>
    %r = arith.constant 0 : i32)"),
            "");
  EXPECT_EQ(withPoison(R"(
    %mask = vector.constant_mask [2] : vector<2xi1>
    %g = vector.gather %m[%i][%p], %mask, %a
        : memref<4xi32>, vector<2xi32>, vector<2xi1>, vector<2xi32>
        into vector<2xi32>
    %r = arith.constant 0 : i32)"),
            "element (0): index (6) is outside of the shape 4");
  EXPECT_EQ(withPoison(R"(
    %two = arith.constant dense<4> : vector<2xi32>
    %q = arith.subi %p, %two : vector<2xi32>
    %mask = vector.constant_mask [2] : vector<2xi1>
    %g = vector.gather %m[%i][%q], %mask, %a
        : memref<4xi32>, vector<2xi32>, vector<2xi1>, vector<2xi32>
        into vector<2xi32>
    %r = arith.constant 0 : i32)"),
            "element (1): depends on an index" + poison);
  EXPECT_EQ(withPoison(R"(
    %zero = arith.constant dense<0> : vector<2xi32>
    %mask = arith.cmpi sgt, %p, %zero : vector<2xi32>
    %g = vector.maskedload %m[%i], %mask, %a
        : memref<4xi32>, vector<2xi1>, vector<2xi32> into vector<2xi32>
    %r = arith.constant 0 : i32)"),
            "element (1): depends on a mask" + poison);
}

TEST(Vector, Unknown) {
  EXPECT_EQ(compute("%r = arith.constant dense<0.0> : vector<2x2xf32>",
                    "vector<2x2xf32>")
                .error,
            "the interpreter does not know values of type 'vector<2x2xf32>'");
  EXPECT_EQ(compute("%r = arith.constant dense<0.0> : vector<[4]xf32>",
                    "vector<[4]xf32>")
                .error,
            "the interpreter does not know values of type 'vector<[4]xf32>'");
  EXPECT_EQ(compute(R"(
    %c0 = arith.constant 0 : index
    %t = arith.constant dense<[1, 2]> : tensor<2xi32>
    %mask = vector.constant_mask [1] : vector<1xi1>
    %a = arith.constant dense<0> : vector<1xi32>
    %r = vector.gather %t[%c0][%a], %mask, %a
        : tensor<2xi32>, vector<1xi32>, vector<1xi1>, vector<1xi32>
        into vector<1xi32>)",
                    "vector<1xi32>")
                .error,
            "the interpreter does not know accesses of vectors to "
            "'tensor<2xi32>'");
  EXPECT_EQ(compute(R"(
    %a = arith.constant dense<1.0> : vector<2xf32>
    %r = affine.parallel (%i) = (0) to (4) reduce ("assign") -> (vector<2xf32>) {
      affine.yield %a : vector<2xf32>
    })",
                    "vector<2xf32>")
                .error,
            "the interpreter does not know reductions of 'vector<2xf32>'");
  EXPECT_EQ(runForError(R"(
func.func @f(%m: memref<4xf32>) {
  %i = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> vector<[4]xf32>
  return
})",
                        {numbers(K::F32, {4})}),
            "the interpreter does not know values of type 'vector<[4]xf32>'");
}

//===- TileTest.cpp - Tests of the tile dialect's meaning -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation on values against results by hand or by plain loops. Memory
// and whole kernels: TileKernelTest.cpp; errors: TileChecksTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

static Doubles values(StringRef op, std::vector<NDArray> arguments,
                      StringRef resultType = "") {
  return valuesOf(apply(op, std::move(arguments), resultType));
}

//===----------------------------------------------------------------------===//
// Retiling
//===----------------------------------------------------------------------===//

TEST(Tile, SplatAndRange) {
  EXPECT_EQ(
      values("tile.splat %0 : i8 -> tensor<2x3xi8>", {integer(K::I8, -7)}),
      (Doubles{-7, -7, -7, -7, -7, -7}));
  EXPECT_EQ(
      values("tile.splat %0 : bf16 -> tensor<1xbf16>", {scalar(K::BF16, 1.5)}),
      Doubles{1.5});
  EXPECT_EQ(values("tile.range -2 to 3 : tensor<5xi32>", {}),
            (Doubles{-2, -1, 0, 1, 2}));
  EXPECT_EQ(apply("tile.range 4294967296 to 4294967297 : tensor<1xi64>", {})
                .getInteger(0),
            int64_t(1) << 32);
}

TEST(Tile, ReshapeBroadcastTrans) {
  NDArray x = numbers(K::F32, {2, 3});
  Doubles v = valuesOf(x);
  EXPECT_EQ(
      values("tile.reshape %0 : tensor<2x3xf32> -> tensor<3x1x2xf32>", {x}), v);
  EXPECT_EQ(values("tile.broadcast %0 : tensor<3xi16> -> tensor<2x3xi16>",
                   {array(K::I16, {3}, {5, -6, 7})}),
            (Doubles{5, -6, 7, 5, -6, 7}));
  EXPECT_EQ(values("tile.broadcast %0 : tensor<2x1xf64> -> tensor<3x2x2xf64>",
                   {array(K::F64, {2, 1}, {1, 2})}),
            (Doubles{1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2}));
  EXPECT_EQ(
      values("tile.trans %0 [1, 0] : tensor<2x3xf32>", {x}, "tensor<3x2xf32>"),
      (Doubles{v[0], v[3], v[1], v[4], v[2], v[5]}));
  // Axis i of the result is axis permutation[i] of the operand.
  NDArray y = numbers(K::I32, {2, 3, 5});
  Doubles expected;
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 2; ++j)
      for (int64_t k = 0; k < 3; ++k)
        expected.push_back(y.getInteger((j * 3 + k) * 5 + i));
  EXPECT_EQ(values("tile.trans %0 [2, 0, 1] : tensor<2x3x5xi32>", {y},
                   "tensor<5x2x3xi32>"),
            expected);
}

//===----------------------------------------------------------------------===//
// Arithmetic of other dialects on tiles
//===----------------------------------------------------------------------===//

TEST(Tile, ElementwiseOnTiles) {
  NDArray a = array(K::I8, {3}, {127, -128, 5});
  NDArray b = array(K::I8, {3}, {1, -1, 5});
  EXPECT_EQ(values("arith.addi %0, %1 : tensor<3xi8>", {a, b}),
            (Doubles{-128, 127, 10}));
  EXPECT_EQ(
      values("arith.cmpi ult, %0, %1 : tensor<3xi8>", {a, b}, "tensor<3xi1>"),
      (Doubles{0, 1, 0}));
  EXPECT_EQ(values("arith.extui %0 : tensor<3xi8> to tensor<3xi64>", {a}),
            (Doubles{127, 128, 5}));
  EXPECT_EQ(values("arith.extsi %0 : tensor<3xi1> to tensor<3xi16>",
                   {array(K::I1, {3}, {1, 0, 1})}),
            (Doubles{-1, 0, -1}));
  EXPECT_EQ(
      values("arith.index_cast %0 : tensor<3xi8> to tensor<3xindex>", {a}),
      (Doubles{127, -128, 5}));
  NDArray x = array(K::F32, {3}, {1.0009765625 + 0.00048828125, kNaN, -2});
  EXPECT_EQ(values("arith.truncf %0 : tensor<3xf32> to tensor<3xf16>", {x})[0],
            1.001953125);
  EXPECT_EQ(
      values("arith.cmpf uno, %0, %0 : tensor<3xf32>", {x}, "tensor<3xi1>"),
      (Doubles{0, 1, 0}));
  EXPECT_EQ(values("arith.select %0, %1, %2 : tensor<3xi1>, tensor<3xi8>",
                   {array(K::I1, {3}, {1, 0, 1}), a, b}),
            (Doubles{127, -1, 5}));
  EXPECT_EQ(values("math.exp %0 : tensor<2xf64>", {array(K::F64, {2}, {0, 1})}),
            (Doubles{1, std::exp(1.0)}));
}

TEST(Tile, LoopsCarryTiles) {
  // Doubles a tile until an element reaches 100.
  EXPECT_EQ(only(run(R"(
func.func @f(%x: tensor<3xi32>) -> tensor<3xi32> {
  %c100 = arith.constant 100 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %x) -> tensor<3xi32> {
    %odd = arith.cmpi eq, %i, %c1 : index
    %u = scf.if %odd -> tensor<3xi32> {
      %r = tile.trans %t [0] : tensor<3xi32>
      scf.yield %r : tensor<3xi32>
    } else {
      %d = arith.addi %t, %t : tensor<3xi32>
      scf.yield %d : tensor<3xi32>
    }
    scf.yield %u : tensor<3xi32>
  }
  %z = scf.while (%t = %y) : (tensor<3xi32>) -> tensor<3xi32> {
    %m = tile.reduce max %t axis 0 : tensor<3xi32>
    %more = arith.cmpi slt, %m, %c100 : i32
    scf.condition(%more) %t : tensor<3xi32>
  } do {
  ^bb0(%t: tensor<3xi32>):
    %d = arith.addi %t, %t : tensor<3xi32>
    scf.yield %d : tensor<3xi32>
  }
  return %z : tensor<3xi32>
})",
                     {array(K::I32, {3}, {1, -2, 7})})),
            (Doubles{16, -32, 112}));
}

//===----------------------------------------------------------------------===//
// dot
//===----------------------------------------------------------------------===//

/// acc + a @ b by its definition, where all numbers are small integers.
static Doubles multiply(const NDArray &a, const NDArray &b,
                        const NDArray &acc) {
  Doubles x = valuesOf(a), y = valuesOf(b), sums = valuesOf(acc);
  int64_t rank = acc.getShape().size();
  int64_t rows = acc.getShape()[rank - 2], columns = acc.getShape()[rank - 1];
  int64_t depth = a.getShape()[rank - 1];
  for (auto [i, sum] : llvm::enumerate(sums)) {
    int64_t column = i % columns, row = i / columns % rows;
    int64_t batch = i / columns / rows;
    for (int64_t k = 0; k < depth; ++k)
      sum += x[(batch * rows + row) * depth + k] *
             y[(batch * depth + k) * columns + column];
  }
  return sums;
}

TEST(Tile, DotOfEachType) {
  struct Row {
    K operand, result;
  };
  for (auto [operand, result] :
       {Row{K::F16, K::F32}, Row{K::F16, K::F16}, Row{K::BF16, K::F32},
        Row{K::BF16, K::BF16}, Row{K::F32, K::F32}, Row{K::F64, K::F64},
        Row{K::I8, K::I32}}) {
    for (Shape batch : {Shape{}, Shape{2, 3}}) {
      auto make = [&](K kind, int64_t rows, int64_t columns) {
        Shape shape = batch;
        shape.insert(shape.end(), {rows, columns});
        return numbers(kind, shape);
      };
      // Sums stay below 2^8, which bf16 holds.
      NDArray a = make(operand, 5, 3), b = make(operand, 3, 7);
      NDArray acc = make(result, 5, 7);
      std::string op = "tile.dot %0, %1, %2 : " + typeOf(a) + ", " + typeOf(b) +
                       ", " + typeOf(acc);
      EXPECT_EQ(values(op, {a, b, acc}), multiply(a, b, acc)) << op;
    }
  }
}

TEST(Tile, DotRounding) {
  auto dot = [](K operand, K result, double a0, double a1, double acc) {
    return values(
        "tile.dot %0, %1, %2 : tensor<1x2x" + getElementName(operand).str() +
            ">, tensor<2x1x" + getElementName(operand).str() +
            ">, tensor<1x1x" + getElementName(result).str() + ">",
        {array(operand, {1, 2}, {a0, a1}), array(operand, {2, 1}, {1, 1}),
         array(result, {1, 1}, {acc})})[0];
  };
  // 2048 + 1 rounds to 2048 in f16, but sums are formed in f32.
  EXPECT_EQ(dot(K::F16, K::F16, 1, 1, 2048), 2050);
  EXPECT_EQ(dot(K::F16, K::F32, 1, 0, 2048), 2049);
  EXPECT_EQ(dot(K::BF16, K::BF16, 1, 1, 256), 258);
  // In f32 sums are formed in f32, in f64 not.
  EXPECT_EQ(dot(K::F32, K::F32, 1, 1, 16777216), 16777216);
  EXPECT_EQ(dot(K::F64, K::F64, 1, 1, 16777216), 16777218);
  // Integers wrap.
  EXPECT_EQ(dot(K::I8, K::I32, 127, 1, 2147483647), -2147483521.0);
}

TEST(Tile, DotTellsTheLengthOfSums) {
  auto outcome = run(R"(
func.func @f(%a: tensor<2x5xf32>, %b: tensor<5x2xf32>, %c: tensor<2x2xf32>)
    -> tensor<2x2xf32> {
  %d = tile.dot %a, %b, %c
      : tensor<2x5xf32>, tensor<5x2xf32>, tensor<2x2xf32>
  return %d : tensor<2x2xf32>
})",
                     {numbers(K::F32, {2, 5}), numbers(K::F32, {5, 2}),
                      numbers(K::F32, {2, 2})});
  EXPECT_EQ(outcome.longestReduction, 5);
}

//===----------------------------------------------------------------------===//
// reduce and scan
//===----------------------------------------------------------------------===//

TEST(Tile, ReduceEachCombiner) {
  auto reduce = [](StringRef combiner, const NDArray &x) {
    return values("tile.reduce " + combiner.str() + " %0 axis 0 : " + typeOf(x),
                  {x}, getElementName(x.getKind()))[0];
  };
  NDArray x = array(K::I8, {3}, {-3, 100, 50});
  EXPECT_EQ(reduce("add", x), 147 - 256);
  EXPECT_EQ(reduce("mul", array(K::I8, {3}, {-3, 100, 2})), -600 + 512);
  EXPECT_EQ(reduce("max", x), 100);
  EXPECT_EQ(reduce("min", x), -3);
  EXPECT_EQ(reduce("umax", x), -3);
  EXPECT_EQ(reduce("umin", x), 50);
  EXPECT_EQ(reduce("and", array(K::I32, {3}, {7, 14, 6})), 6);
  EXPECT_EQ(reduce("or", array(K::I32, {3}, {1, 4, 1})), 5);
  EXPECT_EQ(reduce("xor", array(K::I1, {3}, {1, 1, 1})), 1);
  NDArray y = array(K::F32, {4}, {-0.0, 2, 0.0, -5});
  EXPECT_EQ(reduce("add", y), -3);
  EXPECT_EQ(reduce("mul", array(K::F64, {2}, {3, -5})), -15);
  EXPECT_EQ(reduce("max", y), 2);
  EXPECT_EQ(reduce("min", y), -5);
  EXPECT_TRUE(std::isnan(reduce("max", array(K::F16, {3}, {1, kNaN, 2}))));
  EXPECT_FALSE(std::signbit(reduce("max", array(K::F32, {2}, {-0.0, 0.0}))));
}

TEST(Tile, ReduceEachAxis) {
  NDArray x = numbers(K::I64, {2, 3, 5});
  Shape sizes = {2, 3, 5};
  for (int64_t axis = 0; axis < 3; ++axis) {
    int64_t inner = axis == 2 ? 1 : axis == 1 ? 5 : 15;
    Doubles expected(30 / sizes[axis], 0);
    for (int64_t i = 0; i < 30; ++i)
      expected[i / (inner * sizes[axis]) * inner + i % inner] +=
          x.getInteger(i);
    Shape rest = sizes;
    rest.erase(rest.begin() + axis);
    EXPECT_EQ(values("tile.reduce add %0 axis " + std::to_string(axis) +
                         " : tensor<2x3x5xi64>",
                     {x},
                     "tensor<" + std::to_string(rest[0]) + "x" +
                         std::to_string(rest[1]) + "xi64>"),
              expected);
  }
}

TEST(Tile, Scan) {
  NDArray x = array(K::I32, {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values("tile.scan add %0 axis 1 : tensor<2x3xi32>", {x}),
            (Doubles{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(values("tile.scan add %0 axis 1 reverse : tensor<2x3xi32>", {x}),
            (Doubles{6, 5, 3, 15, 11, 6}));
  EXPECT_EQ(values("tile.scan mul %0 axis 0 : tensor<2x3xi32>", {x}),
            (Doubles{1, 2, 3, 4, 10, 18}));
  EXPECT_EQ(values("tile.scan max %0 axis 0 reverse : tensor<4xf32>",
                   {array(K::F32, {4}, {3, 1, 2, -1})}),
            (Doubles{3, 2, 2, -1}));
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

/// Both results of a cmpp, one after the other.
static Doubles compare(StringRef predicate, const NDArray &x,
                       const NDArray &y) {
  std::string type = typeOf(x);
  std::string mask = "tensor<" + std::to_string(x.getNumElements()) + "xi1>";
  auto outcome = run("func.func @f(%x: " + type + ", %y: " + type + ") -> (" +
                         mask + ", " + mask + ") {\n%t, %e = tile.cmpp " +
                         predicate.str() + " %x, %y : " + type +
                         "\nreturn %t, %e : " + mask + ", " + mask + "\n}",
                     {x, y});
  EXPECT_EQ(outcome.error, "");
  Doubles results;
  for (const NDArray &result : outcome.results)
    for (double value : valuesOf(result))
      results.push_back(value);
  return results;
}

TEST(Tile, CmppGivesOpposites) {
  NDArray x = array(K::F32, {4}, {1, 2, 3, kNaN});
  NDArray y = array(K::F32, {4}, {2, 2, 2, 2});
  EXPECT_EQ(compare("olt", x, y), (Doubles{1, 0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(compare("uge", x, y), (Doubles{0, 1, 1, 1, 1, 0, 0, 0}));
  NDArray i = array(K::I16, {3}, {-1, 0, 1}), j = array(K::I16, {3}, {0, 0, 0});
  EXPECT_EQ(compare("slt", i, j), (Doubles{1, 0, 0, 0, 1, 1}));
  EXPECT_EQ(compare("ult", i, j), (Doubles{0, 0, 0, 1, 1, 1}));
}

TEST(Tile, PsiTakesTheLastTrue) {
  NDArray x = array(K::F32, {4}, {1, 2, 3, 4});
  NDArray y = array(K::F32, {4}, {5, 6, 7, 8});
  EXPECT_EQ(values("tile.psi %0 ? %2, %1 ? %3 : tensor<4xi1>, tensor<4xf32>",
                   {array(K::I1, {4}, {1, 0, 1, 1}),
                    array(K::I1, {4}, {0, 1, 1, 0}), x, y}),
            (Doubles{1, 6, 7, 4}));
  // Predicates that are scalars choose whole tiles.
  for (int64_t second : {0, 1})
    EXPECT_EQ(values("tile.psi %0 ? %2, %1 ? %3 : i1, tensor<4xf32>",
                     {integer(K::I1, 1), integer(K::I1, second), x, y}),
              valuesOf(second ? y : x));
  EXPECT_EQ(whole("tile.psi %0 ? %1 : i1, i64",
                  {integer(K::I1, 1), integer(K::I64, 9)}),
            9);
}

TEST(Tile, PoisonMayBeMergedAway) {
  // The first psi is poison where %p is false; the second takes its elements
  // only where it is not, and select as well.
  EXPECT_EQ(
      only(run(R"(
func.func @f(%p: tensor<3xi1>, %q: tensor<3xi1>, %x: tensor<3xf32>)
    -> tensor<3xf32> {
  %a = tile.psi %p ? %x : tensor<3xi1>, tensor<3xf32>
  %b = arith.addf %a, %a : tensor<3xf32>
  %c = tile.reshape %b : tensor<3xf32> -> tensor<3x1xf32>
  %d = tile.reshape %c : tensor<3x1xf32> -> tensor<3xf32>
  %e = tile.psi %p ? %d, %q ? %x : tensor<3xi1>, tensor<3xf32>
  %f = arith.select %p, %d, %e : tensor<3xi1>, tensor<3xf32>
  return %f : tensor<3xf32>
})",
               {array(K::I1, {3}, {1, 0, 1}), array(K::I1, {3}, {0, 1, 0}),
                array(K::F32, {3}, {1, 2, 3})})),
      (Doubles{2, 2, 6}));
}

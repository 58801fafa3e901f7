//===- AMXTest.cpp - Registers of a matrix unit in the interpreter --------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products by hand, in the order in which hardware adds, and where registers
// are in memory.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

/// What `ops` leave in the last of `arguments`, %c; the others are %a and %b,
/// and %z is the index 0.
static Doubles memoryAfter(StringRef ops, std::vector<NDArray> arguments,
                           std::string &error) {
  std::string text = "func.func @f(";
  for (auto [name, array] : llvm::zip("abc", arguments))
    text += (name == 'a' ? "%" : ", %") + std::string(1, name) + ": memref<" +
            shapeToString(array.getShape(), array.getKind()) + ">";
  error = runInPlace(text + ") {\n%z = arith.constant 0 : index\n" + ops.str() +
                         "\nreturn\n}",
                     arguments)
              .error;
  return valuesOf(arguments.back());
}

/// `product` of registers that are all of %a, %b and %c, which takes the
/// result.
static Doubles multiply(StringRef product, StringRef lhs, StringRef rhs,
                        StringRef sums, std::vector<NDArray> arguments) {
  auto load = [&](StringRef name, StringRef type) {
    StringRef shape = type.split('<').second;
    return ("%" + name + "t = amx.tile_load %" + name + "[%z, %z] : memref<" +
            shape + " into " + type + "\n")
        .str();
  };
  std::string error;
  Doubles result = memoryAfter(
      load("a", lhs) + load("b", rhs) + load("c", sums) +
          "%r = " + product.str() + " : " + lhs.str() + ", " + rhs.str() +
          ", " + sums.str() + "\namx.tile_store %c[%z, %z], %r : memref<" +
          sums.split('<').second.str() + ", " + sums.str(),
      std::move(arguments), error);
  EXPECT_EQ(error, "");
  return result;
}

TEST(AMX, ProductsOfPairs) {
  // Element (k, n) of the second operand is 10 k + n: a row has those of two k.
  EXPECT_EQ(multiply("amx.tile_mulf %at, %bt, %ct", "!amx.tile<2x4xbf16>",
                     "!amx.tile<2x6xbf16>", "!amx.tile<2x3xf32>",
                     {array(K::BF16, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}),
                      array(K::BF16, {2, 6},
                            {0, 10, 1, 11, 2, 12, 20, 30, 21, 31, 22, 32}),
                      array(K::F32, {2, 3}, {1000, 0, 0, 0, 0, 2000})}),
            (Doubles{1200, 210, 220, 440, 466, 2492}));
  // Even and odd steps by themselves: one after the other, 2^24 + 1 would be
  // rounded, and the sum 1.
  EXPECT_EQ(multiply("amx.tile_mulf %at, %bt, %ct", "!amx.tile<1x4xbf16>",
                     "!amx.tile<2x2xbf16>", "!amx.tile<1x1xf32>",
                     {array(K::BF16, {1, 4}, {4096, 1, -4096, 1}),
                      array(K::BF16, {2, 2}, {4096, 1, 4096, 1}),
                      array(K::F32, {1, 1}, {0})}),
            (Doubles{2}));
}

TEST(AMX, ProductsOfBytes) {
  std::vector<NDArray> arguments = {
      array(K::I8, {1, 4}, {-1, 2, 3, -128}),
      array(K::I8, {1, 8}, {1, 1, 1, 1, -1, 0, 0, 127}),
      array(K::I32, {1, 2}, {10, 20})};
  auto get = [&](StringRef product) {
    return multiply(product, "!amx.tile<1x4xi8>", "!amx.tile<1x8xi8>",
                    "!amx.tile<1x2xi32>", arguments);
  };
  EXPECT_EQ(get("amx.tile_muli %at, %bt, %ct"),
            (Doubles{10 - 124, 20 + 1 - 128 * 127}));
  EXPECT_EQ(get("amx.tile_muli %at zext, %bt, %ct"),
            (Doubles{10 + 388, 20 - 255 + 128 * 127}));
  EXPECT_EQ(get("amx.tile_muli %at, %bt zext, %ct"),
            (Doubles{10 - 124, 20 - 255 - 128 * 127}));
  EXPECT_EQ(get("amx.tile_muli %at zext, %bt zext, %ct"),
            (Doubles{10 + 388, 20 + 255 * 255 + 128 * 127}));
}

TEST(AMX, Memory) {
  std::string error;
  auto copy = [&](StringRef stride) {
    return memoryAfter(("%s = arith.constant " + stride + R"( : index
    %one = arith.constant 1 : index
    %t = amx.tile_load %a[%one], %s : memref<10xi32> into !amx.tile<2x3xi32>
    amx.tile_store %b[%one, %z], %t : memref<3x3xi32>, !amx.tile<2x3xi32>)")
                           .str(),
                       {numbers(K::I32, {10}), numbers(K::I32, {3, 3})}, error);
  };
  Doubles read = valuesOf(numbers(K::I32, {10}));
  Doubles kept = valuesOf(numbers(K::I32, {3, 3}));
  EXPECT_EQ(copy("4"), (Doubles{kept[0], kept[1], kept[2], read[1], read[2],
                                read[3], read[5], read[6], read[7]}));
  EXPECT_EQ(error, "");
  // The same row again.
  EXPECT_EQ(copy("0")[6], read[1]);
  copy("8");
  EXPECT_EQ(error, "element (1, 1): index (10) is outside of the shape 10");
  EXPECT_EQ(memoryAfter(R"(
    %t = amx.tile_zero : !amx.tile<2x3xf32>
    amx.tile_store %a[%z, %z], %t : memref<2x4xf32>, !amx.tile<2x3xf32>)",
                        {array(K::F32, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})},
                        error),
            (Doubles{0, 0, 0, 4, 0, 0, 0, 8}));
  EXPECT_EQ(error, "");
}

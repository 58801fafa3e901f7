//===- TilePointersTest.cpp - Tests of casts of pointers ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses, and elements of other types than an argument has, are in bounds
// and aligned, or an error says what they are.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

#include <limits>

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

/// The error of programs on two arrays of 6 elements, %p and %q; %id is the
/// number of the program.
static std::string pointerError(StringRef body, Grid grid = {1, 1, 1},
                                StringRef q = "") {
  std::string kernel =
      ("func.func @k(%p: !tile.ptr<i32>, %q: !tile.ptr<i32> {" + q +
       R"(}) attributes {tile.kernel} {
  %c4 = arith.constant 4 : i32
  %id = tile.program_id x
)" + body +
       "\n  return\n}")
          .str();
  return kernelError(kernel, grid,
                     {numbers(K::I32, {6}), numbers(K::I32, {2, 3})});
}

TEST(TilePointers, Addresses) {
  // %a: the address of argument 1 plus so many bytes; %r points there.
  auto error = [](int64_t bytes, StringRef body, StringRef q = "") {
    return pointerError(("%bytes = arith.constant " + Twine(bytes) + R"( : i64
  %b = tile.ptr_to_int %q : !tile.ptr<i32> -> i64
  %a = arith.addi %b, %bytes : i64
  %r = tile.int_to_ptr %a : i64 -> !tile.ptr<i32>
)" + body)
                            .str(),
                        {1, 1, 1}, q);
  };
  StringRef load = "%x = tile.load %r : !tile.ptr<i32>";
  EXPECT_EQ(error(0, load), "");
  EXPECT_EQ(error(20, load), "");
  EXPECT_EQ(error(24, load),
            "is out of bounds: points at 4 bytes from byte 24 of the memory "
            "that argument 1 is in, which no argument has, in program (0, 0, "
            "0) of @k");
  EXPECT_EQ(error(-4, load),
            "is out of bounds: points at 4 bytes from byte -4 of the memory "
            "that argument 1 is in, which no argument has, in program (0, 0, "
            "0) of @k");
  EXPECT_EQ(error(6, load),
            "is not aligned: points at an address 6 bytes into memory that is "
            "aligned to 256 bytes, expected a multiple of 4 for elements of "
            "i32, in program (0, 0, 0) of @k");
  EXPECT_EQ(error(4, "tile.store %r, %c4 : !tile.ptr<i32>", "tile.readonly"),
            "writes element (1) of argument 1, expected no write to what "
            "argument 1 points at, which is tile.readonly, in program (0, 0, "
            "0) of @k");
  // From an address to before the memory, and back into it.
  EXPECT_EQ(error(8, R"(
  %c = arith.constant -3 : i32
  %d = arith.constant 1 : i32
  %s = tile.addptr %r, %c : !tile.ptr<i32>, i32
  %t = tile.addptr %s, %d : !tile.ptr<i32>, i32
  %x = tile.load %t : !tile.ptr<i32>)"),
            "");
  // Far away, null, and where nothing ever is.
  EXPECT_EQ(error(int64_t(7) << 44, load),
            "uses address " + std::to_string(int64_t(9) << 44) +
                ", which is in the memory of no argument of the kernel, in "
                "program (0, 0, 0) of @k");
  auto made = [](int64_t address) {
    return pointerError(("%a = arith.constant " + Twine(address) + R"( : i64
  %r = tile.int_to_ptr %a : i64 -> !tile.ptr<i32>
  %x = tile.load %r : !tile.ptr<i32>)")
                            .str());
  };
  EXPECT_EQ(made(0), "uses address 0, which is in the memory of no argument of "
                     "the kernel, in program (0, 0, 0) of @k");
  EXPECT_EQ(made(-1), "uses address -1, which is in the memory of no argument "
                      "of the kernel, in program (0, 0, 0) of @k");
  for (int64_t far : {std::numeric_limits<int64_t>::min(),
                      std::numeric_limits<int64_t>::max(), int64_t(1) << 62})
    EXPECT_NE(made(far), "") << far;
}

TEST(TilePointers, ElementsOfOtherKinds) {
  // %r: a pointer to a type, so many bytes behind the beginning of argument 0.
  auto error = [](StringRef type, int64_t bytes, StringRef rest) {
    return pointerError(("%bytes = arith.constant " + Twine(bytes) + R"( : i32
  %p8 = tile.ptr_to_ptr %p : !tile.ptr<i32> -> !tile.ptr<i8>
  %r8 = tile.addptr %p8, %bytes : !tile.ptr<i8>, i32
  %r = tile.ptr_to_ptr %r8 : !tile.ptr<i8> -> !tile.ptr<)" +
                         type + ">\n" + rest)
                            .str());
  };
  auto load = [&](StringRef type, int64_t bytes) {
    return error(type, bytes,
                 ("%x = tile.load %r : !tile.ptr<" + type + ">").str());
  };
  EXPECT_EQ(load("i64", 16), "");
  EXPECT_EQ(load("i8", 23), "");
  EXPECT_EQ(load("i64", 20),
            "is out of bounds: points at 8 bytes from byte 20 of argument 0, "
            "which has 24 bytes, in program (0, 0, 0) of @k");
  EXPECT_EQ(load("f16", -2),
            "is out of bounds: points at 2 bytes from byte -2 of argument 0, "
            "which has 24 bytes, in program (0, 0, 0) of @k");
  EXPECT_EQ(load("f16", 3),
            "is not aligned: points at an address 3 bytes into memory that is "
            "aligned to 256 bytes, expected a multiple of 2 for elements of "
            "f16, in program (0, 0, 0) of @k");
  EXPECT_EQ(load("i32", 2),
            "is not aligned: points at an address 2 bytes into memory that is "
            "aligned to 256 bytes, expected a multiple of 4 for elements of "
            "i32, in program (0, 0, 0) of @k");
  // Two programs write one byte, as part of an i32 and by itself.
  EXPECT_EQ(pointerError(R"(
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i8
  %isFirst = arith.cmpi eq, %id, %c0 : i32
  %isOther = arith.cmpi ne, %id, %c0 : i32
  tile.store %p, %c1 mask %isFirst : !tile.ptr<i32>
  %p8 = tile.ptr_to_ptr %p : !tile.ptr<i32> -> !tile.ptr<i8>
  %r8 = tile.addptr %p8, %c1 : !tile.ptr<i8>, i32
  tile.store %r8, %c2 mask %isOther : !tile.ptr<i8>)",
                         {2, 1, 1}),
            "writes element (0) of argument 0, which program (0, 0, 0) writes "
            "in the same launch, whose programs have no order, in program (1, "
            "0, 0) of @k");
}

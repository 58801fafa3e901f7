//===- AddressTest.cpp - Tests of memory by its address -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops that lowered kernels access memory by, and accesses that leave it.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

/// A function that does `body` with %p, the address %n bytes after the first
/// element of row 1 of %m.
static std::string program(StringRef body) {
  return (R"(
func.func @f(%m: memref<2x3xi32>, %n: i64) {
  %row = memref.subview %m[1, 0] [1, 3] [1, 1]
      : memref<2x3xi32> to memref<3xi32, strided<[1], offset: 3>>
  %base = memref.extract_aligned_pointer_as_index %row
      : memref<3xi32, strided<[1], offset: 3>> -> index
  %start = arith.index_cast %base : index to i64
  %c12 = arith.constant 12 : i64
  %at = arith.addi %start, %c12 : i64
  %address = arith.addi %at, %n : i64
  %p = llvm.inttoptr %address : i64 to !llvm.ptr
)" + body +
          "\n  return\n}")
      .str();
}

TEST(Address, LoadStoreAtomics) {
  auto after = [](StringRef kind, int64_t element, int64_t value) {
    std::vector<NDArray> arguments = {array(K::I32, {2, 3}, {1, 2, 3, 4, 5, 6}),
                                      integer(K::I64, element * 4)};
    auto outcome = runInPlace(program(("%x = llvm.load %p : !llvm.ptr -> i32\n"
                                       "%c = arith.constant " +
                                       Twine(value) +
                                       " : i32\n"
                                       "%old = llvm.atomicrmw " +
                                       kind +
                                       " %p, %c monotonic : !llvm.ptr, i32\n"
                                       "%same = arith.cmpi eq, %old, %x : i32\n"
                                       "cf.assert %same, \"the old element\"")
                                          .str()),
                              arguments);
    EXPECT_EQ(outcome.error, "");
    return arguments[0].getInteger(3 + element);
  };
  EXPECT_EQ(after("add", 0, 10), 14);
  EXPECT_EQ(after("xchg", 1, 10), 10);
  EXPECT_EQ(after("max", 2, -1), 6);
  EXPECT_EQ(after("umax", 2, -1), -1);
  EXPECT_EQ(after("min", -1, -1), -1);
  EXPECT_EQ(after("umin", -1, -1), 3);
  EXPECT_EQ(after("_and", 1, 12), 4);
  EXPECT_EQ(after("_or", 1, 12), 13);
  EXPECT_EQ(after("_xor", 1, 12), 9);

  std::vector<NDArray> arguments = {numbers(K::I32, {2, 3}),
                                    integer(K::I64, 8)};
  auto outcome = runInPlace(program("%c = arith.constant 77 : i16\n"
                                    "llvm.store %c, %p : i16, !llvm.ptr"),
                            arguments);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(arguments[0].getInteger(5) & 0xffff, 77);
}

TEST(Address, Errors) {
  auto error = [](StringRef body, int64_t n) {
    return runForError(program(body),
                       {numbers(K::I32, {2, 3}), integer(K::I64, n)});
  };
  StringRef outside =
      "accesses an address that is in no memory whose address was taken";
  StringRef load = "%x = llvm.load %p : !llvm.ptr -> i32";
  EXPECT_EQ(error(load, 8), "");
  EXPECT_EQ(error(load, 10), outside); // two of four bytes
  EXPECT_EQ(error(load, -13), outside);
  EXPECT_EQ(error("%c = arith.constant 1 : i32\n"
                  "llvm.store %c, %p : i32, !llvm.ptr",
                  12),
            outside);
  EXPECT_EQ(error("%c = arith.constant 1 : i32\n"
                  "%x = llvm.atomicrmw nand %p, %c monotonic : !llvm.ptr, i32",
                  0),
            "the interpreter does not know the operation 'nand'");
  EXPECT_EQ(runForError(R"(
func.func @f() {
  %m = memref.alloc() : memref<3xf32>
  %a = memref.extract_aligned_pointer_as_index %m : memref<3xf32> -> index
  %i = arith.index_cast %a : index to i64
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  memref.dealloc %m : memref<3xf32>
  %x = llvm.load %p : !llvm.ptr -> f32
  return
})"),
            "uses memory that was freed");
}

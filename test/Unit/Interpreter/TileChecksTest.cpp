//===- TileChecksTest.cpp - Tests of what kernels must not do -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each error says what was found, for which element, in which program.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

/// A kernel on pointers %p and %q with %i = 0..3 of 4 elements plus 4 times the
/// program, and %pi and %qi the pointers moved by it.
static std::string kernel(StringRef body, StringRef p = "", StringRef q = "") {
  return ("func.func @k(%p: !tile.ptr<i32> {" + p + "}, %q: !tile.ptr<i32> {" +
          q + R"(}) attributes {tile.kernel} {
  %c4 = arith.constant 4 : i32
  %id = tile.program_id x
  %start = arith.muli %id, %c4 : i32
  %first = tile.splat %start : i32 -> tensor<4xi32>
  %lane = tile.range 0 to 4 : tensor<4xi32>
  %i = arith.addi %first, %lane : tensor<4xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %pi = tile.addptr %ps, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %qi = tile.addptr %qs, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
)" + body +
          "\n  return\n}")
      .str();
}

/// The error of the kernel on arrays of 6 elements.
static std::string errorIn(StringRef body, Grid grid = {1, 1, 1},
                           StringRef p = "", StringRef q = "") {
  return kernelError(kernel(body, p, q), grid,
                     {numbers(K::I32, {6}), numbers(K::I32, {2, 3})});
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

TEST(TileChecks, Bounds) {
  EXPECT_EQ(errorIn("%x = tile.load %pi : tensor<4x!tile.ptr<i32>>"), "");
  EXPECT_EQ(errorIn("%x = tile.load %qi : tensor<4x!tile.ptr<i32>>", {2, 1, 1}),
            "element (2): is out of bounds: points at element 6 of argument 1, "
            "which has 6 elements, in program (1, 0, 0) of @k");
  EXPECT_EQ(errorIn("tile.store %pi, %i : tensor<4x!tile.ptr<i32>>", {2, 1, 1}),
            "element (2): is out of bounds: points at element 6 of argument 0, "
            "which has 6 elements, in program (1, 0, 0) of @k");
  // Below the first element, and for a scalar.
  EXPECT_EQ(errorIn(R"(
  %c = arith.constant -1 : i32
  %a = tile.addptr %q, %c : !tile.ptr<i32>, i32
  %x = tile.atomic_rmw add %a, %c : !tile.ptr<i32>)"),
            "is out of bounds: points at element -1 of argument 1, which has 6 "
            "elements, in program (0, 0, 0) of @k");
  EXPECT_EQ(errorIn(R"(
  %t = tile.reshape %pi : tensor<4x!tile.ptr<i32>> -> tensor<2x2x!tile.ptr<i32>>
  %three = arith.constant dense<3> : tensor<2x2xi32>
  %u = tile.addptr %t, %three : tensor<2x2x!tile.ptr<i32>>, tensor<2x2xi32>
  %x = tile.load %u : tensor<2x2x!tile.ptr<i32>>)"),
            "element (1, 1): is out of bounds: points at element 6 of argument "
            "0, which has 6 elements, in program (0, 0, 0) of @k");
}

TEST(TileChecks, PointersKeepTheirArgument) {
  EXPECT_EQ(errorIn(R"(
  %c = arith.constant 1000000000000000 : i64
  %a = tile.addptr %p, %c : !tile.ptr<i32>, i64)"),
            "moves a pointer by 1000000000000000 elements, too far away from "
            "what it points at, in program (0, 0, 0) of @k");
  EXPECT_EQ(errorIn(R"(
  %c = arith.constant -9223372036854775807 : i64
  %a = tile.addptr %p, %c : !tile.ptr<i32>, i64)"),
            "moves a pointer by -9223372036854775807 elements, too far away "
            "from what it points at, in program (0, 0, 0) of @k");
  for (StringRef use : {"%x = tile.load %e : tensor<2x!tile.ptr<i32>>",
                        "%x = tile.assume %e {divisibility = array<i64: 4>} : "
                        "tensor<2x!tile.ptr<i32>>"})
    EXPECT_EQ(
        errorIn(
            ("%e = tensor.empty() : tensor<2x!tile.ptr<i32>>\n" + use).str()),
        "element (0): uses a pointer that comes from no argument of the "
        "kernel, in program (0, 0, 0) of @k");
}

TEST(TileChecks, ViewsOutsideOfTheTile) {
  EXPECT_EQ(kernelError(R"(
func.func @k(%m: memref<3x4x5xf32>) attributes {tile.kernel} {
  %id = tile.program_id z
  %i = arith.index_cast %id : i32 to index
  %t = tile.load_view %m[%i, %i, %i] axes [0, 2]
      : memref<3x4x5xf32> -> tensor<2x2xf32>
  return
})",
                        {1, 1, 5}, {numbers(K::F32, {3, 4, 5})}),
            "is out of bounds: index 4 along axis 1, which is none of the "
            "tile, of a memref of shape 3x4x5, in program (0, 0, 4) of @k");
}

//===----------------------------------------------------------------------===//
// Memory that nothing has written
//===----------------------------------------------------------------------===//

/// The error of a host function that fills the first 3 of 4 elements of %m.
static std::string errorOfHost(StringRef kernel) {
  return runForError((R"(
func.func @host() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    memref.store %one, %m[%i] : memref<4xf32>
  }
  %n = memref.alloc() : memref<4xf32>
  memref.copy %m, %n : memref<4xf32> to memref<4xf32>
  tile.launch @k grid(%c1, %c1, %c1) (%n) : memref<4xf32>
  return
})" + kernel)
                         .str());
}

TEST(TileChecks, UnwrittenMemory) {
  EXPECT_EQ(errorOfHost(R"(
func.func @k(%m: memref<4xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %t = tile.load_view %m[%c0] : memref<4xf32> -> tensor<3xf32>
  %u = tile.load_view %m[%c0] : memref<4xf32> -> tensor<8xf32>
  return
})"),
            "element (3): reads element (3) of argument 0, which nothing has "
            "written, in program (0, 0, 0) of @k");
  EXPECT_EQ(errorOfHost(R"(
func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c3 = arith.constant 3 : i32
  %q = tile.addptr %p, %c3 : !tile.ptr<f32>, i32
  %x = tile.load %q : !tile.ptr<f32>
  return
})"),
            "reads element (3) of argument 0, which nothing has written, in "
            "program (0, 0, 0) of @k");
  EXPECT_EQ(errorOfHost(R"(
func.func @k(%m: memref<4xf32>) attributes {tile.kernel} {
  %c3 = arith.constant 3 : index
  %x = memref.load %m[%c3] : memref<4xf32>
  return
})"),
            "reads element (3) of argument 0, which nothing has written, in "
            "program (0, 0, 0) of @k");
  // What the kernel itself wrote may be read.
  EXPECT_EQ(errorOfHost(R"(
func.func @k(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %c3 = arith.constant 3 : i32
  %x = tile.load %p : !tile.ptr<f32>
  %q = tile.addptr %p, %c3 : !tile.ptr<f32>, i32
  tile.store %q, %x : !tile.ptr<f32>
  %y = tile.atomic_rmw add %q, %x : !tile.ptr<f32>
  return
})"),
            "");
  EXPECT_EQ(errorOfHost(R"(
func.func @k(%m: memref<4xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %l = memref.alloca() : memref<2xf32>
  %x = tile.load_view %l[%c0] : memref<2xf32> -> tensor<2xf32>
  return
})"),
            "element (0): reads element (0) of a memref, which nothing has "
            "written, in program (0, 0, 0) of @k");
}

//===----------------------------------------------------------------------===//
// The order of programs
//===----------------------------------------------------------------------===//

TEST(TileChecks, TwoElementsOfAStore) {
  EXPECT_EQ(errorIn("tile.store %ps, %i : tensor<4x!tile.ptr<i32>>"),
            "element (1): writes element (0) of argument 0, which another "
            "element of this op writes as well, in program (0, 0, 0) of @k");
  // Under a mask only one is left; a second store may overwrite the first.
  EXPECT_EQ(errorIn(R"(
  %m = arith.constant dense<[false, true, false, false]> : tensor<4xi1>
  tile.store %ps, %i mask %m : tensor<4x!tile.ptr<i32>>
  tile.store %ps, %i mask %m : tensor<4x!tile.ptr<i32>>)"),
            "");
  EXPECT_EQ(
      kernelError(R"(
func.func @k(%m: memref<2x3xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [2, 2], strides: [1, 1]
      : memref<2x3xf32> to memref<2x2xf32, strided<[1, 1]>>
  %x = arith.constant dense<1.0> : tensor<2x2xf32>
  tile.store_view %x, %v[%c0, %c0]
      : tensor<2x2xf32>, memref<2x2xf32, strided<[1, 1]>>
  return
})",
                  {1, 1, 1}, {numbers(K::F32, {2, 3})}),
      "element (1, 0): writes element (0, 1) of argument 0, which another "
      "element of this op writes as well, in program (0, 0, 0) of @k");
}

TEST(TileChecks, TwoPrograms) {
  const char *suffix =
      " in the same launch, whose programs have no order, in program "
      "(0, 1, 0) of @k";
  auto conflict = [&](StringRef first, StringRef second) {
    // The second program of the y axis does what `second` says.
    return errorIn((R"(
  %y = tile.program_id y
  %zero = arith.constant 0 : i32
  %is = arith.cmpi eq, %y, %zero : i32
  scf.if %is {
    )" + first + R"(
  } else {
    )" + second + R"(
  })")
                       .str(),
                   {1, 2, 1});
  };
  StringRef load = "%x = tile.load %pi : tensor<4x!tile.ptr<i32>>";
  StringRef store = "tile.store %pi, %i : tensor<4x!tile.ptr<i32>>";
  StringRef add = "%x = tile.atomic_rmw add %pi, %i : tensor<4x!tile.ptr<i32>>";
  EXPECT_EQ(conflict(load, load), "");
  EXPECT_EQ(conflict(add, add), "");
  EXPECT_EQ(conflict(store, store),
            std::string("element (0): writes element (0) of argument 0, which "
                        "program (0, 0, 0) writes") +
                suffix);
  EXPECT_EQ(conflict(load, store),
            std::string("element (0): writes element (0) of argument 0, which "
                        "program (0, 0, 0) reads") +
                suffix);
  EXPECT_EQ(conflict(store, load),
            std::string("element (0): reads element (0) of argument 0, which "
                        "program (0, 0, 0) writes") +
                suffix);
  EXPECT_EQ(conflict(add, load),
            std::string("element (0): reads element (0) of argument 0, which "
                        "program (0, 0, 0) atomically changes") +
                suffix);
  EXPECT_EQ(conflict(store, add),
            std::string("element (0): atomically changes element (0) of "
                        "argument 0, which program (0, 0, 0) writes") +
                suffix);
  // Also where nothing is swapped.
  StringRef swap =
      "%x = tile.atomic_cas %pi, %i, %i : tensor<4x!tile.ptr<i32>>";
  EXPECT_EQ(conflict(swap, add), "");
  EXPECT_EQ(conflict(store, swap),
            std::string("element (0): atomically changes element (0) of "
                        "argument 0, which program (0, 0, 0) writes") +
                suffix);
  // One program may read and write what it likes.
  EXPECT_EQ(errorIn((load + "\n" + store + "\n").str() +
                    "%y = tile.load %pi : tensor<4x!tile.ptr<i32>>"),
            "");
}

TEST(TileChecks, ReadersBeforeThisProgram) {
  // Programs 0 and 1 read, and program 1 writes what it and program 0 read.
  EXPECT_EQ(errorIn(R"(
  %zero = arith.constant 0 : i32
  %x = tile.load %p : !tile.ptr<i32>
  %second = arith.cmpi ne, %id, %zero : i32
  tile.store %p, %x mask %second : !tile.ptr<i32>)",
                    {2, 1, 1}),
            "writes element (0) of argument 0, which program (0, 0, 0) reads "
            "in the same launch, whose programs have no order, in program "
            "(1, 0, 0) of @k");
}

TEST(TileChecks, ElementsOfSeveralSizes) {
  // Bytes 0 to 3 as i32 by program 0; byte 3 or 4 by program 1.
  auto program = [](int64_t byte) {
    return R"(
func.func @k(%m: memref<8xi8>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %at = arith.constant )" +
           std::to_string(byte) + R"( : index
  %one = arith.constant 1 : i32
  %byte = arith.constant 1 : i8
  %zero = arith.constant 0 : i32
  %id = tile.program_id x
  %is = arith.cmpi eq, %id, %zero : i32
  scf.if %is {
    %v = memref.view %m[%c0][] : memref<8xi8> to memref<1xi32>
    memref.store %one, %v[%c0] : memref<1xi32>
  } else {
    memref.store %byte, %m[%at] : memref<8xi8>
  }
  return
})";
  };
  EXPECT_EQ(kernelError(program(4), {2, 1, 1}, {NDArray(K::I8, {8})}), "");
  EXPECT_EQ(kernelError(program(3), {2, 1, 1}, {NDArray(K::I8, {8})}),
            "writes element (3) of argument 0, which program (0, 0, 0) writes "
            "in the same launch, whose programs have no order, in program "
            "(1, 0, 0) of @k");
}

//===----------------------------------------------------------------------===//
// Facts about arguments
//===----------------------------------------------------------------------===//

TEST(TileChecks, ReadOnly) {
  StringRef expected = "element (0): writes element (0) of argument 0, "
                       "expected no write to what argument 0 points at, which "
                       "is tile.readonly, in program (0, 0, 0) of @k";
  StringRef store = "tile.store %pi, %i : tensor<4x!tile.ptr<i32>>";
  EXPECT_EQ(errorIn(store, {1, 1, 1}, "", "tile.readonly"), "");
  EXPECT_EQ(errorIn(store, {1, 1, 1}, "tile.readonly"), expected);
  EXPECT_EQ(
      errorIn("%x = tile.atomic_rmw add %pi, %i : tensor<4x!tile.ptr<i32>>",
              {1, 1, 1}, "tile.readonly"),
      "element (0): atomically changes element (0) of argument 0, expected no "
      "write to what argument 0 points at, which is tile.readonly, in program "
      "(0, 0, 0) of @k");
}

/// A host function that passes columns %j to %j + 1 of a 3x4 buffer as two
/// arguments of a kernel that stores to the second.
static std::string errorOfColumns(StringRef assumptions, int64_t j) {
  StringRef column = "memref<3x2xf32, strided<[4, 1], offset: ?>>";
  return runForError((R"(
func.func @host() {
  %c1 = arith.constant 1 : index
  %j = arith.constant )" +
                      Twine(j) + R"( : index
  %m = memref.alloc() : memref<3x4xf32>
  %c0 = arith.constant 0 : index
  %a = memref.subview %m[0, %c0] [3, 2] [1, 1] : memref<3x4xf32> to )" +
                      column + R"(
  %b = memref.subview %m[0, %j] [3, 2] [1, 1] : memref<3x4xf32> to )" +
                      column + R"(
  tile.launch @k grid(%c1, %c1, %c1) (%a, %b) : )" +
                      column + ", " + column + R"(
  return
}
func.func @k(%a: )" + column +
                      " {" + assumptions + "}, %b: " + column +
                      R"() attributes {tile.kernel} {
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : tensor<3x2xf32>
  tile.store_view %x, %b[%c1, %c1] : tensor<3x2xf32>, )" +
                      column + "\n  return\n}")
                         .str());
}

TEST(TileChecks, PartsOfABuffer) {
  // Columns that do not overlap are different memory, though they interleave.
  EXPECT_EQ(errorOfColumns("tile.noalias, tile.readonly", 2), "");
  EXPECT_EQ(errorOfColumns("tile.noalias", 1),
            "arguments 0 and 1 of @k share memory, expected what argument 0 "
            "points at to be reached through no other argument (tile.noalias)");
  // Column 1 + 1 of the second argument is not among 0 and 1, 0 + 1 is.
  EXPECT_EQ(errorOfColumns("tile.readonly", 1), "");
  EXPECT_EQ(errorOfColumns("tile.readonly", 0),
            "element (0, 0): writes element (1, 1) of argument 0, expected no "
            "write to what argument 0 points at, which is tile.readonly, in "
            "program (0, 0, 0) of @k");
}

TEST(TileChecks, MultipleOf) {
  auto error = [](StringRef type, int64_t multiple, NDArray value) {
    return kernelError(("func.func @k(%x: " + type +
                        " {tile.multiple_of = " + Twine(multiple) +
                        " : i64}) attributes {tile.kernel} {\n  return\n}")
                           .str(),
                       {1, 1, 1}, {value});
  };
  EXPECT_EQ(error("i32", 8, integer(K::I32, -16)), "");
  EXPECT_EQ(error("index", 8, integer(K::Index, 12)),
            "argument 0 of @k is 12, expected a multiple of 8 "
            "(tile.multiple_of)");
  EXPECT_EQ(error("!tile.ptr<f32>", 256, numbers(K::F32, {3})), "");
  EXPECT_EQ(error("memref<3xf32>", 512, numbers(K::F32, {3})),
            "argument 0 of @k begins 0 bytes into memory that is aligned to "
            "256 bytes, expected its address to be a multiple of 512 "
            "(tile.multiple_of)");
  // A subview's offset counts.
  auto host = [](int64_t offset) {
    return runForError((R"(
func.func @host(%m: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %at = arith.constant )" +
                        Twine(offset) + R"( : index
  %v = memref.subview %m[%at] [8] [1]
      : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
  tile.launch @k grid(%c1, %c1, %c1) (%v)
      : memref<8xf32, strided<[1], offset: ?>>
  return
}
func.func @k(%m: memref<8xf32, strided<[1], offset: ?>>
             {tile.multiple_of = 16 : i64}) attributes {tile.kernel} {
  return
})")
                           .str(),
                       {numbers(K::F32, {16})});
  };
  EXPECT_EQ(host(4), "");
  EXPECT_EQ(host(3), "argument 0 of @k begins 12 bytes into memory that is "
                     "aligned to 256 bytes, expected its address to be a "
                     "multiple of 16 (tile.multiple_of)");
}

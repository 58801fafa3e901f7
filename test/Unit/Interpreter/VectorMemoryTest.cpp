//===- VectorMemoryTest.cpp - Vectors and memory in the interpreter -------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores of vectors by hand. Lanes that are masked off must access
// nothing. Errors name the lane, the index and the size.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

/// Runs `ops` on %m, a memref of `type` that holds `memory`, at %i, and gives
/// what the memory holds then.
static Doubles memoryAfter(StringRef ops, StringRef type, NDArray memory,
                           int64_t index, std::string &error) {
  SmallVector<NDArray> arguments = {memory, integer(K::Index, index)};
  error = runInPlace(("func.func @f(%m: " + type + ", %i: index) {\n" + ops +
                      "\nreturn\n}")
                         .str(),
                     arguments)
              .error;
  return valuesOf(arguments[0]);
}

/// The vector that `load`, whose result is %r, reads from %m at %i.
static Outcome loadAt(StringRef load, StringRef memrefType, NDArray memory,
                      int64_t index, StringRef type) {
  return run(("func.func @f(%m: " + memrefType + ", %i: index) -> " + type +
              " {\n" + load + "\nreturn %r : " + type + "\n}")
                 .str(),
             {memory, integer(K::Index, index)});
}

TEST(VectorMemory, Load) {
  NDArray memory = array(K::F32, {5}, {10, 11, 12, 13, 14});
  const char *load = "%r = vector.load %m[%i] : memref<5xf32>, vector<3xf32>";
  auto at = [&](int64_t index) {
    return loadAt(load, "memref<5xf32>", memory, index, "vector<3xf32>");
  };
  EXPECT_EQ(only(at(2)), (Doubles{12, 13, 14}));
  EXPECT_EQ(at(3).error, "element (2): index (5) is outside of the shape 5");
  EXPECT_EQ(at(-1).error, "element (0): index (-1) is outside of the shape 5");
  EXPECT_EQ(at(std::numeric_limits<int64_t>::max()).error,
            "element (0): index (9223372036854775807) is outside of the shape "
            "5");
  // Along the last axis, of which it does not leave the row.
  NDArray matrix = array(K::I16, {2, 3}, {1, 2, 3, 4, 5, 6});
  const char *row = R"(
    %c1 = arith.constant 1 : index
    %r = vector.load %m[%i, %c1] : memref<2x3xi16>, vector<2xi16>)";
  EXPECT_EQ(only(loadAt(row, "memref<2x3xi16>", matrix, 1, "vector<2xi16>")),
            (Doubles{5, 6}));
  const char *beyond = R"(
    %c2 = arith.constant 2 : index
    %r = vector.load %m[%i, %c2] : memref<2x3xi16>, vector<2xi16>)";
  EXPECT_EQ(loadAt(beyond, "memref<2x3xi16>", matrix, 0, "vector<2xi16>").error,
            "element (1): index (0, 3) is outside of the shape 2x3");
}

/// A view of all of a matrix as one axis, as kernels make it.
TEST(VectorMemory, LoadThroughCast) {
  NDArray matrix = array(K::I32, {2, 3}, {1, 2, 3, 4, 5, 6});
  const char *load = R"(
    %v = memref.reinterpret_cast %m to offset: [0], sizes: [6], strides: [1]
        : memref<2x3xi32> to memref<6xi32>
    %r = vector.load %v[%i] : memref<6xi32>, vector<3xi32>)";
  auto at = [&](int64_t index) {
    return loadAt(load, "memref<2x3xi32>", matrix, index, "vector<3xi32>");
  };
  EXPECT_EQ(only(at(2)), (Doubles{3, 4, 5}));
  EXPECT_EQ(at(4).error, "element (2): index (6) is outside of the shape 6");
}

TEST(VectorMemory, Store) {
  NDArray memory = array(K::I32, {4}, {1, 2, 3, 4});
  const char *store = R"(
    %v = arith.constant dense<[8, 9]> : vector<2xi32>
    vector.store %v, %m[%i] : memref<4xi32>, vector<2xi32>)";
  std::string error;
  EXPECT_EQ(memoryAfter(store, "memref<4xi32>", memory, 1, error),
            (Doubles{1, 8, 9, 4}));
  EXPECT_EQ(error, "");
  memoryAfter(store, "memref<4xi32>", memory, 3, error);
  EXPECT_EQ(error, "element (1): index (4) is outside of the shape 4");
}

TEST(VectorMemory, MaskedLoad) {
  NDArray memory = array(K::F32, {3}, {10, 11, 12});
  const char *load = R"(
    %mask = arith.constant dense<[true, false, true, false]> : vector<4xi1>
    %others = arith.constant dense<[-1.0, -2.0, -3.0, -4.0]> : vector<4xf32>
    %r = vector.maskedload %m[%i], %mask, %others
        : memref<3xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>)";
  auto at = [&](int64_t index) {
    return loadAt(load, "memref<3xf32>", memory, index, "vector<4xf32>");
  };
  // The last lane is outside, but masked off.
  EXPECT_EQ(only(at(0)), (Doubles{10, -2, 12, -4}));
  EXPECT_EQ(at(1).error, "element (2): index (3) is outside of the shape 3");
}

TEST(VectorMemory, MaskedStore) {
  NDArray memory = array(K::I32, {3}, {1, 2, 3});
  const char *store = R"(
    %mask = arith.constant dense<[false, true, true, false]> : vector<4xi1>
    %v = arith.constant dense<[6, 7, 8, 9]> : vector<4xi32>
    vector.maskedstore %m[%i], %mask, %v
        : memref<3xi32>, vector<4xi1>, vector<4xi32>)";
  std::string error;
  EXPECT_EQ(memoryAfter(store, "memref<3xi32>", memory, 0, error),
            (Doubles{1, 7, 8}));
  EXPECT_EQ(error, "");
  // The first lane, too, may be outside.
  EXPECT_EQ(memoryAfter(store, "memref<3xi32>", memory, -1, error),
            (Doubles{7, 8, 3}));
  EXPECT_EQ(error, "");
  memoryAfter(store, "memref<3xi32>", memory, 1, error);
  EXPECT_EQ(error, "element (2): index (3) is outside of the shape 3");
}

TEST(VectorMemory, Gather) {
  NDArray memory = array(K::I32, {5}, {10, 11, 12, 13, 14});
  const char *gather = R"(
    %mask = arith.constant dense<[true, true, false, true]> : vector<4xi1>
    %places = arith.constant dense<[2, -1, 99, -1]> : vector<4xi32>
    %others = arith.constant dense<[-1, -2, -3, -4]> : vector<4xi32>
    %r = vector.gather %m[%i][%places], %mask, %others
        : memref<5xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32>
        into vector<4xi32>)";
  auto at = [&](int64_t index) {
    return loadAt(gather, "memref<5xi32>", memory, index, "vector<4xi32>");
  };
  EXPECT_EQ(only(at(1)), (Doubles{13, 10, -3, 10}));
  EXPECT_EQ(at(3).error, "element (0): index (5) is outside of the shape 5");
  EXPECT_EQ(at(0).error, "element (1): index (-1) is outside of the shape 5");
  EXPECT_EQ(at(std::numeric_limits<int64_t>::max()).error,
            "element (0): the sum of 9223372036854775807 and 2 is no index");
}

TEST(VectorMemory, Scatter) {
  NDArray memory = array(K::I32, {4}, {1, 2, 3, 4});
  auto scatter = [](StringRef places) {
    return ("%mask = arith.constant dense<[true, false, true]> : vector<3xi1>\n"
            "%places = arith.constant dense<" +
            places +
            "> : vector<3xindex>\n"
            "%v = arith.constant dense<[7, 8, 9]> : vector<3xi32>\n"
            "vector.scatter %m[%i][%places], %mask, %v : memref<4xi32>, "
            "vector<3xindex>, vector<3xi1>, vector<3xi32>")
        .str();
  };
  std::string error;
  EXPECT_EQ(
      memoryAfter(scatter("[2, 77, 0]"), "memref<4xi32>", memory, 1, error),
      (Doubles{1, 9, 3, 7}));
  EXPECT_EQ(error, "");
  // Lanes that are masked off collide with none.
  memoryAfter(scatter("[2, 2, 0]"), "memref<4xi32>", memory, 1, error);
  EXPECT_EQ(error, "");
  memoryAfter(scatter("[2, 1, 2]"), "memref<4xi32>", memory, 1, error);
  EXPECT_EQ(error, "element (2): is stored to the place of element (0)");
  memoryAfter(scatter("[2, 1, 0]"), "memref<4xi32>", memory, 2, error);
  EXPECT_EQ(error, "element (0): index (4) is outside of the shape 4");
}

TEST(VectorMemory, FreedMemory) {
  EXPECT_EQ(runForError(R"(
func.func @f() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  %v = vector.load %m[%c0] : memref<4xf32>, vector<2xf32>
  return
})"),
            "uses memory that was freed");
}

/// Vectors of two programs of a launch must not overlap.
TEST(VectorMemory, Programs) {
  auto store = [](StringRef distance) {
    return ("func.func @f(%m: memref<4xi32>) attributes {tile.kernel} {\n"
            "%id = tile.program_id x\n"
            "%i = arith.index_cast %id : i32 to index\n"
            "%step = arith.constant " +
            distance +
            " : index\n"
            "%first = arith.muli %i, %step : index\n"
            "%v = vector.broadcast %id : i32 to vector<2xi32>\n"
            "vector.store %v, %m[%first] : memref<4xi32>, vector<2xi32>\n"
            "return\n}")
        .str();
  };
  std::vector<NDArray> memory = {array(K::I32, {4}, {9, 9, 9, 9})};
  EXPECT_EQ(runKernel(store("2"), {2, 1, 1}, memory).error, "");
  EXPECT_EQ(valuesOf(memory[0]), (Doubles{0, 0, 1, 1}));
  EXPECT_EQ(kernelError(store("1"), {2, 1, 1}, memory),
            "element (0): writes element (1) of argument 0, which program (0, "
            "0, 0) writes in the same launch, whose programs have no order, in "
            "program (1, 0, 0) of @f");
}

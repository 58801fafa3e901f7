//===- TileKernelTest.cpp - Tests of kernels and their memory -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grid, pointers, loads, stores, views and atomics on sizes that tiles do
// not divide. runKernel() runs each grid forwards and backwards.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

//===----------------------------------------------------------------------===//
// The grid
//===----------------------------------------------------------------------===//

TEST(TileKernel, ProgramsOfTheGrid) {
  // Element (z, y, x) becomes x + 10 y + 100 z + 1000 (nx + 10 ny + 100 nz).
  std::vector<NDArray> arguments = {numbers(K::I32, {2, 3, 5})};
  auto outcome = runKernel(R"(
func.func @f(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %c10 = arith.constant 10 : i32
  %c1000 = arith.constant 1000 : i32
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %nz = tile.num_programs z
  %a0 = arith.muli %z, %ny : i32
  %a1 = arith.addi %a0, %y : i32
  %a2 = arith.muli %a1, %nx : i32
  %a3 = arith.addi %a2, %x : i32
  %q = tile.addptr %p, %a3 : !tile.ptr<i32>, i32
  %v0 = arith.muli %z, %c10 : i32
  %v1 = arith.addi %v0, %y : i32
  %v2 = arith.muli %v1, %c10 : i32
  %v3 = arith.addi %v2, %x : i32
  %w0 = arith.muli %nz, %c10 : i32
  %w1 = arith.addi %w0, %ny : i32
  %w2 = arith.muli %w1, %c10 : i32
  %w3 = arith.addi %w2, %nx : i32
  %w4 = arith.muli %w3, %c1000 : i32
  %r = arith.addi %v3, %w4 : i32
  tile.store %q, %r : !tile.ptr<i32>
  return
})",
                           {5, 3, 2}, arguments);
  ASSERT_EQ(outcome.error, "");
  Doubles expected;
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 5; ++x)
        expected.push_back(z * 100 + y * 10 + x + 235000);
  EXPECT_EQ(valuesOf(arguments[0]), expected);
}

TEST(TileKernel, AnEmptyGridRunsNothing) {
  std::vector<NDArray> arguments = {numbers(K::I32, {1})};
  EXPECT_EQ(kernelError(R"(
func.func @f(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %c1 = arith.constant 1 : i32
  %q = tile.addptr %p, %c1 : !tile.ptr<i32>, i32
  tile.store %q, %c1 : !tile.ptr<i32>
  return
})",
                        {3, 0, 2}, arguments),
            "");
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

TEST(TileKernel, MaskedLoadsAndStores) {
  std::vector<NDArray> arguments = {array(K::F16, {3}, {1, 2, 3}),
                                    array(K::F16, {8}, Doubles(8, -1))};
  // Where the mask is false the pointer may point anywhere.
  auto outcome = runKernel(R"(
func.func @f(%p: !tile.ptr<f16>, %r: !tile.ptr<f16>)
    attributes {tile.kernel} {
  %i = tile.range 0 to 4 : tensor<4xi64>
  %three = arith.constant dense<3> : tensor<4xi64>
  %four = arith.constant dense<4> : tensor<4xi64>
  %inside = arith.cmpi slt, %i, %three : tensor<4xi64>
  %seven = arith.constant dense<7.0> : tensor<4xf16>
  %p0 = tile.splat %p : !tile.ptr<f16> -> tensor<4x!tile.ptr<f16>>
  %p1 = tile.addptr %p0, %i : tensor<4x!tile.ptr<f16>>, tensor<4xi64>
  %a = tile.load %p1 mask %inside : tensor<4x!tile.ptr<f16>>
  %b = tile.load %p1 mask %inside other %seven : tensor<4x!tile.ptr<f16>>
  %r0 = tile.splat %r : !tile.ptr<f16> -> tensor<4x!tile.ptr<f16>>
  %r1 = tile.addptr %r0, %i : tensor<4x!tile.ptr<f16>>, tensor<4xi64>
  tile.store %r1, %a : tensor<4x!tile.ptr<f16>>
  %r2 = tile.addptr %r1, %four : tensor<4x!tile.ptr<f16>>, tensor<4xi64>
  tile.store %r2, %b : tensor<4x!tile.ptr<f16>>
  %odd = arith.constant dense<[false, true, false, true]> : tensor<4xi1>
  tile.store %r2, %seven mask %odd : tensor<4x!tile.ptr<f16>>
  %no = arith.constant false
  %far = arith.constant 1000 : i32
  %s = tile.addptr %p, %far : !tile.ptr<f16>, i32
  %v = tile.load %s mask %no : !tile.ptr<f16>
  tile.store %s, %v mask %no : !tile.ptr<f16>
  return
})",
                           {1, 1, 1}, arguments);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(valuesOf(arguments[1]), (Doubles{1, 2, 3, 0, 1, 7, 3, 7}));
}

TEST(TileKernel, PointersAreValues) {
  // Tiles of pointers are reshaped, transposed, selected, merged and carried
  // by loops, and go down as well as up.
  std::vector<NDArray> arguments = {numbers(K::F64, {6}), numbers(K::F64, {6}),
                                    NDArray(K::F64, {2, 3})};
  arguments[1].setDouble(2, 77);
  auto outcome = runKernel(R"(
func.func @f(%p: !tile.ptr<f64>, %q: !tile.ptr<f64>, %r: !tile.ptr<f64>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %i = tile.range 0 to 6 : tensor<6xi32>
  %one = arith.constant dense<1> : tensor<6xi32>
  %back = arith.constant dense<-3> : tensor<6xi32>
  %two = arith.constant dense<2> : tensor<6xi32>
  %p0 = tile.splat %p : !tile.ptr<f64> -> tensor<6x!tile.ptr<f64>>
  %p1 = tile.addptr %p0, %i : tensor<6x!tile.ptr<f64>>, tensor<6xi32>
  %p2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%t = %p1)
      -> tensor<6x!tile.ptr<f64>> {
    %u = tile.addptr %t, %one : tensor<6x!tile.ptr<f64>>, tensor<6xi32>
    scf.yield %u : tensor<6x!tile.ptr<f64>>
  }
  %p3 = tile.addptr %p2, %back : tensor<6x!tile.ptr<f64>>, tensor<6xi32>
  %q0 = tile.splat %q : !tile.ptr<f64> -> tensor<6x!tile.ptr<f64>>
  %q1 = tile.addptr %q0, %i : tensor<6x!tile.ptr<f64>>, tensor<6xi32>
  %isTwo, %isNot = tile.cmpp eq %i, %two : tensor<6xi32>
  %m = tile.psi %isTwo ? %q1, %isNot ? %p3
      : tensor<6xi1>, tensor<6x!tile.ptr<f64>>
  %s = arith.select %isTwo, %q1, %m : tensor<6xi1>, tensor<6x!tile.ptr<f64>>
  %n = tile.reshape %s : tensor<6x!tile.ptr<f64>> -> tensor<3x2x!tile.ptr<f64>>
  %x = tile.load %n : tensor<3x2x!tile.ptr<f64>>
  %r0 = tile.splat %r : !tile.ptr<f64> -> tensor<6x!tile.ptr<f64>>
  %r1 = tile.addptr %r0, %i : tensor<6x!tile.ptr<f64>>, tensor<6xi32>
  %r2 = tile.reshape %r1
      : tensor<6x!tile.ptr<f64>> -> tensor<2x3x!tile.ptr<f64>>
  %r3 = tile.trans %r2 [1, 0] : tensor<2x3x!tile.ptr<f64>>
  tile.store %r3, %x : tensor<3x2x!tile.ptr<f64>>
  return
})",
                           {1, 1, 1}, arguments);
  ASSERT_EQ(outcome.error, "");
  Doubles v = valuesOf(arguments[0]);
  EXPECT_EQ(valuesOf(arguments[2]),
            (Doubles{v[0], 77, v[4], v[1], v[3], v[5]}));
}

TEST(TileKernel, ViewsOfMemrefs) {
  // 5x7 in tiles of 2x4: what is outside reads as 0 and is not written.
  std::vector<NDArray> arguments = {numbers(K::I8, {5, 7}),
                                    NDArray(K::I8, {3, 5, 7}),
                                    NDArray(K::I32, {3, 2})};
  auto outcome = runKernel(R"(
func.func @f(%m: memref<5x7xi8>, %r: memref<3x?x?xi8>, %s: memref<3x2xi32>)
    attributes {tile.kernel} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %xi = arith.index_cast %x : i32 to index
  %yi = arith.index_cast %y : i32 to index
  %i = arith.muli %xi, %c2 : index
  %j = arith.muli %yi, %c4 : index
  %t = tile.load_view %m[%i, %j] : memref<5x7xi8> -> tensor<2x4xi8>
  tile.store_view %t, %r[%c1, %i, %j] axes [1, 2]
      : tensor<2x4xi8>, memref<3x?x?xi8>
  %w = arith.extsi %t : tensor<2x4xi8> to tensor<2x4xi32>
  %u = tile.reduce add %w axis 1 : tensor<2x4xi32>
  %v = tile.reduce add %u axis 0 : tensor<2xi32>
  memref.store %v, %s[%xi, %yi] : memref<3x2xi32>
  return
})",
                           {3, 2, 1}, arguments);
  ASSERT_EQ(outcome.error, "");
  NDArray &m = arguments[0];
  Doubles sums(6, 0), copy(105, 0);
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 7; ++j) {
      sums[i / 2 * 2 + j / 4] += m.getInteger(i * 7 + j);
      copy[35 + i * 7 + j] = m.getInteger(i * 7 + j);
    }
  EXPECT_EQ(valuesOf(arguments[1]), copy);
  EXPECT_EQ(valuesOf(arguments[2]), sums);
}

TEST(TileKernel, ViewsAtNegativeIndices) {
  std::vector<NDArray> arguments = {array(K::F32, {3}, {1, 2, 3}),
                                    array(K::F32, {3}, {7, 8, 9})};
  auto outcome = runKernel(R"(
func.func @f(%m: memref<3xf32>, %r: memref<3xf32>) attributes {tile.kernel} {
  %i = arith.constant -1 : index
  %j = arith.constant -3 : index
  %t = tile.load_view %m[%i] : memref<3xf32> -> tensor<5xf32>
  tile.store_view %t, %r[%j] : tensor<5xf32>, memref<3xf32>
  return
})",
                           {1, 1, 1}, arguments);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(valuesOf(arguments[1]), (Doubles{3, 0, 9}));
}

TEST(TileKernel, Atomics) {
  auto update = [](StringRef kind, K type, Doubles before, Doubles with) {
    std::string name = getElementName(type).str();
    std::string program = R"(
func.func @f(%p: !tile.ptr<T>, %v: !tile.ptr<T>, %old: !tile.ptr<T>)
    attributes {tile.kernel} {
  %i = tile.range 0 to 3 : tensor<3xi32>
  %mask = arith.constant dense<[true, true, false]> : tensor<3xi1>
  %p0 = tile.splat %p : !tile.ptr<T> -> tensor<3x!tile.ptr<T>>
  %p1 = tile.addptr %p0, %i : tensor<3x!tile.ptr<T>>, tensor<3xi32>
  %v0 = tile.splat %v : !tile.ptr<T> -> tensor<3x!tile.ptr<T>>
  %v1 = tile.addptr %v0, %i : tensor<3x!tile.ptr<T>>, tensor<3xi32>
  %o0 = tile.splat %old : !tile.ptr<T> -> tensor<3x!tile.ptr<T>>
  %o1 = tile.addptr %o0, %i : tensor<3x!tile.ptr<T>>, tensor<3xi32>
  %x = tile.load %v1 : tensor<3x!tile.ptr<T>>
  %o = tile.atomic_rmw KIND %p1, %x mask %mask : tensor<3x!tile.ptr<T>>
  tile.store %o1, %o : tensor<3x!tile.ptr<T>>
  return
})";
    for (size_t at; (at = program.find("<T>")) != std::string::npos;)
      program.replace(at + 1, 1, name);
    program.replace(program.find("KIND"), 4, kind.str());
    std::vector<NDArray> arguments = {
        array(type, {3}, before), array(type, {3}, with), NDArray(type, {3})};
    EXPECT_EQ(runKernel(program, {1, 1, 1}, arguments).error, "");
    EXPECT_EQ(valuesOf(arguments[2]), (Doubles{before[0], before[1], 0}));
    Doubles after = valuesOf(arguments[0]);
    EXPECT_EQ(after[2], before[2]);
    after.pop_back();
    return after;
  };
  EXPECT_EQ(update("add", K::F32, {1, 2, 3}, {4, -5, 6}), (Doubles{5, -3}));
  EXPECT_EQ(update("add", K::I8, {100, 2, 3}, {100, -5, 6}),
            (Doubles{-56, -3}));
  EXPECT_EQ(update("max", K::I32, {1, 2, 3}, {4, -5, 6}), (Doubles{4, 2}));
  EXPECT_EQ(update("min", K::I32, {1, 2, 3}, {4, -5, 6}), (Doubles{1, -5}));
  EXPECT_EQ(update("umax", K::I32, {1, 2, 3}, {4, -5, 6}), (Doubles{4, -5}));
  EXPECT_EQ(update("umin", K::I64, {1, 2, 3}, {4, -5, 6}), (Doubles{1, 2}));
  EXPECT_EQ(update("and", K::I16, {6, 7, 3}, {3, 12, 6}), (Doubles{2, 4}));
  EXPECT_EQ(update("or", K::I16, {6, 7, 3}, {3, 12, 6}), (Doubles{7, 15}));
  EXPECT_EQ(update("xor", K::I16, {6, 7, 3}, {3, 12, 6}), (Doubles{5, 11}));
  EXPECT_EQ(update("xchg", K::F16, {6, 7, 3}, {3, 12, 6}), (Doubles{3, 12}));
}

TEST(TileKernel, CompareAndSwap) {
  auto swap = [](K type, Doubles before, Doubles compare, Doubles with) {
    std::string name = getElementName(type).str();
    std::string program = R"(
func.func @f(%p: !tile.ptr<T>, %c: !tile.ptr<T>, %v: !tile.ptr<T>,
             %old: !tile.ptr<T>) attributes {tile.kernel} {
  %i = tile.range 0 to 3 : tensor<3xi32>
  %mask = arith.constant dense<[true, true, false]> : tensor<3xi1>
  %p0 = tile.splat %p : !tile.ptr<T> -> tensor<3x!tile.ptr<T>>
  %p1 = tile.addptr %p0, %i : tensor<3x!tile.ptr<T>>, tensor<3xi32>
  %c0 = tile.splat %c : !tile.ptr<T> -> tensor<3x!tile.ptr<T>>
  %c1 = tile.addptr %c0, %i : tensor<3x!tile.ptr<T>>, tensor<3xi32>
  %v0 = tile.splat %v : !tile.ptr<T> -> tensor<3x!tile.ptr<T>>
  %v1 = tile.addptr %v0, %i : tensor<3x!tile.ptr<T>>, tensor<3xi32>
  %o0 = tile.splat %old : !tile.ptr<T> -> tensor<3x!tile.ptr<T>>
  %o1 = tile.addptr %o0, %i : tensor<3x!tile.ptr<T>>, tensor<3xi32>
  %y = tile.load %c1 : tensor<3x!tile.ptr<T>>
  %x = tile.load %v1 : tensor<3x!tile.ptr<T>>
  %o = tile.atomic_cas %p1, %y, %x mask %mask : tensor<3x!tile.ptr<T>>
  tile.store %o1, %o : tensor<3x!tile.ptr<T>>
  return
})";
    for (size_t at; (at = program.find("<T>")) != std::string::npos;)
      program.replace(at + 1, 1, name);
    std::vector<NDArray> arguments = {
        array(type, {3}, before), array(type, {3}, compare),
        array(type, {3}, with), NDArray(type, {3})};
    EXPECT_EQ(runKernel(program, {1, 1, 1}, arguments).error, "");
    EXPECT_EQ(valuesOf(arguments[3]), (Doubles{before[0], before[1], 0}));
    return valuesOf(arguments[0]);
  };
  for (K type : {K::I16, K::I32, K::I64, K::F16, K::BF16, K::F32, K::F64})
    EXPECT_EQ(swap(type, {-1, 2, 3}, {-1, 3, 3}, {7, 8, 9}),
              (Doubles{7, 2, 3}));
  // Bits count: 0 is not -0, and NaN is the same NaN.
  EXPECT_EQ(swap(K::F32, {0.0, 1, 2}, {-0.0, 1, 2}, {7, 8, 9}),
            (Doubles{0, 8, 2}));
  // One element after the other.
  std::vector<NDArray> one = {array(K::I32, {1}, {1})};
  ASSERT_EQ(runKernel(R"(
func.func @f(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %q = tile.splat %p : !tile.ptr<i32> -> tensor<3x!tile.ptr<i32>>
  %c = tile.range 1 to 4 : tensor<3xi32>
  %v = tile.range 2 to 5 : tensor<3xi32>
  %o = tile.atomic_cas %q, %c, %v : tensor<3x!tile.ptr<i32>>
  return
})",
                      {1, 1, 1}, one)
                .error,
            "");
  EXPECT_EQ(valuesOf(one[0]), (Doubles{4}));
}

TEST(TileKernel, AtomicHistogram) {
  // Several elements and programs add to one address.
  std::vector<NDArray> arguments = {NDArray(K::I32, {11}),
                                    NDArray(K::I32, {3})};
  Doubles counts(3, 0);
  for (int64_t i = 0; i < 11; ++i) {
    int64_t bin = i * i % 3;
    arguments[0].setInteger(i, bin);
    ++counts[bin];
  }
  auto outcome = runKernel(R"(
func.func @f(%x: memref<11xi32>, %h: !tile.ptr<i32>) attributes {tile.kernel} {
  %c4 = arith.constant 4 : i32
  %id = tile.program_id x
  %start = arith.muli %id, %c4 : i32
  %at = arith.index_cast %start : i32 to index
  %bins = tile.load_view %x[%at] : memref<11xi32> -> tensor<4xi32>
  %s = tile.splat %start : i32 -> tensor<4xi32>
  %lane = tile.range 0 to 4 : tensor<4xi32>
  %i = arith.addi %s, %lane : tensor<4xi32>
  %n = arith.constant dense<11> : tensor<4xi32>
  %inside = arith.cmpi slt, %i, %n : tensor<4xi32>
  %h0 = tile.splat %h : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %h1 = tile.addptr %h0, %bins : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %one = arith.constant dense<1> : tensor<4xi32>
  %old = tile.atomic_rmw add %h1, %one mask %inside
      : tensor<4x!tile.ptr<i32>>
  return
})",
                           {3, 1, 1}, arguments);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(valuesOf(arguments[1]), counts);
}

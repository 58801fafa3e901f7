//===- TileProgramTest.cpp - Tests of whole programs of tiles -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels as users write them, by themselves and launched from host code,
// against plain loops on sizes that tiles do not divide.
//
//===----------------------------------------------------------------------===//

#include "RunProgram.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::test;

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

TEST(TileProgram, VectorAdditionFromHostCode) {
  // The host allocates the result, and passes part of a buffer.
  std::string program = R"(
func.func @host(%a: memref<?xf32>, %b: memref<3x?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %row = memref.subview %b[1, 0] [1, %n] [1, 1]
      : memref<3x?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %blocks = arith.ceildivui %n, %c8 : index
  %size = arith.index_cast %n : index to i32
  tile.launch @add grid(%blocks, %c1, %c1) (%a, %row, %c, %size)
      : memref<?xf32>, memref<?xf32, strided<[1], offset: ?>>, memref<?xf32>,
        i32
  return %c : memref<?xf32>
}
func.func @add(%a: !tile.ptr<f32> {tile.readonly, tile.multiple_of = 16 : i64},
               %b: memref<?xf32, strided<[1], offset: ?>> {tile.readonly},
               %c: !tile.ptr<f32> {tile.noalias}, %n: i32)
    attributes {tile.kernel} {
  %c8 = arith.constant 8 : i32
  %id = tile.program_id x
  %start = arith.muli %id, %c8 : i32
  %first = tile.splat %start : i32 -> tensor<8xi32>
  %lane = tile.range 0 to 8 : tensor<8xi32>
  %i = arith.addi %first, %lane : tensor<8xi32>
  %size = tile.splat %n : i32 -> tensor<8xi32>
  %inside = arith.cmpi slt, %i, %size : tensor<8xi32>
  %a0 = tile.splat %a : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %a1 = tile.addptr %a0, %i : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %x = tile.load %a1 mask %inside : tensor<8x!tile.ptr<f32>>
  %at = arith.index_cast %start : i32 to index
  %y = tile.load_view %b[%at]
      : memref<?xf32, strided<[1], offset: ?>> -> tensor<8xf32>
  %z = arith.addf %x, %y : tensor<8xf32>
  %c0 = tile.splat %c : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %c1 = tile.addptr %c0, %i : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  tile.store %c1, %z mask %inside : tensor<8x!tile.ptr<f32>>
  return
})";
  for (int64_t n : {1, 8, 19}) {
    NDArray a = numbers(K::F32, {n}), b = numbers(K::F32, {3, n});
    Doubles expected;
    for (int64_t i = 0; i < n; ++i)
      expected.push_back(a.getDouble(i) + b.getDouble(n + i));
    EXPECT_EQ(only(run(program, {a, b})), expected);
  }
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

TEST(TileProgram, TranspositionWithMasks) {
  const int64_t rows = 9, columns = 6;
  std::vector<NDArray> arguments = {
      numbers(K::F32, {rows, columns}), NDArray(K::F32, {columns, rows}),
      integer(K::I32, rows), integer(K::I32, columns)};
  auto outcome = runKernel(R"(
func.func @transpose(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %m: i32, %n: i32)
    attributes {tile.kernel} {
  %c4 = arith.constant 4 : i32
  %pm = tile.program_id x
  %pn = tile.program_id y
  %lane = tile.range 0 to 4 : tensor<4xi32>
  %m0 = arith.muli %pm, %c4 : i32
  %m1 = tile.splat %m0 : i32 -> tensor<4xi32>
  %m2 = arith.addi %m1, %lane : tensor<4xi32>
  %n0 = arith.muli %pn, %c4 : i32
  %n1 = tile.splat %n0 : i32 -> tensor<4xi32>
  %n2 = arith.addi %n1, %lane : tensor<4xi32>
  %i0 = tile.reshape %m2 : tensor<4xi32> -> tensor<4x1xi32>
  %i = tile.broadcast %i0 : tensor<4x1xi32> -> tensor<4x4xi32>
  %j = tile.broadcast %n2 : tensor<4xi32> -> tensor<4x4xi32>
  %ms = tile.splat %m : i32 -> tensor<4x4xi32>
  %ns = tile.splat %n : i32 -> tensor<4x4xi32>
  %im = arith.cmpi slt, %i, %ms : tensor<4x4xi32>
  %jm = arith.cmpi slt, %j, %ns : tensor<4x4xi32>
  %mask = arith.andi %im, %jm : tensor<4x4xi1>
  %xr = arith.muli %i, %ns : tensor<4x4xi32>
  %xo = arith.addi %xr, %j : tensor<4x4xi32>
  %x0 = tile.splat %x : !tile.ptr<f32> -> tensor<4x4x!tile.ptr<f32>>
  %x1 = tile.addptr %x0, %xo : tensor<4x4x!tile.ptr<f32>>, tensor<4x4xi32>
  %v = tile.load %x1 mask %mask : tensor<4x4x!tile.ptr<f32>>
  %yr = arith.muli %j, %ms : tensor<4x4xi32>
  %yo = arith.addi %yr, %i : tensor<4x4xi32>
  %y0 = tile.splat %y : !tile.ptr<f32> -> tensor<4x4x!tile.ptr<f32>>
  %y1 = tile.addptr %y0, %yo : tensor<4x4x!tile.ptr<f32>>, tensor<4x4xi32>
  %y2 = tile.trans %y1 [1, 0] : tensor<4x4x!tile.ptr<f32>>
  %w = tile.trans %v [1, 0] : tensor<4x4xf32>
  %maskT = tile.trans %mask [1, 0] : tensor<4x4xi1>
  tile.store %y2, %w mask %maskT : tensor<4x4x!tile.ptr<f32>>
  return
})",
                           {3, 2, 1}, arguments);
  ASSERT_EQ(outcome.error, "");
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      EXPECT_EQ(arguments[1].getDouble(j * rows + i),
                arguments[0].getDouble(i * columns + j));
}

TEST(TileProgram, MatmulByPointers) {
  // Blocks of 4x4x8 of C = A B^T, with pointers that advance along K, and masks
  // on all three sizes.
  const int64_t M = 6, N = 9, K_ = 19;
  std::vector<NDArray> arguments = {
      numbers(K::F16, {M, K_}), numbers(K::F16, {N, K_}),
      NDArray(K::F32, {M, N}),  integer(K::I32, M),
      integer(K::I32, N),       integer(K::I32, K_)};
  auto outcome = runKernel(R"(
func.func @matmul(%a: !tile.ptr<f16> {tile.readonly},
                  %b: !tile.ptr<f16> {tile.readonly},
                  %c: !tile.ptr<f32> {tile.noalias}, %M: i32, %N: i32, %K: i32)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %px = tile.program_id x
  %py = tile.program_id y
  %lane = tile.range 0 to 4 : tensor<4xi32>
  %x0 = arith.muli %px, %c4 : i32
  %x1 = tile.splat %x0 : i32 -> tensor<4xi32>
  %rx = arith.addi %x1, %lane : tensor<4xi32>
  %y0 = arith.muli %py, %c4 : i32
  %y1 = tile.splat %y0 : i32 -> tensor<4xi32>
  %ry = arith.addi %y1, %lane : tensor<4xi32>
  %rk = tile.range 0 to 8 : tensor<8xi32>
  %k = tile.broadcast %rk : tensor<8xi32> -> tensor<4x8xi32>
  %rxc = tile.reshape %rx : tensor<4xi32> -> tensor<4x1xi32>
  %ryc = tile.reshape %ry : tensor<4xi32> -> tensor<4x1xi32>
  %Ks = tile.splat %K : i32 -> tensor<4x1xi32>
  %K48 = tile.splat %K : i32 -> tensor<4x8xi32>
  %ao0 = arith.muli %rxc, %Ks : tensor<4x1xi32>
  %ao1 = tile.broadcast %ao0 : tensor<4x1xi32> -> tensor<4x8xi32>
  %ao = arith.addi %ao1, %k : tensor<4x8xi32>
  %bo0 = arith.muli %ryc, %Ks : tensor<4x1xi32>
  %bo1 = tile.broadcast %bo0 : tensor<4x1xi32> -> tensor<4x8xi32>
  %bo = arith.addi %bo1, %k : tensor<4x8xi32>
  %pa0 = tile.splat %a : !tile.ptr<f16> -> tensor<4x8x!tile.ptr<f16>>
  %pa = tile.addptr %pa0, %ao : tensor<4x8x!tile.ptr<f16>>, tensor<4x8xi32>
  %pb0 = tile.splat %b : !tile.ptr<f16> -> tensor<4x8x!tile.ptr<f16>>
  %pb = tile.addptr %pb0, %bo : tensor<4x8x!tile.ptr<f16>>, tensor<4x8xi32>
  %Ms = tile.splat %M : i32 -> tensor<4x1xi32>
  %Ns = tile.splat %N : i32 -> tensor<4x1xi32>
  %mx0 = arith.cmpi slt, %rxc, %Ms : tensor<4x1xi32>
  %my0 = arith.cmpi slt, %ryc, %Ns : tensor<4x1xi32>
  %mx = tile.broadcast %mx0 : tensor<4x1xi1> -> tensor<4x8xi1>
  %my = tile.broadcast %my0 : tensor<4x1xi1> -> tensor<4x8xi1>
  %step = arith.constant dense<8> : tensor<4x8xi32>
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %r:3 = scf.for %kk = %c0 to %K step %c8
      iter_args(%acc = %zero, %qa = %pa, %qb = %pb)
      -> (tensor<4x4xf32>, tensor<4x8x!tile.ptr<f16>>,
          tensor<4x8x!tile.ptr<f16>>) : i32 {
    %ks = tile.splat %kk : i32 -> tensor<4x8xi32>
    %ki = arith.addi %ks, %k : tensor<4x8xi32>
    %mk = arith.cmpi slt, %ki, %K48 : tensor<4x8xi32>
    %ma = arith.andi %mx, %mk : tensor<4x8xi1>
    %mb = arith.andi %my, %mk : tensor<4x8xi1>
    %ta = tile.load %qa mask %ma : tensor<4x8x!tile.ptr<f16>>
    %tb = tile.load %qb mask %mb : tensor<4x8x!tile.ptr<f16>>
    %tbt = tile.trans %tb [1, 0] : tensor<4x8xf16>
    %d = tile.dot %ta, %tbt, %acc
        : tensor<4x8xf16>, tensor<8x4xf16>, tensor<4x4xf32>
    %na = tile.addptr %qa, %step : tensor<4x8x!tile.ptr<f16>>, tensor<4x8xi32>
    %nb = tile.addptr %qb, %step : tensor<4x8x!tile.ptr<f16>>, tensor<4x8xi32>
    scf.yield %d, %na, %nb : tensor<4x4xf32>, tensor<4x8x!tile.ptr<f16>>,
        tensor<4x8x!tile.ptr<f16>>
  }
  %N44 = tile.splat %N : i32 -> tensor<4x4xi32>
  %i = tile.broadcast %rxc : tensor<4x1xi32> -> tensor<4x4xi32>
  %j = tile.broadcast %ry : tensor<4xi32> -> tensor<4x4xi32>
  %co0 = arith.muli %i, %N44 : tensor<4x4xi32>
  %co = arith.addi %co0, %j : tensor<4x4xi32>
  %pc0 = tile.splat %c : !tile.ptr<f32> -> tensor<4x4x!tile.ptr<f32>>
  %pc = tile.addptr %pc0, %co : tensor<4x4x!tile.ptr<f32>>, tensor<4x4xi32>
  %M44 = tile.splat %M : i32 -> tensor<4x4xi32>
  %mi = arith.cmpi slt, %i, %M44 : tensor<4x4xi32>
  %mj = arith.cmpi slt, %j, %N44 : tensor<4x4xi32>
  %mc = arith.andi %mi, %mj : tensor<4x4xi1>
  tile.store %pc, %r#0 mask %mc : tensor<4x4x!tile.ptr<f32>>
  return
})",
                           {2, 3, 1}, arguments);
  ASSERT_EQ(outcome.error, "");
  // Three steps of 8 add to each sum.
  EXPECT_EQ(outcome.longestReduction, 24);
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < K_; ++k)
        sum += arguments[0].getDouble(i * K_ + k) *
               arguments[1].getDouble(j * K_ + k);
      EXPECT_EQ(arguments[2].getDouble(i * N + j), sum);
    }
}

TEST(TileProgram, SoftmaxOfRowsFromHostCode) {
  const int64_t rows = 3, columns = 11;
  NDArray x = numbers(K::F32, {rows, columns});
  auto outcome = run(R"(
func.func @host(%x: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %y = memref.alloc(%m, %n) : memref<?x?xf32>
  %size = arith.index_cast %n : index to i32
  tile.launch @softmax grid(%m, %c1, %c1) (%x, %y, %size)
      : memref<?x?xf32>, memref<?x?xf32>, i32
  return %y : memref<?x?xf32>
}
func.func @softmax(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>,
                   %n: i32) attributes {tile.kernel} {
  %row = tile.program_id x
  %start = arith.muli %row, %n : i32
  %xr = tile.addptr %x, %start : !tile.ptr<f32>, i32
  %yr = tile.addptr %y, %start : !tile.ptr<f32>, i32
  %i = tile.range 0 to 16 : tensor<16xi32>
  %ns = tile.splat %n : i32 -> tensor<16xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<16xi32>
  %x0 = tile.splat %xr : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %x1 = tile.addptr %x0, %i : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %low = arith.constant dense<0xFF800000> : tensor<16xf32>
  %v = tile.load %x1 mask %mask other %low : tensor<16x!tile.ptr<f32>>
  %max = tile.reduce max %v axis 0 : tensor<16xf32>
  %maxs = tile.splat %max : f32 -> tensor<16xf32>
  %d = arith.subf %v, %maxs : tensor<16xf32>
  %e = math.exp %d : tensor<16xf32>
  %sum = tile.reduce add %e axis 0 : tensor<16xf32>
  %sums = tile.splat %sum : f32 -> tensor<16xf32>
  %r = arith.divf %e, %sums : tensor<16xf32>
  %y0 = tile.splat %yr : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %y1 = tile.addptr %y0, %i : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  tile.store %y1, %r mask %mask : tensor<16x!tile.ptr<f32>>
  return
})",
                     {x});
  Doubles result = only(outcome);
  ASSERT_EQ(result.size(), size_t(rows * columns));
  for (int64_t i = 0; i < rows; ++i) {
    double max = -kInf, sum = 0;
    for (int64_t j = 0; j < columns; ++j)
      max = std::max(max, x.getDouble(i * columns + j));
    for (int64_t j = 0; j < columns; ++j)
      sum += std::exp(x.getDouble(i * columns + j) - max);
    for (int64_t j = 0; j < columns; ++j)
      EXPECT_NEAR(result[i * columns + j],
                  std::exp(x.getDouble(i * columns + j) - max) / sum, 1e-6);
  }
}

TEST(TileProgram, ReLUByPredicates) {
  std::vector<NDArray> arguments = {array(K::F32, {5}, {-1, 2, kNaN, -0.5, 3})};
  auto outcome = runKernel(R"(
func.func @relu(%x: memref<5xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<5xf32>
  %v = tile.load_view %x[%c0] : memref<5xf32> -> tensor<5xf32>
  %neg, %pos = tile.cmpp olt %v, %zero : tensor<5xf32>
  %r = tile.psi %neg ? %zero, %pos ? %v : tensor<5xi1>, tensor<5xf32>
  tile.store_view %r, %x[%c0] : tensor<5xf32>, memref<5xf32>
  return
})",
                           {1, 1, 1}, arguments);
  ASSERT_EQ(outcome.error, "");
  Doubles result = valuesOf(arguments[0]);
  EXPECT_TRUE(std::isnan(result[2]));
  result[2] = 0;
  EXPECT_EQ(result, (Doubles{0, 2, 0, 0, 3}));
}

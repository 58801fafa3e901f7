// What machine-level ops mean: layouts nothing, buffers an array of each program, barriers nothing, tile.mma
// what tile.dot does.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: tile-run %t/meaning.mlir --backend=interp --random=3 --outputs=%t/a.npy,%t/b.npy,%t/c.npy,%t/d.npy,%t/e.npy
// RUN: %python -c "import numpy as n, sys; e = n.load(sys.argv[1]); assert (e == n.arange(8).reshape(4, 2)[:, ::-1]).all(), e" %t/e.npy
// RUN: cmp %t/b.npy %t/c.npy
// RUN: not cmp %t/a.npy %t/b.npy
// RUN: %python -c "import numpy as n, sys; d = n.load(sys.argv[1]); assert (d == n.arange(3)[:, None] * 10 + n.arange(2) + n.zeros((3, 2))).all(), d" %t/d.npy
// RUN: not tile-run %t/unwritten.mlir --backend=interp --random=3 2>&1 | FileCheck %t/unwritten.mlir
// RUN: not tile-run %t/each-program.mlir --backend=interp --random=3 2>&1 | FileCheck %t/each-program.mlir
// RUN: not tile-run %t/outside.mlir --backend=interp --random=3 2>&1 | FileCheck %t/outside.mlir

//--- meaning.mlir
#a = #tile.layout<mma a row, shape = [32, 16], atom = volta_16x16x8, warp = [2, 1]>
#b = #tile.layout<mma b row, shape = [16, 32], atom = volta_16x16x8, warp = [2, 1]>
#c = #tile.layout<mma c f32, shape = [32, 32], atom = volta_16x16x8, warp = [2, 1]>
#rows = #tile.layout<blocked shape = [32, 16], register = [1, 8], lane = [16, 2], warp = [2, 1], order = [1, 0]>
#shared = #tile.layout<swizzle shape = [32, 16], bits = 16, write = #rows, read = #a>

func.func @dot(%a: memref<32x16xf16>, %b: memref<32x32xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<32x16xf16> -> tensor<32x16xf16>
  %y = tile.trans %x [1, 0] : tensor<32x16xf16>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %z = tile.dot %x, %y, %zero : tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>
  tile.store_view %z, %b[%c0, %c0] : tensor<32x32xf32>, memref<32x32xf32>
  return
}

func.func @mma(%a: memref<32x16xf16>, %c: memref<32x32xf32>) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  %buffer = tile.alloc {offset = 0 : i64} : !tile.buffer<32x16xf16, #shared>
  %x = tile.load_view %a[%c0, %c0] : memref<32x16xf16> -> tensor<32x16xf16, #rows>
  tile.local_store %x, %buffer : tensor<32x16xf16, #rows>, !tile.buffer<32x16xf16, #shared>
  tile.barrier
  %l = tile.local_load %buffer : !tile.buffer<32x16xf16, #shared> -> tensor<32x16xf16, #a>
  %t = tile.trans %x [1, 0] : tensor<32x16xf16, #rows>
  %r = tile.convert_layout %t : tensor<16x32xf16, #tile.layout<register = [[1, 0], [2, 0], [4, 0]], lane = [[8, 0], [0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16]]>> -> tensor<16x32xf16, #b>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %z = tile.mma %l row, %r row, %zero atom <volta_16x16x8> warps(2, 1) : tensor<32x16xf16, #a>, tensor<16x32xf16, #b>, tensor<32x32xf32, #c>
  tile.store_view %z, %c[%c0, %c0] : tensor<32x32xf32, #c>, memref<32x32xf32>
  return
}

// Stages and parts are kept apart: row i of the result is what was written to stage 2 - i, read after all are written.
func.func @stages(%d: memref<3x2xi32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %buffer = tile.alloc : !tile.buffer<3x2xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %stage = arith.subi %c2, %i : index
    %i32 = arith.index_cast %i : index to i32
    %c10 = arith.constant 10 : i32
    %ten = arith.muli %i32, %c10 : i32
    %tens = tile.splat %ten : i32 -> tensor<2xi32>
    %lane = tile.range 0 to 2 : tensor<2xi32>
    %x = arith.addi %tens, %lane : tensor<2xi32>
    tile.local_store %x, %buffer[%stage] : tensor<2xi32>, !tile.buffer<3x2xi32>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %stage = arith.subi %c2, %i : index
    %x = tile.local_load %buffer[%stage] at [0] : !tile.buffer<3x2xi32> -> tensor<1xi32>
    %y = tile.local_load %buffer[%stage] at [1] : !tile.buffer<3x2xi32> -> tensor<1xi32>
    tile.store_view %x, %d[%i, %c0] axes [1] : tensor<1xi32>, memref<3x2xi32>
    tile.store_view %y, %d[%i, %c1] axes [1] : tensor<1xi32>, memref<3x2xi32>
  }
  return
}

// Of the numbers 0 .. 7 as 4 x 2: the first half is even, the second odd; joined the other way round.
func.func @halves(%e: memref<4x2xi32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %numbers = tile.range 0 to 8 : tensor<8xi32>
  %x = tile.reshape %numbers : tensor<8xi32> -> tensor<4x2xi32>
  %even, %odd = tile.split %x : tensor<4x2xi32> -> tensor<4xi32>
  %y = tile.join %odd, %even : tensor<4xi32> -> tensor<4x2xi32>
  tile.store_view %y, %e[%c0, %c0] : tensor<4x2xi32>, memref<4x2xi32>
  return
}

func.func @main(%a: memref<32x16xf16>, %b: memref<32x32xf32>, %c: memref<32x32xf32>, %d: memref<3x2xi32>, %e: memref<4x2xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @dot grid(%c1, %c1, %c1) (%a, %b) : memref<32x16xf16>, memref<32x32xf32>
  tile.launch @mma grid(%c1, %c1, %c1) (%a, %c) : memref<32x16xf16>, memref<32x32xf32>
  tile.launch @stages grid(%c1, %c1, %c1) (%d) : memref<3x2xi32>
  tile.launch @halves grid(%c1, %c1, %c1) (%e) : memref<4x2xi32>
  return
}

//--- unwritten.mlir
func.func @kernel(%d: memref<3x2xi32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %buffer = tile.alloc : !tile.buffer<2x1x2xi32>
  tile.local_store %x, %buffer[%c0] : tensor<1x2xi32>, !tile.buffer<2x1x2xi32>
  // CHECK: unwritten.mlir:[[@LINE+1]]:8: error: element (0, 0): reads shared memory that nothing has written, in program (0, 0, 0) of @kernel
  %y = tile.local_load %buffer[%c1] : !tile.buffer<2x1x2xi32> -> tensor<1x2xi32>
  return
}
func.func @main(%d: memref<3x2xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @kernel grid(%c2, %c1, %c1) (%d) : memref<3x2xi32>
  return
}

//--- each-program.mlir
func.func @kernel(%d: memref<3x2xi32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %id = tile.program_id x
  %zero = arith.constant 0 : i32
  %is_first = arith.cmpi eq, %id, %zero : i32
  %x = arith.constant dense<[1, 2]> : tensor<2xi32>
  %buffer = tile.alloc : !tile.buffer<2xi32>
  scf.if %is_first {
    tile.local_store %x, %buffer : tensor<2xi32>, !tile.buffer<2xi32>
  }
  // What the first program wrote, the second does not have.
  // CHECK: each-program.mlir:[[@LINE+1]]:8: error: element (0): reads shared memory that nothing has written, in program (1, 0, 0) of @kernel
  %y = tile.local_load %buffer : !tile.buffer<2xi32> -> tensor<2xi32>
  return
}
func.func @main(%d: memref<3x2xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @kernel grid(%c2, %c1, %c1) (%d) : memref<3x2xi32>
  return
}

//--- outside.mlir
func.func @kernel(%d: memref<3x2xi32>) attributes {tile.kernel} {
  %c2 = arith.constant 2 : index
  %x = arith.constant dense<[1, 2]> : tensor<2xi32>
  %buffer = tile.alloc : !tile.buffer<2x2xi32>
  // CHECK: outside.mlir:[[@LINE+1]]:3: error: index (2, 0) is outside of the shape 2x2, in program (0, 0, 0) of @kernel
  tile.local_store %x, %buffer[%c2] : tensor<2xi32>, !tile.buffer<2x2xi32>
  return
}
func.func @main(%d: memref<3x2xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%d) : memref<3x2xi32>
  return
}

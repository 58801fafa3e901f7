// What asynchronous copies mean: an element is in the buffer after the wait, not before. What a mask leaves out, and what
// is outside of a memref, is 0.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: tile-run %t/meaning.mlir --backend=interp --random=3 --outputs=%t/a.npy,%t/b.npy
// RUN: %python %t/check.py %t/a.npy %t/b.npy
// RUN: not tile-run %t/early.mlir --backend=interp --random=3 2>&1 | FileCheck %t/early.mlir
// RUN: not tile-run %t/again.mlir --backend=interp --random=3 2>&1 | FileCheck %t/again.mlir
// RUN: not tile-run %t/late.mlir --backend=interp --random=3 2>&1 | FileCheck %t/late.mlir
// RUN: not tile-run %t/each-program.mlir --backend=interp --random=3 2>&1 | FileCheck %t/each-program.mlir

//--- check.py
import sys
import numpy as np

a, b = (np.load(path) for path in sys.argv[1:])
expected = np.zeros((3, 4, 8), np.float32)
expected[0, :, :6] = a  # reaches outside
expected[2, :, :4] = a[:, 2:]
assert (b == expected).all(), b

//--- meaning.mlir
func.func @kernel(%a: memref<4x6xf32>, %b: memref<3x4x8xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %no = arith.constant false
  %yes = arith.constant true
  %buffer = tile.alloc : !tile.buffer<3x4x8xf32>
  %t0 = tile.async_load_view %a[%c0, %c0], %buffer[%c0] : memref<4x6xf32>, !tile.buffer<3x4x8xf32> as tensor<4x8xf32>
  %t1 = tile.async_load_view %a[%c0, %c0], %buffer[%c1] mask %no : memref<4x6xf32>, !tile.buffer<3x4x8xf32> as tensor<4x8xf32>
  %t2 = tile.async_load_view %a[%c0, %c2], %buffer[%c2] mask %yes : memref<4x6xf32>, !tile.buffer<3x4x8xf32> as tensor<4x8xf32>
  tile.async_wait %t0 {pending = 2}
  %x0 = tile.local_load %buffer[%c0] : !tile.buffer<3x4x8xf32> -> tensor<4x8xf32>
  tile.store_view %x0, %b[%c0, %c0, %c0] axes [1, 2] : tensor<4x8xf32>, memref<3x4x8xf32>
  tile.async_wait %t1, %t2 {pending = 0}
  %x1 = tile.local_load %buffer[%c1] : !tile.buffer<3x4x8xf32> -> tensor<4x8xf32>
  tile.store_view %x1, %b[%c1, %c0, %c0] axes [1, 2] : tensor<4x8xf32>, memref<3x4x8xf32>
  %x2 = tile.local_load %buffer[%c2] : !tile.buffer<3x4x8xf32> -> tensor<4x8xf32>
  tile.store_view %x2, %b[%c2, %c0, %c0] axes [1, 2] : tensor<4x8xf32>, memref<3x4x8xf32>
  return
}
func.func @main(%a: memref<4x6xf32>, %b: memref<3x4x8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<4x6xf32>, memref<3x4x8xf32>
  return
}

//--- early.mlir
func.func @kernel(%a: memref<8xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %buffer = tile.alloc : !tile.buffer<8xf32>
  %t = tile.async_load_view %a[%c0], %buffer : memref<8xf32>, !tile.buffer<8xf32> as tensor<8xf32>
  // CHECK: early.mlir:[[@LINE+1]]:8: error: element (0): reads shared memory that nothing has written, in program (0, 0, 0) of @kernel
  %x = tile.local_load %buffer : !tile.buffer<8xf32> -> tensor<8xf32>
  return
}
func.func @main(%a: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a) : memref<8xf32>
  return
}

//--- again.mlir
// What was there before the copy has begun is gone.
func.func @kernel(%a: memref<8xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<1.0> : tensor<8xf32>
  %buffer = tile.alloc : !tile.buffer<8xf32>
  tile.local_store %x, %buffer : tensor<8xf32>, !tile.buffer<8xf32>
  %y = tile.local_load %buffer : !tile.buffer<8xf32> -> tensor<8xf32>
  %t = tile.async_load_view %a[%c0], %buffer : memref<8xf32>, !tile.buffer<8xf32> as tensor<8xf32>
  // CHECK: again.mlir:[[@LINE+1]]:8: error: element (0): reads shared memory that nothing has written, in program (0, 0, 0) of @kernel
  %z = tile.local_load %buffer : !tile.buffer<8xf32> -> tensor<8xf32>
  return
}
func.func @main(%a: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a) : memref<8xf32>
  return
}

//--- late.mlir
func.func @kernel(%a: memref<8xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %buffer = tile.alloc : !tile.buffer<2x8xf32>
  %t0 = tile.async_load_view %a[%c0], %buffer[%c0] : memref<8xf32>, !tile.buffer<2x8xf32> as tensor<8xf32>
  %t1 = tile.async_load_view %a[%c0], %buffer[%c1] : memref<8xf32>, !tile.buffer<2x8xf32> as tensor<8xf32>
  tile.async_wait %t0 {pending = 1}
  // Copies of one group arrive together.
  %t2 = tile.async_load_view %a[%c0], %buffer[%c0] with_next : memref<8xf32>, !tile.buffer<2x8xf32> as tensor<8xf32>
  %t3 = tile.async_load_view %a[%c0], %buffer[%c0] : memref<8xf32>, !tile.buffer<2x8xf32> as tensor<8xf32>
  tile.async_wait %t1 {pending = 1}
  // CHECK: late.mlir:[[@LINE+1]]:3: error: expects to wait for each copy that it names, found 'pending' = 1, which leaves copy 3 of 4 on its way, in program (0, 0, 0) of @kernel
  tile.async_wait %t2 {pending = 1}
  return
}
func.func @main(%a: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a) : memref<8xf32>
  return
}

//--- each-program.mlir
// A program does not wait for the copies of another one.
func.func @kernel(%a: memref<8xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %id = tile.program_id x
  %zero = arith.constant 0 : i32
  %is_first = arith.cmpi eq, %id, %zero : i32
  %buffer = tile.alloc : !tile.buffer<8xf32>
  scf.if %is_first {
    %t = tile.async_load_view %a[%c0], %buffer : memref<8xf32>, !tile.buffer<8xf32> as tensor<8xf32>
  }
  tile.async_wait {pending = 0}
  // CHECK: each-program.mlir:[[@LINE+1]]:8: error: element (0): reads shared memory that nothing has written, in program (1, 0, 0) of @kernel
  %x = tile.local_load %buffer : !tile.buffer<8xf32> -> tensor<8xf32>
  return
}
func.func @main(%a: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @kernel grid(%c2, %c1, %c1) (%a) : memref<8xf32>
  return
}

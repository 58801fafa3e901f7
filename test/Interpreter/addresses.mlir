// Vectors at addresses and of tiles in the interpreter: each lane that is not masked off is checked by itself, and lanes
// that are access nothing, also beyond the end.

// RUN: split-file %s %t.d
// RUN: %python -c "import numpy as n; n.save('%t.d/x.npy', n.array([3, 1, 4, 1, 5, 9, 2], n.float32))"

// Lanes 4 to 7 of seven elements, of which the last is masked off; the tile gets them from its second element on.
// RUN: tile-run %t.d/masked.mlir --backend=interp --inputs=%t.d/x.npy --outputs=%t.d/y.npy,%t.d/t.npy
// RUN: %python -c "import numpy as n; print(n.load('%t.d/y.npy'), n.load('%t.d/t.npy'))" | FileCheck %s --check-prefix=MASKED
// MASKED: [ 3.  1.  4.  1. 10. 18.  4.] [ 0. 10. 18.  4. -2.  0.]

// RUN: not tile-run %t.d/load.mlir --backend=interp --inputs=%t.d/x.npy 2>&1 | FileCheck %s --check-prefix=LOAD
// LOAD: load.mlir:9:9: error: accesses an address that is in no memory whose address was taken
// RUN: not tile-run %t.d/transfer.mlir --backend=interp 2>&1 | FileCheck %s --check-prefix=TRANSFER
// TRANSFER: transfer.mlir:5:8: error: is out of bounds: from (3) on of a tensor of 6

//--- masked.mlir
func.func @main(%x: memref<7xf32>) -> (memref<7xf32>, tensor<6xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %start = memref.extract_aligned_pointer_as_index %x : memref<7xf32> -> index
  %sum = arith.addi %start, %c16 : index
  %address = arith.index_cast %sum : index to i64
  %p = llvm.inttoptr %address : i64 to !llvm.ptr
  %mask = arith.constant dense<[true, true, true, false]> : vector<4xi1>
  %other = arith.constant dense<-1.0> : vector<4xf32>
  %v = llvm.intr.masked.load %p, %mask, %other {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  %w = arith.addf %v, %v : vector<4xf32>
  llvm.intr.masked.store %w, %p, %mask {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  %zeros = arith.constant dense<0.0> : tensor<6xf32>
  %tile = vector.transfer_write %w, %zeros[%c1] {in_bounds = [true]} : vector<4xf32>, tensor<6xf32>
  return %x, %tile : memref<7xf32>, tensor<6xf32>
}
//--- load.mlir
func.func @main(%x: memref<7xf32>) {
  %c16 = arith.constant 16 : index
  %start = memref.extract_aligned_pointer_as_index %x : memref<7xf32> -> index
  %sum = arith.addi %start, %c16 : index
  %address = arith.index_cast %sum : index to i64
  %p = llvm.inttoptr %address : i64 to !llvm.ptr
  %v3 = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<3xf32>
  // One more than there are.
  %v4 = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  return
}
//--- transfer.mlir
func.func @main() {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<6xf32>
  %v = vector.transfer_read %zeros[%c3], %zero {in_bounds = [true]} : tensor<6xf32>, vector<4xf32>
  return
}

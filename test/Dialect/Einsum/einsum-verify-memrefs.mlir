// What bufferization leaves keeps the contract; two halves of one memref are two memrefs.
//
// RUN: tile-opt %s --einsum-verify-memrefs | FileCheck %s
// CHECK: einsum.contract

func.func @f(%a: memref<8xf32>) {
  %x = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %y = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  einsum.contract "i -> i" (%x) outs(%y : memref<4xf32, strided<[1], offset: 4>>) : (memref<4xf32, strided<[1]>>)
  return
}

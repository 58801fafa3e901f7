// memref-free-early: a buffer is freed behind the last op that uses it, or a view of it.
//
// RUN: tile-opt %s --memref-free-early | FileCheck %s

// CHECK-LABEL: @views
// CHECK:      linalg.exp
// CHECK:      scf.if
// CHECK:        linalg.sqrt ins(%subview
// CHECK:      }
// CHECK-NEXT: memref.dealloc
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: return
func.func @views(%x: memref<64xf32>, %y: memref<32xf32>, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  %half = memref.subview %a[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  scf.if %c {
    linalg.sqrt ins(%half : memref<32xf32, strided<[1], offset: 32>>) outs(%y : memref<32xf32>)
  }
  linalg.exp ins(%y : memref<32xf32>) outs(%y : memref<32xf32>)
  memref.dealloc %a : memref<64xf32>
  return
}

// Of an address nobody knows who uses it.
// CHECK-LABEL: @address
// CHECK:      call @fill
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: memref.dealloc
func.func private @fill(index)
func.func @address(%y: memref<32xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %address = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  call @fill(%address) : (index) -> ()
  linalg.exp ins(%y : memref<32xf32>) outs(%y : memref<32xf32>)
  memref.dealloc %a : memref<64xf32>
  return
}

// How an address is aligned is no way to use a buffer.
// CHECK-LABEL: @alignment
// CHECK:      vector.store
// CHECK-NEXT: memref.dealloc
// CHECK-NEXT: linalg.exp
func.func @alignment(%v: vector<16xf32>, %y: memref<32xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %a = memref.alloc() : memref<64xf32>
  %address = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  %beyond = arith.andi %address, %c63 : index
  %isAligned = arith.cmpi eq, %beyond, %c0 : index
  vector.store %v, %a[%c0] : memref<64xf32>, vector<16xf32>
  linalg.exp ins(%y : memref<32xf32>) outs(%y : memref<32xf32>)
  memref.dealloc %a : memref<64xf32>
  return %isAligned : i1
}

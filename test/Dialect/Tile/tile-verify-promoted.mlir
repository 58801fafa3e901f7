// What tile-insert-barriers leaves keeps the contract: here of a transposition through shared memory, in a loop.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts),tile-promote-shared,tile-allocate-shared,tile-insert-barriers,tile-verify-promoted)" | FileCheck %s
// RUN: not tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts),tile-promote-shared,tile-allocate-shared,tile-verify-promoted)" 2>&1 | FileCheck %s --check-prefix=MISSING
// CHECK: tile.barrier
// MISSING: error: tile-verify-promoted S8: 'tile.local_load' op expects a tile.barrier

func.func @kernel(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = tile.load_view %a[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
    %t = tile.trans %x [1, 0] : tensor<64x64xf32>
    tile.store_view %t, %b[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  }
  return
}

// What tile-assign-layouts leaves keeps the contract; conversions among warps may still be there.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts),tile-verify-layouts)" | FileCheck %s
// CHECK: tile.convert_layout

func.func @kernel(%a: memref<64x64xf32>, %b: memref<64x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %t = tile.trans %x [1, 0] : tensor<64x64xf32>
  tile.store_view %t, %b[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  return
}

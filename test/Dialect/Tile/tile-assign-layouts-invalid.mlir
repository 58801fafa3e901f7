// What tile-assign-layouts does not take.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts))" --split-input-file --verify-diagnostics
// RUN: not tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts{num-warps=3}))" 2>&1 | FileCheck %s --check-prefix=NUM
// NUM: error: expected 'num-warps' to be 0 or a power of two up to 32, found 3

func.func @size(%a: memref<24xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected sizes that are powers of two, found 'tensor<24xf32>': make the tile larger, and mask what is outside}}
  %x = tile.load_view %a[%c0] : memref<24xf32> -> tensor<24xf32>
  tile.store_view %x, %a[%c0] : tensor<24xf32>, memref<24xf32>
  return
}

// -----

func.func @psi(%a: memref<32xf32>, %i: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0] : memref<32xf32> -> tensor<32xf32>
  %t, %f = tile.cmpp slt %i, %i : i32
  // expected-error @below {{run tile-psi-to-select before}}
  %y = tile.psi %t ? %x, %f ? %x : i1, tensor<32xf32>
  tile.store_view %y, %a[%c0] : tensor<32xf32>, memref<32xf32>
  return
}

// -----

func.func @slice(%a: memref<32xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0] : memref<32xf32> -> tensor<32xf32>
  // expected-error @below {{cannot give layouts to the tiles of this op}}
  %y = tensor.extract_slice %x[0] [16] [1] : tensor<32xf32> to tensor<16xf32>
  tile.store_view %y, %a[%c0] : tensor<16xf32>, memref<32xf32>
  return
}

// -----

func.func @twice(%a: memref<32xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{expected tiles without layouts, found}}
  %x = tile.load_view %a[%c0] : memref<32xf32> -> tensor<32xf32, #tile.layout<blocked shape = [32], register = [1], lane = [32], warp = [1], order = [0]>>
  tile.store_view %x, %a[%c0] : tensor<32xf32, #tile.layout<blocked shape = [32], register = [1], lane = [32], warp = [1], order = [0]>>, memref<32xf32>
  return
}

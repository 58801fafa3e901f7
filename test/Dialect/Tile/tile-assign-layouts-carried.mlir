// Tiles that a loop carries stay in registers: programs without products get more warps for them.
//
// RUN: tile-opt %s --tile-attach-target=chip=sm_80 --tile-assign-layouts | FileCheck %s
// RUN: tile-opt %s --tile-to-nvvm-pipeline=chip=sm_80 -o /dev/null

// Three tiles of 16,384 registers.
// CHECK-LABEL: @three
// CHECK-SAME: tile.num_warps = 16 : i64
func.func @three(%x: memref<8x8192xf32>, %y: memref<8xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c2048 = arith.constant 2048 : index
  %c8192 = arith.constant 8192 : index
  %zero = arith.constant dense<0.0> : tensor<8x2048xf32>
  %one = arith.constant dense<1.0> : tensor<8x2048xf32>
  %r:3 = scf.for %i = %c0 to %c8192 step %c2048 iter_args(%a = %zero, %b = %one, %c = %zero)
      -> (tensor<8x2048xf32>, tensor<8x2048xf32>, tensor<8x2048xf32>) {
    %t = tile.load_view %x[%c0, %i] : memref<8x8192xf32> -> tensor<8x2048xf32>
    %u = arith.addf %a, %t : tensor<8x2048xf32>
    %v = arith.mulf %b, %t : tensor<8x2048xf32>
    %w = arith.maximumf %c, %t : tensor<8x2048xf32>
    scf.yield %u, %v, %w : tensor<8x2048xf32>, tensor<8x2048xf32>, tensor<8x2048xf32>
  }
  %s = arith.addf %r#0, %r#1 : tensor<8x2048xf32>
  %p = arith.addf %s, %r#2 : tensor<8x2048xf32>
  %sum = tile.reduce add %p axis 1 : tensor<8x2048xf32>
  tile.store_view %sum, %y[%c0] : tensor<8xf32>, memref<8xf32>
  return
}

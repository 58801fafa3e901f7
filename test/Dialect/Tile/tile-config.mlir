// Passes read tile.config where it stands.
//
// RUN: tile-opt %s --tile-prefetch | FileCheck %s --check-prefix=PREFETCH
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile-attach-target,canonicalize,tile-prefetch,canonicalize,cse,func.func(tile-assign-layouts),cse,tile-promote-shared)" | FileCheck %s --check-prefix=LAYOUTS

// Two stages: the loop carries what the step before has loaded, and each operand
// has two buffers. A block of 64 x 64 has four warps of 32 x 32.
// PREFETCH-LABEL: @two
// PREFETCH: tile.load_view
// PREFETCH: scf.for {{.*}} -> (tensor<64x64xf32>, {{.*}}tensor<64x32xf16>
// LAYOUTS-LABEL: @two
// LAYOUTS-SAME: tile.num_warps = 4 : i64
// LAYOUTS: tile.alloc : <2x
// LAYOUTS: tile.mma {{.*}} atom <volta_16x16x8>
func.func @two(%a: memref<64x256xf16> {tile.readonly, tile.noalias}, %b: memref<256x64xf16> {tile.readonly, tile.noalias},
               %c: memref<64x64xf32> {tile.noalias})
    attributes {tile.kernel, tile.config = #tile.config<block=64x64x32 warp=32x32 atom=volta_16x16x8 split_k=1 stages=2>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c256 step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %x = tile.load_view %a[%c0, %k] axes [0, 1] in_bounds [true, true] : memref<64x256xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] axes [0, 1] in_bounds [true, true] : memref<256x64xf16> -> tensor<32x64xf16>
    %next = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store_view %sum, %c[%c0, %c0] axes [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
  return
}

// One stage: the loop stays, and each operand has one buffer. Two warps of 64 x 32.
// PREFETCH-LABEL: @one
// PREFETCH-NOT: tile.load_view
// PREFETCH: scf.for {{.*}} -> (tensor<64x64xf32>) {
// LAYOUTS-LABEL: @one
// LAYOUTS-SAME: tile.num_warps = 2 : i64
// LAYOUTS-NOT: tile.alloc : <2x
// LAYOUTS: tile.mma {{.*}} atom <volta_32x32x8>
func.func @one(%a: memref<64x256xf16> {tile.readonly, tile.noalias}, %b: memref<256x64xf16> {tile.readonly, tile.noalias},
               %c: memref<64x64xf32> {tile.noalias})
    attributes {tile.kernel, tile.config = #tile.config<block=64x64x32 warp=64x32 atom=volta_32x32x8 split_k=1 stages=1>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c256 step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %x = tile.load_view %a[%c0, %k] axes [0, 1] in_bounds [true, true] : memref<64x256xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] axes [0, 1] in_bounds [true, true] : memref<256x64xf16> -> tensor<32x64xf16>
    %next = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store_view %sum, %c[%c0, %c0] axes [0, 1] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
  return
}

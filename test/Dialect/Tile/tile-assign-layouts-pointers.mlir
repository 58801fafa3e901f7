// tile-assign-layouts: more warps, where a thread would have more than 32 pointers of an access. Vectors have one.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts))" | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts{num-warps=2}))" | FileCheck %s --check-prefix=WARPS

module attributes {tile.target = #tile.target<chip = "sm_80", shared = 166912, threads = 1024, registers = 255, async = true,
    mma = ["m16n8k16_f16"]>} {

// A product of 64x32 is one for a warp, which would have 64 pointers to its elements.
// CHECK-LABEL: func.func @product
// CHECK-SAME: tile.num_warps = 2 : i64
// CHECK: tile.mma {{.*}} warps(2, 1)
// WARPS-LABEL: func.func @product
// WARPS-SAME: tile.num_warps = 2 : i64
func.func @product(%a: memref<64x32xf16>, %b: memref<32x32xf16>, %c: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %acc = arith.constant dense<0.0> : tensor<64x32xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<64x32xf16> -> tensor<64x32xf16>
  %y = tile.load_view %b[%c0, %c0] : memref<32x32xf16> -> tensor<32x32xf16>
  %n = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x32xf16>, tensor<64x32xf32>
  %i = tile.range 0 to 2048 : tensor<2048xi32>
  %square = tile.reshape %i : tensor<2048xi32> -> tensor<64x32xi32>
  %s = tile.splat %c : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %p = tile.addptr %s, %square : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  tile.store %p, %n : tensor<64x32x!tile.ptr<f32>>
  return
}

// Where they are known to be aligned, four elements have one pointer.
// CHECK-LABEL: func.func @aligned
// CHECK-SAME: tile.num_warps = 1 : i64
func.func @aligned(%a: memref<64x32xf16>, %b: memref<32x32xf16>, %c: !tile.ptr<f32> {tile.multiple_of = 16 : i64})
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %acc = arith.constant dense<0.0> : tensor<64x32xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<64x32xf16> -> tensor<64x32xf16>
  %y = tile.load_view %b[%c0, %c0] : memref<32x32xf16> -> tensor<32x32xf16>
  %n = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x32xf16>, tensor<64x32xf32>
  %i = tile.range 0 to 2048 : tensor<2048xi32>
  %square = tile.reshape %i : tensor<2048xi32> -> tensor<64x32xi32>
  %s = tile.splat %c : !tile.ptr<f32> -> tensor<64x32x!tile.ptr<f32>>
  %p = tile.addptr %s, %square : tensor<64x32x!tile.ptr<f32>>, tensor<64x32xi32>
  tile.store %p, %n : tensor<64x32x!tile.ptr<f32>>
  return
}

// No more than a product has atoms for: 16x32 are four of 16x8.
// CHECK-LABEL: func.func @narrow
// CHECK-SAME: tile.num_warps = 4 : i64
// CHECK: tile.mma {{.*}} warps(1, 4)
func.func @narrow(%a: memref<16x32xf16>, %b: memref<32x32xf16>, %c: memref<16x32xf32>, %d: !tile.ptr<f32>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %acc = arith.constant dense<0.0> : tensor<16x32xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<16x32xf16> -> tensor<16x32xf16>
  %y = tile.load_view %b[%c0, %c0] : memref<32x32xf16> -> tensor<32x32xf16>
  %n = tile.dot %x, %y, %acc : tensor<16x32xf16>, tensor<32x32xf16>, tensor<16x32xf32>
  tile.store_view %n, %c[%c0, %c0] : tensor<16x32xf32>, memref<16x32xf32>
  %i = tile.range 0 to 16384 : tensor<16384xi32>
  %s = tile.splat %d : !tile.ptr<f32> -> tensor<16384x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<16384x!tile.ptr<f32>>, tensor<16384xi32>
  %zero = arith.constant dense<0.0> : tensor<16384xf32>
  tile.store %p, %zero : tensor<16384x!tile.ptr<f32>>
  return
}

// A program has at most 32 warps.
// CHECK-LABEL: func.func @most
// CHECK-SAME: tile.num_warps = 32 : i64
// CHECK: tile.mma {{.*}} warps(4, 8)
func.func @most(%a: memref<128x32xf16>, %b: memref<32x128xf16>, %c: memref<128x128xf32>, %d: !tile.ptr<f32>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %acc = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<128x32xf16> -> tensor<128x32xf16>
  %y = tile.load_view %b[%c0, %c0] : memref<32x128xf16> -> tensor<32x128xf16>
  %n = tile.dot %x, %y, %acc : tensor<128x32xf16>, tensor<32x128xf16>, tensor<128x128xf32>
  tile.store_view %n, %c[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  %i = tile.range 0 to 65536 : tensor<65536xi32>
  %s = tile.splat %d : !tile.ptr<f32> -> tensor<65536x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<65536x!tile.ptr<f32>>, tensor<65536xi32>
  %zero = arith.constant dense<0.0> : tensor<65536xf32>
  tile.store %p, %zero : tensor<65536x!tile.ptr<f32>>
  return
}

// So it is without products, where loads have more elements than stores, and no number is asked for.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: tile.num_warps = 16 : i64
// WARPS-LABEL: func.func @sum
// WARPS-SAME: tile.num_warps = 2 : i64
func.func @sum(%a: !tile.ptr<f32>, %b: memref<128xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %i = tile.range 0 to 16384 : tensor<16384xi32>
  %square = tile.reshape %i : tensor<16384xi32> -> tensor<128x128xi32>
  %s = tile.splat %a : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  %p = tile.addptr %s, %square : tensor<128x128x!tile.ptr<f32>>, tensor<128x128xi32>
  %x = tile.load %p : tensor<128x128x!tile.ptr<f32>>
  %y = tile.reduce add %x axis 1 : tensor<128x128xf32>
  tile.store_view %y, %b[%c0] : tensor<128xf32>, memref<128xf32>
  return
}
}

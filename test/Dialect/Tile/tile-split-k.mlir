// tile-split-k: a product becomes one of a batch of parts of its depth, which are added up after the loop.
//
// RUN: tile-opt %s --tile-select-config="config={split_k=2}" --tile-split-k --canonicalize | FileCheck %s
// RUN: tile-opt %s --tile-select-config="config={split_k=4}" --tile-split-k --canonicalize | FileCheck %s --check-prefix=FOUR
// RUN: tile-opt %s --tile-select-config="config={split_k=1}" --tile-split-k | FileCheck %s --check-prefix=ONE --implicit-check-not=tile.reduce
// RUN: tile-opt %s --tile-select-config="config={split_k=2}" --tile-split-k --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func @loop
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<2x64x32xf32>
// CHECK: %[[PARTS:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (tensor<2x64x32xf32>)
// CHECK:   %[[A:.*]] = tile.load_view
// CHECK:   %[[B:.*]] = tile.load_view
// CHECK:   %[[A1:.*]] = tile.reshape %[[A]] : tensor<64x32xf16> -> tensor<64x2x16xf16>
// CHECK:   %[[A2:.*]] = tile.trans %[[A1]] [1, 0, 2]
// CHECK:   %[[B1:.*]] = tile.reshape %[[B]] : tensor<32x32xf16> -> tensor<2x16x32xf16>
// CHECK:   %[[D:.*]] = tile.dot %[[A2]], %[[B1]], %[[ACC]] : tensor<2x64x16xf16>, tensor<2x16x32xf16>, tensor<2x64x32xf32>
// CHECK:   scf.yield %[[D]]
// CHECK: %[[R:.*]] = tile.reduce add %[[PARTS]] axis 0
// CHECK: tile.store_view %[[R]]
// FOUR-LABEL: func @loop
// FOUR: tile.dot {{.*}} : tensor<4x64x8xf16>, tensor<4x8x32xf16>, tensor<4x64x32xf32>
// ONE-LABEL: func @loop
// REMARK: [[@LINE+11]]:{{.*}} remark: [Passed] split-k
// REMARK-SAME: split-k=2
func.func @loop(%x: memref<64x128xf16>, %y: memref<128x32xf16>, %z: memref<64x32xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %r = scf.for %k = %c0 to %c128 step %c32 iter_args(%acc = %zero) -> (tensor<64x32xf32>) {
    %a = tile.load_view %x[%c0, %k] : memref<64x128xf16> -> tensor<64x32xf16>
    %b = tile.load_view %y[%k, %c0] : memref<128x32xf16> -> tensor<32x32xf16>
    // The remark is here.
    %sum = tile.dot %a, %b, %acc : tensor<64x32xf16>, tensor<32x32xf16>, tensor<64x32xf32>
    scf.yield %sum : tensor<64x32xf32>
  }
  tile.store_view %r, %z[%c0, %c0] : tensor<64x32xf32>, memref<64x32xf32>
  return
}

// An accumulator that does not begin as zero, and is used in the loop: the product is split, the sum comes at once.
// CHECK-LABEL: func @used
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<32x32xi32>)
// CHECK:   %[[D:.*]] = tile.dot {{.*}} : tensor<2x32x8xi8>, tensor<2x8x32xi8>, tensor<2x32x32xi32>
// CHECK:   %[[P:.*]] = tile.reduce add %[[D]] axis 0
// CHECK:   %[[SUM:.*]] = arith.addi %[[ACC]], %[[P]]
// CHECK:   tile.store_view %[[ACC]]
// CHECK:   scf.yield %[[SUM]]
// CHECK-NOT: tile.reduce
func.func @used(%x: memref<32x16xi8>, %y: memref<16x32xi8>, %z: memref<32x32xi32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %init = tile.load_view %z[%c0, %c0] : memref<32x32xi32> -> tensor<32x32xi32>
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %init) -> (tensor<32x32xi32>) {
    %a = tile.load_view %x[%c0, %c0] : memref<32x16xi8> -> tensor<32x16xi8>
    %b = tile.load_view %y[%c0, %c0] : memref<16x32xi8> -> tensor<16x32xi8>
    %sum = tile.dot %a, %b, %acc : tensor<32x16xi8>, tensor<16x32xi8>, tensor<32x32xi32>
    tile.store_view %acc, %z[%c0, %c0] : tensor<32x32xi32>, memref<32x32xi32>
    scf.yield %sum : tensor<32x32xi32>
  }
  tile.store_view %r, %z[%c0, %c0] : tensor<32x32xi32>, memref<32x32xi32>
  return
}

// What a kernel says of itself comes before the option.
// CHECK-LABEL: func @config
// CHECK: tile.dot {{.*}} : tensor<4x16x8xf16>
// ONE-LABEL: func @config
// ONE: tile.dot {{.*}} : tensor<4x16x8xf16>
// ONE: tile.reduce
func.func @config(%x: memref<16x32xf16>, %y: memref<32x16xf16>, %z: memref<16x16xf32>)
    attributes {tile.kernel, tile.config = #tile.config<block=16x16x32 warp=16x16 atom=volta_16x16x8 split_k=4 stages=1>} {
  %c0 = arith.constant 0 : index
  %init = tile.load_view %z[%c0, %c0] : memref<16x16xf32> -> tensor<16x16xf32>
  %a = tile.load_view %x[%c0, %c0] : memref<16x32xf16> -> tensor<16x32xf16>
  %b = tile.load_view %y[%c0, %c0] : memref<32x16xf16> -> tensor<32x16xf16>
  %sum = tile.dot %a, %b, %init : tensor<16x32xf16>, tensor<32x16xf16>, tensor<16x16xf32>
  tile.store_view %sum, %z[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
  return
}

// CHECK-LABEL: func @kept
// CHECK: tile.dot {{.*}} : tensor<16x8xf16>
// CHECK: tile.dot {{.*}} : tensor<2x16x32xf16>
// REMARK: remark: [Missed] split-k
// REMARK-SAME: a depth of 8 has no 2 parts of at least 8: use deeper blocks
// REMARK: remark: [Missed] split-k
// REMARK-SAME: it is a batch already
func.func @kept(%x: memref<16x8xf16>, %y: memref<8x16xf16>, %z: memref<16x16xf32>, %u: memref<2x16x32xf16>, %v: memref<2x32x16xf16>, %w: memref<2x16x16xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %a = tile.load_view %x[%c0, %c0] : memref<16x8xf16> -> tensor<16x8xf16>
  %b = tile.load_view %y[%c0, %c0] : memref<8x16xf16> -> tensor<8x16xf16>
  %sum = tile.dot %a, %b, %zero : tensor<16x8xf16>, tensor<8x16xf16>, tensor<16x16xf32>
  tile.store_view %sum, %z[%c0, %c0] : tensor<16x16xf32>, memref<16x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x16x16xf32>
  %c = tile.load_view %u[%c0, %c0, %c0] : memref<2x16x32xf16> -> tensor<2x16x32xf16>
  %d = tile.load_view %v[%c0, %c0, %c0] : memref<2x32x16xf16> -> tensor<2x32x16xf16>
  %sums = tile.dot %c, %d, %zeros : tensor<2x16x32xf16>, tensor<2x32x16xf16>, tensor<2x16x16xf32>
  tile.store_view %sums, %w[%c0, %c0, %c0] : tensor<2x16x16xf32>, memref<2x16x16xf32>
  return
}

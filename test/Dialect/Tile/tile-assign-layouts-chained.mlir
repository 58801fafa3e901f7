// tile-assign-layouts: a product of what another product gave. Warps lie along M, so that each has whole rows; reductions
// of rows and what is computed of them stay in fragments, and accumulators become operand A in registers.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile-attach-target{chip=sm_80},func.func(tile-assign-layouts),tile-promote-shared)" --split-input-file | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile-attach-target{chip=sm_80},func.func(tile-assign-layouts))" --split-input-file \
// RUN:   --remarks-filter=tile --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile-attach-target{chip=sm_86},func.func(tile-assign-layouts))" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=HALF

// Of 128 x 64 rows and columns, 64 x 32 a warp: four warps, but not two by two.
// REMARK-COUNT-2: atom=m16n8k16_f16, warps-m=4, warps-n=1
// A thread has 160 registers of them. On chips that compute half as many products at once, reads of operand B by twice as
// many warps are hidden behind the products.
// HALF-LABEL: func.func @rows
// HALF-SAME: tile.num_warps = 8 : i64
// CHECK-LABEL: func.func @rows
// CHECK-SAME: tile.num_warps = 4 : i64
// CHECK-COUNT-2: tile.local_load
// CHECK: tile.mma {{.*}} warps(4, 1)
// CHECK-NOT: tile.local_
// CHECK: tile.reduce max {{.*}} axis 1
// CHECK-NOT: tile.local_
// CHECK: %[[WEIGHTS:.*]] = arith.truncf
// CHECK-NEXT: %[[A:.*]] = tile.convert_layout %[[WEIGHTS]]
// CHECK: tile.mma %[[A]] row, {{.*}} warps(4, 1)
// What is computed of rows joins the fragments, which are converted once, as f16.
// CHECK-NOT: tile.local_
// CHECK: arith.divf
// CHECK-NEXT: %[[RESULT:.*]] = arith.truncf
// CHECK-NEXT: tile.local_store %[[RESULT]]
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.store_view
func.func @rows(%q: memref<128x64xf16>, %k: memref<64x64xf16>, %v: memref<64x64xf16>, %out: memref<128x64xf16>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %tq = tile.load_view %q[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %tk = tile.load_view %k[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %tv = tile.load_view %v[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %scores = tile.dot %tq, %tk, %zero : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
  %largest = tile.reduce max %scores axis 1 : tensor<128x64xf32>
  %column = tile.reshape %largest : tensor<128xf32> -> tensor<128x1xf32>
  %columns = tile.broadcast %column : tensor<128x1xf32> -> tensor<128x64xf32>
  %shifted = arith.subf %scores, %columns : tensor<128x64xf32>
  %weights = arith.truncf %shifted : tensor<128x64xf32> to tensor<128x64xf16>
  %sum = tile.dot %weights, %tv, %zero : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
  %scaled = arith.divf %sum, %columns : tensor<128x64xf32>
  %result = arith.truncf %scaled : tensor<128x64xf32> to tensor<128x64xf16>
  tile.store_view %result, %out[%c0, %c0] : tensor<128x64xf16>, memref<128x64xf16>
  return
}

// -----

// Rows for 2 warps only, as the first product says: the second one has as many.
// REMARK-COUNT-2: atom=m16n8k16_f16, warps-m=2, warps-n=1
// CHECK-LABEL: func.func @few_rows
// CHECK: tile.mma {{.*}} warps(2, 1)
// CHECK: scf.if
// CHECK: tile.mma {{.*}} warps(2, 1)
func.func @few_rows(%a: memref<32x128xf16>, %b: memref<128x128xf16>, %c: memref<128x64xf16>, %out: memref<32x64xf32>,
                    %flag: i1) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<32x128xf16>
  %zeros = arith.constant dense<0.0> : tensor<32x64xf32>
  %ta = tile.load_view %a[%c0, %c0] : memref<32x128xf16> -> tensor<32x128xf16>
  %tb = tile.load_view %b[%c0, %c0] : memref<128x128xf16> -> tensor<128x128xf16>
  %tc = tile.load_view %c[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %first = tile.dot %ta, %tb, %zero : tensor<32x128xf16>, tensor<128x128xf16>, tensor<32x128xf16>
  %some = scf.if %flag -> tensor<32x128xf16> {
    %positive = arith.maximumf %first, %zero : tensor<32x128xf16>
    scf.yield %positive : tensor<32x128xf16>
  } else {
    scf.yield %first : tensor<32x128xf16>
  }
  %sum = tile.dot %some, %tc, %zeros : tensor<32x128xf16>, tensor<128x64xf16>, tensor<32x64xf32>
  tile.store_view %sum, %out[%c0, %c0] : tensor<32x64xf32>, memref<32x64xf32>
  return
}

// -----

// With four warps a thread would have 256 registers of the products.
// REMARK-COUNT-2: atom=m16n8k16_f16, warps-m=8, warps-n=1
// CHECK-LABEL: func.func @deep_rows
// CHECK-SAME: tile.num_warps = 8 : i64
func.func @deep_rows(%q: memref<128x128xf16>, %k: memref<128x64xf16>, %v: memref<64x128xf16>, %out: memref<128x128xf32>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %tq = tile.load_view %q[%c0, %c0] : memref<128x128xf16> -> tensor<128x128xf16>
  %tk = tile.load_view %k[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %tv = tile.load_view %v[%c0, %c0] : memref<64x128xf16> -> tensor<64x128xf16>
  %scores = tile.dot %tq, %tk, %zero : tensor<128x128xf16>, tensor<128x64xf16>, tensor<128x64xf32>
  %weights = arith.truncf %scores : tensor<128x64xf32> to tensor<128x64xf16>
  %sum = tile.dot %weights, %tv, %zeros : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
  tile.store_view %sum, %out[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  return
}

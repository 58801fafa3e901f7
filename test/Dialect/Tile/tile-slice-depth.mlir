// tile-slice-depth: products cut along K, of which the first slice is loaded in the step before; which loops are kept.
// That the results stay right is tested by Simulator/pipeline.test.
//
// RUN: tile-opt %s --split-input-file --tile-pipeline --tile-slice-depth --canonicalize --cse --tile-promote-shared --tile-allocate-shared --tile-insert-barriers --remark-policy=all --remarks-filter=tile 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks


#a_rows = #tile.layout<blocked shape = [64, 32], register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#b_rows = #tile.layout<blocked shape = [32, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#a = #tile.layout<mma a row, shape = [64, 32], atom = m16n8k16_f16, warp = [2, 2]>
#b = #tile.layout<mma b column, shape = [32, 64], atom = m16n8k16_f16, warp = [2, 2]>
#c = #tile.layout<mma c f32, shape = [64, 64], atom = m16n8k16_f16, warp = [2, 2]>
module attributes {tile.target = #tile.target<chip = "sm_80", shared = 166912, threads = 1024, registers = 255, async = true, mma = [], ldmatrix = true>} {

// One barrier a step, and no access between it and the next one that needs another.
// CHECK-LABEL: @product
// CHECK: %[[A:.*]] = tile.alloc {{.*}} : <3x64x32xf16
// CHECK: %[[B:.*]] = tile.alloc {{.*}} : <3x32x64xf16
// CHECK-COUNT-4: tile.async_load_view
// CHECK: tile.async_wait %{{.*}}, %{{.*}} {pending = 1 : i64}
// CHECK-COUNT-2: tile.async_load_view
// CHECK: tile.barrier
// CHECK: %[[A0:.*]] = tile.local_load %[[A]][%c2] at [0, 0] : {{.*}} -> tensor<64x16xf16
// CHECK: %[[B0:.*]] = tile.local_load %[[B]][%c2] at [0, 0] : {{.*}} -> tensor<16x64xf16
// CHECK: %[[R:.*]]:{{.*}} = scf.for %[[K:.*]] = %c0 to %{{.*}} step %c32 iter_args(%[[ACC:[a-z0-9]+]] = %{{.*}}, {{.*}}, %[[OWN:[a-z0-9]+]] = %c2, %[[AI:[a-z0-9]+]] = %[[A0]], %[[BI:[a-z0-9]+]] = %[[B0]])
// CHECK: %[[A1:.*]] = tile.local_load %[[A]][%[[OWN]]] at [0, 16]
// CHECK: %[[B1:.*]] = tile.local_load %[[B]][%[[OWN]]] at [16, 0]
// CHECK: %[[HALF:.*]] = tile.mma %[[AI]] row, %[[BI]] column, %[[ACC]]
// CHECK: %[[STEP:.*]] = arith.addi %[[K]], %c32 : index
// CHECK: %[[NEXT:.*]] = arith.index_cast
// CHECK: arith.cmpi slt, %[[STEP]], %{{.*}} : index
// CHECK: tile.async_wait %{{.*}}, %{{.*}} {pending = 1 : i64}
// CHECK: tile.barrier
// CHECK-NOT: tile.barrier
// CHECK: tile.async_load_view {{.*}} mask
// CHECK: tile.async_load_view {{.*}} mask
// CHECK: tile.local_load %[[A]][%{{.*}}] at [0, 0]
// CHECK: tile.local_load %[[B]][%{{.*}}] at [0, 0]
// CHECK: %[[SUM:.*]] = tile.mma %[[A1]] row, %[[B1]] column, %[[HALF]]
// CHECK: scf.yield %[[SUM]]
// CHECK: tile.async_wait {pending = 0 : i64}
// CHECK: tile.store_view %[[R]]#0
// REMARK: remark: [Passed] slice-depth | Category:tile | slices=2
func.func @product(%a: memref<64x96xf16>, %b: memref<?x64xf16>, %c: memref<64x64xf32>, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64, tile.config = #tile.config<stages=3>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32, #c> {
    %ga = tile.load_view %a[%c0, %k] in_bounds [true, true] : memref<64x96xf16> -> tensor<64x32xf16, #a_rows>
    %gb = tile.load_view %b[%k, %c0] in_bounds [true, true] : memref<?x64xf16> -> tensor<32x64xf16, #b_rows>
    %ta = tile.convert_layout %ga : tensor<64x32xf16, #a_rows> -> tensor<64x32xf16, #a>
    %tb = tile.convert_layout %gb : tensor<32x64xf16, #b_rows> -> tensor<32x64xf16, #b>
    %sum = tile.mma %ta row, %tb column, %acc atom <m16n8k16_f16> warps(2, 2)
        : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
    scf.yield %sum : tensor<64x64xf32, #c>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32, #c>, memref<64x64xf32>
  return
}
}

// -----

#a_rows = #tile.layout<blocked shape = [64, 16], register = [1, 8], lane = [16, 2], warp = [4, 1], order = [1, 0]>
#a = #tile.layout<mma a row, shape = [64, 16], atom = m16n8k16_f16, warp = [2, 2]>
#b = #tile.layout<mma b column, shape = [16, 64], atom = m16n8k16_f16, warp = [2, 2]>
#c = #tile.layout<mma c f32, shape = [64, 64], atom = m16n8k16_f16, warp = [2, 2]>
module attributes {tile.target = #tile.target<chip = "sm_80", shared = 166912, threads = 1024, registers = 255, async = true, mma = [], ldmatrix = true>} {

// CHECK-LABEL: @kept
// CHECK-NOT: tile.local_load {{.*}} at
// REMARK: remark: [Missed] slice-depth | Category:tile | Reason="an operand is not read from shared memory for the product alone"
// REMARK: remark: [Missed] slice-depth | Category:tile | Reason="the loop has 0 products"
func.func @kept(%a: memref<64x96xf16>, %c: memref<64x64xf32>, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64, tile.config = #tile.config<stages=3>} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %fb = arith.constant dense<1.0> : tensor<16x64xf16, #b>
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> tensor<64x64xf32, #c> {
    %ga = tile.load_view %a[%c0, %k] in_bounds [true, true] : memref<64x96xf16> -> tensor<64x16xf16, #a_rows>
    %ta = tile.convert_layout %ga : tensor<64x16xf16, #a_rows> -> tensor<64x16xf16, #a>
    %sum = tile.mma %ta row, %fb column, %acc atom <m16n8k16_f16> warps(2, 2)
        : tensor<64x16xf16, #a>, tensor<16x64xf16, #b>, tensor<64x64xf32, #c>
    scf.yield %sum : tensor<64x64xf32, #c>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32, #c>, memref<64x64xf32>
  scf.for %k = %c0 to %n step %c16 {
    tile.async_wait {pending = 0 : i64}
  }
  return
}
}

// tile-pipeline: rings of stages, one wait a step, copies some steps ahead; which loads are kept.
//
// RUN: tile-opt %s --tile-select-config="config={stages=3}" --tile-pipeline --canonicalize --cse --remark-policy=all --remarks-filter=tile 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: tile-opt %s --tile-select-config="config={stages=2}" --tile-pipeline --canonicalize --cse | FileCheck %s --check-prefix=TWO
// RUN: tile-opt %s --tile-select-config="config={stages=4}" --tile-pipeline --canonicalize --cse --tile-promote-shared --tile-allocate-shared --tile-insert-barriers | FileCheck %s --check-prefix=FOUR
// RUN: tile-opt %s --tile-select-config="config={stages=1}" --tile-pipeline --canonicalize --cse | FileCheck %s --check-prefix=ONE

#a_rows = #tile.layout<blocked shape = [64, 32], register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#b_rows = #tile.layout<blocked shape = [32, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#b_single = #tile.layout<blocked shape = [32, 64], register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#a = #tile.layout<mma a row, shape = [64, 32], atom = m16n8k16_f16, warp = [2, 2]>
#b = #tile.layout<mma b column, shape = [32, 64], atom = m16n8k16_f16, warp = [2, 2]>
#flat = #tile.layout<register = [[1], [2], [4], [1024]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>
#c = #tile.layout<mma c f32, shape = [64, 64], atom = m16n8k16_f16, warp = [2, 2]>

// ONE-NOT: tile.async
module attributes {tile.target = #tile.target<chip = "sm_80", shared = 166912, threads = 1024, registers = 255, async = true, mma = [], ldmatrix = true>} {

// CHECK-LABEL: @product
// CHECK-DAG: %[[LAST:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[A:.*]] = tile.alloc : <3x64x32xf16, #{{.*}}>
// CHECK-DAG: %[[B:.*]] = tile.alloc : <3x32x64xf16, #{{.*}}>
// CHECK: %[[A0:.*]] = tile.async_load_view %{{.*}}, %[[A]][%c2] mask %{{.*}} with_next {{.*}} as tensor<64x32xf16, #{{.*}}>
// CHECK: %[[B0:.*]] = tile.async_load_view %{{.*}}, %[[B]][%c2] mask %{{[^ ]*}} in_bounds [true, true] :
// CHECK: %[[A1:.*]] = tile.async_load_view %{{.*}}, %[[A]][%c1] mask %{{.*}} with_next
// CHECK: %[[B1:.*]] = tile.async_load_view %{{.*}}, %[[B]][%c1] mask %{{[^ ]*}} in_bounds [true, true] :
// CHECK: %[[R:.*]]:6 = scf.for %[[K:.*]] = %c0 to %{{.*}} step %c32 iter_args(%{{.*}} = %{{.*}}, %[[TA:.*]] = %[[A0]], {{.*}}, %[[STAGE:.*]] = %[[FIRST]])
// CHECK: %[[DOWN:.*]] = arith.subi %[[STAGE]], %{{.*}} : i32
// CHECK: %[[NEXT:.*]] = arith.minui %[[DOWN]], %[[LAST]] : i32
// CHECK: %[[BEFORE:.*]] = arith.index_cast %[[STAGE]] : i32 to index
// CHECK: %[[OWN:.*]] = arith.index_cast %[[NEXT]] : i32 to index
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[K]], %{{.*}} : index
// CHECK: tile.async_wait %[[TA]], %{{.*}} {pending = 1 : i64}
// CHECK: %[[AHEAD:.*]] = arith.addi %[[K]], %c64 : index
// CHECK: tile.async_load_view %{{.*}}[%{{.*}}, %[[AHEAD]]], %[[A]][%[[BEFORE]]] mask %[[MORE]] in_bounds [true, true] with_next :
// CHECK: tile.async_load_view %{{.*}}[%[[AHEAD]], %{{.*}}], %[[B]][%[[BEFORE]]] mask %[[MORE]] in_bounds [true, true] :
// CHECK-NEXT: tile.local_load %[[A]][%[[OWN]]]
// CHECK-NEXT: tile.local_load %[[B]][%[[OWN]]]
// CHECK-NEXT: tile.mma
// CHECK-NEXT: scf.yield
// CHECK: tile.async_wait {pending = 0 : i64}
// CHECK-NEXT: tile.store_view
// TWO-LABEL: @product
// TWO-COUNT-2: tile.alloc : <2x
// TWO-COUNT-2: tile.async_load_view
// TWO: scf.for
// TWO: arith.xori
// TWO: tile.async_wait %{{.*}}, %{{.*}} {pending = 0 : i64}
// TWO-COUNT-2: tile.async_load_view
// FOUR-LABEL: @product
// FOUR-COUNT-2: tile.alloc {offset = {{.*}}} : <4x
// FOUR-COUNT-6: tile.async_load_view
// FOUR: scf.for
// FOUR: tile.async_wait %{{.*}}, %{{.*}} {pending = 2 : i64}
// FOUR: tile.barrier
// FOUR-NOT: tile.barrier
// FOUR: tile.mma
// FOUR-NOT: tile.barrier
// FOUR-LABEL: @tail
// REMARK: remark: [Passed] pipeline | Category:tile | bytes=24576, loads=2, stages=3
func.func @product(%a: memref<64x96xf16>, %b: memref<?x64xf16>, %c: memref<64x64xf32>, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
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

// What may be outside stays so: the copy reads zeros there. No load is asynchronous whose elements do not follow one
// another, and none that is computed with.
// CHECK-LABEL: @tail
// CHECK: %[[A:.*]] = tile.alloc : <3x64x32xf16
// CHECK-NOT: tile.alloc
// CHECK: tile.async_load_view
// CHECK-SAME: in_bounds [true, false]
// CHECK: tile.async_load_view
// CHECK: scf.for
// CHECK-DAG: tile.async_wait %{{.*}} {pending = 1 : i64}
// CHECK-DAG: tile.load_view {{.*}} -> tensor<32x64xf16
// CHECK: tile.async_load_view %{{.*}}, %[[A]]
// CHECK: tile.local_load %[[A]]
// CHECK: tile.mma
// CHECK: tile.async_wait {pending = 0 : i64}
// REMARK: remark: [Missed] pipeline | Category:tile | Reason="2 bytes follow one another, and a copy moves 4 at least: the layout gives a register no more neighbours"
// REMARK: remark: [Passed] pipeline | Category:tile | bytes=12288, loads=1, stages=3
func.func @tail(%a: memref<64x96xf16>, %b: memref<?x64xf16>, %c: memref<64x64xf32>, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32, #c> {
    %ga = tile.load_view %a[%c0, %k] in_bounds [true, false] : memref<64x96xf16> -> tensor<64x32xf16, #a_rows>
    %gb = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16, #b_single>
    %ta = tile.convert_layout %ga : tensor<64x32xf16, #a_rows> -> tensor<64x32xf16, #a>
    %tb = tile.convert_layout %gb : tensor<32x64xf16, #b_single> -> tensor<32x64xf16, #b>
    %sum = tile.mma %ta row, %tb column, %acc atom <m16n8k16_f16> warps(2, 2)
        : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
    scf.yield %sum : tensor<64x64xf32, #c>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32, #c>, memref<64x64xf32>
  return
}

// CHECK-LABEL: @prologue
// CHECK-COUNT-2: tile.async_load_view
// CHECK: scf.for
// CHECK: %[[G:.*]] = tile.load_view
// CHECK: arith.mulf %[[G]], %[[G]]
// CHECK: tile.convert_layout
// CHECK-NEXT: tile.async_wait %{{.*}} {pending = 1 : i64}
// CHECK: tile.async_load_view
// CHECK-NEXT: tile.local_load
// CHECK-NEXT: tile.mma
// REMARK: remark: [Missed] pipeline | Category:tile | Reason="what it loads is not only converted to the layout of an operand"
func.func @prologue(%a: memref<64x96xf16>, %b: memref<?x64xf16>, %c: memref<64x64xf32>, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32, #c> {
    %ga = tile.load_view %a[%c0, %k] in_bounds [true, true] : memref<64x96xf16> -> tensor<64x32xf16, #a_rows>
    %gb = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16, #b_rows>
    %squares = arith.mulf %ga, %ga : tensor<64x32xf16, #a_rows>
    %tb = tile.convert_layout %gb : tensor<32x64xf16, #b_rows> -> tensor<32x64xf16, #b>
    %ta = tile.convert_layout %squares : tensor<64x32xf16, #a_rows> -> tensor<64x32xf16, #a>
    %sum = tile.mma %ta row, %tb column, %acc atom <m16n8k16_f16> warps(2, 2)
        : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
    scf.yield %sum : tensor<64x64xf32, #c>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32, #c>, memref<64x64xf32>
  return
}

// Pointers with masks, to which that of the last steps is added. What replaces masked elements has to be 0.
// CHECK-LABEL: @pointers
// CHECK: %[[A:.*]] = tile.alloc : <3x64x32xf16
// CHECK-NOT: tile.alloc
// CHECK: tile.async_load %{{.*}}, %[[A]][%c2] mask
// CHECK: tile.async_load %{{.*}}, %[[A]][%c1] mask
// CHECK: scf.for
// CHECK: tile.load_view
// CHECK: tile.async_wait %{{.*}} {pending = 1 : i64}
// CHECK: %[[SPLAT:.*]] = tile.splat %{{.*}} : i1 -> tensor<64x32xi1
// CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %[[SPLAT]]
// CHECK: tile.async_load %{{.*}}, %[[A]][%{{.*}}] mask %[[MASK]]
// CHECK: tile.local_load %[[A]]
func.func @pointers(%p: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %b: memref<?x64xf16>, %c: memref<64x64xf32>, %rows: i32, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %f0 = arith.constant dense<0.0> : tensor<64x32xf16, #a_rows>
  %steps = arith.constant dense<2048> : tensor<64x32xi32, #a_rows>
  %range = tile.range 0 to 2048 : tensor<2048xi32, #flat>
  %offsets = tile.reshape %range : tensor<2048xi32, #flat> -> tensor<64x32xi32, #a_rows>
  %all = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #a_rows>
  %p0 = tile.addptr %all, %offsets : tensor<64x32x!tile.ptr<f16>, #a_rows>, tensor<64x32xi32, #a_rows>
  %few = arith.constant 5 : i32
  %any = arith.cmpi sgt, %rows, %few : i32
  %mask = tile.splat %any : i1 -> tensor<64x32xi1, #a_rows>
  %r:2 = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero, %pa = %p0) -> (tensor<64x64xf32, #c>, tensor<64x32x!tile.ptr<f16>, #a_rows>) {
    %ga = tile.load %pa mask %mask other %f0 : tensor<64x32x!tile.ptr<f16>, #a_rows>
    %gb = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16, #b_single>
    %ta = tile.convert_layout %ga : tensor<64x32xf16, #a_rows> -> tensor<64x32xf16, #a>
    %tb = tile.convert_layout %gb : tensor<32x64xf16, #b_single> -> tensor<32x64xf16, #b>
    %sum = tile.mma %ta row, %tb column, %acc atom <m16n8k16_f16> warps(2, 2)
        : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
    %next = tile.addptr %pa, %steps : tensor<64x32x!tile.ptr<f16>, #a_rows>, tensor<64x32xi32, #a_rows>
    scf.yield %sum, %next : tensor<64x64xf32, #c>, tensor<64x32x!tile.ptr<f16>, #a_rows>
  }
  tile.store_view %r#0, %c[%c0, %c0] : tensor<64x64xf32, #c>, memref<64x64xf32>
  return
}

// CHECK-LABEL: @kept
// CHECK-NOT: tile.async
// CHECK: return
// REMARK: remark: [Missed] pipeline | Category:tile | Reason="where its mask is false, the element is another one than 0"
// REMARK: remark: [Missed] pipeline | Category:tile | Reason="'tile.store_view' may write what is loaded ahead"
func.func @kept(%p: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %b: memref<?x64xf16>, %c: memref<64x64xf32>, %rows: i32, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %f1 = arith.constant dense<1.0> : tensor<64x32xf16, #a_rows>
  %range = tile.range 0 to 2048 : tensor<2048xi32, #flat>
  %offsets = tile.reshape %range : tensor<2048xi32, #flat> -> tensor<64x32xi32, #a_rows>
  %all = tile.splat %p : !tile.ptr<f16> -> tensor<64x32x!tile.ptr<f16>, #a_rows>
  %pa = tile.addptr %all, %offsets : tensor<64x32x!tile.ptr<f16>, #a_rows>, tensor<64x32xi32, #a_rows>
  %few = arith.constant 5 : i32
  %any = arith.cmpi sgt, %rows, %few : i32
  %mask = tile.splat %any : i1 -> tensor<64x32xi1, #a_rows>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32, #c> {
    %ga = tile.load %pa mask %mask other %f1 : tensor<64x32x!tile.ptr<f16>, #a_rows>
    %gb = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16, #b_rows>
    %ta = tile.convert_layout %ga : tensor<64x32xf16, #a_rows> -> tensor<64x32xf16, #a>
    %tb = tile.convert_layout %gb : tensor<32x64xf16, #b_rows> -> tensor<32x64xf16, #b>
    %sum = tile.mma %ta row, %tb column, %acc atom <m16n8k16_f16> warps(2, 2)
        : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
    tile.store_view %sum, %c[%c0, %c0] : tensor<64x64xf32, #c>, memref<64x64xf32>
    scf.yield %sum : tensor<64x64xf32, #c>
  }
  return
}
}

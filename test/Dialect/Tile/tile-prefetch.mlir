// tile-prefetch: which ops run ahead, by how much, and under which masks. See tile-prefetch-remark.mlir
// for loops that are kept, and tile-prefetch-run.mlir for the answers before and after.
//
// RUN: tile-opt --tile-prefetch --canonicalize --cse --split-input-file %s | FileCheck %s
// RUN: tile-opt --tile-select-config="config={stages=3}" --tile-prefetch --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=THREE
// With one stage nothing runs ahead.
// RUN: tile-opt --tile-select-config="config={stages=1}" --split-input-file %s -o %t.before
// RUN: tile-opt --tile-select-config="config={stages=1}" --tile-prefetch --split-input-file %s -o %t.after
// RUN: cmp %t.before %t.after

// The example of the documentation.
// CHECK-LABEL: @doc
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32
// THREE-LABEL: @doc
func.func @doc(%p0_base: !tile.ptr<f32>, %b_base: !tile.ptr<f32>, %step_base: !tile.ptr<i32>, %n: i32,
               %out_base: !tile.ptr<f32>) attributes {tile.kernel} {
  %p0 = tile.splat %p0_base : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  %b_at = tile.splat %b_base : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  %b = tile.load %b_at : tensor<8x8x!tile.ptr<f32>>
  %step_at = tile.splat %step_base : !tile.ptr<i32> -> tensor<8x8x!tile.ptr<i32>>
  %step = tile.load %step_at : tensor<8x8x!tile.ptr<i32>>
  %out = tile.splat %out_base : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.0
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
  // CHECK: %[[P0:.*]] = tile.splat
  // CHECK: %[[B:.*]] = tile.load
  // CHECK: %[[STEP:.*]] = tile.load
  // CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %[[C0]] : i32
  // CHECK: %[[M0:.*]] = tile.splat %[[ANY]] : i1 -> tensor<8x8xi1>
  // CHECK: %[[A0:.*]] = tile.load %[[P0]] mask %[[M0]]
  // CHECK: %[[P1:.*]] = tile.addptr %[[P0]], %[[STEP]]
  // CHECK: scf.for %[[K:.*]] = %[[C0]] to %[[N]] step %[[C8]] iter_args(%[[ACC:.*]] = %[[ZERO]], %[[P:.*]] = %[[P1]], %[[A:.*]] = %[[A0]])
  // CHECK: %[[LAST:.*]] = arith.{{subi|addi}} %[[N]], %{{.*}} : i32
  // CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[K]], %[[LAST]] : i32
  // CHECK: %[[M:.*]] = tile.splat %[[MORE]]
  // CHECK: %[[AHEAD:.*]] = tile.load %[[P]] mask %[[M]]
  // CHECK: %[[NEXT:.*]] = tile.addptr %[[P]], %[[STEP]]
  // CHECK: %[[SUM:.*]] = tile.dot %[[A]], %[[B]], %[[ACC]]
  // CHECK: scf.yield %[[SUM]], %[[NEXT]], %[[AHEAD]]

  // Two tiles are loaded before the loop.
  // THREE: %[[SECOND:.*]] = arith.cmpi sgt, %{{.*}}, %c8
  // THREE: %[[M1:.*]] = tile.splat %[[SECOND]]
  // THREE: %[[A1:.*]] = tile.load %{{.*}} mask %[[M1]]
  // THREE: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[OLD:.*]] = %{{.*}}, %[[NEW:.*]] = %[[A1]])
  // THREE: %[[AHEAD:.*]] = tile.load {{.*}} mask
  // THREE: tile.dot %[[OLD]],
  // THREE: scf.yield {{.*}}, %[[NEW]], %[[AHEAD]]
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %r:2 = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %zero, %p = %p0)
      -> (tensor<8x8xf32>, tensor<8x8x!tile.ptr<f32>>) : i32 {
    %a = tile.load %p : tensor<8x8x!tile.ptr<f32>>
    %sum = tile.dot %a, %b, %acc : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
    %next = tile.addptr %p, %step : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
    scf.yield %sum, %next : tensor<8x8xf32>, tensor<8x8x!tile.ptr<f32>>
  }
  tile.store %out, %r#0 : tensor<8x8x!tile.ptr<f32>>
  return
}

// -----

// Views, by the induction variable: the one ahead starts one step later, and outside of the memref
// after the last iteration. What uses no load stays where it is.
// CHECK-LABEL: @views
// CHECK-SAME: %[[M:.*]]: memref<4x?x?xf16>
func.func @views(%m: memref<4x?x?xf16>, %b_base: !tile.ptr<f16>, %n: index, %g: index,
                 %out_base: !tile.ptr<f32>) attributes {tile.kernel} {
  %b_at = tile.splat %b_base : !tile.ptr<f16> -> tensor<16x8x!tile.ptr<f16>>
  %b = tile.load %b_at : tensor<16x8x!tile.ptr<f16>>
  %out = tile.splat %out_base : !tile.ptr<f32> -> tensor<32x8x!tile.ptr<f32>>
  // CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %[[C16:.*]] iter_args(%{{.*}} = %{{.*}}, %[[TILE:.*]] = %{{.*}})
  // CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[K]]
  // CHECK: %[[AHEAD:.*]] = arith.addi %[[K]], %{{.*}} : index
  // CHECK: %[[BATCH:.*]] = arith.select %[[MORE]], %arg3, %c0 : index
  // CHECK: %[[ROW:.*]] = arith.select %[[MORE]], %c0, %c-32 : index
  // CHECK: tile.load_view %[[M]][%[[BATCH]], %[[ROW]], %[[AHEAD]]] axes [1, 2]
  // CHECK: arith.negf %[[TILE]]
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : tensor<32x8xf32>
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %zero) -> tensor<32x8xf32> {
    %a = tile.load_view %m[%g, %c0, %k] axes [1, 2] : memref<4x?x?xf16> -> tensor<32x16xf16>
    %v = arith.negf %a : tensor<32x16xf16>
    %sum = tile.dot %v, %b, %acc : tensor<32x16xf16>, tensor<16x8xf16>, tensor<32x8xf32>
    scf.yield %sum : tensor<32x8xf32>
  }
  tile.store %out, %r : tensor<32x8x!tile.ptr<f32>>
  return
}

// -----

// Small views that are surely inside read the first elements again after the last iteration: no bound is compared. Large
// ones, and those of memrefs that may be too small, do not.
// CHECK-LABEL: @small_views
func.func @small_views(%t: memref<8xf32> {tile.readonly}, %u: memref<?xf32> {tile.readonly}, %l: memref<512xf32> {tile.readonly},
                       %n: index, %out_base: !tile.ptr<f32>) attributes {tile.kernel} {
  %out = tile.splat %out_base : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  // CHECK: scf.for %[[K:.*]] = %{{.*}} to
  // CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[K]]
  // CHECK: %[[AHEAD:.*]] = arith.addi %[[K]], %{{.*}} : index
  // CHECK: %[[FIRST:.*]] = arith.select %[[MORE]], %[[AHEAD]], %c0 : index
  // CHECK: tile.load_view %{{.*}}[%[[FIRST]]] in_bounds [true] : memref<8xf32>
  // CHECK: %[[OUTSIDE:.*]] = arith.select %[[MORE]], %[[AHEAD]], %c-8 : index
  // CHECK: tile.load_view %{{.*}}[%[[OUTSIDE]]] in_bounds [false] : memref<?xf32>
  // CHECK: %[[FAR:.*]] = arith.select %[[MORE]], %[[AHEAD]], %c-64 : index
  // CHECK: tile.load_view %{{.*}}[%[[FAR]]] in_bounds [false] : memref<512xf32>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %r = scf.for %k = %c0 to %n step %c8 iter_args(%acc = %zero) -> tensor<8x8xf32> {
    %x = tile.load_view %t[%k] in_bounds [true] : memref<8xf32> -> tensor<8xf32>
    %y = tile.load_view %u[%k] in_bounds [true] : memref<?xf32> -> tensor<8xf32>
    %z = tile.load_view %l[%k] in_bounds [true] : memref<512xf32> -> tensor<64xf32>
    %xy = arith.addf %x, %y : tensor<8xf32>
    %row = tile.reshape %xy : tensor<8xf32> -> tensor<1x8xf32>
    %a = tile.broadcast %row : tensor<1x8xf32> -> tensor<8x8xf32>
    %b = tile.reshape %z : tensor<64xf32> -> tensor<8x8xf32>
    %sum = tile.dot %a, %b, %acc : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
    scf.yield %sum : tensor<8x8xf32>
  }
  tile.store %out, %r : tensor<8x8x!tile.ptr<f32>>
  return
}

// -----

// Loads that loads depend on run ahead too; promises do not. Stores where what is loaded is read-only
// and reached by nothing else.
// CHECK-LABEL: @tables
func.func @tables(%t: !tile.ptr<i32> {tile.readonly, tile.noalias}, %x: !tile.ptr<f32> {tile.readonly, tile.noalias},
                  %y: !tile.ptr<f32>, %b_base: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %b_at = tile.splat %b_base : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  %b = tile.load %b_at : tensor<8x8x!tile.ptr<f32>>
  // CHECK: %[[D:.*]] = tile.load %{{.*}} mask %{{.*}} : !tile.ptr<i32>
  // CHECK: scf.for
  // CHECK: %[[Q:.*]] = tile.load %{{.*}} mask %{{.*}} : !tile.ptr<i32>
  // CHECK: tile.splat %[[Q]] : i32
  // CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<8x8x!tile.ptr<f32>>
  // CHECK: tile.dot
  // CHECK: tile.store %{{.*}}, %{{.*}} : !tile.ptr<f32>
  // CHECK-NOT: tile.assume
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = arith.constant 1.0 : f32
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %pt = %t)
      -> (tensor<8x8xf32>, !tile.ptr<i32>) : i32 {
    %d = tile.load %pt : !tile.ptr<i32>
    %e = tile.assume %d {range = array<i64: 0, 99>} : i32
    %ds = tile.splat %e : i32 -> tensor<8x8xi32>
    %p = tile.addptr %xs, %ds : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
    %a = tile.load %p : tensor<8x8x!tile.ptr<f32>>
    %sum = tile.dot %a, %b, %acc : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
    tile.store %y, %v : !tile.ptr<f32>
    %next = tile.addptr %pt, %c1 : !tile.ptr<i32>, i32
    scf.yield %sum, %next : tensor<8x8xf32>, !tile.ptr<i32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  tile.store %ys, %r#0 : tensor<8x8x!tile.ptr<f32>>
  return
}

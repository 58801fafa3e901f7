// tile-split-k-blocks: the loop of a part, the additions, and the launch. See tile-split-k-blocks-remark.mlir for kernels
// that are kept, and tile-split-k-blocks-run.mlir for what they compute.
//
// RUN: tile-opt --tile-split-k-blocks=factor=4 --canonicalize --cse %s | FileCheck %s
// RUN: tile-opt --tile-split-k-blocks=factor=1 %s | FileCheck %s --check-prefix=OFF --implicit-check-not=tile.atomic_rmw
// RUN: tile-opt --tile-split-k-blocks %s | FileCheck %s --check-prefix=CHOOSE
// RUN: tile-opt --tile-split-k-blocks=programs=3 %s | FileCheck %s --check-prefix=CHOOSE3

// The example of the documentation. Without a factor: 32 steps make 8 parts of 4; for three programs 11 steps each.
// CHECK-LABEL: @doc(
// CHECK-SAME: %[[A:.*]]: memref<64x1024xf16>, %[[B:.*]]: memref<1024x64xf16>, %[[C:.*]]: memref<64x64xf32>
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: linalg.fill ins(%[[ZERO]] : f32) outs(%[[C]] : memref<64x64xf32>)
// CHECK-NEXT: tile.launch @product grid(%[[C1]], %[[C1]], %[[C4]]) (%[[A]], %[[B]], %[[C]]) : memref<64x1024xf16>, memref<1024x64xf16>, memref<64x64xf32>
func.func @doc(%a: memref<64x1024xf16>, %b: memref<1024x64xf16>, %c: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @product grid(%c1, %c1, %c1) (%a, %b, %c)
      : memref<64x1024xf16>, memref<1024x64xf16>, memref<64x64xf32>
  return
}

// CHECK-LABEL: @product(
// CHECK-SAME: %[[C:[^:]*]]: !tile.ptr<f32> {tile.noalias})
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK-DAG: %[[WAYS:.*]] = arith.constant 4 : i32
// CHECK: %[[Z:.*]] = tile.program_id z
// CHECK: %[[PART:.*]] = arith.remui %[[Z]], %[[WAYS]] : i32
// CHECK: %[[INDEX:.*]] = arith.index_castui %[[PART]] : i32 to index
// CHECK: %[[LOWER:.*]] = arith.muli %[[INDEX]], %[[C256]] : index
// CHECK: %[[UPPER:.*]] = arith.addi %[[LOWER]], %[[C256]] : index
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %[[C32]]
// CHECK: %[[POINTERS:.*]] = tile.addptr
// CHECK: tile.atomic_rmw add %[[POINTERS]], %[[SUM]] : tensor<64x64x!tile.ptr<f32>>
// CHECK-NEXT: return
// OFF-LABEL: @product(
// OFF: tile.store_view
// CHOOSE-LABEL: @product(
// CHOOSE: arith.constant 8 : i32
// CHOOSE3-LABEL: @product(
// CHOOSE3: arith.constant 3 : i32
// CHOOSE3: arith.constant 352 : index
func.func private @product(%a: memref<64x1024xf16>, %b: memref<1024x64xf16>,
                           %c: memref<64x64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c1024 step %c32 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
    %x = tile.load_view %a[%c0, %k] : memref<64x1024xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<1024x64xf16> -> tensor<32x64xf16>
    %next = tile.dot %x, %y, %acc
        : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tile.store_view %sum, %c[%c0, %c0] in_bounds [true, true] : tensor<64x64xf32>, memref<64x64xf32>
  return
}

// Of 10 steps the last part has one; numbers along z are divided; pointers start where the part does; the tile reaches
// over the edge along its rows. Launches are at two places.
// CHECK-LABEL: @launches(
// CHECK: %[[N:.*]] = memref.dim
// CHECK: linalg.fill
// CHECK-NEXT: tile.launch @batched
func.func @launches(%batches: memref<?xi32> {einsum.example_shape = array<i64: 3>}, %a: memref<8x320xi32>,
                    %c: memref<3x60xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %batches, %c0 : memref<?xi32>
  // CHECK-DAG: linalg.fill
  // CHECK-DAG: %[[Z:.*]] = arith.muli %[[N]], %{{.*}} : index
  // CHECK: tile.launch @batched grid(%{{.*}}, %{{.*}}, %[[Z]])
  tile.launch @batched grid(%c1, %c2, %c1) (%a, %c) : memref<8x320xi32>, memref<3x60xi32>
  tile.launch @batched grid(%c1, %c2, %n) (%a, %c) : memref<8x320xi32>, memref<3x60xi32>
  return
}

// CHECK-LABEL: @batched(
// CHECK-SAME: %[[A:[^:]*]]: !tile.ptr<i32> {tile.readonly}, %[[C:[^:]*]]: !tile.ptr<i32> {tile.noalias})
// CHECK-DAG: %[[STEPS:.*]] = arith.constant 3 : i64
// CHECK-DAG: %[[END:.*]] = arith.constant 10 : i32
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
// CHECK-DAG: %[[ADVANCE:.*]] = arith.constant dense<32> : tensor<32xi64>
// CHECK-DAG: %[[LIMIT:.*]] = arith.constant dense<60> : tensor<32xi64>
// CHECK: %[[ID:.*]] = tile.program_id z
// CHECK: %[[PART:.*]] = arith.remui %[[ID]], %[[C4]]
// CHECK: %[[BATCH:.*]] = arith.divui %[[ID]], %[[C4]]
// CHECK: %[[POINTERS:.*]] = tile.addptr
// CHECK: %[[LOWER:.*]] = arith.muli %[[PART]], %[[C3]] : i32
// CHECK: %[[NEXT:.*]] = arith.addi %[[LOWER]], %[[C3]] : i32
// CHECK: %[[UPPER:.*]] = arith.minsi %[[NEXT]], %[[END]] : i32
// CHECK: %[[PART64:.*]] = arith.extui %[[PART]] : i32 to i64
// CHECK: %[[SKIPPED:.*]] = arith.muli %[[PART64]], %[[STEPS]] : i64
// CHECK: %[[SPLAT:.*]] = tile.splat %[[SKIPPED]] : i64 -> tensor<32xi64>
// CHECK: %[[DISTANCE:.*]] = arith.muli %[[SPLAT]], %[[ADVANCE]] : tensor<32xi64>
// CHECK: %[[FROM:.*]] = tile.addptr %[[POINTERS]], %[[DISTANCE]]
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[FROM]])
// CHECK: arith.cmpi ult, %{{.*}}, %[[LIMIT]] : tensor<32xi64>
// CHECK: tile.atomic_rmw add %{{.*}}, %{{.*}} mask %{{.*}} : tensor<32x!tile.ptr<i32>>
func.func private @batched(%a: !tile.ptr<i32> {tile.readonly}, %c: memref<3x60xi32> {tile.noalias})
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c10 = arith.constant 10 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0> : tensor<32xi32>
  %advance = arith.constant dense<32> : tensor<32xi64>
  %y = tile.program_id y
  %z = tile.program_id z
  %start = arith.muli %y, %c32 : i32
  %i = arith.index_cast %start : i32 to index
  %batch = arith.index_cast %z : i32 to index
  %range = tile.range 0 to 32 : tensor<32xi64>
  %base = tile.splat %a : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %pointers = tile.addptr %base, %range : tensor<32x!tile.ptr<i32>>, tensor<32xi64>
  %sum:2 = scf.for %k = %c0 to %c10 step %c1 iter_args(%acc = %zero, %p = %pointers)
      -> (tensor<32xi32>, tensor<32x!tile.ptr<i32>>) : i32 {
    %x = tile.load %p : tensor<32x!tile.ptr<i32>>
    %next = arith.addi %acc, %x : tensor<32xi32>
    %q = tile.addptr %p, %advance : tensor<32x!tile.ptr<i32>>, tensor<32xi64>
    scf.yield %next, %q : tensor<32xi32>, tensor<32x!tile.ptr<i32>>
  }
  tile.store_view %sum#0, %c[%batch, %i] axes [1] : tensor<32xi32>, memref<3x60xi32>
  return
}

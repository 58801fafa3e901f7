// scf-split-parallel-loops: as many outer dimensions stay parallel as have the iterations that are asked for; others are
// nested loops.
//
// RUN: tile-opt %s --scf-split-parallel-loops | FileCheck %s
// RUN: tile-opt %s --scf-split-parallel-loops=iterations=1 | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: @fill
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%c4, %c8) step (%c1, %c2) {
// CHECK:   scf.for %[[K:.*]] = %c0 to %c58 step %c1 {
// CHECK:     scf.for %[[L:.*]] = %c0 to %c3 step %c1 {
// CHECK:       memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[K]], %[[L]]]
// CHECK:     }
// CHECK:   }
// CHECK:   scf.reduce
// ONE-LABEL: @fill
// ONE: scf.parallel (%{{.*}}) = (%c0) to (%c4) step (%c1) {
// ONE:   scf.for
// ONE:     scf.for
// ONE:       scf.for
func.func @fill(%m: memref<4x8x58x3xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c58 = arith.constant 58 : index
  scf.parallel (%i, %j, %k, %l) = (%c0, %c0, %c0, %c0) to (%c4, %c8, %c58, %c3) step (%c1, %c2, %c1, %c1) {
    memref.store %x, %m[%i, %j, %k, %l] : memref<4x8x58x3xf32>
  }
  return
}

// Outer dimensions with too few iterations, of unknown size, one dimension, a loop within, values that are reduced.
// CHECK-LABEL: @unchanged
// CHECK-NOT: scf.for
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NOT: scf.for
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NOT: scf.for
// CHECK: scf.parallel (%{{.*}}) =
// CHECK-NOT: scf.for
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %c3
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = {{.*}} init
// CHECK-NOT: scf.for
// CHECK: return
func.func @unchanged(%m: memref<?x?xf32>, %x: f32, %size: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c3) step (%c1, %c1) {
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%size, %c64) step (%c1, %c1) {
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    memref.store %x, %m[%i, %i] : memref<?x?xf32>
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c64) step (%c1, %c1) {
    scf.for %k = %c0 to %c3 step %c1 {
      memref.store %x, %m[%i, %j] : memref<?x?xf32>
    }
  }
  %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c64) step (%c1, %c1) init (%x) -> f32 {
    %y = memref.load %m[%i, %j] : memref<?x?xf32>
    scf.reduce(%y : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %sum : f32
}

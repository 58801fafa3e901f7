// scf-outline-loops: loops that differ in the values that they use, and in nothing else, are calls of one function.
//
// RUN: tile-opt %s --scf-outline-loops=min-ops=4 -split-input-file | FileCheck %s
// RUN: tile-opt %s --scf-outline-loops -split-input-file | FileCheck %s --check-prefix=LARGE
// LARGE-NOT: call
// RUN: tile-opt %s --scf-outline-loops="min-ops=5 min-single-ops=5" -split-input-file | FileCheck %s --check-prefix=SINGLE

// CHECK-LABEL: func.func @layers(
// CHECK-SAME:  %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>, %[[S:.*]]: f32)
// CHECK:       call @layers_loop(%[[X]], %[[S]], %[[Y]])
// CHECK-NEXT:  %[[T:.*]] = math.exp %[[S]]
// CHECK-NEXT:  call @layers_loop(%[[Y]], %[[T]], %[[X]])
// Another constant, another op, and another type.
// CHECK-COUNT-3: scf.for
// Constants are made in the function.
// CHECK:       func.func private @layers_loop(%[[FROM:.*]]: memref<64xf32>, %[[BY:.*]]: f32, %[[TO:.*]]: memref<64xf32>)
// CHECK-SAME:    llvm.linkage = #llvm.linkage<internal>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C64:.*]] = arith.constant 64 : index
// CHECK:         scf.for %[[I:.*]] = %[[C0]] to %[[C64]] step %[[C1]] {
// CHECK-NEXT:      %[[A:.*]] = memref.load %[[FROM]][%[[I]]]
// CHECK-NEXT:      %[[B:.*]] = arith.mulf %[[A]], %[[BY]]
// CHECK-NEXT:      memref.store %[[B]], %[[TO]][%[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @layers(%x: memref<64xf32>, %y: memref<64xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %x[%i] : memref<64xf32>
    %b = arith.mulf %a, %s : f32
    memref.store %b, %y[%i] : memref<64xf32>
  }
  %t = math.exp %s : f32
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %y[%i] : memref<64xf32>
    %b = arith.mulf %a, %t : f32
    memref.store %b, %x[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %a = memref.load %y[%i] : memref<64xf32>
    %b = arith.mulf %a, %t : f32
    memref.store %b, %x[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %y[%i] : memref<64xf32>
    %b = arith.addf %a, %t : f32
    memref.store %b, %x[%i] : memref<64xf32>
  }
  %z = memref.alloc() : memref<128xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %z[%i] : memref<128xf32>
    %b = arith.mulf %a, %t : f32
    memref.store %b, %x[%i] : memref<64xf32>
  }
  memref.dealloc %z : memref<128xf32>
  return
}

// -----

// Where the first loop has one value in two places, the other one has two; the first and the third use one value in two ways.
// CHECK-LABEL: func.func @places(
// CHECK-SAME:  %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>)
// CHECK:       call @places_loop(%[[X]], %[[Y]])
// CHECK:       scf.parallel
// CHECK:       }
// CHECK:       call @places_loop(%[[X]], %[[X]])
// CHECK:       func.func private @places_loop
func.func @places(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %a = memref.load %x[%i] : memref<64xf32>
    memref.store %a, %y[%i] : memref<64xf32>
    memref.store %a, %y[%c0] : memref<64xf32>
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %a = memref.load %y[%i] : memref<64xf32>
    memref.store %a, %y[%i] : memref<64xf32>
    memref.store %a, %x[%c0] : memref<64xf32>
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %a = memref.load %x[%i] : memref<64xf32>
    memref.store %a, %x[%i] : memref<64xf32>
    memref.store %a, %x[%c0] : memref<64xf32>
  }
  return
}

// -----

// What a loop results in, its function cannot tell.
// CHECK-LABEL: func.func @sums(
// CHECK-NOT:   call
func.func @sums(%x: memref<64xf32>, %y: memref<64xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %c64 step %c1 iter_args(%so_far = %zero) -> (f32) {
    %a = memref.load %x[%i] : memref<64xf32>
    %b = arith.mulf %a, %a : f32
    %next = arith.addf %so_far, %b : f32
    scf.yield %next : f32
  }
  %t = scf.for %i = %c0 to %c64 step %c1 iter_args(%so_far = %zero) -> (f32) {
    %a = memref.load %y[%i] : memref<64xf32>
    %b = arith.mulf %a, %a : f32
    %next = arith.addf %so_far, %b : f32
    scf.yield %next : f32
  }
  return %s, %t : f32, f32
}

// -----

// Two loops that are not equal: functions where they are large; a loop by itself stays.
// SINGLE-LABEL: func.func @two(
// SINGLE:       call @two_loop(
// SINGLE-NEXT:  call @two_loop_0(
// SINGLE-NEXT:  return
// SINGLE-LABEL: func.func @one(
// SINGLE:       scf.for
// SINGLE:       func.func private @two_loop(%{{.*}}: memref<64xf32>, %{{.*}}: memref<64xf32>) attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
// SINGLE:       math.exp
// SINGLE:       func.func private @two_loop_0(
// SINGLE:       math.sqrt
func.func @two(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %x[%i] : memref<64xf32>
    %b = math.exp %a : f32
    memref.store %b, %y[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %y[%i] : memref<64xf32>
    %b = math.sqrt %a : f32
    memref.store %b, %x[%i] : memref<64xf32>
  }
  return
}
func.func @one(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.load %x[%i] : memref<64xf32>
    %b = math.cos %a : f32
    memref.store %b, %y[%i] : memref<64xf32>
  }
  return
}

// memref-hoist-loads: a scalar that no iteration changes is loaded before the loop, and what is computed of it.
//
// RUN: tile-opt %s --memref-hoist-loads | FileCheck %s
// RUN: tile-opt %s --memref-hoist-loads=max-loads=1 | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: @divide
// CHECK:      scf.for
// CHECK:        %[[SUM:.*]] = memref.load
// CHECK-NEXT:   %[[ALL:.*]] = vector.broadcast %[[SUM]]
// CHECK-NEXT:   scf.for
// CHECK-NEXT:     %[[ROW:.*]] = vector.load
// CHECK-NEXT:     arith.divf %[[ROW]], %[[ALL]]
// CHECK-NEXT:     vector.store
func.func @divide(%x: memref<64x768xf32>, %y: memref<64x768xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c768 = arith.constant 768 : index
  %sums = memref.alloc() : memref<64xf32>
  linalg.reduce { arith.addf } ins(%x : memref<64x768xf32>) outs(%sums : memref<64xf32>) dimensions = [1]
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c768 step %c16 {
      %sum = memref.load %sums[%i] : memref<64xf32>
      %all = vector.broadcast %sum : f32 to vector<16xf32>
      %row = vector.load %x[%i, %j] : memref<64x768xf32>, vector<16xf32>
      %part = arith.divf %row, %all : vector<16xf32>
      vector.store %part, %y[%i, %j] : memref<64x768xf32>, vector<16xf32>
    }
  }
  memref.dealloc %sums : memref<64xf32>
  return
}

// Arguments may be one buffer; what an iteration itself writes, it reads.
// CHECK-LABEL: @written
// CHECK:      scf.for
// CHECK-NEXT:   memref.load
// CHECK-NEXT:   memref.store
func.func @written(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %first = memref.load %x[%c0] : memref<64xf32>
    memref.store %first, %y[%i] : memref<64xf32>
  }
  return
}

// CHECK-LABEL: @called
// CHECK:      scf.for
// CHECK-NEXT:   memref.load
// CHECK-NEXT:   func.call
func.func private @give(f32)
func.func @called(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %first = memref.load %x[%c0] : memref<64xf32>
    func.call @give(%first) : (f32) -> ()
  }
  return
}

// There may be nothing to read where there is no iteration, or in a branch that is not taken. What is computed of numbers
// alone moves.
// CHECK-LABEL: @maybe
// CHECK:      arith.addi
// CHECK-NEXT: scf.for
// CHECK-NEXT:   memref.load
// CHECK:      scf.for
// CHECK-NEXT:   scf.if
// CHECK-NEXT:     memref.load
func.func @maybe(%x: memref<?xf32>, %n: index, %c: i1, %s: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %s) -> (f32) {
    %place = arith.addi %n, %n : index
    %element = memref.load %x[%place] : memref<?xf32>
    %next = arith.addf %sum, %element : f32
    scf.yield %next : f32
  }
  %other = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %s) -> (f32) {
    %next = scf.if %c -> (f32) {
      %element = memref.load %x[%n] : memref<?xf32>
      %more = arith.addf %sum, %element : f32
      scf.yield %more : f32
    } else {
      scf.yield %sum : f32
    }
    scf.yield %next : f32
  }
  return %one, %other : f32, f32
}

// No more than registers hold.
// CHECK-LABEL: @two
// CHECK-COUNT-2: memref.load
// CHECK: scf.for
// ONE-LABEL: @two
// ONE:      memref.load
// ONE-NEXT: scf.for
// ONE-NEXT:   memref.load
func.func @two(%x: memref<2xf32>, %s: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %all = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %s) -> (f32) {
    %a = memref.load %x[%c0] : memref<2xf32>
    %b = memref.load %x[%c1] : memref<2xf32>
    %c = arith.mulf %sum, %a : f32
    %d = arith.addf %c, %b : f32
    scf.yield %d : f32
  }
  return %all : f32
}

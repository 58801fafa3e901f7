// openmp-skip-barriers: a loop does not end with a barrier where its parallel region ends, too.
//
// RUN: tile-opt %s --openmp-skip-barriers | FileCheck %s

// CHECK-LABEL: @last
// CHECK: omp.parallel {
// CHECK-NEXT: omp.wsloop nowait {
func.func @last(%m: memref<64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%c64) step (%c1) {
        memref.store %x, %m[%i] : memref<64xf32>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// What follows in the region may read what another thread has written.
// CHECK-LABEL: @followed
// CHECK-NOT: nowait
// CHECK: return
func.func @followed(%m: memref<64xf32>, %sum: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%c64) step (%c1) {
        %x = memref.load %m[%i] : memref<64xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %m[%i] : memref<64xf32>
        omp.yield
      }
    }
    %first = memref.load %m[%c0] : memref<64xf32>
    memref.store %first, %sum[] : memref<f32>
    omp.terminator
  }
  return
}

omp.declare_reduction @add : f32
init {
^bb0(%x: f32):
  %zero = arith.constant 0.0 : f32
  omp.yield(%zero : f32)
}
combiner {
^bb0(%x: f32, %y: f32):
  %sum = arith.addf %x, %y : f32
  omp.yield(%sum : f32)
}

// CHECK-LABEL: @reduced
// CHECK-NOT: nowait
// CHECK: return
func.func @reduced(%m: memref<64xf32>, %sum: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  omp.parallel {
    omp.wsloop reduction(@add %sum -> %part : !llvm.ptr) {
      omp.loop_nest (%i) : index = (%c0) to (%c64) step (%c1) {
        %x = memref.load %m[%i] : memref<64xf32>
        %old = llvm.load %part : !llvm.ptr -> f32
        %new = arith.addf %old, %x : f32
        llvm.store %new, %part : f32, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// convert-cpu-to-llvm: one conversion, with memrefs as pointers.
//
// RUN: tile-opt %s --convert-cpu-to-llvm=free-buffers | FileCheck %s
// RUN: tile-opt %s --convert-cpu-to-llvm=free-buffers --mlir-print-op-generic \
// RUN:   | FileCheck %s --check-prefix=GENERIC --implicit-check-not='{{(^|[ =])}}"{{(arith|math|memref|tensor|scf|cf|func|index|vector|bufferization)}}.'
// RUN: tile-opt %s --convert-cpu-to-llvm | FileCheck %s --check-prefix=KEPT
//
// GENERIC: "builtin.module"

// Addresses are computed from pointers: nothing of a descriptor is left.
// CHECK-LABEL: llvm.func @first(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr) -> vector<4xf32>
// CHECK-NOT: insertvalue
// CHECK: %[[ADDRESS:.*]] = llvm.getelementptr{{.*}} %[[X]]
// CHECK: %[[V:.*]] = llvm.load %[[ADDRESS]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.return %[[V]]
func.func @first(%x: memref<8xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<8xf32>, vector<4xf32>
  return %v : vector<4xf32>
}

// A tensor that nothing reads goes.
// CHECK-LABEL: llvm.func @unused(
// CHECK-NEXT: llvm.return
func.func @unused(%x: memref<8xf32>) {
  %t = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  return
}

// The buffer is freed at the end; without the option it is somebody's.
// CHECK-LABEL: llvm.func @buffer(
// CHECK: llvm.call @malloc
// CHECK: llvm.br
// CHECK: llvm.call @free
// CHECK-NEXT: llvm.return
// KEPT-LABEL: llvm.func @buffer(
// KEPT: llvm.call @malloc
// KEPT-NOT: llvm.call @free
// KEPT-LABEL: llvm.func @scope(
func.func @buffer(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %x[%i] : memref<8xf32>
    memref.store %e, %b[%i] : memref<8xf32>
  }
  return
}

// As convert-scf-to-openmp makes them: loops in alloca scopes without allocas.
// CHECK-LABEL: llvm.func @scope(
// CHECK: omp.parallel
// CHECK-NOT: alloca_scope
// CHECK-NOT: llvm.intr.stack
// CHECK: llvm.cond_br
// CHECK: omp.yield
func.func @scope(%x: memref<8x8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%c8) step (%c1) {
        memref.alloca_scope {
          scf.for %j = %c0 to %c8 step %c1 {
            memref.store %v, %x[%i, %j] : memref<8x8xf32>
          }
        }
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// Without values: a memref of dynamic size is no pointer.
// CHECK-LABEL: llvm.func @check(
// CHECK: llvm.call @tileirReportCheck() : () -> ()
func.func private @tileirReportCheck(i64, memref<?xi64>)
func.func @check(%site: i64, %values: memref<2xi64>) {
  %any = memref.cast %values : memref<2xi64> to memref<?xi64>
  func.call @tileirReportCheck(%site, %any) : (i64, memref<?xi64>) -> ()
  return
}

// A parallel loop that OpenMP does not run becomes a plain one.
// CHECK-LABEL: llvm.func @parallel(
// CHECK: llvm.cond_br
// CHECK: llvm.store
// CHECK: llvm.return
func.func @parallel(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %f = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %f, %x[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// The numbers of lanes are a constant.
// CHECK-LABEL: llvm.func @lanes(
// CHECK: llvm.mlir.constant(dense<[0, 1, 2, 3]> : vector<4xi{{64|ndex}}>)
func.func @lanes(%x: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %s = vector.step : vector<4xindex>
  %i = arith.index_cast %s : vector<4xindex> to vector<4xi64>
  vector.store %i, %x[%c0] : memref<8xi64>, vector<4xi64>
  return
}

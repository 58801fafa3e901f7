// memref-fence-nontemporal: a thread that wrote past the caches ends with a fence.
//
// RUN: tile-opt %s --memref-fence-nontemporal | FileCheck %s
//
// Threads of OpenMP have each their own, when all their iterations are done.
// RUN: tile-opt %s --convert-scf-to-openmp --memref-fence-nontemporal | FileCheck %s --check-prefix=OPENMP
// OPENMP-LABEL: @parallel
// OPENMP:      omp.parallel
// OPENMP:        omp.wsloop
// OPENMP-NOT:    fence
// OPENMP:        llvm.fence seq_cst
// OPENMP-NEXT:   omp.terminator
// OPENMP-NEXT: }
// OPENMP-NEXT: return

// One fence, however many stores there are.
// CHECK-LABEL: @returns
// CHECK:      vector.store
// CHECK:      memref.store
// CHECK-NEXT: {{^ +\}$}}
// CHECK-NEXT: llvm.fence seq_cst
// CHECK-NEXT: return
func.func @returns(%v: vector<16xf32>, %x: f32, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c16 {
    vector.store %v, %y[%i] {alignment = 64 : i64, nontemporal = true} : memref<64xf32>, vector<16xf32>
    memref.store %x, %y[%i] {nontemporal = true} : memref<64xf32>
  }
  return
}

// CHECK-LABEL: @parallel
// CHECK:      scf.parallel
// CHECK-NOT:    fence
// CHECK:        scf.reduce
// CHECK-NEXT: {{^ +\}$}}
// CHECK-NEXT: llvm.fence seq_cst
// CHECK-NEXT: return
func.func @parallel(%v: vector<16xf32>, %c: i1, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c16) {
    scf.if %c {
      vector.store %v, %y[%i] {alignment = 64 : i64, nontemporal = true} : memref<64xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: @branches
// CHECK:      ^bb1:
// CHECK-NEXT: llvm.fence
// CHECK-NEXT: return
// CHECK:      ^bb2:
// CHECK-NEXT: cf.br ^bb1
func.func @branches(%v: vector<16xf32>, %c: i1, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  vector.store %v, %y[%c0] {nontemporal = true} : memref<64xf32>, vector<16xf32>
  cf.cond_br %c, ^end, ^other
^end:
  return
^other:
  cf.br ^end
}

// CHECK-LABEL: @plain
// CHECK-NOT:  fence
func.func @plain(%v: vector<16xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  vector.store %v, %y[%c0] : memref<64xf32>, vector<16xf32>
  return
}

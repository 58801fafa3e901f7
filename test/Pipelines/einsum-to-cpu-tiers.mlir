// The tiers of einsum-to-cpu-pipeline: fast lowers kernels by a few passes, full also what they leave.
//
// RUN: tile-opt %s --einsum-to-cpu-pipeline="tier=fast threads=1 openmp=0" | FileCheck %s --implicit-check-not=omp.
// RUN: tile-opt %s --einsum-to-cpu-pipeline="tier=full bare-pointers=1 openmp=0" | FileCheck %s --implicit-check-not=omp.
// RUN: tile-opt %s --einsum-to-cpu-pipeline="tier=fast threads=2" | FileCheck %s --check-prefix=THREADS
// RUN: tile-opt %s --einsum-to-cpu-pipeline="tier=fast threads=2 parallelize=0" | FileCheck %s --implicit-check-not=omp.
// RUN: tile-opt %s --einsum-to-cpu-pipeline="tier=fast openmp=0" --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=FAST
// RUN: tile-opt %s --einsum-to-cpu-pipeline="tier=fast openmp=0 fuse-dims=1" --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=FUSE
// RUN: not tile-opt %s --einsum-to-cpu-pipeline="tier=quick" 2>&1 | FileCheck %s --check-prefix=BAD
//
// BAD: 'quick'
// FAST: einsum-pad-operands
// FAST: convert-einsum-to-vector
// FAST: convert-cpu-to-llvm
// FAST-NOT: einsum-fuse-dims
// FAST-NOT: one-shot-bufferize
// FUSE: einsum-fuse-dims

// CHECK-LABEL: llvm.func @product(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: llvm.intr.fmuladd
// THREADS-LABEL: llvm.func @product(
// THREADS: omp.parallel num_threads
// THREADS-NEXT: omp.wsloop nowait
func.func @product(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<256x256xf32>) : (memref<256x256xf32>, memref<256x256xf32>)
  return
}

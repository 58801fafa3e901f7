// A contraction that has no kernel: the fast tier of einsum-to-cpu-pipeline says so, the full one makes loops.
//
// RUN: not tile-opt %s --einsum-to-cpu-pipeline=tier=fast -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: tile-opt %s --einsum-to-cpu-pipeline="tier=full bare-pointers=1" | FileCheck %s
//
// FAST: error: convert-cpu-to-llvm expects loops, vectors and memrefs, found 'einsum.contract': einsum-to-cpu-pipeline with tier=full takes it
// CHECK-LABEL: llvm.func @padded(
// CHECK-SAME: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: llvm.cond_br
func.func @padded(%x: memref<16xf32>, %w: memref<3xf32>, %y: memref<16xf32>) {
  einsum.contract "(h+r-1), r -> h" (%x, %w) outs(%y : memref<16xf32>) {pad = "zero"} : (memref<16xf32>, memref<3xf32>)
  return
}

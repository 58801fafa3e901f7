// A contraction of three operands on memrefs compiles: its temporary is freed only after buffer deallocation,
// which refuses programs that free.
//
// RUN: tile-run %s --random=1 --check=interp | FileCheck %s
// CHECK: check against interp: passed

func.func @main(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<6x7xf32>, %o: memref<4x7xf32>) {
  einsum.contract "ij, jk, kl -> il" (%a, %b, %c) outs(%o : memref<4x7xf32>)
      : (memref<4x5xf32>, memref<5x6xf32>, memref<6x7xf32>)
  return
}

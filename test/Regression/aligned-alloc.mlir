// Memory that a pipeline of the user's own has aligned_alloc give is taken back by what takes back that of malloc.
//
// RUN: tile-run %s --random=1 --check=interp --pipeline='one-shot-bufferize{bufferize-function-boundaries=1},convert-linalg-to-loops,convert-scf-to-cf,finalize-memref-to-llvm{use-aligned-alloc=1},convert-func-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts' \
// RUN:   | FileCheck %s

// CHECK: check against interp: passed
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.mul ins(%x, %f : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// What is made of one image is written where it is asked for: nothing copies it there, neither what a contraction makes nor what
// the loops of a norm do, which stay one.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(einsum-attach-machine{cpu=znver5},func.func(linalg-fold-unit-extent-dims),einsum-fold-unit-dims,canonicalize,cse,einsum-to-cpu-pipeline{checks=none bare-pointers=true})" --mlir-print-ir-after=scf-split-parallel-loops -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: func.func @image
// CHECK-NOT: memref.copy
// CHECK: return
func.func @image(%x: tensor<1x56x56x64xf32> {bufferization.writable = false}, %f: tensor<64x3x3x64xf32> {bufferization.writable = false}, %out: memref<1x54x54x64xf32> {llvm.noalias}) {
  %y = einsum.contract "n(h+r)(w+s)c, krsc -> nhwk" (%x, %f) : (tensor<1x56x56x64xf32>, tensor<64x3x3x64xf32>) -> tensor<1x54x54x64xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<1x54x54x64xf32>, memref<1x54x54x64xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @norm
// CHECK: vector.reduction <add>
// CHECK-NOT: scf.parallel
// CHECK-NOT: memref.copy
// CHECK: return
func.func @norm(%x: tensor<1x128x768xf32> {bufferization.writable = false}, %out: memref<1x128x768xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %sums = tensor.empty() : tensor<1x128x1xf32>
  %none = linalg.fill ins(%zero : f32) outs(%sums : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, i, 0)>],
                         iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x128x768xf32>) outs(%none : tensor<1x128x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<1x128x1xf32>
  %rows = tensor.empty() : tensor<1x128x768xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, i, j)>, affine_map<(n, i, j) -> (n, i, 0)>, affine_map<(n, i, j) -> (n, i, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %sum : tensor<1x128x768xf32>, tensor<1x128x1xf32>) outs(%rows : tensor<1x128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %_: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<1x128x768xf32>
  bufferization.materialize_in_destination %y in restrict writable %out : (tensor<1x128x768xf32>, memref<1x128x768xf32>) -> ()
  return
}

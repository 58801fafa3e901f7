// The schedule of a contraction that starts from an operand of its einsum.kernel, or ends with pointwise ops of it, is none of
// the contraction alone: einsum-inline-kernels removes it, where it once made a module that does not verify.
//
// RUN: tile-opt --einsum-inline-kernels %s | FileCheck %s --implicit-check-not=schedule
// RUN: tile-run %s --entry=load --random=1 --check=interp | FileCheck %s --check-prefix=PASSED
// RUN: tile-run %s --entry=left --random=2 --check=interp | FileCheck %s --check-prefix=PASSED
// RUN: tile-run %s --entry=left --random=3 --check=interp --pipeline="convert-einsum-to-vector,einsum-inline-kernels,einsum-to-cpu-pipeline" | FileCheck %s --check-prefix=PASSED
// PASSED: check against interp: passed

// CHECK-LABEL: @load
// CHECK: einsum.contract "mk, kn -> mn"
// CHECK: arith.addf
// CHECK: arith.maximumf
func.func @load(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x6xf32>, %q = %b : tensor<6x8xf32>, %r = %c : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        first = load, main = gemm, last = relu, tile = [2, 1], dims = [
        <"m" m prim 4 strides [6, 0, 8]>, <"n" n prim 8 strides [0, 1, 1]>, <"k" k prim 6 strides [1, 8, 0]>]>}
      : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %sum = arith.addf %ab, %r : tensor<4x8xf32>
    %zero = arith.constant dense<0.0> : tensor<4x8xf32>
    %relu = arith.maximumf %sum, %zero : tensor<4x8xf32>
    einsum.yield %relu : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// One that no kernel on vectors can be made of, for it has two contractions.
// CHECK-LABEL: @left
// CHECK: einsum.contract "mk, kn -> mn"
// CHECK: einsum.contract "mk, kn -> mn"
func.func @left(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4xf32>) -> tensor<4x4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>, %q = %b : tensor<4x4xf32>, %r = %c : tensor<4xf32>) -> tensor<4x4xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        first = bias, main = gemm, last = fused, tile = [2, 1], dims = [
        <"m" m prim 4 strides [4, 0, 4]>, <"n" n prim 4 strides [0, 1, 1]>, <"k" k prim 4 strides [1, 4, 0]>]>}
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %e = tensor.empty() : tensor<4x4xf32>
    %bias = linalg.broadcast ins(%r : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
    %sum = arith.addf %ab, %bias : tensor<4x4xf32>
    %ba = einsum.contract "mk, kn -> mn" (%q, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %y = arith.mulf %sum, %ba : tensor<4x4xf32>
    einsum.yield %y : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

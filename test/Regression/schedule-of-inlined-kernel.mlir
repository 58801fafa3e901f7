// A contraction that starts from an operand of its einsum.kernel, or ends with pointwise ops of it, keeps its schedule when
// einsum-inline-kernels takes it out, and starts from zero then. It once made a module that does not verify.
//
// RUN: tile-opt --einsum-inline-kernels %s | FileCheck %s
// RUN: tile-opt --einsum-inline-kernels --einsum-print-schedules %s 2>&1 >/dev/null | FileCheck %s --check-prefix=SHOW
// SHOW-COUNT-2: initialization = zero, main = gemm, epilogue = none
// RUN: tile-run %s --entry=load --random=1 --check=interp | FileCheck %s --check-prefix=PASSED
// RUN: tile-run %s --entry=left --random=2 --check=interp | FileCheck %s --check-prefix=PASSED
// RUN: tile-run %s --entry=left --random=3 --check=interp --pipeline="convert-einsum-to-vector,einsum-inline-kernels,einsum-to-cpu-pipeline" | FileCheck %s --check-prefix=PASSED
// PASSED: check against interp: passed

// CHECK-LABEL: @load
// CHECK: einsum.contract "mk, kn -> mn" {{.*}}schedule = #einsum.schedule<tile = [2, 1], dims = [<"m" prim 4>,
// CHECK: arith.addf
// CHECK: arith.maximumf
func.func @load(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x6xf32>, %q = %b : tensor<6x8xf32>, %r = %c : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], dims = [
        <"m" prim 4>, <"n" prim 8>, <"k" prim 6>]>}
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
        tile = [2, 1], dims = [
        <"m" prim 4>, <"n" prim 4>, <"k" prim 4>]>}
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

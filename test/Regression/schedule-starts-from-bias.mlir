// A sum to which linalg.generic adds an operand, or one of other elements than those sums are formed in, or of which that is
// not the only use, starts from zero, and the epilogue adds the operand. These contractions were left.
//
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s
// RUN: %python %source/test/Conversion/exact.py --tile-run tile-run --tile-opt tile-opt %s | FileCheck %s --check-prefix=EXACT
// EXACT: 5 functions, 0 wrong

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
#id = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
module attributes {einsum.machine = #machine} {

// CHECK-LABEL: @generic
// CHECK-NOT: einsum.contract
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK: %[[SUM:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]],
// CHECK: arith.addf {{.*}}%[[SUM]]#0
// CHECK: vector.store
func.func @generic(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>, %c: tensor<8xf32>) -> tensor<4x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x6xf32>, %q = %b : tensor<6x8xf32>, %r = %c : tensor<8xf32>) -> tensor<4x8xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"m" prim 4>, <"n" prim 8>, <"k" prim 6>]>}
      : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %sum = linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
        ins(%ab, %r : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%x: f32, %bias: f32, %out: f32):
        %s = arith.addf %bias, %x : f32
        linalg.yield %s : f32
    } -> tensor<4x8xf32>
    einsum.yield %sum : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// Where part of the sum is outside of the kernel, after the last part.
// CHECK-LABEL: @divided
// CHECK-NOT: einsum.contract
// CHECK: return
func.func @divided(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>, %c: tensor<8xf32>) -> tensor<4x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x6xf32>, %q = %b : tensor<6x8xf32>, %r = %c : tensor<8xf32>) -> tensor<4x8xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], dims = [
        <"k" seq 2 step 3>, <"m" prim 4>, <"n" prim 8>,
        <"k" prim 3>]>}
      : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %sum = linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel"]}
        ins(%ab, %r : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%x: f32, %bias: f32, %out: f32):
        %s = arith.addf %bias, %x : f32
        linalg.yield %s : f32
    } -> tensor<4x8xf32>
    einsum.yield %sum : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// Halves are added to a sum that was formed in f32 and rounded.
// CHECK-LABEL: @halves
// CHECK-NOT: einsum.contract
// CHECK: arith.truncf {{.*}} to vector<8xf16>
// CHECK: arith.addf {{.*}} : vector<8xf16>
func.func @halves(%a: tensor<4x6xf16>, %b: tensor<6x8xf16>, %c: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %y = einsum.kernel (%p = %a : tensor<4x6xf16>, %q = %b : tensor<6x8xf16>, %r = %c : tensor<4x8xf16>) -> tensor<4x8xf16> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], dims = [
        <"m" prim 4>, <"n" prim 8>, <"k" prim 6>]>}
      : (tensor<4x6xf16>, tensor<6x8xf16>) -> tensor<4x8xf16>
    %sum = arith.addf %ab, %r : tensor<4x8xf16>
    einsum.yield %sum : tensor<4x8xf16>
  }
  return %y : tensor<4x8xf16>
}

// The sum is used twice: only one use adds.
// CHECK-LABEL: @twice
// CHECK-NOT: einsum.contract
// CHECK: return
func.func @twice(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x6xf32>, %q = %b : tensor<6x8xf32>, %r = %c : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], dims = [
        <"m" prim 4>, <"n" prim 8>, <"k" prim 6>]>}
      : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %sum = arith.addf %ab, %r : tensor<4x8xf32>
    %d = arith.subf %sum, %ab : tensor<4x8xf32>
    %y = arith.mulf %d, %sum : tensor<4x8xf32>
    einsum.yield %y : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// The sum and itself.
// CHECK-LABEL: @doubled
// CHECK-NOT: einsum.contract
// CHECK: return
func.func @doubled(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>) -> tensor<4x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x6xf32>, %q = %b : tensor<6x8xf32>) -> tensor<4x8xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], dims = [
        <"m" prim 4>, <"n" prim 8>, <"k" prim 6>]>}
      : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %sum = arith.addf %ab, %ab : tensor<4x8xf32>
    einsum.yield %sum : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

}

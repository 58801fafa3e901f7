// Text form of #einsum.schedule, #einsum.dim and #einsum.machine: round trips, and what is the default.
//
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt --mlir-print-op-generic %s | tile-opt | FileCheck %s
// RUN: tile-opt --emit-bytecode %s | tile-opt | FileCheck %s

// CHECK: attributes {a.dim = #einsum.dim<"n" n seq 16 step 64 strides [0, 64, 64]>
// CHECK-SAME: a.question = #einsum.dim<"hw" m prim 49 strides [?, 0, 7]>
// CHECK-SAME: a.step = #einsum.dim<"n" n seq 16 strides [0, 1, -1]>
module attributes {a.dim = #einsum.dim<"n" n seq 16 step 64 strides [0, 64, 64]>,
                   a.question = #einsum.dim<"hw" m prim 49 strides [?, 0, 7]>,
                   a.step = #einsum.dim<"n" n seq 16 step 1 strides [0, 1, -1]>} {

// All that can be said. Letters that are gone through as one may have offsets in a table.
// CHECK-LABEL: func.func @all
// CHECK: schedule = #einsum.schedule<first = zero, main = brgemm, last = none, lanes = 4, tile = [7, 2], unroll = 4, prefetch = 2, pack = [1, 0], dims = [
// CHECK-SAME: <"n" m shared 2 strides [1296, 0, 1568]>, <"k" n seq 2 step 16 strides [0, 16, 16]>, <"c" k seq 2 step 8 strides [8, 256, 0]>,
// CHECK-SAME: <"hw" m prim 49 strides [?, 0, 32]>, <"k" n prim 16 strides [0, 1, 1]>, <"rs" k prim 9 strides [?, 512, 0]>, <"c" k prim 8 strides [1, 32, 0]>]>
func.func @all(%x: tensor<2x9x9x16xf32>, %w: tensor<3x3x16x32xf32>) -> tensor<2x7x7x32xf32> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) {schedule = #einsum.schedule<
           first = zero, main = brgemm, last = none, lanes = 4, tile = [7, 2], unroll = 4, prefetch = 2, pack = [1, 0], dims = [
           <"n" m shared 2 strides [1296, 0, 1568]>, <"k" n seq 2 step 16 strides [0, 16, 16]>,
           <"c" k seq 2 step 8 strides [8, 256, 0]>, <"hw" m prim 49 strides [?, 0, 32]>,
           <"k" n prim 16 strides [0, 1, 1]>, <"rs" k prim 9 strides [?, 512, 0]>, <"c" k prim 8 strides [1, 32, 0]>]>}
    : (tensor<2x9x9x16xf32>, tensor<3x3x16x32xf32>) -> tensor<2x7x7x32xf32>
  return %y : tensor<2x7x7x32xf32>
}

// As little as can be said.
// CHECK-LABEL: func.func @least
// CHECK: {schedule = #einsum.schedule<first = none, main = copy, last = none, dims = [<"m" c seq 8 strides [1, 1]>]>}
func.func @least(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = einsum.contract "m -> m" (%x) {schedule = #einsum.schedule<first = none, main = copy, last = none, dims = [<"m" c seq 8 strides [1, 1]>]>}
    : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// On memrefs, with other attributes; strides are those of the layouts.
// CHECK-LABEL: func.func @memrefs
// CHECK: acc = f64, schedule = #einsum.schedule<first = zero, main = sum, last = none, dims = [<"m" c seq 8 strides [1, 2]>, <"k" k prim 4 strides [10, 0]>]>
func.func @memrefs(%x: memref<8x4xf64, strided<[1, 10], offset: 3>>, %y: memref<8xf64, strided<[2]>>) {
  einsum.contract "mk -> m" (%x) outs(%y : memref<8xf64, strided<[2]>>) {acc = f64, schedule = #einsum.schedule<
      first = zero, main = sum, last = none, dims = [<"m" c seq 8 strides [1, 2]>, <"k" k prim 4 strides [10, 0]>]>}
    : (memref<8x4xf64, strided<[1, 10], offset: 3>>)
  return
}

// Index tables, divisions and constants: what moves by a number has a stride, what does not is a question.
// CHECK-LABEL: func.func @tables
// CHECK: <"c" k seq 16 strides [?, 1, 0]>, <"h" m seq 5 strides [?, 0, 3]>, <"w" m seq 3 strides [-2, 0, 1]>
func.func @tables(%x: tensor<16x8x6xf32>, %v: tensor<16xf32>, %t: tensor<16xi32>) -> tensor<5x3xf32> {
  %y = einsum.contract "c(h/2+t[c])(5-2*w), c -> hw" (%x, %v) tables(t = %t : tensor<16xi32>) {sizes = {h = 5, w = 3}, schedule = #einsum.schedule<
      first = zero, main = gemm, last = none, dims = [<"c" k seq 16 strides [?, 1, 0]>, <"h" m seq 5 strides [?, 0, 3]>, <"w" m seq 3 strides [-2, 0, 1]>]>}
    : (tensor<16x8x6xf32>, tensor<16xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// Inside of an einsum.kernel, which other first and last touches are for.
// CHECK-LABEL: func.func @touches
// CHECK: first = bias, main = gemm, last = fused
// CHECK: first = load, main = gemm, last = relu
// CHECK: first = none, main = div, last = none
func.func @touches(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %x = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %c = einsum.contract "mk, kn -> mn" (%p, %p) {schedule = #einsum.schedule<first = bias, main = gemm, last = fused, dims = [
        <"m" m seq 4 strides [4, 0, 4]>, <"n" n seq 4 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 4, 0]>]>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %c : tensor<4x4xf32>
  }
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %c = einsum.contract "mk, kn -> mn" (%p, %p) {schedule = #einsum.schedule<first = load, main = gemm, last = relu, dims = [
        <"m" m seq 4 strides [4, 0, 4]>, <"n" n seq 4 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 4, 0]>]>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %c : tensor<4x4xf32>
  }
  %z = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %c = einsum.contract "mn -> nm" (%p) {schedule = #einsum.schedule<first = none, main = div, last = none, dims = [
        <"m" c seq 4 strides [4, 1]>, <"n" c seq 4 strides [1, 4]>]>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %c : tensor<4x4xf32>
  }
  return %x, %y, %z : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

}

// CHECK: #einsum.machine<cpu = "haswell", vector_bits = 256, registers = 16, fma = 2, latency = 5, l1 = 32768, l2 = 262144, l3 = 33554432, cores = 4, bf16 = false>
module attributes {einsum.machine = #einsum.machine<cpu = "haswell", vector_bits = 256, registers = 16, fma = 2,
    latency = 5, l1 = 32768, l2 = 262144, l3 = 33554432, cores = 4, bf16 = false>} {}

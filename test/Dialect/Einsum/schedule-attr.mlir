// Text form of #einsum.schedule, #einsum.dim and #einsum.machine: round trips, and what is the default.
//
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt --mlir-print-op-generic %s | tile-opt | FileCheck %s
// RUN: tile-opt --emit-bytecode %s | tile-opt | FileCheck %s

// CHECK: attributes {a.dim = #einsum.dim<"n" seq 16 step 64>
// CHECK-SAME: a.indices = #einsum.dim<"hw" prim 49>
// CHECK-SAME: a.step = #einsum.dim<"n" seq 16>
module attributes {a.dim = #einsum.dim<"n" seq 16 step 64>,
                   a.indices = #einsum.dim<"hw" prim 49>,
                   a.step = #einsum.dim<"n" seq 16 step 1>} {

// All that can be said.
// CHECK-LABEL: func.func @all
// CHECK: schedule = #einsum.schedule<lanes = 4, tile = [7, 2], unroll = 4, prefetch = 2, pack = [1, 0], dims = [
// CHECK-SAME: <"n" parallel 2>, <"k" seq 2 step 16>, <"c" seq 2 step 8>,
// CHECK-SAME: <"hw" prim 49>, <"k" prim 16>, <"rs" prim 9>, <"c" prim 8>]>
func.func @all(%x: tensor<2x9x9x16xf32>, %w: tensor<3x3x16x32xf32>) -> tensor<2x7x7x32xf32> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) {schedule = #einsum.schedule<
           lanes = 4, tile = [7, 2], unroll = 4, prefetch = 2, pack = [1, 0], dims = [
           <"n" parallel 2>, <"k" seq 2 step 16>,
           <"c" seq 2 step 8>, <"hw" prim 49>,
           <"k" prim 16>, <"rs" prim 9>, <"c" prim 8>]>}
    : (tensor<2x9x9x16xf32>, tensor<3x3x16x32xf32>) -> tensor<2x7x7x32xf32>
  return %y : tensor<2x7x7x32xf32>
}

// As little as can be said.
// CHECK-LABEL: func.func @least
// CHECK: {schedule = #einsum.schedule<dims = [<"m" seq 8>]>}
func.func @least(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = einsum.contract "m -> m" (%x) {schedule = #einsum.schedule<dims = [<"m" seq 8>]>}
    : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// On memrefs, with other attributes.
// CHECK-LABEL: func.func @memrefs
// CHECK: acc = f64, schedule = #einsum.schedule<dims = [<"m" seq 8>, <"k" prim 4>]>
func.func @memrefs(%x: memref<8x4xf64, strided<[1, 10], offset: 3>>, %y: memref<8xf64, strided<[2]>>) {
  einsum.contract "mk -> m" (%x) outs(%y : memref<8xf64, strided<[2]>>) {acc = f64, schedule = #einsum.schedule<
      dims = [<"m" seq 8>, <"k" prim 4>]>}
    : (memref<8x4xf64, strided<[1, 10], offset: 3>>)
  return
}

}

// CHECK: #einsum.machine<cpu = "haswell", vector_bits = 256, registers = 16, fma = 2, latency = 5, l1 = 32768, l2 = 262144, l3 = 33554432, cores = 4, bf16 = false>
module attributes {einsum.machine = #einsum.machine<cpu = "haswell", vector_bits = 256, registers = 16, fma = 2,
    latency = 5, l1 = 32768, l2 = 262144, l3 = 33554432, cores = 4, bf16 = false>} {}

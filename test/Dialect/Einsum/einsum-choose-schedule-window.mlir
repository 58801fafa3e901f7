// einsum-choose-schedule: unrolled steps of a window share elements along rows, which stay in registers. With 28 accumulators
// there is no room for the 13 that the steps along a row of the filter have in common; with 20 there is for 9.
//
// RUN: tile-opt %s --einsum-choose-schedule=tile=14,2 | FileCheck %s --check-prefix=MANY
// RUN: tile-opt %s --einsum-choose-schedule=tile=10,2 | FileCheck %s --check-prefix=FEW

// MANY: tile = [14, 2], unroll = 1,
// FEW: tile = [10, 2], unroll = 3,

module attributes {einsum.machine = #einsum.machine<cpu = "sapphirerapids", vector_bits = 512, registers = 32, fma = 2,
    latency = 4, l1 = 49152, l2 = 2097152, l3 = 33554432, cores = 2, bf16 = false>} {
func.func @window(%x: tensor<4x64x30x30xf32>, %w: tensor<64x128x3x3xf32>) -> tensor<4x128x28x28xf32> {
  %y = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%x, %w)
      : (tensor<4x64x30x30xf32>, tensor<64x128x3x3xf32>) -> tensor<4x128x28x28xf32>
  return %y : tensor<4x128x28x28xf32>
}
}

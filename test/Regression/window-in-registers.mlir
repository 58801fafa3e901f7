// The elements that unrolled steps of a window have in common took the registers of a tile of 14 x 2: the loop of a convolution
// spilled 24 of its 28 accumulators in each iteration.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(einsum-to-cpu-pipeline{openmp=0 config={rows=w tile=14,2}})" | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids \
// RUN:   | llc -O3 -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -o - | FileCheck %s --implicit-check-not='zmm{{.*}}Spill'

// CHECK-LABEL: main:
// CHECK-COUNT-28: vfmadd{{.*}}%zmm
// CHECK: retq
module attributes {einsum.machine = #einsum.machine<cpu = "sapphirerapids", vector_bits = 512, registers = 32, fma = 2,
    latency = 4, l1 = 49152, l2 = 2097152, l3 = 33554432, cores = 2, bf16 = false>} {
func.func @main(%x: tensor<4x64x30x30xf32>, %w: tensor<64x128x3x3xf32>) -> tensor<4x128x28x28xf32> {
  %y = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%x, %w)
      : (tensor<4x64x30x30xf32>, tensor<64x128x3x3xf32>) -> tensor<4x128x28x28xf32>
  return %y : tensor<4x128x28x28xf32>
}
}

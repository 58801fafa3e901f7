// #einsum.machine: what is refused, and that passes read it.
//
// RUN: tile-opt --split-input-file --verify-diagnostics --einsum-choose-schedule %s | FileCheck %s

// expected-error @below {{expects 'vector_bits' to be a power of two from 64 up, found 384}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 384, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {}

// -----

// expected-error @below {{expects 'vector_bits' to be a power of two from 64 up, found 32}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 32, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {}

// -----

// expected-error @below {{expects 'registers' to be positive, found 0}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 0, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {}

// -----

// expected-error @below {{expects 'fma' to be positive, found -1}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = -1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {}

// -----

// expected-error @below {{expects 'latency' to be positive, found 0}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 0, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {}

// -----

// expected-error @below {{expects 'l1' to be positive, found 0}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 0, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {}

// -----

// expected-error @below {{expects 'l2' to be positive, found 0}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 0, l3 = 33554432, cores = 2, bf16 = true>} {}

// -----

// expected-error @below {{expects 'l3' to be positive, found 0}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 0, cores = 2, bf16 = true>} {}

// -----

// expected-error @below {{expects 'cores' to be positive, found 0}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 0, bf16 = true>} {}

// -----

// expected-error @below {{expects 'l1' to be at most 'l2', which is 16384, found 32768}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 16384, l3 = 33554432, cores = 2, bf16 = true>} {}

// -----

// expected-error @below {{expects 'vector_bits' to be 512 with 'amx', found 256}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 256, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true, amx = true>} {}

// -----

// expected-error @below {{expects 'tile_cycles' to be a positive number, found 0}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true, costs = {tile_cycles = 0.0}>} {}

// -----

// expected-error @below {{expected a cost, as 'tile_cycles', found 'tile_cycle'}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true, costs = {tile_cycle = 3.0}>} {}

// -----

// expected-error @below {{expected 'amx', 'vnni' or 'costs', found 'mmx'}}
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true, mmx = true>} {}

// -----

// Costs that differ from those that the table has for the CPU stay; here, one makes rows of a result expensive to begin.
// CHECK: #einsum.machine<cpu = "znver4", {{.*}}, bf16 = true, amx = true, vnni = true, costs = {tile_cycles = 1.000000e+04, l1_share = 2.500000e-01}>
// CHECK-LABEL: @costs
// CHECK: tile = [13, 2]
module attributes {einsum.machine = #einsum.machine<cpu = "znver4", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true, amx = true, vnni = true, costs = {l1_share = 0.25, resume_cycles = 60.0, tile_cycles = 10000.0}>} {
  func.func @costs(%a: tensor<52x64xf32>, %b: tensor<64x64xf32>) -> tensor<52x64xf32> {
    %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<52x64xf32>, tensor<64x64xf32>) -> tensor<52x64xf32>
    return %c : tensor<52x64xf32>
  }
}

// -----

// The innermost one counts: 4 lanes of a vector, and what 16 registers hold.
// CHECK-LABEL: @innermost
// CHECK: tile = [4, 3], unroll = {{[0-9]+}}, dims = [<"m" prim 64>, <"n" prim 12>, <"k" prim 64
module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {
  module attributes {einsum.machine = #einsum.machine<cpu = "x", vector_bits = 128, registers = 16, fma = 2, latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = false>} {
    func.func @innermost(%a: tensor<64x64xf32>, %b: tensor<64x12xf32>) -> tensor<64x12xf32> {
      %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xf32>, tensor<64x12xf32>) -> tensor<64x12xf32>
      return %c : tensor<64x12xf32>
    }
  }
}

// -----

// Without an attribute, the CPU `generic`, whatever machine this runs on: vectors of 8 f32, 16 registers.
// CHECK-LABEL: @generic
// CHECK: tile = [4, 3], unroll = {{[0-9]+}}, dims = [<"m" prim 64
func.func @generic(%a: tensor<64x64xf32>, %b: tensor<64x24xf32>) -> tensor<64x24xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xf32>, tensor<64x24xf32>) -> tensor<64x24xf32>
  return %c : tensor<64x24xf32>
}

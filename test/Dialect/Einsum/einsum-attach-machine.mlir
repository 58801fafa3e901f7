// einsum-attach-machine: what is known of a CPU; a machine that there is stays; passes read it.
//
// RUN: tile-opt %s --einsum-attach-machine | FileCheck %s
// RUN: tile-opt %s --einsum-attach-machine=cpu=znver4 | FileCheck %s --check-prefix=ZEN
// RUN: tile-opt %s --einsum-attach-machine=cpu=znver4 | tile-opt --einsum-attach-machine=cpu=znver4 | FileCheck %s --check-prefix=ZEN
// RUN: tile-opt %s --einsum-attach-machine=cpu=emeraldrapids --remark-policy=all --remarks-filter=einsum 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALIKE
// RUN: not tile-opt %s --einsum-attach-machine=cpu=z80 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: tile-opt %s --einsum-attach-machine | not tile-opt --einsum-attach-machine=cpu=haswell 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: tile-opt %s --einsum-attach-machine=cpu=znver4 --einsum-choose-schedule | FileCheck %s --check-prefix=WIDE
// RUN: tile-opt %s --einsum-attach-machine=cpu=haswell --einsum-choose-schedule | FileCheck %s --check-prefix=NARROW

// CHECK: module attributes {einsum.machine = #einsum.machine<cpu = "generic", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768, l2 = 1048576, l3 = 8388608, cores = 8, bf16 = false>}
// ZEN: #einsum.machine<cpu = "znver4", vector_bits = 512, registers = 32, fma = 1, {{.*}}, bf16 = true, vnni = true>
// ALIKE: remark: {{.*}}emeraldrapids is not in the table of CPUs: sapphirerapids is taken, whose cores are built alike
// ALIKE: #einsum.machine<cpu = "emeraldrapids", vector_bits = 512, registers = 32, {{.*}}, l3 = 110100480, cores = 56,
// UNKNOWN: error: expected 'cpu' to be one of generic, haswell, {{.*}}znver4, {{.*}}found 'z80'; a module with 'einsum.machine' can be for any other
// OTHER: error: expected code for generic, as 'einsum.machine' says, found 'cpu' to be haswell
// WIDE: tile = [
// WIDE-SAME: <"n" prim 32
// NARROW: tile = [
// NARROW-SAME: <"n" prim 32
func.func @product(%a: tensor<64x64xf32>, %b: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return %c : tensor<64x32xf32>
}

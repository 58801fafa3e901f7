// What einsum-fuse makes keeps the contract.
//
// RUN: tile-opt %s --einsum-fuse --einsum-verify-kernels | FileCheck %s
// CHECK: einsum.kernel

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %e = math.exp %c : tensor<4x6xf32>
  return %e : tensor<4x6xf32>
}

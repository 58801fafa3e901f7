// Indices of the sum that a division combines are summed in one step: if only j were summed in the first, the axis would
// mix an index of its result and a summed one, and the text would not parse again.
//
// RUN: tile-opt --einsum-contract-pairwise %s | tile-opt | FileCheck %s
// RUN: tile-run %s --random=5 --check=interp
// RUN: tile-run %s --random=5 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=2x2x2}},tile-to-cpu-pipeline"

// CHECK: einsum.contract "{{[^"]*}}(k/(j+1)){{[^"]*}} -> {{[a-z]*}}j{{[a-z]*}}"
// CHECK: einsum.contract
func.func @main(%a: tensor<3x8xf32>, %b: tensor<8x2xf32>, %c: tensor<8x40xf32>) -> tensor<3x2x40xf32> {
  %0 = einsum.contract "mk, (k/(j+1))n, kp -> mnp" (%a, %b, %c) {sizes = {j = 2}}
    : (tensor<3x8xf32>, tensor<8x2xf32>, tensor<8x40xf32>) -> tensor<3x2x40xf32>
  return %0 : tensor<3x2x40xf32>
}

// Rows of several images to which tables lead are tried whether loops have been fused before or not: Python's einsum fuses them.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(einsum-attach-machine{cpu=znver5},einsum-choose-schedule{threads=1 rows=nhw})" | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(einsum-attach-machine{cpu=znver5},einsum-fuse-dims,einsum-choose-schedule{threads=1 rows=nhw})" \
// RUN:   | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(einsum-attach-machine{cpu=znver5},einsum-fuse-dims,einsum-choose-schedule{threads=1})" \
// RUN:   | FileCheck %s

// CHECK: dims = [{{.*}}<"nhw" prim 196>
func.func @small_images(%x: tensor<4x9x9x512xf32>, %w: tensor<3x3x512x512xf32>) -> tensor<4x7x7x512xf32> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) : (tensor<4x9x9x512xf32>, tensor<3x3x512x512xf32>) -> tensor<4x7x7x512xf32>
  return %y : tensor<4x7x7x512xf32>
}

// A result without indices is one row, whatever `min-block` says: more of them would be stored to one place.
//
// RUN: tile-opt %s --einsum-to-tile-pipeline="min-block=16x16x8" | FileCheck %s
// RUN: tile-run %s --backend=sim --random=1 --check=interp

// CHECK: tile.store {{.*}} : tensor<1x!tile.ptr<f32>>
func.func @main(%x: tensor<7x9xf32>, %y: tensor<7x9xf32>) -> tensor<f32> {
  %0 = einsum.contract "lb, lb -> " (%x, %y) : (tensor<7x9xf32>, tensor<7x9xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

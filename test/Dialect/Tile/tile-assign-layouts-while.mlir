// RUN: tile-opt %s --tile-assign-layouts | FileCheck %s

// A tile that a loop carries has one layout before, in and behind it; the two lists of the loop may differ.
// CHECK: #[[$L:.*]] = #tile.layout<
// CHECK-LABEL: @halve
func.func @halve(%p: !tile.ptr<f32>, %n: i32) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %half = arith.constant dense<0.5> : tensor<128xf32>
  %i = tile.range 0 to 128 : tensor<128xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %pi = tile.addptr %ps, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %x = tile.load %pi : tensor<128x!tile.ptr<f32>>
  // CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, tensor<128xf32, #[[$L]]>) -> (tensor<128xf32, #[[$L]]>, i32)
  %r:2 = scf.while (%k = %n, %v = %x) : (i32, tensor<128xf32>) -> (tensor<128xf32>, i32) {
    %more = arith.cmpi sgt, %k, %c0 : i32
    // CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}} : tensor<128xf32, #[[$L]]>, i32
    scf.condition(%more) %v, %k : tensor<128xf32>, i32
  } do {
  ^bb0(%v: tensor<128xf32>, %k: i32):
    %next = arith.mulf %v, %half : tensor<128xf32>
    %left = arith.shrsi %k, %k : i32
    // CHECK: scf.yield %{{.*}}, %{{.*}} : i32, tensor<128xf32, #[[$L]]>
    scf.yield %left, %next : i32, tensor<128xf32>
  }
  // CHECK: tile.store {{.*}}#[[$L]]
  tile.store %pi, %r#0 : tensor<128x!tile.ptr<f32>>
  return
}

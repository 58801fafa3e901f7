// tile.dot with precision = "tf32": what rewrites it keeps the precision.
//
// RUN: tile-opt %s --canonicalize --tile-peephole | FileCheck %s

// CHECK-LABEL: @accumulated
// CHECK: tile.dot %arg0, %arg1, %arg2 {precision = "tf32"}
func.func @accumulated(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x4xf32>
  %d = tile.dot %a, %b, %zero {precision = "tf32"} : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x4xf32>
  %e = arith.addf %c, %d : tensor<4x4xf32>
  return %e : tensor<4x4xf32>
}

// CHECK-LABEL: @transposed
// CHECK: tile.dot %arg1, %arg0, %{{.*}} {precision = "tf32"}
func.func @transposed(%a: tensor<8x4xf32>, %b: tensor<6x8xf32>, %zero: f32) -> tensor<4x6xf32> {
  %c = tile.splat %zero : f32 -> tensor<4x6xf32>
  %at = tile.trans %a [1, 0] : tensor<8x4xf32>
  %bt = tile.trans %b [1, 0] : tensor<6x8xf32>
  %d = tile.dot %at, %bt, %c {precision = "tf32"} : tensor<4x8xf32>, tensor<8x6xf32>, tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

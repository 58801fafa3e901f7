// linalg-compute-in-place: element-wise results take the place of an operand that nothing uses afterwards.
//
// RUN: tile-opt %s --linalg-compute-in-place | FileCheck %s
// RUN: tile-opt %s --linalg-compute-in-place --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=BUFFER

#row = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// The sum reads the operand before.
// CHECK-LABEL: @last
// CHECK: linalg.generic {{.*}} ins(%[[X:.*]], %{{.*}} : {{.*}}) outs(%[[X]] : tensor<256xf32>)
// BUFFER-LABEL: @last
// BUFFER-COUNT-1: memref.alloc() {{.*}} memref<256xf32>
// BUFFER-NOT: memref.alloc() {{.*}} memref<256xf32>
// BUFFER: return
func.func @last(%one: f32) -> tensor<256xf32> {
  %empty = tensor.empty() : tensor<256xf32>
  %zero = arith.constant 0.0 : f32
  %x = linalg.fill ins(%one : f32) outs(%empty : tensor<256xf32>) -> tensor<256xf32>
  %place = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%place : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<256xf32>) outs(%start : tensor<f32>) dimensions = [0]
  %y = linalg.generic {indexing_maps = [#row, affine_map<(i) -> ()>, #row], iterator_types = ["parallel"]}
      ins(%x, %sum : tensor<256xf32>, tensor<f32>) outs(%empty : tensor<256xf32>) {
  ^bb0(%in: f32, %all: f32, %out: f32):
    %share = arith.divf %in, %all : f32
    linalg.yield %share : f32
  } -> tensor<256xf32>
  return %y : tensor<256xf32>
}

// Used again; of another type; read turned; read otherwise, too; the second of two results has no operand left.
// CHECK-LABEL: @elsewhere
// CHECK: outs(%[[EMPTY:.*]] : tensor<16x16xf32>)
// CHECK: outs(%{{.*}} : tensor<16x16xf16>)
// CHECK: outs(%[[EMPTY]] : tensor<16x16xf32>)
// CHECK: outs(%[[EMPTY]] : tensor<16x16xf32>)
// CHECK: ins(%[[Z:.*]] : tensor<16x16xf32>) outs(%[[Z]], %[[EMPTY]] : tensor<16x16xf32>, tensor<16x16xf32>)
func.func @elsewhere(%x: tensor<16x16xf32>, %v: tensor<16x16xf32>, %w: tensor<16x16xf32>, %z: tensor<16x16xf32>)
    -> (tensor<16x16xf32>, tensor<16x16xf16>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %empty = tensor.empty() : tensor<16x16xf32>
  %half = tensor.empty() : tensor<16x16xf16>
  %a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x16xf32>) outs(%empty : tensor<16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.sqrt %in : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  %b = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x16xf32>) outs(%half : tensor<16x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %y = arith.truncf %in : f32 to f16
    linalg.yield %y : f16
  } -> tensor<16x16xf16>
  %c = linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<16x16xf32>) outs(%empty : tensor<16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<16x16xf32>
  %d = linalg.generic {indexing_maps = [#all, #turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%w, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%empty : tensor<16x16xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %y = arith.addf %in, %other : f32
    linalg.yield %y : f32
  } -> tensor<16x16xf32>
  %e:2 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<16x16xf32>) outs(%empty, %empty : tensor<16x16xf32>, tensor<16x16xf32>) {
  ^bb0(%in: f32, %out: f32, %out2: f32):
    %y = math.sqrt %in : f32
    %n = arith.negf %in : f32
    linalg.yield %y, %n : f32, f32
  } -> (tensor<16x16xf32>, tensor<16x16xf32>)
  return %a, %b, %c, %d, %e#0, %e#1 : tensor<16x16xf32>, tensor<16x16xf16>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
}

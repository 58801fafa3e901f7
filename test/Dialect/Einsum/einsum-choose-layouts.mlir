// RUN: tile-opt %s --einsum-choose-layouts=always=true --split-input-file --verify-diagnostics | FileCheck %s
// RUN: tile-opt %s --einsum-attach-machine=cpu=znver5 --einsum-choose-layouts --split-input-file \
// RUN:   --remark-policy=all --remarks-filter=einsum -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Tensors between contractions have their channels last: through normalization, borders, poolings and residual sums. What the
// function takes stays as it is, and what a reduction makes.

// REMARK: choose-layouts.mlir:[[# @LINE + 9]]:{{.*}} [Passed] choose-layouts | Category:einsum | before={{[0-9]+}}, cycles={{[0-9]+}}
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG: #[[$MOVED:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
// CHECK-DAG: #[[$SAME:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func.func @network
// CHECK-SAME: %[[X:.*]]: tensor<8x3x57x57xf32>
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#mean = affine_map<(n, c, h, w) -> (n, c)>
func.func @network(%x: tensor<8x3x57x57xf32>, %v: tensor<64x3x3x3xf32>, %w: tensor<64x64x3x3xf32>, %scale: tensor<64xf32>)
    -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x64x27x27xf32>
  // CHECK: %[[A:.*]] = einsum.contract "nc(2*h+r)(2*w+s), kcrs -> nhwk" (%[[X]], %{{.*}}) : {{.*}} -> tensor<8x28x28x64xf32>
  %a = einsum.contract "nc(2*h+r)(2*w+s), kcrs -> nkhw" (%x, %v) : (tensor<8x3x57x57xf32>, tensor<64x3x3x3xf32>) -> tensor<8x64x28x28xf32>
  %e = tensor.empty() : tensor<8x64x28x28xf32>
  // CHECK: %[[B:.*]] = linalg.generic {indexing_maps = [#[[$SAME]], #[[$LAST]], #[[$SAME]]]
  // CHECK-SAME: ins(%[[A]], %{{.*}} : tensor<8x28x28x64xf32>, tensor<64xf32>)
  %b = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %scale : tensor<8x64x28x28xf32>, tensor<64xf32>) outs(%e : tensor<8x64x28x28xf32>) {
    ^bb0(%in: f32, %s: f32, %out: f32):
      %y = arith.mulf %in, %s : f32
      linalg.yield %y : f32
  } -> tensor<8x64x28x28xf32>
  // CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<8x27x27x64xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %i = tensor.empty() : tensor<8x64x27x27xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<8x64x27x27xf32>) -> tensor<8x64x27x27xf32>
  // CHECK: %[[POOLED:.*]] = linalg.pooling_nhwc_max {{.*}} ins(%[[B]], %{{.*}}) outs(%[[F]]
  %pooled = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%b, %window : tensor<8x64x28x28xf32>, tensor<2x2xf32>) outs(%f : tensor<8x64x27x27xf32>) -> tensor<8x64x27x27xf32>
  // CHECK: %[[P:.*]] = tensor.pad %[[POOLED]] low[0, 1, 1, 0] high[0, 1, 1, 0]
  %p = tensor.pad %pooled low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %zero : f32
  } : tensor<8x64x27x27xf32> to tensor<8x64x29x29xf32>
  // CHECK: %[[C:.*]] = einsum.contract "n(h+r)(w+s)c, kcrs -> nhwk" (%[[P]], %{{.*}})
  %c = einsum.contract "nc(h+r)(w+s), kcrs -> nkhw" (%p, %w) : (tensor<8x64x29x29xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x27x27xf32>
  // CHECK: %[[SUM:.*]] = arith.addf %[[C]], %[[POOLED]] : tensor<8x27x27x64xf32>
  %sum = arith.addf %c, %pooled : tensor<8x64x27x27xf32>
  // CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<8x27x27x64xf32>
  // CHECK: arith.maximumf %[[SUM]], %[[ZEROS]] : tensor<8x27x27x64xf32>
  %relu = arith.maximumf %sum, %zeros : tensor<8x64x27x27xf32>
  %m = tensor.empty() : tensor<8x64xf32>
  %n = linalg.fill ins(%zero : f32) outs(%m : tensor<8x64xf32>) -> tensor<8x64xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[$MOVED]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
  %mean = linalg.generic {indexing_maps = [#all, #mean], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%relu : tensor<8x64x27x27xf32>) outs(%n : tensor<8x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %y = arith.addf %in, %out : f32
      linalg.yield %y : f32
  } -> tensor<8x64xf32>
  return %mean : tensor<8x64xf32>
}

// -----

// Depthwise convolutions: channels are what both operands have.

// CHECK-LABEL: func.func @depthwise
func.func @depthwise(%x: tensor<1x16x30x30xf32>, %v: tensor<16x3x3xf32>, %w: tensor<8x16xf32>) -> tensor<1x8x28x28xf32> {
  // CHECK: einsum.contract "nc(h+r)(w+s), crs -> nhwc"
  // CHECK: einsum.contract "nhwc, kc -> nkhw"
  %y = einsum.contract "nc(h+r)(w+s), crs -> nchw" (%x, %v) : (tensor<1x16x30x30xf32>, tensor<16x3x3xf32>) -> tensor<1x16x28x28xf32>
  %z = einsum.contract "nchw, kc -> nkhw" (%y, %w) : (tensor<1x16x28x28xf32>, tensor<8x16xf32>) -> tensor<1x8x28x28xf32>
  return %z : tensor<1x8x28x28xf32>
}

// -----

// What others see stays: a tensor that is returned, one that is read by an op that needs its order, and one with a pooling
// whose channels would not be second.

// CHECK-LABEL: func.func @seen
func.func @seen(%x: tensor<1x16x30x30xf32>, %w: tensor<16x16xf32>, %v: tensor<30x30xf32>)
    -> (tensor<1x16x30x30xf32>, tensor<16x900xf32>, tensor<1x16x29x29xf32>) {
  // CHECK-COUNT-2: einsum.contract "nchw, kc -> nkhw"
  %0 = einsum.contract "nchw, kc -> nkhw" (%x, %w) : (tensor<1x16x30x30xf32>, tensor<16x16xf32>) -> tensor<1x16x30x30xf32>
  %1 = einsum.contract "nchw, kc -> nkhw" (%0, %w) : (tensor<1x16x30x30xf32>, tensor<16x16xf32>) -> tensor<1x16x30x30xf32>
  %2 = math.absf %1 : tensor<1x16x30x30xf32>
  %3 = tensor.collapse_shape %2 [[0, 1], [2, 3]] : tensor<1x16x30x30xf32> into tensor<16x900xf32>
  // CHECK: einsum.contract "nchw, kh -> nckw"
  %4 = einsum.contract "nchw, kh -> nckw" (%2, %v) : (tensor<1x16x30x30xf32>, tensor<30x30xf32>) -> tensor<1x16x30x30xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<1x16x29x29xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<1x16x29x29xf32>) -> tensor<1x16x29x29xf32>
  // CHECK: linalg.pooling_nchw_sum
  %pooled = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%4, %window : tensor<1x16x30x30xf32>, tensor<2x2xf32>) outs(%f : tensor<1x16x29x29xf32>) -> tensor<1x16x29x29xf32>
  // CHECK: einsum.contract "nchw, kc -> nkhw"
  %5 = einsum.contract "nchw, kc -> nkhw" (%pooled, %w) : (tensor<1x16x29x29xf32>, tensor<16x16xf32>) -> tensor<1x16x29x29xf32>
  return %0, %3, %5 : tensor<1x16x30x30xf32>, tensor<16x900xf32>, tensor<1x16x29x29xf32>
}

// -----

// By the model, kernels of contractions this small gain nothing.

// REMARK: choose-layouts.mlir:[[# @LINE + 1]]:{{.*}} [Missed] choose-layouts | Category:einsum | Reason="channels last save {{-?[0-9]+}} of {{[0-9]+}} cycles"
func.func @small(%x: tensor<1x16x8x16xf32>, %v: tensor<16x16xf32>) -> tensor<1x16x8x16xf32> {
  %y = einsum.contract "nchw, kc -> nkhw" (%x, %v) : (tensor<1x16x8x16xf32>, tensor<16x16xf32>) -> tensor<1x16x8x16xf32>
  %z = einsum.contract "nchw, kc -> nkhw" (%y, %v) : (tensor<1x16x8x16xf32>, tensor<16x16xf32>) -> tensor<1x16x8x16xf32>
  return %z : tensor<1x16x8x16xf32>
}

// -----

// Contractions on memrefs make no tensors.

// CHECK-LABEL: func.func @memrefs
func.func @memrefs(%x: memref<1x16x8x16xf32>, %v: memref<16x16xf32>, %y: memref<1x16x8x16xf32>) {
  // CHECK: einsum.contract "nchw, kc -> nkhw"
  einsum.contract "nchw, kc -> nkhw" (%x, %v) outs(%y : memref<1x16x8x16xf32>) : (memref<1x16x8x16xf32>, memref<16x16xf32>)
  return
}

// -----

// Permutations that bring images by pixels into the order of the ops between them are gone, whether there are contractions or not.

// REMARK: choose-layouts.mlir:[[# @LINE + 3]]:{{.*}} [Passed] choose-layouts | Category:einsum | before={{[0-9]+}}, cycles=0
// CHECK-LABEL: func.func @by_pixels
// CHECK-SAME: %[[X:.*]]: tensor<2x16x16x32xf32>
func.func @by_pixels(%x: tensor<2x16x16x32xf32>) -> tensor<2x8x8x32xf32> {
  %0 = einsum.contract "nhwc -> nchw" (%x) : (tensor<2x16x16x32xf32>) -> tensor<2x32x16x16xf32>
  %1 = math.absf %0 : tensor<2x32x16x16xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<2x32x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
  %2 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%1, %window : tensor<2x32x16x16xf32>, tensor<2x2xf32>) outs(%f : tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
  // CHECK-NOT: einsum.contract
  // CHECK: %[[ABS:.*]] = math.absf %[[X]]
  // CHECK: %[[POOLED:.*]] = linalg.pooling_nhwc_max {{.*}} ins(%[[ABS]],
  // CHECK: return %[[POOLED]]
  %3 = einsum.contract "nchw -> nhwc" (%2) : (tensor<2x32x8x8xf32>) -> tensor<2x8x8x32xf32>
  return %3 : tensor<2x8x8x32xf32>
}

// -----

// Filters of one channel each, read where they lie; what a permutation makes for others that need its order is made.

// CHECK-LABEL: func.func @depthwise_by_pixels
// CHECK-SAME: %[[X:.*]]: tensor<2x9x9x32xf32>
func.func @depthwise_by_pixels(%x: tensor<2x9x9x32xf32>, %v: tensor<32x3x3xf32>) -> (tensor<2x7x7x32xf32>, tensor<2x32x9x9xf32>) {
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[KEPT:.*]] = einsum.contract "nhwc -> nchw" (%[[X]])
  %0 = einsum.contract "nhwc -> nchw" (%x) : (tensor<2x9x9x32xf32>) -> tensor<2x32x9x9xf32>
  // CHECK: %[[ABS:.*]] = math.absf %[[X]]
  %1 = einsum.contract "nhwc -> nchw" (%x) : (tensor<2x9x9x32xf32>) -> tensor<2x32x9x9xf32>
  %2 = math.absf %1 : tensor<2x32x9x9xf32>
  // CHECK: %[[Y:.*]] = einsum.contract "n(h+r)(w+s)c, crs -> nhwc" (%[[ABS]]
  %3 = einsum.contract "nc(h+r)(w+s), crs -> nhwc" (%2, %v) : (tensor<2x32x9x9xf32>, tensor<32x3x3xf32>) -> tensor<2x7x7x32xf32>
  // CHECK: return %[[Y]], %[[KEPT]]
  return %3, %0 : tensor<2x7x7x32xf32>, tensor<2x32x9x9xf32>
}

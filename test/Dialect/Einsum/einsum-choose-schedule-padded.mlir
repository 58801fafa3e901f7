// einsum-choose-schedule: rows of a padded image are divided into blocks of which each has its copy in the second cache.
//
// RUN: tile-opt %s --einsum-attach-machine=cpu=znver5 --einsum-choose-schedule=threads=1 --split-input-file | FileCheck %s

// An image of 58 x 58 x 64 is larger than the part of the cache for it, and 30 rows are not.

// CHECK-LABEL: func.func @dense
func.func @dense(%x: tensor<8x56x56x64xf32>, %v: tensor<64x64x3x3xf32>) -> tensor<8x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
  } : tensor<8x56x56x64xf32> to tensor<8x58x58x64xf32>
  // CHECK: dims = [<"n" seq 8>, <"h" seq 4 step 14>, <"h" seq 14>, <"w" prim 56>
  %y = einsum.contract "n(h+r)(w+s)c, kcrs -> nhwk" (%p, %v) : (tensor<8x58x58x64xf32>, tensor<64x64x3x3xf32>) -> tensor<8x56x56x64xf32>
  return %y : tensor<8x56x56x64xf32>
}

// -----

// Smaller ones are copied as a whole.

// CHECK-LABEL: func.func @small
func.func @small(%x: tensor<8x14x14x64xf32>, %v: tensor<64x64x3x3xf32>) -> tensor<8x14x14x64xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
  } : tensor<8x14x14x64xf32> to tensor<8x16x16x64xf32>
  // CHECK: dims = [<"n" seq 8>, <"h" seq 14>, <"w" prim 14>
  %y = einsum.contract "n(h+r)(w+s)c, kcrs -> nhwk" (%p, %v) : (tensor<8x16x16x64xf32>, tensor<64x64x3x3xf32>) -> tensor<8x14x14x64xf32>
  return %y : tensor<8x14x14x64xf32>
}

// -----

// Of each channel by itself, tiles at the border have copies, of rows along a line of the image.

// CHECK-LABEL: func.func @depthwise
func.func @depthwise(%x: tensor<8x28x28x192xf32>, %v: tensor<192x3x3xf32>) -> tensor<8x14x14x192xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
  } : tensor<8x28x28x192xf32> to tensor<8x30x30x192xf32>
  // CHECK: dims = [<"c" seq 3 step 64>, <"n" seq 8>, <"h" seq 14>, <"w" prim 14>, <"c" prim 64>
  %y = einsum.contract "n(2*h+r)(2*w+s)c, crs -> nhwc" (%p, %v) : (tensor<8x30x30x192xf32>, tensor<192x3x3xf32>) -> tensor<8x14x14x192xf32>
  return %y : tensor<8x14x14x192xf32>
}

// -----

// A kernel with rows of eight images leaves out lines and columns of windows in the border, 2 of 42 each, for loops around it
// tell both.

// CHECK-LABEL: func.func @images
func.func @images(%x: tensor<8x14x14x256xf32>, %v: tensor<256x256x3x3xf32>) -> tensor<8x14x14x256xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
  } : tensor<8x14x14x256xf32> to tensor<8x16x16x256xf32>
  // CHECK: <"h" seq 14>, <"w" seq 14>, <"n" prim 8>, <"k" prim 128>, <"r" prim 3>, <"s" prim 3>, <"c" prim 128>
  %y = einsum.contract "n(h+r)(w+s)c, kcrs -> nhwk" (%p, %v) : (tensor<8x16x16x256xf32>, tensor<256x256x3x3xf32>) -> tensor<8x14x14x256xf32>
  return %y : tensor<8x14x14x256xf32>
}

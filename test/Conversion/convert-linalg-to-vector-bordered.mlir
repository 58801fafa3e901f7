// RUN: tile-opt %s --convert-linalg-to-vector=bordered-windows=true | FileCheck %s

// convert-linalg-to-vector: max pooling by pixels reads the nearest element in the place of a border, which is not made. Whether
// that is right: test/Python/Torch/networks.py, test/Property/network_property.py.

// CHECK-LABEL: func.func @by_pixels
// CHECK-SAME: %[[X:.*]]: memref<2x14x14x32xf32>, %[[Y:.*]]: memref<2x7x7x32xf32>
func.func @by_pixels(%x: memref<2x14x14x32xf32>, %y: memref<2x7x7x32xf32>) {
  %least = arith.constant 0xFF800000 : f32
  // CHECK-NOT: memref<2x16x16x32xf32>
  // CHECK: arith.subi %{{.*}}, %c1
  // CHECK: arith.maxsi %{{.*}}, %c0
  // CHECK: arith.minsi %{{.*}}, %c13
  // CHECK: vector.load %[[X]]
  // CHECK: arith.maximumf
  // CHECK: vector.store %{{.*}}, %[[Y]]
  // CHECK-NOT: linalg.pooling
  %b = memref.alloc() : memref<2x16x16x32xf32>
  linalg.fill ins(%least : f32) outs(%b : memref<2x16x16x32xf32>)
  %m = memref.subview %b[0, 1, 1, 0] [2, 14, 14, 32] [1, 1, 1, 1]
      : memref<2x16x16x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  memref.copy %x, %m : memref<2x14x14x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  %w = memref.alloc() : memref<3x3xf32>
  linalg.fill ins(%least : f32) outs(%y : memref<2x7x7x32xf32>)
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%b, %w : memref<2x16x16x32xf32>, memref<3x3xf32>)
      outs(%y : memref<2x7x7x32xf32>)
  return
}

// What remains: a border of zeros, one that is read by others, places of a window that are apart, a border as wide as the
// window, and vectors along the border.

// CHECK-LABEL: func.func @zeros
// CHECK: linalg.pooling_nhwc_max
func.func @zeros(%x: memref<2x14x14x32xf32>, %y: memref<2x7x7x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<2x16x16x32xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<2x16x16x32xf32>)
  %m = memref.subview %b[0, 1, 1, 0] [2, 14, 14, 32] [1, 1, 1, 1]
      : memref<2x16x16x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  memref.copy %x, %m : memref<2x14x14x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  %w = memref.alloc() : memref<3x3xf32>
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%b, %w : memref<2x16x16x32xf32>, memref<3x3xf32>)
      outs(%y : memref<2x7x7x32xf32>)
  return
}

// CHECK-LABEL: func.func @others
// CHECK: linalg.pooling_nhwc_max
func.func @others(%x: memref<2x14x14x32xf32>, %y: memref<2x7x7x32xf32>) -> memref<2x16x16x32xf32> {
  %least = arith.constant 0xFF800000 : f32
  %b = memref.alloc() : memref<2x16x16x32xf32>
  linalg.fill ins(%least : f32) outs(%b : memref<2x16x16x32xf32>)
  %m = memref.subview %b[0, 1, 1, 0] [2, 14, 14, 32] [1, 1, 1, 1]
      : memref<2x16x16x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  memref.copy %x, %m : memref<2x14x14x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  %w = memref.alloc() : memref<3x3xf32>
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%b, %w : memref<2x16x16x32xf32>, memref<3x3xf32>)
      outs(%y : memref<2x7x7x32xf32>)
  return %b : memref<2x16x16x32xf32>
}

// CHECK-LABEL: func.func @changed
// CHECK: linalg.pooling_nhwc_max
func.func @changed(%x: memref<2x14x14x32xf32>, %y: memref<2x7x7x32xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %b = memref.alloc() : memref<2x16x16x32xf32>
  linalg.fill ins(%least : f32) outs(%b : memref<2x16x16x32xf32>)
  %m = memref.subview %b[0, 1, 1, 0] [2, 14, 14, 32] [1, 1, 1, 1]
      : memref<2x16x16x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  memref.copy %x, %m : memref<2x14x14x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  linalg.fill ins(%least : f32) outs(%x : memref<2x14x14x32xf32>)
  %w = memref.alloc() : memref<3x3xf32>
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%b, %w : memref<2x16x16x32xf32>, memref<3x3xf32>)
      outs(%y : memref<2x7x7x32xf32>)
  return
}

// CHECK-LABEL: func.func @dilated
// CHECK: linalg.pooling_nhwc_max
func.func @dilated(%x: memref<2x14x14x32xf32>, %y: memref<2x12x12x32xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %b = memref.alloc() : memref<2x16x16x32xf32>
  linalg.fill ins(%least : f32) outs(%b : memref<2x16x16x32xf32>)
  %m = memref.subview %b[0, 1, 1, 0] [2, 14, 14, 32] [1, 1, 1, 1]
      : memref<2x16x16x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  memref.copy %x, %m : memref<2x14x14x32xf32> to memref<2x14x14x32xf32, strided<[8192, 512, 32, 1], offset: 544>>
  %w = memref.alloc() : memref<3x3xf32>
  linalg.pooling_nhwc_max {dilations = dense<2> : tensor<2xi64>} ins(%b, %w : memref<2x16x16x32xf32>, memref<3x3xf32>)
      outs(%y : memref<2x12x12x32xf32>)
  return
}

// CHECK-LABEL: func.func @wide
// CHECK: linalg.pooling_nhwc_max
func.func @wide(%x: memref<2x14x14x32xf32>, %y: memref<2x8x8x32xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %b = memref.alloc() : memref<2x17x17x32xf32>
  linalg.fill ins(%least : f32) outs(%b : memref<2x17x17x32xf32>)
  %m = memref.subview %b[0, 3, 3, 0] [2, 14, 14, 32] [1, 1, 1, 1]
      : memref<2x17x17x32xf32> to memref<2x14x14x32xf32, strided<[9248, 544, 32, 1], offset: 1728>>
  memref.copy %x, %m : memref<2x14x14x32xf32> to memref<2x14x14x32xf32, strided<[9248, 544, 32, 1], offset: 1728>>
  %w = memref.alloc() : memref<3x3xf32>
  linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%b, %w : memref<2x17x17x32xf32>, memref<3x3xf32>)
      outs(%y : memref<2x8x8x32xf32>)
  return
}

// CHECK-LABEL: func.func @by_channels
// CHECK: linalg.pooling_nchw_max
func.func @by_channels(%x: memref<2x32x14x14xf32>, %y: memref<2x32x7x7xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %b = memref.alloc() : memref<2x32x16x16xf32>
  linalg.fill ins(%least : f32) outs(%b : memref<2x32x16x16xf32>)
  %m = memref.subview %b[0, 0, 1, 1] [2, 32, 14, 14] [1, 1, 1, 1]
      : memref<2x32x16x16xf32> to memref<2x32x14x14xf32, strided<[8192, 256, 16, 1], offset: 17>>
  memref.copy %x, %m : memref<2x32x14x14xf32> to memref<2x32x14x14xf32, strided<[8192, 256, 16, 1], offset: 17>>
  %w = memref.alloc() : memref<3x3xf32>
  linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>} ins(%b, %w : memref<2x32x16x16xf32>, memref<3x3xf32>)
      outs(%y : memref<2x32x7x7xf32>)
  return
}

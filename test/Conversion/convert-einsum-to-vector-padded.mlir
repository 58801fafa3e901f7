// RUN: tile-opt %s --einsum-attach-machine=cpu=znver5 --convert-einsum-to-vector --split-input-file | FileCheck %s

// Whether what they compute is right: test/Property/padding.test.

// Of each channel by itself: in the lines 1 to 26 the kernel reads rows 1 to 26 of the image itself, and the first and the
// last one of a copy; in the others it reads all rows of copies. One is 3 x 3 pixels of 32 channels.

// CHECK-LABEL: func.func @bordered
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8x28x28x32xf32>
func.func @bordered(%x: tensor<8x28x28x32xf32>, %v: tensor<32x3x3xf32>) -> tensor<8x28x28x32xf32> {
  %zero = arith.constant 0.0 : f32
  // CHECK-NOT: tensor.pad
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
  } : tensor<8x28x28x32xf32> to tensor<8x30x30x32xf32>
  // CHECK-DAG: %[[BUFFER:.*]] = bufferization.to_buffer %[[X]] read_only : tensor<8x28x28x32xf32> to memref<8x28x28x32xf32>
  // CHECK-DAG: %[[IMAGE:.*]] = memref.reinterpret_cast %[[BUFFER]] to offset: [0], sizes: [200704], strides: [1]
  // CHECK: scf.parallel
  // CHECK: %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x3x3x32xf32>
  // CHECK: scf.for %[[H:.*]] = %{{.*}} to %c28 step %c1 {
  // CHECK-DAG: %[[NOT_FIRST:.*]] = arith.cmpi sge, %[[H]], %c1
  // CHECK-DAG: %[[NOT_LAST:.*]] = arith.cmpi slt, %[[H]], %c27
  // CHECK: %[[INSIDE:.*]] = arith.andi %[[NOT_FIRST]], %[[NOT_LAST]]
  // CHECK: %[[STEP:.*]] = arith.select %[[INSIDE]], %c27, %c1
  // CHECK: scf.if %[[INSIDE]] {
  // CHECK: vector.load %[[IMAGE]]
  // CHECK: vector.fma
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[STEP]] {
  // CHECK: vector.load %{{.*}} : memref<200704xf32>, vector<16xf32>
  // CHECK: vector.store %{{.*}} : memref<288xf32>, vector<16xf32>
  // CHECK: vector.load %{{.*}} : memref<288xf32>, vector<16xf32>
  // CHECK: vector.fma
  %y = einsum.contract "n(h+r)(w+s)c, crs -> nhwc" (%p, %v) {schedule = #einsum.schedule<lanes = 3, tile = [1, 2], unroll = 3,
      pack = [1], dims = [<"n" parallel 8>, <"h" seq 28>, <"w" prim 28>, <"c" prim 32>, <"r" prim 3>, <"s" prim 3>]>}
      : (tensor<8x30x30x32xf32>, tensor<32x3x3xf32>) -> tensor<8x28x28x32xf32>
  return %y : tensor<8x28x28x32xf32>
}

// -----

// Of all channels: each image is copied with its border by the thread that reads it. Of the window, the lines that are above or
// below the image, which are zeros, are left out.

// CHECK-LABEL: func.func @staged
func.func @staged(%x: tensor<8x28x28x32xf32>, %v: tensor<16x3x3x32xf32>) -> tensor<8x28x28x16xf32> {
  %zero = arith.constant 0.0 : f32
  // CHECK-NOT: tensor.pad
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
  } : tensor<8x28x28x32xf32> to tensor<8x30x30x32xf32>
  // CHECK: scf.parallel
  // CHECK: memref.alloc() {alignment = 64 : i64} : memref<1x30x30x32xf32>
  // CHECK: scf.for %[[H:.*]] = %c0{{.*}} to %c28 step %c1 {
  // CHECK: %[[PLACE:.*]] = arith.addi %{{.*}}, %[[H]]
  // CHECK: %[[BEFORE:.*]] = arith.subi %c0{{.*}}, %[[PLACE]]
  // CHECK-NEXT: %[[SOME:.*]] = arith.maxsi %[[BEFORE]], %c0{{.*}}
  // CHECK-NEXT: %[[FIRST:.*]] = arith.minsi %[[SOME]], %c3{{.*}}
  // CHECK-NEXT: %[[LEFT:.*]] = arith.subi %c28{{.*}}, %[[PLACE]]
  // CHECK-NEXT: %[[SOME:.*]] = arith.maxsi %[[LEFT]], %c0{{.*}}
  // CHECK-NEXT: %[[END:.*]] = arith.minsi %[[SOME]], %c3{{.*}}
  // CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %c1{{.*}} iter_args
  // CHECK: memref.load %{{.*}} : memref<28800xf32>
  // CHECK: vector.fma
  %y = einsum.contract "n(h+r)(w+s)c, krsc -> nhwk" (%p, %v) {schedule = #einsum.schedule<lanes = 3, tile = [14, 1], unroll = 4,
      pack = [1], dims = [<"n" parallel 8>, <"h" seq 28>, <"w" prim 28>, <"k" prim 16>, <"r" prim 3>, <"s" prim 3>, <"c" prim 32>]>}
      : (tensor<8x30x30x32xf32>, tensor<16x3x3x32xf32>) -> tensor<8x28x28x16xf32>
  return %y : tensor<8x28x28x16xf32>
}

// -----

// Rows of which each would be copied three times are padded first.

// CHECK-LABEL: func.func @by_rows
func.func @by_rows(%x: tensor<28x28x32xf32>, %v: tensor<16x3x3x32xf32>) -> tensor<28x28x16xf32> {
  %zero = arith.constant 0.0 : f32
  // CHECK: tensor.pad
  %p = tensor.pad %x low[1, 1, 0] high[1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %zero : f32
  } : tensor<28x28x32xf32> to tensor<30x30x32xf32>
  %y = einsum.contract "(h+r)(w+s)c, krsc -> hwk" (%p, %v) {schedule = #einsum.schedule<lanes = 2, tile = [14, 1], unroll = 4,
      pack = [1], dims = [<"h" parallel 28>, <"w" prim 28>, <"k" prim 16>, <"r" prim 3>, <"s" prim 3>, <"c" prim 32>]>}
      : (tensor<30x30x32xf32>, tensor<16x3x3x32xf32>) -> tensor<28x28x16xf32>
  return %y : tensor<28x28x16xf32>
}

// -----

// What others read as well is padded.

// CHECK-LABEL: func.func @shared
func.func @shared(%x: tensor<8x28x28x32xf32>, %v: tensor<32x3x3xf32>) -> (tensor<8x28x28x32xf32>, tensor<8x30x30x32xf32>) {
  %zero = arith.constant 0.0 : f32
  // CHECK: tensor.pad
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : f32
  } : tensor<8x28x28x32xf32> to tensor<8x30x30x32xf32>
  %y = einsum.contract "n(h+r)(w+s)c, crs -> nhwc" (%p, %v) {schedule = #einsum.schedule<lanes = 3, tile = [1, 2], unroll = 3,
      pack = [1], dims = [<"n" parallel 8>, <"h" seq 28>, <"w" prim 28>, <"c" prim 32>, <"r" prim 3>, <"s" prim 3>]>}
      : (tensor<8x30x30x32xf32>, tensor<32x3x3xf32>) -> tensor<8x28x28x32xf32>
  return %y, %p : tensor<8x28x28x32xf32>, tensor<8x30x30x32xf32>
}

// -----

// A kernel without loops around it.

// CHECK-LABEL: func.func @line
func.func @line(%x: tensor<30x32xf32>, %v: tensor<32x3xf32>) -> tensor<28x32xf32> {
  %zero = arith.constant 0.0 : f32
  // CHECK-NOT: tensor.pad
  // CHECK: memref.alloc() {alignment = 64 : i64} : memref<6x32xf32>
  %p = tensor.pad %x low[2, 0] high[0, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
  } : tensor<30x32xf32> to tensor<32x32xf32>
  %y = einsum.contract "(w+2*s)c, cs -> wc" (%p, %v) {sizes = {w = 28 : i64}, schedule = #einsum.schedule<lanes = 1, tile = [1, 2],
      unroll = 3, dims = [<"w" prim 28>, <"c" prim 32>, <"s" prim 3>]>} : (tensor<32x32xf32>, tensor<32x3xf32>) -> tensor<28x32xf32>
  return %y : tensor<28x32xf32>
}

// -----

// Another border than zeros takes part.

// CHECK-LABEL: func.func @of_ones
// CHECK-NOT: arith.minsi
// CHECK: return
func.func @of_ones(%x: tensor<8x28x28x32xf32>, %v: tensor<16x3x3x32xf32>) -> tensor<8x28x28x16xf32> {
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %one : f32
  } : tensor<8x28x28x32xf32> to tensor<8x30x30x32xf32>
  %y = einsum.contract "n(h+r)(w+s)c, krsc -> nhwk" (%p, %v) {schedule = #einsum.schedule<lanes = 3, tile = [14, 1], unroll = 4,
      pack = [1], dims = [<"n" parallel 8>, <"h" seq 28>, <"w" prim 28>, <"k" prim 16>, <"r" prim 3>, <"s" prim 3>, <"c" prim 32>]>}
      : (tensor<8x30x30x32xf32>, tensor<16x3x3x32xf32>) -> tensor<8x28x28x16xf32>
  return %y : tensor<8x28x28x16xf32>
}

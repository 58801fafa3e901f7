// convert-pad-to-memref: a border of zeros is a buffer that loops fill, or memset clears before a copy into its middle.
//
// RUN: tile-opt %s --convert-pad-to-memref | FileCheck %s

// CHECK-LABEL: @contiguous
// CHECK: %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x10xf32>
// CHECK: %[[FLAT:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [80], strides: [1]
// CHECK: vector.store %{{.*}}, %[[FLAT]]
// CHECK: bufferization.to_tensor %[[B]] restrict
func.func @contiguous(%x: memref<6x8xf32>) -> tensor<8x10xf32> {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<6x8xf32> to tensor<6x8xf32>
  %p = tensor.pad %t low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<6x8xf32> to tensor<8x10xf32>
  return %p : tensor<8x10xf32>
}

// Where there is nothing to copy there still is a border.
// CHECK-LABEL: @empty
// CHECK: vector.store %{{.*}} : memref<20xf32>, vector<8xf32>
func.func @empty(%x: memref<0x8xf32>) -> tensor<2x10xf32> {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<0x8xf32> to tensor<0x8xf32>
  %p = tensor.pad %t low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<0x8xf32> to tensor<2x10xf32>
  return %p : tensor<2x10xf32>
}
// CHECK-LABEL: @no_columns
// CHECK-NOT: vector.load
// CHECK: return
func.func @no_columns(%x: memref<3x0xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<3x0xf32> to tensor<3x0xf32>
  %p = tensor.pad %t low[0, 1] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x0xf32> to tensor<3x4xf32>
  return %p : tensor<3x4xf32>
}

// CHECK-LABEL: @border
// CHECK-SAME: (%[[X:.*]]: memref<6x8xf32, strided<[16, 1]>>)
// CHECK: %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x10xf32>
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(320 : i64)
// CHECK: "llvm.intr.memset"(%{{.*}}, %{{.*}}, %[[BYTES]])
// CHECK: %[[M:.*]] = memref.reinterpret_cast %[[B]] to offset: [11], sizes: [6, 8], strides: [10, 1]
// CHECK: einsum.contract "ab -> ab" (%[[X]]) outs(%[[M]]
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[B]] restrict
// CHECK: return %[[T]]
func.func @border(%x: memref<6x8xf32, strided<[16, 1]>>) -> tensor<8x10xf32> {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<6x8xf32, strided<[16, 1]>> to tensor<6x8xf32>
  %p = tensor.pad %t low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<6x8xf32> to tensor<8x10xf32>
  return %p : tensor<8x10xf32>
}

// A copy that tables direct stays padded.
// CHECK-LABEL: @copy
// CHECK-SAME: (%[[X:.*]]: memref<6xf32>, %[[S:.*]]: memref<4xi32>)
// CHECK: %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<6x4xf32>
// CHECK: einsum.contract "(h+t[c]) -> hc" (%[[X]]) tables(t = %[[S]] : memref<4xi32>) outs(%[[B]] : memref<6x4xf32>) {pad = "zero"
// CHECK: bufferization.to_tensor %[[B]] restrict
func.func @copy(%x: memref<6xf32>, %s: memref<4xi32>) -> tensor<6x4xf32> {
  %a = bufferization.to_tensor %x restrict : memref<6xf32> to tensor<6xf32>
  %t = bufferization.to_tensor %s restrict : memref<4xi32> to tensor<4xi32>
  %y = einsum.contract "(h+t[c]) -> hc" (%a) tables(t = %t : tensor<4xi32>) {pad = "zero", sizes = {h = 6}} : (tensor<6xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

// Of another value, or of no memref: as it is.
// CHECK-LABEL: @other
// CHECK: tensor.pad
// CHECK: tensor.pad
func.func @other(%x: memref<6xf32>, %y: tensor<6xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<6xf32> to tensor<6xf32>
  %p = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %one : f32
  } : tensor<6xf32> to tensor<8xf32>
  %q = tensor.pad %y low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<6xf32> to tensor<8xf32>
  return %p, %q : tensor<8xf32>, tensor<8xf32>
}

// What the contraction copies by its schedule stays, and what it may once it has one, if that is to come.
// RUN: tile-opt %s --convert-pad-to-memref=before-schedules=true | FileCheck %s --check-prefix=BEFORE
// CHECK-LABEL: @staged
// CHECK-COUNT-1: tensor.pad
// CHECK-NOT: tensor.pad
// BEFORE-LABEL: @staged
// BEFORE-COUNT-2: tensor.pad
func.func @staged(%x: memref<8x28x28x32xf32>, %v: tensor<32x3x3xf32>) -> (tensor<8x28x28x32xf32>, tensor<8x28x28x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = bufferization.to_tensor %x restrict : memref<8x28x28x32xf32> to tensor<8x28x28x32xf32>
  %p = tensor.pad %t low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<8x28x28x32xf32> to tensor<8x30x30x32xf32>
  %y = einsum.contract "n(h+r)(w+s)c, crs -> nhwc" (%p, %v) {schedule = #einsum.schedule<lanes = 3, tile = [1, 2], unroll = 3,
      dims = [<"n" parallel 8>, <"h" seq 28>, <"w" prim 28>, <"c" prim 32>, <"r" prim 3>, <"s" prim 3>]>}
      : (tensor<8x30x30x32xf32>, tensor<32x3x3xf32>) -> tensor<8x28x28x32xf32>
  %q = tensor.pad %t low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<8x28x28x32xf32> to tensor<8x30x30x32xf32>
  %z = einsum.contract "n(h+r)(w+s)c, crs -> nhwc" (%q, %v) : (tensor<8x30x30x32xf32>, tensor<32x3x3xf32>) -> tensor<8x28x28x32xf32>
  return %y, %z : tensor<8x28x28x32xf32>, tensor<8x28x28x32xf32>
}

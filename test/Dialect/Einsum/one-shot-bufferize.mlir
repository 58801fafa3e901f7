// Bufferization of einsum.contract: outs are written in place unless their value is needed afterwards
// or they are read by the contraction itself; without outs there is a new buffer.
//
// RUN: tile-opt %s --split-input-file \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s --implicit-check-not=memref.copy

// CHECK-LABEL: @no_outs
// CHECK-SAME: %[[X:.*]]: memref<2x4x8xf16>, %[[W:.*]]: memref<4x5xf16>, %[[T:.*]]: memref<4xi32>) -> memref<2x5x6xf32>
func.func @no_outs(%x: tensor<2x4x8xf16>, %w: tensor<4x5xf16>, %t: tensor<4xi32>) -> tensor<2x5x6xf32> {
  // CHECK: %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2x5x6xf32>
  // CHECK-NEXT: einsum.contract "nc(h+r+t[c]), ck -> nkh" (%[[X]], %[[W]]) tables(t = %[[T]] : memref<4xi32>) outs(%[[R]] : memref<2x5x6xf32>) {acc = f32, pad = "zero", sizes = {r = 3 : i64}} : (memref<2x4x8xf16>, memref<4x5xf16>){{$}}
  // CHECK-NEXT: return %[[R]]
  %0 = einsum.contract "nc(h+r+t[c]), ck -> nkh" (%x, %w) tables(t = %t : tensor<4xi32>)
      {pad = "zero", acc = f32, sizes = {r = 3}} : (tensor<2x4x8xf16>, tensor<4x5xf16>) -> tensor<2x5x6xf32>
  return %0 : tensor<2x5x6xf32>
}

// -----

// The sizes of the new buffer: axis, window, table.
// CHECK-DAG: #[[$WINDOW:.*]] = affine_map<()[s0] -> (s0 floordiv 2 - 1, 0)>
// CHECK-LABEL: @dynamic_sizes
// CHECK-SAME: %[[X:.*]]: memref<?x?x?xf32>, %[[T:.*]]: memref<?xi32>
func.func @dynamic_sizes(%x: tensor<?x?x?xf32>, %t: tensor<?xi32>) -> tensor<?x7x?x?xf32> {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG: %[[M:.*]] = memref.dim %[[X]], %[[C0]]
  // CHECK-DAG: %[[D:.*]] = memref.dim %[[X]], %[[C1]]
  // CHECK-DAG: %[[H:.*]] = affine.max #[[$WINDOW]]()[%[[D]]]
  // CHECK-DAG: %[[W:.*]] = memref.dim %[[T]], %{{.*}}
  // CHECK: %[[R:.*]] = memref.alloc(%[[M]], %[[H]], %[[W]]) {{.*}} : memref<?x7x?x?xf32>
  // CHECK-NEXT: einsum.contract "m(2*h+r+1)(v+t[w]) -> mvhw" (%[[X]]) tables(t = %[[T]] : memref<?xi32>) outs(%[[R]] : memref<?x7x?x?xf32>)
  %0 = einsum.contract "m(2*h+r+1)(t[w]+v) -> mvhw" (%x) tables(t = %t : tensor<?xi32>) {sizes = {r = 3, v = 7}}
      : (tensor<?x?x?xf32>) -> tensor<?x7x?x?xf32>
  return %0 : tensor<?x7x?x?xf32>
}

// -----

// CHECK-LABEL: @in_place
// CHECK-SAME: %[[A:.*]]: memref<4x8xf32>, %[[O:.*]]: memref<4xf32>
func.func @in_place(%a: tensor<4x8xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: einsum.contract "mk -> m" (%[[A]]) outs(%[[O]] : memref<4xf32>)
  // CHECK-NEXT: return %[[O]]
  %0 = einsum.contract "mk -> m" (%a) outs(%o : tensor<4xf32>) : (tensor<4x8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A chain of contractions needs one buffer.
// CHECK-LABEL: @in_place_twice
func.func @in_place_twice(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4xf32> {
  // CHECK: %[[R:.*]] = memref.alloc
  // CHECK-NOT: memref.alloc
  // CHECK: einsum.contract "mk -> m" (%{{.*}}) outs(%[[R]] : memref<4xf32>)
  // CHECK-NEXT: einsum.contract "mk, mk -> m" (%{{.*}}) outs(%[[R]] : memref<4xf32>)
  // CHECK-NEXT: return %[[R]]
  %e = tensor.empty() : tensor<4xf32>
  %0 = einsum.contract "mk -> m" (%a) outs(%e : tensor<4xf32>) : (tensor<4x8xf32>) -> tensor<4xf32>
  %1 = einsum.contract "mk, mk -> m" (%a, %b) outs(%0 : tensor<4xf32>)
      : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: @outs_not_writable
// CHECK-SAME: %{{.*}}: memref<4x8xf32>, %[[O:.*]]: memref<4xf32>
func.func @outs_not_writable(%a: tensor<4x8xf32>, %o: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  // CHECK-NEXT: %[[R:.*]] = memref.alloc
  // CHECK-NEXT: outs(%[[R]] : memref<4xf32>)
  // CHECK-NEXT: return %[[R]]
  %0 = einsum.contract "mk -> m" (%a) outs(%o : tensor<4xf32>) : (tensor<4x8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Nothing of outs is copied to the new buffer, which is written as a whole.
// CHECK-LABEL: @outs_read_later
// CHECK-SAME: %{{.*}}: memref<4x8xf32>, %[[O:.*]]: memref<4xf32>
func.func @outs_read_later(%a: tensor<4x8xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[R:.*]] = memref.alloc
  // CHECK-NEXT: outs(%[[R]] : memref<4xf32>)
  // CHECK-NEXT: return %[[R]], %[[O]]
  %0 = einsum.contract "mk -> m" (%a) outs(%o : tensor<4xf32>) : (tensor<4x8xf32>) -> tensor<4xf32>
  return %0, %o : tensor<4xf32>, tensor<4xf32>
}

// -----

// Each element may be read after another was written.
// CHECK-LABEL: @outs_is_an_input
// CHECK-SAME: %[[A:.*]]: memref<4xf32>
func.func @outs_is_an_input(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[R:.*]] = memref.alloc
  // CHECK-NEXT: einsum.contract "(-1*m+3) -> m" (%[[A]]) outs(%[[R]] : memref<4xf32>)
  // CHECK-NEXT: return %[[R]]
  %0 = einsum.contract "(3-m) -> m" (%a) outs(%a : tensor<4xf32>) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: @outs_is_a_table
// CHECK-SAME: %[[A:.*]]: memref<9xi32>, %[[T:.*]]: memref<4xi32>
func.func @outs_is_a_table(%a: tensor<9xi32>, %t: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK-NEXT: %[[R:.*]] = memref.alloc
  // CHECK-NEXT: einsum.contract "(t[m]) -> m" (%[[A]]) tables(t = %[[T]] : memref<4xi32>) outs(%[[R]] : memref<4xi32>)
  // CHECK-NEXT: return %[[R]]
  %0 = einsum.contract "(t[m]) -> m" (%a) tables(t = %t : tensor<4xi32>) outs(%t : tensor<4xi32>)
      : (tensor<9xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// A function that is called: its buffers are those of the caller.
// CHECK-LABEL: @callee
// CHECK-SAME: %[[A:.*]]: memref<4x8xf32>, %[[O:.*]]: memref<4xf32>
func.func private @callee(%a: tensor<4x8xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: outs(%[[O]] : memref<4xf32>)
  %0 = einsum.contract "mk -> m" (%a) outs(%o : tensor<4xf32>) : (tensor<4x8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: @caller
// CHECK-SAME: %[[A:.*]]: memref<4x8xf32>
func.func @caller(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  // CHECK: %[[E:.*]] = memref.alloc
  // CHECK-NEXT: call @callee(%[[A]], %[[E]])
  %e = tensor.empty() : tensor<4xf32>
  %0 = call @callee(%a, %e) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Contractions that are on memrefs already stay as they are.
// CHECK-LABEL: @memrefs
func.func @memrefs(%a: memref<4x8xf32>, %o: memref<4xf32>) {
  // CHECK-NEXT: einsum.contract "mk -> m" (%{{.*}}) outs(%{{.*}} : memref<4xf32>) : (memref<4x8xf32>)
  // CHECK-NEXT: return
  einsum.contract "mk -> m" (%a) outs(%o : memref<4xf32>) : (memref<4x8xf32>)
  return
}

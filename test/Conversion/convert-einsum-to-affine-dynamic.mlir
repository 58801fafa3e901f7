// convert-einsum-to-affine where sizes are dynamic: bounds that are symbols give affine loops, others
// those of scf; and contractions on tensors.
//
// RUN: tile-opt --convert-einsum-to-affine="checks=none" --split-input-file %s | FileCheck %s

// CHECK-LABEL: @bounds
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>
func.func @bounds(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // CHECK: %[[M:.*]] = memref.dim %[[A]], %c0
  // CHECK: %[[N:.*]] = memref.dim %[[B]], %c1
  // CHECK: %[[K:.*]] = memref.dim %[[A]], %c1
  // CHECK: affine.parallel (%[[I:.*]]) = (0) to (symbol(%[[M]])) {
  // CHECK:   affine.for %[[J:.*]] = 0 to %[[N]] {
  // CHECK:     affine.for %[[L:.*]] = 0 to %[[K]] iter_args
  // CHECK:     affine.store %{{.*}}, %[[C]][%[[I]], %[[J]]]
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<?x?xf32>) : (memref<?x?xf32>, memref<?x?xf32>)
  return
}

// -----

// Two parallel loops, of which each has its symbol.
// CHECK-LABEL: @two_parallel_bounds
func.func @two_parallel_bounds(%a: memref<2x?xf32>, %c: memref<2x?xf32>) {
  // CHECK: %[[N:.*]] = memref.dim %arg0, %c1
  // CHECK: affine.parallel (%{{.*}}, %{{.*}}) = (0, 0) to (2, symbol(%[[N]])) {
  einsum.contract "mn -> mn" (%a) outs(%c : memref<2x?xf32>) : (memref<2x?xf32>)
  return
}

// -----

// A window of an axis of dynamic size.
// CHECK: #[[$WINDOW:.*]] = affine_map<()[s0] -> (s0 floordiv 2, 0)>
// CHECK-LABEL: @window
func.func @window(%a: memref<?xf32>, %o: memref<f32>) {
  // CHECK: %[[D:.*]] = memref.dim %arg0
  // CHECK: %[[H:.*]] = affine.max #[[$WINDOW]]()[%[[D]]]
  // CHECK: affine.for %{{.*}} = 0 to %[[H]] iter_args
  einsum.contract "(2*h+1) -> " (%a) outs(%o : memref<f32>) : (memref<?xf32>)
  return
}

// -----

// The guard of a dynamic axis compares with its size.
// CHECK: #[[$INSIDE:.*]] = affine_set<(d0)[s0] : (d0 - 1 >= 0, -(d0 - 1) + s0 - 1 >= 0)>
// CHECK-LABEL: @padding
func.func @padding(%a: memref<?xf32>, %o: memref<?xf32>) {
  // CHECK: %[[D:.*]] = memref.dim %arg0
  // CHECK: affine.if #[[$INSIDE]](%{{.*}})[%[[D]]] -> f32 {
  einsum.contract "(h-1) -> h" (%a) outs(%o : memref<?xf32>) {pad = "zero"} : (memref<?xf32>)
  return
}

// -----

// The sizes of a view that a loop takes are no symbols: loops and accesses of scf and memref.
// CHECK-LABEL: @sizes_that_vary
func.func @sizes_that_vary(%n: index, %a: memref<8x8xf32>, %o: memref<8x8xf32>) {
  // CHECK: scf.for
  // CHECK: %[[A:.*]] = memref.subview %arg1
  // CHECK: %[[O:.*]] = memref.subview %arg2
  // CHECK-NOT: affine.
  // CHECK: scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%{{.*}}) step (%{{.*}}) {
  // CHECK:   scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
  // CHECK:     %[[S:.*]] = scf.for %[[K:.*]] = %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (f32) {
  // CHECK:       memref.load %[[A]][%[[I]], %[[K]]]
  // CHECK:       memref.load %[[A]][%[[K]], %[[J]]]
  // CHECK:       scf.yield
  // CHECK:     memref.store %[[S]], %[[O]][%[[I]], %[[J]]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.subview %a[0, 0] [%i, %i] [1, 1] : memref<8x8xf32> to memref<?x?xf32, strided<[8, 1]>>
    %u = memref.subview %o[0, 0] [%i, %i] [1, 1] : memref<8x8xf32> to memref<?x?xf32, strided<[8, 1]>>
    einsum.contract "mk, kn -> mn" (%s, %s) outs(%u : memref<?x?xf32, strided<[8, 1]>>)
        : (memref<?x?xf32, strided<[8, 1]>>, memref<?x?xf32, strided<[8, 1]>>)
  }
  return
}

// -----

// There, too, padding is guarded.
// CHECK-LABEL: @padding_of_sizes_that_vary
func.func @padding_of_sizes_that_vary(%n: index, %a: memref<8xf32>, %o: memref<8xf32>) {
  // CHECK-NOT: affine.
  // CHECK: %[[I:.*]] = arith.addi %{{.*}}, %c-1
  // CHECK: %[[IN:.*]] = arith.cmpi ult, %[[I]], %{{.*}}
  // CHECK: scf.if %[[IN]] -> (f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.subview %a[0] [%i] [1] : memref<8xf32> to memref<?xf32, strided<[1]>>
    einsum.contract "(h-1) -> h" (%s) outs(%o : memref<8xf32>) {pad = "zero"} : (memref<?xf32, strided<[1]>>)
  }
  return
}

// -----

// A static contraction in a loop needs no symbols.
// CHECK-LABEL: @static_in_a_loop
func.func @static_in_a_loop(%n: index, %a: memref<8x4xf32>, %o: memref<8xf32>) {
  // CHECK: scf.for
  // CHECK-NEXT: affine.parallel
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    einsum.contract "mk -> m" (%a) outs(%o : memref<8xf32>) : (memref<8x4xf32>)
  }
  return
}

// -----

// On tensors: buffers of the operands, which are only read, and a new one.
// CHECK-LABEL: @tensors
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>, %[[T:.*]]: tensor<4xi32>
func.func @tensors(%a: tensor<?x4xf32>, %t: tensor<4xi32>) -> tensor<?xf32> {
  // CHECK-DAG: %[[AB:.*]] = bufferization.to_buffer %[[A]] read_only : tensor<?x4xf32> to memref<?x4xf32>
  // CHECK-DAG: %[[TB:.*]] = bufferization.to_buffer %[[T]] read_only : tensor<4xi32> to memref<4xi32>
  // CHECK-DAG: %[[M:.*]] = tensor.dim %[[A]], %{{.*}}
  // CHECK: %[[R:.*]] = memref.alloc(%[[M]]) : memref<?xf32>
  // CHECK: memref.load %[[TB]]
  // CHECK: memref.load %[[AB]]
  // CHECK: affine.store %{{.*}}, %[[R]]
  // CHECK: %[[V:.*]] = bufferization.to_tensor %[[R]] restrict : memref<?xf32> to tensor<?xf32>
  // CHECK: return %[[V]]
  %0 = einsum.contract "m(t[k]) -> m" (%a) tables(t = %t : tensor<4xi32>) : (tensor<?x4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

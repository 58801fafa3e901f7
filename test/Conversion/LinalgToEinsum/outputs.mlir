// What becomes of the output that a structured op adds to: zero or not, on tensors and on memrefs, and where its sizes are
// dynamic.
//
// RUN: tile-opt --convert-linalg-to-einsum --split-input-file %s | FileCheck %s

// CHECK-LABEL: @added
// CHECK-SAME: %[[A:.*]]: tensor<5x7xf32>, %[[B:.*]]: tensor<7x3xf32>, %[[C:.*]]: tensor<5x3xf32>
func.func @added(%a: tensor<5x7xf32>, %b: tensor<7x3xf32>, %c: tensor<5x3xf32>) -> tensor<5x3xf32> {
  // CHECK-NEXT: %[[S:.*]] = einsum.contract "ac, cb -> ab" (%[[A]], %[[B]]) :
  // CHECK-NEXT: %[[R:.*]] = arith.addf %[[C]], %[[S]] : tensor<5x3xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = linalg.matmul ins(%a, %b : tensor<5x7xf32>, tensor<7x3xf32>) outs(%c : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// A fill that something else needs as well stays.
// CHECK-LABEL: @integers_on_a_fill
func.func @integers_on_a_fill(%a: tensor<5x7xi8>, %b: tensor<7x3xi8>) -> (tensor<5x3xi32>, tensor<5x3xi32>, tensor<5x3xi32>) {
  // CHECK: %[[ZERO:.*]] = linalg.fill ins(%c0_i32
  // CHECK: %[[ONE:.*]] = linalg.fill ins(%c1_i32
  // CHECK: %[[R:.*]] = einsum.contract "ac, cb -> ab" (%{{.*}}) :
  // CHECK: %[[S:.*]] = einsum.contract "ac, cb -> ab" (%{{.*}}) :
  // CHECK-NEXT: %[[T:.*]] = arith.addi %[[ONE]], %[[S]] : tensor<5x3xi32>
  // CHECK-NEXT: return %[[ZERO]], %[[R]], %[[T]]
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %e = tensor.empty() : tensor<5x3xi32>
  %zero = linalg.fill ins(%c0_i32 : i32) outs(%e : tensor<5x3xi32>) -> tensor<5x3xi32>
  %one = linalg.fill ins(%c1_i32 : i32) outs(%e : tensor<5x3xi32>) -> tensor<5x3xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<5x7xi8>, tensor<7x3xi8>) outs(%zero : tensor<5x3xi32>) -> tensor<5x3xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<5x7xi8>, tensor<7x3xi8>) outs(%one : tensor<5x3xi32>) -> tensor<5x3xi32>
  return %zero, %0, %1 : tensor<5x3xi32>, tensor<5x3xi32>, tensor<5x3xi32>
}

// -----

// A sum that begins at -0 may be -0; a product added to 0 is never -0.
// CHECK-LABEL: @signs_of_zero
func.func @signs_of_zero(%a: tensor<5x7xf32>, %b: tensor<7xf32>) -> (tensor<5xf32>, tensor<5x7xf32>) {
  // CHECK: %[[S:.*]] = einsum.contract "ab, b -> a"
  // CHECK: arith.addf %{{.*}}, %[[S]] : tensor<5xf32>
  // CHECK: %[[P:.*]] = einsum.contract "ab, b -> ab"
  // CHECK: arith.addf %{{.*}}, %[[P]] : tensor<5x7xf32>
  %negative = arith.constant dense<-0.0> : tensor<5xf32>
  %0 = linalg.matvec ins(%a, %b : tensor<5x7xf32>, tensor<7xf32>) outs(%negative : tensor<5xf32>) -> tensor<5xf32>
  %zero = arith.constant dense<0.0> : tensor<5x7xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<5x7xf32>, tensor<7xf32>) outs(%zero : tensor<5x7xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %xy = arith.mulf %x, %y : f32
    %sum = arith.addf %acc, %xy : f32
    linalg.yield %sum : f32
  } -> tensor<5x7xf32>
  return %0, %1 : tensor<5xf32>, tensor<5x7xf32>
}

// -----

// `outs` tells the sizes; of a fill it is what was filled, which nothing needs to fill any more.
// CHECK-LABEL: @dynamic
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[W:.*]]: tensor<?xf32>, %[[C:.*]]: tensor<?xf32>, %[[N:.*]]: index
func.func @dynamic(%x: tensor<?xf32>, %w: tensor<?xf32>, %c: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK: %[[E:.*]] = tensor.empty(%[[N]])
  // CHECK-NEXT: %[[R:.*]] = einsum.contract "(a+b), b -> a" (%[[X]], %[[W]]) outs(%[[E]] : tensor<?xf32>)
  // CHECK-NEXT: %[[S:.*]] = einsum.contract "(a+b), b -> a" (%[[X]], %[[W]]) outs(%[[C]] : tensor<?xf32>)
  // CHECK-NEXT: %[[T:.*]] = arith.addf %[[C]], %[[S]]
  // CHECK-NEXT: return %[[R]], %[[T]]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%fill : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// The second product finds what the first one wrote.
// CHECK-LABEL: @memrefs
// CHECK-SAME: %[[A:.*]]: memref<5x7xf32>, %[[B:.*]]: memref<7x?xf32>, %[[C:.*]]: memref<5x?xf32, strided<[?, 1]>>
func.func @memrefs(%a: memref<5x7xf32>, %b: memref<7x?xf32>, %c: memref<5x?xf32, strided<[?, 1]>>) {
  // CHECK-NOT: linalg.fill
  // CHECK: einsum.contract "ac, cb -> ab" (%[[A]], %[[B]]) outs(%[[C]] : memref<5x?xf32, strided<[?, 1]>>)
  // CHECK: %[[N:.*]] = memref.dim %[[C]], %c1
  // CHECK: %[[T:.*]] = memref.alloc(%[[N]]) {bufferization.manual_deallocation} : memref<5x?xf32>
  // CHECK: einsum.contract "ac, cb -> ab" (%[[A]], %[[B]]) outs(%[[T]] : memref<5x?xf32>)
  // CHECK: linalg.add ins(%[[C]], %[[T]] : {{.*}}) outs(%[[C]] :
  // CHECK: memref.dealloc %[[T]] {bufferization.manual_deallocation}
  // CHECK-NEXT: return
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<5x?xf32, strided<[?, 1]>>)
  %unrelated = memref.alloca() : memref<f32>
  memref.store %zero, %unrelated[] : memref<f32>
  linalg.matmul ins(%a, %b : memref<5x7xf32>, memref<7x?xf32>) outs(%c : memref<5x?xf32, strided<[?, 1]>>)
  linalg.matmul ins(%a, %b : memref<5x7xf32>, memref<7x?xf32>) outs(%c : memref<5x?xf32, strided<[?, 1]>>)
  return
}

// -----

// Another write, or a read, between the fill and the product.
// CHECK-LABEL: @not_zero_any_more
func.func @not_zero_any_more(%a: memref<5x7xf32>, %b: memref<7xf32>, %c: memref<5xf32>, %i: index) {
  // CHECK: linalg.fill
  // CHECK: memref.store
  // CHECK: einsum.contract "ab, b -> a"
  // CHECK: linalg.add
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<5xf32>)
  memref.store %one, %c[%i] : memref<5xf32>
  linalg.matvec ins(%a, %b : memref<5x7xf32>, memref<7xf32>) outs(%c : memref<5xf32>)
  return
}

// -----

// What is filled outside of a loop is zero in its first iteration only.
// CHECK-LABEL: @loop
func.func @loop(%a: memref<5x7xf32>, %b: memref<7xf32>, %c: memref<5xf32>, %n: index) {
  // CHECK: linalg.fill
  // CHECK: scf.for
  // CHECK: einsum.contract "ab, b -> a"
  // CHECK: linalg.add
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<5xf32>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.matvec ins(%a, %b : memref<5x7xf32>, memref<7xf32>) outs(%c : memref<5xf32>)
  }
  return
}

// -----

// What is overwritten is not added to.
// CHECK-LABEL: @transposition_on_memrefs
func.func @transposition_on_memrefs(%a: memref<5x7xf32>, %b: memref<7x5xf32>) {
  // CHECK-NEXT: einsum.contract "ba -> ab" (%{{.*}}) outs(%{{.*}} : memref<7x5xf32>) : (memref<5x7xf32>)
  // CHECK-NEXT: return
  linalg.transpose ins(%a : memref<5x7xf32>) outs(%b : memref<7x5xf32>) permutation = [1, 0]
  return
}

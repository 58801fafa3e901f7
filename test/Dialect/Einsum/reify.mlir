// The sizes of a result as values: what tensor.dim of it becomes.
//
// RUN: tile-opt --resolve-ranked-shaped-type-result-dims --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: @axes
// CHECK-SAME: %[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<8x?xf32>
func.func @axes(%a: tensor<?x8xf32>, %b: tensor<8x?xf32>) -> (index, index) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1
  // CHECK-DAG: %[[M:.*]] = tensor.dim %[[A]], %[[C0]]
  // CHECK-DAG: %[[N:.*]] = tensor.dim %[[B]], %[[C1]]
  // CHECK-NOT: einsum.contract
  // CHECK: return %[[N]], %[[M]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = einsum.contract "mk, kn -> nm" (%a, %b) : (tensor<?x8xf32>, tensor<8x?xf32>) -> tensor<?x?xf32>
  %n = tensor.dim %0, %c0 : tensor<?x?xf32>
  %m = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %n, %m : index, index
}

// -----

// h, w with (2*h+3*r+1) < H for r < 3 and (w-s+3) < W for s < 4, where s lowers the index, so it
// does not count.
// CHECK-DAG: #[[$H:.*]] = affine_map<()[s0] -> (s0 floordiv 2 - 3, 0)>
// CHECK-DAG: #[[$W:.*]] = affine_map<()[s0] -> (0, s0 - 3)>
// CHECK-LABEL: @windows
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf32>
func.func @windows(%a: tensor<?x?xf32>) -> (index, index) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1
  // CHECK-DAG: %[[D0:.*]] = tensor.dim %[[A]], %[[C0]]
  // CHECK-DAG: %[[D1:.*]] = tensor.dim %[[A]], %[[C1]]
  // CHECK-DAG: %[[RH:.*]] = affine.max #[[$H]]()[%[[D0]]]
  // CHECK-DAG: %[[RW:.*]] = affine.max #[[$W]]()[%[[D1]]]
  // CHECK: return %[[RH]], %[[RW]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = einsum.contract "(2*h+3*r+1)(w-s+3) -> hw" (%a) {sizes = {r = 3, s = 4}} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %h = tensor.dim %0, %c0 : tensor<?x?xf32>
  %w = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %h, %w : index, index
}

// -----

// A window whose other index has the size of another operand.
// CHECK-DAG: #[[$H:.*]] = affine_map<()[s0, s1] -> (0, s0 - s1 + 1)>
// CHECK-LABEL: @window_of_dynamic_size
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>
func.func @window_of_dynamic_size(%a: tensor<?xf32>, %b: tensor<?xf32>) -> index {
  // CHECK-DAG: %[[D0:.*]] = tensor.dim %[[A]]
  // CHECK-DAG: %[[D1:.*]] = tensor.dim %[[B]]
  // CHECK: %[[R:.*]] = affine.max #[[$H]]()[%[[D0]], %[[D1]]]
  // CHECK: return %[[R]]
  %c0 = arith.constant 0 : index
  %0 = einsum.contract "(h+r), r -> h" (%a, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %h = tensor.dim %0, %c0 : tensor<?xf32>
  return %h : index
}

// -----

// CHECK-LABEL: @tables_and_outs
// CHECK-SAME: %[[A:.*]]: tensor<9xf32>, %[[T:.*]]: tensor<?xi32>, %[[O:.*]]: tensor<?x?xf32>
func.func @tables_and_outs(%a: tensor<9xf32>, %t: tensor<?xi32>, %o: tensor<?x?xf32>) -> (index, index) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1
  // CHECK-DAG: %[[W:.*]] = tensor.dim %[[T]], %[[C0]]
  // CHECK-DAG: %[[H:.*]] = tensor.dim %[[O]], %[[C1]]
  // CHECK: return %[[W]], %[[H]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = einsum.contract "(h+t[w]) -> wh" (%a) tables(t = %t : tensor<?xi32>) outs(%o : tensor<?x?xf32>)
      {pad = "zero"} : (tensor<9xf32>) -> tensor<?x?xf32>
  %w = tensor.dim %0, %c0 : tensor<?x?xf32>
  %h = tensor.dim %0, %c1 : tensor<?x?xf32>
  return %w, %h : index, index
}

// -----

// A size that is static but not in the type, and one that is.
// CHECK-LABEL: @constants
func.func @constants(%a: tensor<4x?xf32>) -> (index, index, index) {
  // CHECK-DAG: %[[C4:.*]] = arith.constant 4
  // CHECK-DAG: %[[C7:.*]] = arith.constant 7
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3
  // CHECK: return %[[C4]], %[[C7]], %[[C3]]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = einsum.contract "m(k+t) -> mtk" (%a) {pad = "zero", sizes = {t = 7}} : (tensor<4x?xf32>) -> tensor<?x?x3xf32>
  %m = tensor.dim %0, %c0 : tensor<?x?x3xf32>
  %t = tensor.dim %0, %c1 : tensor<?x?x3xf32>
  %k = tensor.dim %0, %c2 : tensor<?x?x3xf32>
  return %m, %t, %k : index, index, index
}

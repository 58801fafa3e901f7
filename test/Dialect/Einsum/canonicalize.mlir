// Folds and canonicalization patterns of einsum.contract, and where they must not apply: identities
// and permutations. See canonicalize-sizes.mlir for the others.
//
// RUN: tile-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: @identity
// CHECK-SAME: %[[A:.*]]: tensor<4x?xf32>
func.func @identity(%a: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // CHECK-NEXT: return %[[A]]
  %0 = einsum.contract "mk -> mk" (%a) {pad = "zero", acc = f64} : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: @identity_of_a_scalar
// CHECK-SAME: %[[A:.*]]: tensor<f32>
func.func @identity_of_a_scalar(%a: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: return %[[A]]
  %0 = einsum.contract "->" (%a) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @identity_into_outs
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>
func.func @identity_into_outs(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[A]]
  %0 = einsum.contract "m -> m" (%a) outs(%o : tensor<4xf32>) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Another element type, a diagonal, a transposition, a window and a sum are no identities.
// CHECK-LABEL: @no_identity
func.func @no_identity(%a: tensor<4xi8>, %b: tensor<4x4xf32>)
    -> (tensor<4xi32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: einsum.contract "m -> m"
  %0 = einsum.contract "m -> m" (%a) : (tensor<4xi8>) -> tensor<4xi32>
  // CHECK-NEXT: einsum.contract "mm -> m"
  %1 = einsum.contract "mm -> m" (%b) : (tensor<4x4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: einsum.contract "km -> mk"
  %2 = einsum.contract "km -> mk" (%b) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: einsum.contract "(m+1)k -> mk"
  %3 = einsum.contract "(m+1)k -> mk" (%b) : (tensor<4x4xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: einsum.contract "mk -> m"
  %4 = einsum.contract "mk -> m" (%b) : (tensor<4x4xf32>) -> tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xi32>, tensor<4xf32>, tensor<4x4xf32>, tensor<3x4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @two_transpositions
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
func.func @two_transpositions(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: return %[[A]]
  %0 = einsum.contract "mk -> km" (%a) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = einsum.contract "mk -> km" (%0) : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// A cycle of three axes, three times.
// CHECK-LABEL: @chain
// CHECK-SAME: %[[A:.*]]: tensor<2x3x4xf32>
func.func @chain(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: return %[[A]]
  %0 = einsum.contract "abc -> cab" (%a) : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = einsum.contract "abc -> cab" (%0) : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  %2 = einsum.contract "abc -> cab" (%1) : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// t[n, m, k] = a[m, k, n], so axis i of t is that axis of a which holds its index; with two uses,
// too. The tables follow the order in which the new specification uses them.
// CHECK-LABEL: @operand_permutation
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<4x8x5xf32>, %[[T:[a-z0-9]*]]: tensor<2xi32>, %[[U:[a-z0-9]*]]: tensor<2xi32>
func.func @operand_permutation(%a: tensor<4x8x5xf32>, %t: tensor<2xi32>, %u: tensor<2xi32>)
    -> (tensor<2xf32>, tensor<5x4x8xf32>) {
  // CHECK-DAG: %[[R:.*]] = einsum.contract "(3*r)(u[p])(t[p]) -> p" (%[[A]]) tables(u = %[[U]] : tensor<2xi32>, t = %[[T]] : tensor<2xi32>) {sizes = {r = 2 : i64}} : (tensor<4x8x5xf32>) -> tensor<2xf32>
  // CHECK-DAG: %[[P:.*]] = einsum.contract "mkn -> nmk" (%[[A]])
  // CHECK: return %[[R]], %[[P]]
  %0 = einsum.contract "mkn -> nmk" (%a) : (tensor<4x8x5xf32>) -> tensor<5x4x8xf32>
  %1 = einsum.contract "(t[p])(3*r)(u[p]) -> p" (%0)
      tables(t = %t : tensor<2xi32>, u = %u : tensor<2xi32>) {sizes = {r = 2}} : (tensor<5x4x8xf32>) -> tensor<2xf32>
  return %1, %0 : tensor<2xf32>, tensor<5x4x8xf32>
}

// Each operand of several.
// CHECK-LABEL: @both_operands
func.func @both_operands(%a: tensor<8x4xf32>, %b: tensor<5x8xf32>) -> tensor<4x5xf32> {
  // CHECK-NEXT: %[[R:.*]] = einsum.contract "km, nk -> mn" (%arg0, %arg1)
  // CHECK-NEXT: return %[[R]]
  %0 = einsum.contract "ab -> ba" (%a) : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %1 = einsum.contract "ab -> ba" (%b) : (tensor<5x8xf32>) -> tensor<8x5xf32>
  %2 = einsum.contract "mk, kn -> mn" (%0, %1) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return %2 : tensor<4x5xf32>
}

// A contraction that converts, sums or repeats an axis is no permutation of its operand.
// CHECK-LABEL: @operand_is_no_permutation
func.func @operand_is_no_permutation(%a: tensor<4x4xi8>, %b: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>) {
  // CHECK-NEXT: einsum.contract "ab -> ba" (%arg0) : (tensor<4x4xi8>) -> tensor<4x4xi32>
  // CHECK-NEXT: einsum.contract "mk, kn -> mn" (%{{.*}}, %arg1)
  // CHECK-NEXT: einsum.contract "aa -> a" (%arg1)
  // CHECK-NEXT: einsum.contract "m, mn -> mn" (%{{.*}}, %arg1)
  %0 = einsum.contract "ab -> ba" (%a) : (tensor<4x4xi8>) -> tensor<4x4xi32>
  %1 = einsum.contract "mk, kn -> mn" (%0, %b) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  %2 = einsum.contract "aa -> a" (%b) : (tensor<4x4xi32>) -> tensor<4xi32>
  %3 = einsum.contract "m, mn -> mn" (%2, %b) : (tensor<4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return %1, %3 : tensor<4x4xi32>, tensor<4x4xi32>
}

// The contraction forms its result in the permuted order; its attributes and tables stay.
// CHECK-LABEL: @result_permutation
// CHECK-SAME: %[[X:.*]]: tensor<2x4x8xf16>, %[[W:.*]]: tensor<4x5xf16>, %[[T:.*]]: tensor<4xi32>
func.func @result_permutation(%x: tensor<2x4x8xf16>, %w: tensor<4x5xf16>, %t: tensor<4xi32>) -> tensor<6x2x5xf16> {
  // CHECK-NEXT: %[[R:.*]] = einsum.contract "nc(h+r+t[c]), ck -> hnk" (%[[X]], %[[W]]) tables(t = %[[T]] : tensor<4xi32>) {acc = f64, pad = "zero", sizes = {r = 3 : i64}} : (tensor<2x4x8xf16>, tensor<4x5xf16>) -> tensor<6x2x5xf16>
  // CHECK-NEXT: return %[[R]]
  %0 = einsum.contract "nc(h+r+t[c]), ck -> nkh" (%x, %w) tables(t = %t : tensor<4xi32>)
      {pad = "zero", acc = f64, sizes = {r = 3}} : (tensor<2x4x8xf16>, tensor<4x5xf16>) -> tensor<2x5x6xf16>
  %1 = einsum.contract "nkh -> hnk" (%0) : (tensor<2x5x6xf16>) -> tensor<6x2x5xf16>
  return %1 : tensor<6x2x5xf16>
}

// With a second use the product would be formed twice.
// CHECK-LABEL: @result_used_twice
func.func @result_used_twice(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> (tensor<4x5xf32>, tensor<5x4xf32>) {
  // CHECK-NEXT: %[[M:.*]] = einsum.contract "mk, kn -> mn"
  // CHECK-NEXT: %[[T:.*]] = einsum.contract "ab -> ba" (%[[M]])
  // CHECK-NEXT: return %[[M]], %[[T]]
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %1 = einsum.contract "ab -> ba" (%0) : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return %0, %1 : tensor<4x5xf32>, tensor<5x4xf32>
}

// outs that tell sizes belong to the order that they have.
// CHECK-LABEL: @result_with_outs
func.func @result_with_outs(%a: tensor<?x8xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[M:.*]] = einsum.contract "(m+n)k -> mn" (%arg0) outs(%arg1 : tensor<?x?xf32>) {pad = "zero"}
  // CHECK-NEXT: %[[T:.*]] = einsum.contract "ab -> ba" (%[[M]])
  // CHECK-NEXT: return %[[T]]
  %0 = einsum.contract "(m+n)k -> mn" (%a) outs(%o : tensor<?x?xf32>) {pad = "zero"} : (tensor<?x8xf32>) -> tensor<?x?xf32>
  %1 = einsum.contract "ab -> ba" (%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// On memrefs nothing of this applies: the op is a copy.
// CHECK-LABEL: @memrefs
func.func @memrefs(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
  // CHECK-NEXT: einsum.contract "m -> m" (%arg0) outs(%arg1 : memref<4xf32>)
  // CHECK-NEXT: einsum.contract "m -> m" (%arg1) outs(%arg2 : memref<4xf32>)
  einsum.contract "m -> m" (%a) outs(%b : memref<4xf32>) : (memref<4xf32>)
  einsum.contract "m -> m" (%b) outs(%c : memref<4xf32>) : (memref<4xf32>)
  return
}

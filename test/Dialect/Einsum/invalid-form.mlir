// Verifier of einsum.contract: tensors with a result or memrefs with outs (constraint C17).
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// C17: a scalar is no table.
func.func @scalar_table(%a: tensor<9xf32>, %t: i32) {
  // expected-error @+1 {{op operand #1 must be variadic of ranked tensor or memref, but got 'i32'}}
  %0 = einsum.contract "(k+t[k]) -> k" (%a) tables(t = %t : i32)
      : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C17: an unranked table.
func.func @unranked_table(%a: tensor<9xf32>, %t: tensor<*xi32>) {
  // expected-error @+1 {{op operand #1 must be variadic of ranked tensor or memref, but got 'tensor<*xi32>'}}
  %0 = einsum.contract "(k+t[k]) -> k" (%a) tables(t = %t : tensor<*xi32>)
      : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C17: an unranked tensor.
func.func @unranked_tensor(%a: tensor<*xf32>) {
  // expected-error @+1 {{op operand #0 must be variadic of ranked tensor or memref of f8E4M3FN, f8E5M2, f16, bf16, f32, f64, i8 or i32 elements, but got 'tensor<*xf32>'}}
  %0 = einsum.contract "k -> k" (%a) : (tensor<*xf32>) -> tensor<4xf32>
  return
}

// -----

// C17: an unranked memref.
func.func @unranked_memref(%a: memref<*xf32>, %b: memref<4xf32>) {
  // expected-error @+1 {{op operand #0 must be variadic of ranked tensor or memref of f8E4M3FN, f8E5M2, f16, bf16, f32, f64, i8 or i32 elements, but got 'memref<*xf32>'}}
  einsum.contract "k -> k" (%a) outs(%b : memref<4xf32>) : (memref<*xf32>)
  return
}

// -----

// C17: a vector.
func.func @vector(%a: vector<4xf32>) {
  // expected-error @+1 {{op operand #0 must be variadic of ranked tensor or memref of f8E4M3FN, f8E5M2, f16, bf16, f32, f64, i8 or i32 elements, but got 'vector<4xf32>'}}
  %0 = einsum.contract "k -> k" (%a) : (vector<4xf32>) -> vector<4xf32>
  return
}

// -----

// C17: an unranked result.
func.func @unranked_result(%a: tensor<4xf32>) {
  // expected-error @+1 {{op result #0 must be ranked tensor or memref of f8E4M3FN, f8E5M2, f16, bf16, f32, f64, i8 or i32 elements, but got 'tensor<*xf32>'}}
  %0 = einsum.contract "k -> k" (%a) : (tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

// C17: tensors and memrefs mixed.
func.func @mixed_operands(%a: tensor<4x8xf32>, %b: memref<8x5xf32>) {
  // expected-error @+1 {{op expects its operands to be all tensors or all memrefs, found}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x8xf32>, memref<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C17: a table of the other kind.
func.func @mixed_table(%a: tensor<9xf32>, %t: memref<4xi32>) {
  // expected-error @+1 {{op expects its operands to be all tensors or all memrefs, found}}
  %0 = einsum.contract "(t[k]) -> k" (%a) tables(t = %t : memref<4xi32>)
      : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C17: outs of the other kind.
func.func @mixed_outs(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %c: memref<4x5xf32>) {
  // expected-error @+1 {{op expects its operands to be all tensors or all memrefs, found}}
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x5xf32>) : (tensor<4x8xf32>, tensor<8x5xf32>)
  return
}

// -----

// C17: tensors without a result.
func.func @no_result(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op expects a tensor result for tensor operands: write '-> tensor<...>'}}
  einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x8xf32>, tensor<8x5xf32>)
  return
}

// -----

// C17: tensors with a memref as result.
func.func @memref_result(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op expects a tensor result for tensor operands: write '-> tensor<...>'}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x8xf32>, tensor<8x5xf32>) -> memref<4x5xf32>
  return
}

// -----

// C17: two results.
func.func @two_results(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op result group starting at #0 requires 0 or 1 element, but found 2}}
  %0:2 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x8xf32>, tensor<8x5xf32>)
      -> (tensor<4x5xf32>, tensor<4x5xf32>)
  return
}

// -----

// C17: outs of another shape than the result.
func.func @other_outs(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %c: tensor<?x5xf32>) {
  // expected-error @+1 {{op expects outs to have the type of the result ('tensor<4x5xf32>'), found 'tensor<?x5xf32>'}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : tensor<?x5xf32>)
      : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C17: outs of other elements than the result.
func.func @other_outs_elements(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %c: tensor<4x5xf64>) {
  // expected-error @+1 {{op expects outs to have the type of the result ('tensor<4x5xf32>'), found 'tensor<4x5xf64>'}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : tensor<4x5xf64>)
      : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C17: memrefs without outs.
func.func @no_outs(%a: memref<4xf32>) {
  // expected-error @+1 {{op expects outs(%value : memref<...>) for memref operands, found none}}
  einsum.contract "k -> k" (%a) : (memref<4xf32>)
  return
}

// -----

// C17: memrefs with a result.
func.func @memrefs_with_result(%a: memref<4xf32>, %c: memref<4xf32>) {
  // expected-error @+1 {{op expects no result for memref operands: the result is written to outs(...)}}
  %0 = einsum.contract "k -> k" (%a) outs(%c : memref<4xf32>) : (memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

// C17: outs that is an input would be read while it is written.
func.func @outs_is_an_input(%a: memref<4x4xf32>) {
  // expected-error @+1 {{op expects outs to be another memref than its inputs}}
  einsum.contract "ij -> ji" (%a) outs(%a : memref<4x4xf32>) : (memref<4x4xf32>)
  return
}

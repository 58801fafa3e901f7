// Verifier of einsum.contract: numbers, ranks and kinds of operands (constraints C7 to C10).
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// C7: too few operands.
func.func @too_few_operands(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{op expects 2 operands for the terms of "mk, kn -> mn", found 1}}
  %0 = einsum.contract "mk, kn -> mn" (%a) : (tensor<4x8xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C7: too many operands.
func.func @too_many_operands(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op expects 2 operands for the terms of "mk, kn -> mn", found 3}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b, %b)
      : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C7: no operand.
func.func @no_operand() {
  // expected-error @+1 {{op expects 2 operands for the terms of "mk, kn -> mn", found 0}}
  %0 = einsum.contract "mk, kn -> mn" () : () -> tensor<4x5xf32>
  return
}

// -----

// C7: a scalar term is a term.
func.func @no_scalar_operand() {
  // expected-error @+1 {{op expects 1 operands for the terms of " -> ", found 0}}
  %0 = "einsum.contract"() <{operandSegmentSizes = array<i32: 0, 0, 0>,
      spec = #einsum.spec<" -> ">}> : () -> tensor<f32>
  return
}

// -----

// The generic form needs a specification.
func.func @no_spec(%a: tensor<4xf32>) {
  // expected-error @+1 {{op requires attribute 'spec'}}
  %0 = "einsum.contract"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>}>
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// The generic form needs a parsed specification.
func.func @text_spec(%a: tensor<4xf32>) {
  // expected-error @+1 {{Invalid attribute `spec` in property conversion: "m -> m"}}
  %0 = "einsum.contract"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>, spec = "m -> m"}>
      : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// The generic form tells inputs, tables and outs apart.
func.func @wrong_segments(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op operand count (2) does not match with the total size (1) specified in attribute 'operandSegmentSizes'}}
  %0 = "einsum.contract"(%a, %b) <{operandSegmentSizes = array<i32: 1, 0, 0>,
      spec = #einsum.spec<"mk -> m">}> : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4xf32>
  return
}

// -----

// C8: an operand of a higher rank than its term.
func.func @rank_of_operand(%a: tensor<4x8x1xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op expects operand 0 to have 2 axes, as its term in "mk, kn -> mn", found 'tensor<4x8x1xf32>'}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<4x8x1xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C8: an operand of a lower rank than its term.
func.func @rank_of_second_operand(%a: tensor<4x8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{op expects operand 1 to have 2 axes, as its term in "mk, kn -> mn", found 'tensor<8xf32>'}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C8: an axis that is an expression is one axis.
func.func @rank_of_expressions(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{op expects operand 0 to have 1 axes, as its term in "(h+r) -> h", found 'tensor<4x8xf32>'}}
  %0 = einsum.contract "(h+r) -> h" (%a) {sizes = {r = 2}} : (tensor<4x8xf32>) -> tensor<3xf32>
  return
}

// -----

// C8: rank of the result.
func.func @rank_of_result(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op expects the result to have 2 axes, one for each index after '->' in "mk, kn -> mn", found 'tensor<4xf32>'}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4xf32>
  return
}

// -----

// C8: a sum over everything has rank 0.
func.func @rank_of_scalar(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op expects the result to have 0 axes, one for each index after '->' in "mk, kn -> ", found 'tensor<1xf32>'}}
  %0 = einsum.contract "mk, kn -> " (%a, %b) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<1xf32>
  return
}

// -----

// C8: rank of outs.
func.func @rank_of_outs(%a: memref<4x8xf32>, %b: memref<8x5xf32>, %c: memref<4x5x1xf32>) {
  // expected-error @+1 {{op expects outs to have 2 axes, one for each index after '->' in "mk, kn -> mn", found 'memref<4x5x1xf32>'}}
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x5x1xf32>)
      : (memref<4x8xf32>, memref<8x5xf32>)
  return
}

// -----

// C9: the generic form: a table is missing.
func.func @missing_table(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op expects 2 tables (sh, sw), found 0}}
  %0 = "einsum.contract"(%a, %b) <{operandSegmentSizes = array<i32: 2, 0, 0>,
      spec = #einsum.spec<"m(sh[k]+sw[k]), kn -> mn">}> : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C9: the generic form: a table too many.
func.func @surplus_table(%a: tensor<9xf32>, %t: tensor<4xi32>) {
  // expected-error @+1 {{op expects 1 tables (sh), found 2}}
  %0 = "einsum.contract"(%a, %t, %t) <{operandSegmentSizes = array<i32: 1, 2, 0>,
      spec = #einsum.spec<"(sh[k]) -> k">}> : (tensor<9xf32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

// C10: a table of a higher rank.
func.func @rank_of_table(%a: tensor<9xf32>, %t: tensor<4x4xi32>) {
  // expected-error @+1 {{op expects table 't' to have 1 axes, one for each index in its brackets, found 'tensor<4x4xi32>'}}
  %0 = einsum.contract "(t[k]) -> k" (%a) tables(t = %t : tensor<4x4xi32>)
      : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C10: a table of a lower rank.
func.func @low_rank_of_table(%a: tensor<9xf32>, %t: tensor<4xi32>) {
  // expected-error @+1 {{op expects table 't' to have 2 axes, one for each index in its brackets, found 'tensor<4xi32>'}}
  %0 = einsum.contract "(t[k,k]) -> k" (%a) tables(t = %t : tensor<4xi32>)
      : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C10: a table of f32.
func.func @float_table(%a: tensor<9xf32>, %t: tensor<4xf32>) {
  // expected-error @+1 {{op expects table 't' to have i32 or i64 elements, found 'tensor<4xf32>'}}
  %0 = einsum.contract "(t[k]) -> k" (%a) tables(t = %t : tensor<4xf32>)
      : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C10: a table of i8.
func.func @byte_table(%a: tensor<9xf32>, %t: tensor<4xi8>) {
  // expected-error @+1 {{op expects table 't' to have i32 or i64 elements, found 'tensor<4xi8>'}}
  %0 = einsum.contract "(t[k]) -> k" (%a) tables(t = %t : tensor<4xi8>)
      : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C10: a table of index.
func.func @index_table(%a: tensor<9xf32>, %t: tensor<4xindex>) {
  // expected-error @+1 {{op expects table 't' to have i32 or i64 elements, found 'tensor<4xindex>'}}
  %0 = einsum.contract "(t[k]) -> k" (%a) tables(t = %t : tensor<4xindex>)
      : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C10: a table of ui32.
func.func @unsigned_table(%a: tensor<9xf32>, %t: tensor<4xui32>) {
  // expected-error @+1 {{op expects table 't' to have i32 or i64 elements, found 'tensor<4xui32>'}}
  %0 = einsum.contract "(t[k]) -> k" (%a) tables(t = %t : tensor<4xui32>)
      : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C10: of two tables, the wrong one is named.
func.func @second_table(%a: tensor<9xf32>, %t: tensor<4xi32>, %u: tensor<4xf64>) {
  // expected-error @+1 {{op expects table 'u' to have i32 or i64 elements, found 'tensor<4xf64>'}}
  %0 = einsum.contract "(t[k]+u[k]) -> k" (%a)
      tables(u = %u : tensor<4xf64>, t = %t : tensor<4xi32>) : (tensor<9xf32>) -> tensor<4xf32>
  return
}

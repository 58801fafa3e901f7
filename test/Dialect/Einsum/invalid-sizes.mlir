// Verifier of einsum.contract: sizes of indices (constraints C11 and C12).
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// C11: two operands.
func.func @operands(%a: tensor<4x8xf32>, %b: tensor<9x5xf32>) {
  // expected-error @+1 {{op index 'k' has size 8 in axis 1 of operand 0 but size 9 in axis 0 of operand 1}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<4x8xf32>, tensor<9x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C11: a size that only one of three knows, and one that differs.
func.func @dynamic_between(%a: tensor<4x?xf32>, %b: tensor<9xf32>, %c: tensor<8xf32>) {
  // expected-error @+1 {{op index 'k' has size 9 in axis 0 of operand 1 but size 8 in axis 0 of operand 2}}
  %0 = einsum.contract "mk, k, k -> m" (%a, %b, %c)
      : (tensor<4x?xf32>, tensor<9xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

// C11: the result.
func.func @result(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op index 'n' has size 5 in axis 1 of operand 1 but size 6 in axis 1 of the result}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

// C11: outs on tensors.
func.func @tensor_outs(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %c: tensor<4x6xf32>) {
  // expected-error @+1 {{op index 'n' has size 5 in axis 1 of operand 1 but size 6 in axis 1 of outs}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : tensor<4x6xf32>)
      : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

// C11: outs on memrefs.
func.func @memref_outs(%a: memref<4x8xf32>, %b: memref<8x5xf32>, %c: memref<3x5xf32>) {
  // expected-error @+1 {{op index 'm' has size 4 in axis 0 of operand 0 but size 3 in axis 0 of outs}}
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<3x5xf32>)
      : (memref<4x8xf32>, memref<8x5xf32>)
  return
}

// -----

// C11: `sizes`.
func.func @attribute(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op index 'k' has size 9 in 'sizes' but size 8 in axis 1 of operand 0}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) {sizes = {k = 9}} : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C11: one operand, on its diagonal.
func.func @diagonal(%a: tensor<4x5xf32>) {
  // expected-error @+1 {{op index 'm' has size 4 in axis 0 of operand 0 but size 5 in axis 1 of operand 0}}
  %0 = einsum.contract "mm -> m" (%a) : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

// C11: an operand and a table.
func.func @table(%a: tensor<9x6xf32>, %t: tensor<5xi32>) {
  // expected-error @+1 {{op index 'k' has size 6 in axis 1 of operand 0 but size 5 in axis 0 of table 't'}}
  %0 = einsum.contract "(t[k])k -> k" (%a) tables(t = %t : tensor<5xi32>)
      : (tensor<9x6xf32>) -> tensor<6xf32>
  return
}

// -----

// C11: a table twice by one index.
func.func @table_diagonal(%a: tensor<9xf32>, %t: tensor<5x4xi32>) {
  // expected-error @+1 {{op index 'k' has size 5 in axis 0 of table 't' but size 4 in axis 1 of table 't'}}
  %0 = einsum.contract "(t[k,k]) -> k" (%a) tables(t = %t : tensor<5x4xi32>)
      : (tensor<9xf32>) -> tensor<5xf32>
  return
}

// -----

// C11: a table and the result.
func.func @table_and_result(%a: tensor<9xf32>, %t: tensor<5xi32>) {
  // expected-error @+1 {{op index 'k' has size 5 in axis 0 of table 't' but size 6 in axis 0 of the result}}
  %0 = einsum.contract "(t[k]) -> k" (%a) tables(t = %t : tensor<5xi32>)
      : (tensor<9xf32>) -> tensor<6xf32>
  return
}

// -----

// C11: zero is a size.
func.func @zero(%a: tensor<4x0xf32>, %b: tensor<1x5xf32>) {
  // expected-error @+1 {{op index 'k' has size 0 in axis 1 of operand 0 but size 1 in axis 0 of operand 1}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<4x0xf32>, tensor<1x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C11: 1 does not broadcast.
func.func @no_broadcast(%a: tensor<4x1xf32>, %b: tensor<8x5xf32>) {
  // expected-error @+1 {{op index 'k' has size 1 in axis 1 of operand 0 but size 8 in axis 0 of operand 1}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<4x1xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C12: one axis cannot tell two indices.
func.func @two_letters(%a: tensor<9xf32>) {
  // expected-error @+1 {{op cannot tell the size of index 'h': give the result a static size, or pass outs(%value : type)}}
  %0 = einsum.contract "(h+r) -> h" (%a) : (tensor<9xf32>) -> tensor<?xf32>
  return
}

// -----

// C12: padding: no size follows from an axis.
func.func @padded_window(%a: tensor<9xf32>) {
  // expected-error @+1 {{op cannot tell the size of index 'r': add it to the attributes, {sizes = {r = ...}}}}
  %0 = einsum.contract "(h+r) -> h" (%a) {pad = "zero"} : (tensor<9xf32>) -> tensor<7xf32>
  return
}

// -----

// C12: padding: nor the result's.
func.func @padded_result(%a: tensor<9xf32>) {
  // expected-error @+1 {{op cannot tell the size of index 'h': give the result a static size, or pass outs(%value : type)}}
  %0 = einsum.contract "(h+r) -> h" (%a) {pad = "zero", sizes = {r = 3}} : (tensor<9xf32>) -> tensor<?xf32>
  return
}

// -----

// C12: a division tells no size.
func.func @division(%a: tensor<9xf32>) {
  // expected-error @+1 {{op cannot tell the size of index 'h': give the result a static size, or pass outs(%value : type)}}
  %0 = einsum.contract "(h/2) -> h" (%a) : (tensor<9xf32>) -> tensor<?xf32>
  return
}

// -----

// C12: nor a modulus.
func.func @modulus(%a: tensor<9xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{op cannot tell the size of index 'h': add it to the attributes, {sizes = {h = ...}}}}
  %0 = einsum.contract "(h%3), k -> k" (%a, %b) : (tensor<9xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// C12: nor a product of indices.
func.func @product(%a: tensor<9x3xf32>) {
  // expected-error @+1 {{op cannot tell the size of index 'h': give the result a static size, or pass outs(%value : type)}}
  %0 = einsum.contract "(h*w)w -> wh" (%a) : (tensor<9x3xf32>) -> tensor<3x?xf32>
  return
}

// -----

// C12: nor a negative coefficient.
func.func @flip(%a: tensor<9xf32>) {
  // expected-error @+1 {{op cannot tell the size of index 'h': give the result a static size, or pass outs(%value : type)}}
  %0 = einsum.contract "(8-h) -> h" (%a) : (tensor<9xf32>) -> tensor<?xf32>
  return
}

// -----

// C12: nor an axis with a look-up.
func.func @lookup(%a: tensor<9xf32>, %t: tensor<3xi32>) {
  // expected-error @+1 {{op cannot tell the size of index 'h': give the result a static size, or pass outs(%value : type)}}
  %0 = einsum.contract "(h+t[k]) -> hk" (%a) tables(t = %t : tensor<3xi32>)
      : (tensor<9xf32>) -> tensor<?x3xf32>
  return
}

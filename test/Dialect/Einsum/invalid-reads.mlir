// Verifier of einsum.contract: reads that leave their operand and divisors (constraints
// C14 and C19, and the part of C4 that depends on sizes).
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// C14: a window that is too large.
func.func @window(%a: tensor<9xf32>) {
  // expected-error @+1 {{op axis 0 of operand 0 (h+r) reads indices 0 to 9, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "(h+r) -> h" (%a) {sizes = {r = 3}} : (tensor<9xf32>) -> tensor<8xf32>
  return
}

// -----

// C14: below zero.
func.func @negative(%a: tensor<9xf32>) {
  // expected-error @+1 {{op axis 0 of operand 0 (h-1) reads indices -1 to 7, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "(h-1) -> h" (%a) : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C14: a stride.
func.func @stride(%a: tensor<9xf32>) {
  // expected-error @+1 {{op axis 0 of operand 0 (2*h) reads indices 0 to 10, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "(2*h) -> h" (%a) : (tensor<9xf32>) -> tensor<6xf32>
  return
}

// -----

// C14: reversed.
func.func @flipped(%a: tensor<9xf32>) {
  // expected-error @+1 {{op axis 0 of operand 0 (-1*h+7) reads indices -1 to 7, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "(7-h) -> h" (%a) : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C14: a product of indices: the largest.
func.func @product(%a: tensor<9xf32>) {
  // expected-error @+1 {{op axis 0 of operand 0 (h*w) reads indices 0 to 12, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "(h*w) -> hw" (%a) : (tensor<9xf32>) -> tensor<4x5xf32>
  return
}

// -----

// C14: a division.
func.func @division(%a: tensor<9xf32>) {
  // expected-error @+1 {{op axis 0 of operand 0 (h/2) reads indices 0 to 9, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "(h/2) -> h" (%a) : (tensor<9xf32>) -> tensor<19xf32>
  return
}

// -----

// C14: a modulus.
func.func @modulus(%a: tensor<9xf32>) {
  // expected-error @+1 {{op axis 0 of operand 0 (h%10) reads indices 0 to 9, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "(h%10) -> h" (%a) : (tensor<9xf32>) -> tensor<10xf32>
  return
}

// -----

// C14: a constant.
func.func @constant(%a: tensor<3x9xf32>) {
  // expected-error @+1 {{op axis 1 of operand 0 (9) reads indices 9 to 9, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "k(9) -> k" (%a) : (tensor<3x9xf32>) -> tensor<3xf32>
  return
}

// -----

// C14: a negative constant.
func.func @negative_constant(%a: tensor<3x9xf32>) {
  // expected-error @+1 {{op axis 1 of operand 0 (-1) reads indices -1 to -1, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "k(-1) -> k" (%a) : (tensor<3x9xf32>) -> tensor<3xf32>
  return
}

// -----

// C14: any constant is outside of an axis of size 0.
func.func @empty_operand(%a: tensor<3x0xf32>) {
  // expected-error @+1 {{op axis 1 of operand 0 (0) reads indices 0 to 0, outside of its size 0: expected them in [0, 0); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "k(0) -> k" (%a) : (tensor<3x0xf32>) -> tensor<3xf32>
  return
}

// -----

// C14: also where another operand is dynamic.
func.func @other_dynamic(%a: tensor<9xf32>, %b: tensor<?xf32>) {
  // expected-error @+1 {{op axis 0 of operand 0 (h+1) reads indices 1 to 9, outside of its size 9: expected them in [0, 9); change the sizes or add {pad = "zero"}}}
  %0 = einsum.contract "(h+1), k -> hk" (%a, %b) : (tensor<9xf32>, tensor<?xf32>) -> tensor<9x?xf32>
  return
}

// -----

// C4: an index of more than 64 bits.
func.func @overflow(%a: tensor<9xf32>) {
  // expected-error @+1 {{op the index of axis 0 of operand 0 (4611686018427387904*h) overflows 64 bits}}
  %0 = einsum.contract "(4611686018427387904*h) -> h" (%a) : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C4: padded or not.
func.func @padded_overflow(%a: tensor<9xf32>) {
  // expected-error @+1 {{op the index of axis 0 of operand 0 (4611686018427387904*h) overflows 64 bits}}
  %0 = einsum.contract "(4611686018427387904*h) -> h" (%a) {pad = "zero"} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C4: a product of indices.
func.func @power(%a: tensor<9xf32>) {
  // expected-error @+1 {{op the index of axis 0 of operand 0 (h*h*h*h*h*h*h*h*h*h*h*h*h) overflows 64 bits}}
  %0 = einsum.contract "(h*h*h*h*h*h*h*h*h*h*h*h*h) -> h" (%a) {pad = "zero"} : (tensor<9xf32>) -> tensor<40xf32>
  return
}

// -----

// C19: an index begins at 0.
func.func @index(%a: tensor<9x4xf32>) {
  // expected-error @+1 {{op expects divisors to be positive: axis 0 of operand 0 (h/w) divides by zero for some values of its indices, or by an index of dynamic size}}
  %0 = einsum.contract "(h/w)w -> hw" (%a) : (tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

// C19: as a modulus.
func.func @modulus_letter(%a: tensor<9x4xf32>) {
  // expected-error @+1 {{op expects divisors to be positive: axis 0 of operand 0 (h%w) divides by zero for some values of its indices, or by an index of dynamic size}}
  %0 = einsum.contract "(h%w)w -> hw" (%a) : (tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

// C19: on another axis.
func.func @second_axis(%a: tensor<4x9xf32>) {
  // expected-error @+1 {{op expects divisors to be positive: axis 1 of operand 0 (h/w) divides by zero for some values of its indices, or by an index of dynamic size}}
  %0 = einsum.contract "w(h/w) -> hw" (%a) : (tensor<4x9xf32>) -> tensor<9x4xf32>
  return
}

// -----

// C19: negative for some values.
func.func @shifted(%a: tensor<9x4xf32>) {
  // expected-error @+1 {{op expects divisors to be positive: axis 0 of operand 0 (h/(w-1)) divides by zero for some values of its indices, or by an index of dynamic size}}
  %0 = einsum.contract "(h/(w-1))w -> hw" (%a) : (tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

// C19: a divisor that falls.
func.func @falling(%a: tensor<9x4xf32>) {
  // expected-error @+1 {{op expects divisors to be positive: axis 0 of operand 0 (h/(-1*w+3)) divides by zero for some values of its indices, or by an index of dynamic size}}
  %0 = einsum.contract "(h/(3-w))w -> hw" (%a) : (tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

// C19: a divisor that is a quotient.
func.func @quotient(%a: tensor<9x4xf32>) {
  // expected-error @+1 {{op expects divisors to be positive: axis 0 of operand 0 (h/(w/2)) divides by zero for some values of its indices, or by an index of dynamic size}}
  %0 = einsum.contract "(h/(w/2))w -> hw" (%a) : (tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

// C19: inside of a sum.
func.func @inside(%a: tensor<9x4xf32>) {
  // expected-error @+1 {{op expects divisors to be positive: axis 0 of operand 0 (h/w+1) divides by zero for some values of its indices, or by an index of dynamic size}}
  %0 = einsum.contract "(1+h/w)w -> hw" (%a) : (tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

// -----

// C19: padded.
func.func @padded(%a: tensor<9x4xf32>) {
  // expected-error @+1 {{op expects divisors to be positive: axis 0 of operand 0 (h/w) divides by zero for some values of its indices, or by an index of dynamic size}}
  %0 = einsum.contract "(h/w)w -> hw" (%a) {pad = "zero"} : (tensor<9x4xf32>) -> tensor<9x4xf32>
  return
}

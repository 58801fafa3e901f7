// Verifier of einsum.contract: element types (constraints C15 and C16).
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// C15: a float and an integer.
func.func @float_and_integer(%a: tensor<9xf32>, %b: tensor<9xi32>) {
  // expected-error @+1 {{op expects the elements of all operands to be floats or all to be integers, found 'f32' in operand 0 and 'i32' in operand 1}}
  %0 = einsum.contract "h, h -> h" (%a, %b) : (tensor<9xf32>, tensor<9xi32>) -> tensor<9xf32>
  return
}

// -----

// C15: an integer and a float.
func.func @integer_and_half(%a: tensor<9xi8>, %b: tensor<9xf16>) {
  // expected-error @+1 {{op expects the elements of all operands to be floats or all to be integers, found 'i8' in operand 0 and 'f16' in operand 1}}
  %0 = einsum.contract "h, h -> h" (%a, %b) : (tensor<9xi8>, tensor<9xf16>) -> tensor<9xf16>
  return
}

// -----

// C15: the operand that differs is named.
func.func @third_operand(%a: tensor<9xf16>, %b: tensor<9xf64>, %c: tensor<9xi8>) {
  // expected-error @+1 {{op expects the elements of all operands to be floats or all to be integers, found 'f16' in operand 0 and 'i8' in operand 2}}
  %0 = einsum.contract "h, h, h -> h" (%a, %b, %c) : (tensor<9xf16>, tensor<9xf64>, tensor<9xi8>) -> tensor<9xf16>
  return
}

// -----

// C15: an integer result of floats.
func.func @integer_result(%a: tensor<9xf32>, %b: tensor<9xf32>) {
  // expected-error @+1 {{op expects the elements of the result to be floats, as those of the operands ('f32'), found 'i32'}}
  %0 = einsum.contract "h, h -> h" (%a, %b) : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi32>
  return
}

// -----

// C15: a float result of integers.
func.func @float_result(%a: tensor<9xi32>) {
  // expected-error @+1 {{op expects the elements of the result to be integers, as those of the operands ('i32'), found 'f32'}}
  %0 = einsum.contract "h -> h" (%a) : (tensor<9xi32>) -> tensor<9xf32>
  return
}

// -----

// C15: 64-bit integers are no elements.
func.func @wide_integers(%a: tensor<9xi64>) {
  // expected-error @+1 {{op operand #0 must be variadic of ranked tensor or memref of f8E4M3FN, f8E5M2, f16, bf16, f32, f64, i8 or i32 elements, but got 'tensor<9xi64>'}}
  %0 = einsum.contract "h -> h" (%a) : (tensor<9xi64>) -> tensor<9xi64>
  return
}

// -----

// C15: nor are unsigned integers.
func.func @unsigned_integers(%a: tensor<9xui8>) {
  // expected-error @+1 {{op operand #0 must be variadic of ranked tensor or memref of f8E4M3FN, f8E5M2, f16, bf16, f32, f64, i8 or i32 elements, but got 'tensor<9xui8>'}}
  %0 = einsum.contract "h -> h" (%a) : (tensor<9xui8>) -> tensor<9xi32>
  return
}

// -----

// C16: f16 does not hold f32.
func.func @acc_too_narrow(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects 'acc' to hold every value of 'f32', found 'f16'}}
  %0 = einsum.contract "h -> h" (%a) {acc = f16} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C16: bf16 has fewer bits than f16.
func.func @acc_bf16_for_f16(%a: tensor<9xf16>) {
  // expected-error @+1 {{op expects 'acc' to hold every value of 'f16', found 'bf16'}}
  %0 = einsum.contract "h -> h" (%a) {acc = bf16} : (tensor<9xf16>) -> tensor<9xf16>
  return
}

// -----

// C16: f16 has a smaller range than bf16.
func.func @acc_f16_for_bf16(%a: tensor<9xbf16>) {
  // expected-error @+1 {{op expects 'acc' to hold every value of 'bf16', found 'f16'}}
  %0 = einsum.contract "h -> h" (%a) {acc = f16} : (tensor<9xbf16>) -> tensor<9xbf16>
  return
}

// -----

// C16: of all inputs.
func.func @acc_of_second(%a: tensor<9xf32>, %b: tensor<9xf64>) {
  // expected-error @+1 {{op expects 'acc' to hold every value of 'f64', found 'f32'}}
  %0 = einsum.contract "h, h -> h" (%a, %b) {acc = f32} : (tensor<9xf32>, tensor<9xf64>) -> tensor<9xf32>
  return
}

// -----

// C16: an integer for floats.
func.func @acc_integer_for_float(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects 'acc' to hold every value of 'f32', found 'i32'}}
  %0 = einsum.contract "h -> h" (%a) {acc = i32} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C16: a float for integers.
func.func @acc_float_for_integer(%a: tensor<9xi8>) {
  // expected-error @+1 {{op expects 'acc' to hold every value of 'i8', found 'f32'}}
  %0 = einsum.contract "h -> h" (%a) {acc = f32} : (tensor<9xi8>) -> tensor<9xf32>
  return
}

// -----

// C16: i8 does not hold sums.
func.func @acc_i8(%a: tensor<9xi8>) {
  // expected-error @+1 {{op expects 'acc' to be f16, bf16, f32, f64 or i32, found 'i8'}}
  %0 = einsum.contract "h -> h" (%a) {acc = i8} : (tensor<9xi8>) -> tensor<9xi8>
  return
}

// -----

// C16: i64.
func.func @acc_i64(%a: tensor<9xi32>) {
  // expected-error @+1 {{op expects 'acc' to be f16, bf16, f32, f64 or i32, found 'i64'}}
  %0 = einsum.contract "h -> h" (%a) {acc = i64} : (tensor<9xi32>) -> tensor<9xi32>
  return
}

// -----

// C16: a float type that is no element.
func.func @acc_f80(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects 'acc' to be f16, bf16, f32, f64 or i32, found 'f80'}}
  %0 = einsum.contract "h -> h" (%a) {acc = f80} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C16: an accumulator is one element.
func.func @acc_shaped(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects 'acc' to be f16, bf16, f32, f64 or i32, found 'tensor<f32>'}}
  %0 = einsum.contract "h -> h" (%a) {acc = tensor<f32>} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

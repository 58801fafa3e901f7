// Verifier of einsum.contract: `pad`, `sizes` and `precision` (constraints C13, C18 and C29).
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// C13: padding of another kind.
func.func @reflect(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects 'pad' to be "none" or "zero", found "reflect"}}
  %0 = einsum.contract "h -> h" (%a) {pad = "reflect"} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C13: padding of no kind.
func.func @empty_pad(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects 'pad' to be "none" or "zero", found ""}}
  %0 = einsum.contract "h -> h" (%a) {pad = ""} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C13: the generic form.
func.func @generic_pad(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects 'pad' to be "none" or "zero", found "Zero"}}
  %0 = "einsum.contract"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0>, pad = "Zero",
      spec = #einsum.spec<"h -> h">}> : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C13: a string; here as a discardable attribute.
func.func @number_as_pad(%a: tensor<9xf32>) {
  // expected-error @+1 {{op attribute 'pad' failed to satisfy constraint: string attribute}}
  %0 = "einsum.contract"(%a) {operandSegmentSizes = array<i32: 1, 0, 0>, pad = 0,
      spec = #einsum.spec<"h -> h">} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C18: an unknown index.
func.func @unknown_letter(%a: tensor<9xf32>) {
  // expected-error @+1 {{op unknown index 'q' in 'sizes': the specification "h -> h" has no such index}}
  %0 = einsum.contract "h -> h" (%a) {sizes = {q = 7}} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C18: an index of a table's name.
func.func @letter_of_name(%a: tensor<9xf32>, %t: tensor<4xi32>) {
  // expected-error @+1 {{op unknown index 'b' in 'sizes': the specification "(tab[k]) -> k" has no such index}}
  %0 = einsum.contract "(tab[k]) -> k" (%a) tables(tab = %t : tensor<4xi32>)
      {sizes = {b = 4}} : (tensor<9xf32>) -> tensor<4xf32>
  return
}

// -----

// C18: a word.
func.func @word(%a: tensor<9xf32>) {
  // expected-error @+1 {{op unknown index 'hh' in 'sizes': the specification "h -> h" has no such index}}
  %0 = einsum.contract "h -> h" (%a) {sizes = {hh = 7}} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C18: two indices of the specification.
func.func @two_letters_in_a_row(%a: tensor<3x3xf32>) {
  // expected-error @+1 {{op unknown index 'mk' in 'sizes': the specification "mk -> mk" has no such index}}
  %0 = einsum.contract "mk -> mk" (%a) {sizes = {mk = 3}} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

// C18: a negative size.
func.func @negative(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects the size of index 'h' in 'sizes' to be a non-negative integer, found -1 : i64}}
  %0 = einsum.contract "h -> h" (%a) {sizes = {h = -1}} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C18: the value that MLIR uses for dynamic sizes.
func.func @dynamic_marker(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects the size of index 'h' in 'sizes' to be a non-negative integer, found -9223372036854775808 : i64}}
  %0 = einsum.contract "h -> h" (%a) {sizes = {h = -9223372036854775808}} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C18: a float.
func.func @float_size(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects the size of index 'h' in 'sizes' to be a non-negative integer, found 9.000000e+00 : f64}}
  %0 = einsum.contract "h -> h" (%a) {sizes = {h = 9.0}} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C18: no value.
func.func @unit(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects the size of index 'h' in 'sizes' to be a non-negative integer, found unit}}
  %0 = einsum.contract "h -> h" (%a) {sizes = {h}} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C18: more than 64 bits.
func.func @wide(%a: tensor<9xf32>) {
  // expected-error @+1 {{op expects the size of index 'h' in 'sizes' to be a non-negative integer, found 36893488147419103232 : i128}}
  %0 = einsum.contract "h -> h" (%a) {sizes = {h = 36893488147419103232 : i128}} : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

// C18: a negative i8.
func.func @byte(%a: tensor<200xf32>) {
  // expected-error @+1 {{op expects the size of index 'h' in 'sizes' to be a non-negative integer, found -56 : i8}}
  %0 = einsum.contract "h -> h" (%a) {sizes = {h = 200 : i8}} : (tensor<200xf32>) -> tensor<200xf32>
  return
}

// -----

// C29: a precision that there is not.
func.func @bf16(%a: tensor<9x9xf32>) {
  // expected-error @+1 {{op expects 'precision' to be "full" or "tf32", found "bf16" (C29)}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %a) {precision = "bf16"}
      : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
  return
}

// -----

// C29: operands that are not f32.
func.func @half(%a: tensor<9x9xf32>, %b: tensor<9x9xf16>) {
  // expected-error @+1 {{op expects operands of f32 with precision = "tf32", found 'f16' in operand 1 (C29)}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) {precision = "tf32"}
      : (tensor<9x9xf32>, tensor<9x9xf16>) -> tensor<9x9xf32>
  return
}

// -----

// C29: three operands.
func.func @three(%a: tensor<9x9xf32>) {
  // expected-error @+1 {{op expects two operands with precision = "tf32", found 3: contract them two at a time, and say which products are to be rounded (C29)}}
  %0 = einsum.contract "mk, kl, ln -> mn" (%a, %a, %a) {precision = "tf32"}
      : (tensor<9x9xf32>, tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
  return
}

// -----

// C29: another accumulator.
func.func @acc(%a: tensor<9x9xf32>) {
  // expected-error @+1 {{op expects an accumulator of f32 with precision = "tf32", found 'f64' (C29)}}
  %0 = einsum.contract "mk, kn -> mn" (%a, %a) {acc = f64, precision = "tf32"}
      : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
  return
}

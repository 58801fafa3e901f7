// What the text form of einsum.contract says of itself: errors inside of the specification are at
// their place in the string, and tables are matched by name (constraint C9).
//
// RUN: not tile-opt --split-input-file %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:

// C1: the column is that of the parenthesis.
func.func @spec_grammar(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  // CHECK: {{:}}[[@LINE+1]]:26: error: {{.*}}unbalanced parentheses: '(' is not closed
  %0 = einsum.contract "m(k -> m" (%a) : (tensor<4x8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// C2: the column is that of the index.
func.func @spec_letter(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<4x5xf32> {
  // CHECK: {{:}}[[@LINE+1]]:36: error: {{.*}}result index 'q' is used by no operand
  %0 = einsum.contract "mk, kn -> mq" (%a, %b) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// C9: a table that the specification does not use; the column is that of the entry.
func.func @unknown_table(%a: tensor<9xf32>, %t: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: {{:}}[[@LINE+2]]:39: error: custom op 'einsum.contract' unknown table 'sw': the specification "(sh[k]) -> k" does not use it
  %0 = einsum.contract "(sh[k]) -> k" (%a)
      tables(sh = %t : tensor<4xi32>, sw = %t : tensor<4xi32>) : (tensor<9xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// C9: a table for a specification without any.
func.func @no_table(%a: tensor<4xf32>, %t: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: {{:}}[[@LINE+1]]:46: error: custom op 'einsum.contract' unknown table 'sh': the specification "k -> k" does not use it
  %0 = einsum.contract "k -> k" (%a) tables( sh = %t : tensor<4xi32>) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// C9: the first table that is missing.
func.func @missing_table(%a: tensor<9xf32>, %t: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: {{:}}[[@LINE+1]]:24: error: custom op 'einsum.contract' table 'sw' is not provided: expected tables(sw = %value : type)
  %0 = einsum.contract "(sh[k]+sw[k]+sz[k]) -> k" (%a) tables(sh = %t : tensor<4xi32>)
      : (tensor<9xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// C9: no table at all.
func.func @no_tables(%a: tensor<9xf32>) -> tensor<4xf32> {
  // CHECK: {{:}}[[@LINE+1]]:24: error: custom op 'einsum.contract' table 'sh' is not provided: expected tables(sh = %value : type)
  %0 = einsum.contract "(sh[k]) -> k" (%a) : (tensor<9xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// C9: a table twice; the column is that of the second.
func.func @table_twice(%a: tensor<9xf32>, %t: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: {{:}}[[@LINE+2]]:39: error: custom op 'einsum.contract' table 'sh' is provided twice
  %0 = einsum.contract "(sh[k]) -> k" (%a)
      tables(sh = %t : tensor<4xi32>, sh = %t : tensor<4xi32>) : (tensor<9xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A table without a name.
func.func @nameless_table(%a: tensor<9xf32>, %t: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: {{:}}[[@LINE+1]]:51: error: {{.*}}expected valid keyword or string
  %0 = einsum.contract "(sh[k]) -> k" (%a) tables(%t : tensor<4xi32>) : (tensor<9xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The specification comes first and is a string.
func.func @no_spec(%a: tensor<9xf32>) -> tensor<9xf32> {
  // CHECK: {{:}}[[@LINE+1]]:24: error: {{.*}}expected string
  %0 = einsum.contract (%a) : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// As many types as operands.
func.func @types(%a: tensor<9xf32>) -> tensor<9xf32> {
  // CHECK: {{:}}[[@LINE+1]]:33: error: custom op 'einsum.contract' number of operands and types do not match: got 1 operands and 2 types
  %0 = einsum.contract "h -> h" (%a) : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

// The specification is not also an attribute.
func.func @spec_twice(%a: tensor<9xf32>) -> tensor<9xf32> {
  // CHECK: {{:}}[[@LINE+1]]:8: error: custom op 'einsum.contract' attribute 'spec' occurs more than once
  %0 = einsum.contract "h -> h" (%a) {spec = #einsum.spec<"(2*h) -> h">} : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

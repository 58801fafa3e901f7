// C13, C16, C18: an attribute of the wrong kind in the text form is an error. It used to be
// dropped without a word, so that the op meant something else.
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

func.func @pad(%a: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{attribute 'pad' failed to satisfy constraint: string attribute}}
  %0 = einsum.contract "h -> h" (%a) {pad = 0} : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

func.func @pad_unit(%a: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{attribute 'pad' failed to satisfy constraint: string attribute}}
  %0 = einsum.contract "h -> h" (%a) {pad} : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

func.func @acc(%a: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{attribute 'acc' failed to satisfy constraint: any type attribute}}
  %0 = einsum.contract "h -> h" (%a) {acc = "f64"} : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

func.func @sizes(%a: tensor<9xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{attribute 'sizes' failed to satisfy constraint: dictionary of named attribute values}}
  %0 = einsum.contract "h -> h" (%a) {sizes = 9} : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// Each constraint of einsum-verify-kernels, violated alone. convert-einsum-to-tile verifies them as well.
//
// RUN: tile-opt --einsum-verify-kernels --split-input-file --verify-diagnostics %s
// RUN: tile-opt --convert-einsum-to-tile --split-input-file --verify-diagnostics %s

func.func @three(%a: memref<4xf32>, %c: memref<f32>) {
  // expected-error @below {{einsum-verify-kernels K2: 'einsum.contract' op expected one or two operands, found 3: run einsum-contract-pairwise before convert-einsum-to-tile}}
  einsum.contract "i, i, i -> " (%a, %a, %a) outs(%c : memref<f32>) : (memref<4xf32>, memref<4xf32>, memref<4xf32>)
  return
}

// -----

%a = memref.alloc() : memref<4xf32>
%c = memref.alloc() : memref<f32>
// expected-error @below {{einsum-verify-kernels K1: 'einsum.contract' op expected to be in a 'func.func'}}
einsum.contract "i -> " (%a) outs(%c : memref<f32>) : (memref<4xf32>)

// -----

func.func @dynamic_empty(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x8xf32>, %q = %b : tensor<8x6xf32>) -> tensor<4x6xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %six = arith.constant 6 : index
    // expected-error @below {{einsum-verify-kernels K3: 'tensor.empty' op expected a static shape of what an einsum.kernel creates, found 'tensor<4x?xf32>': make it an operand of the kernel}}
    %empty = tensor.empty(%six) : tensor<4x?xf32>
    %e = linalg.exp ins(%ab : tensor<4x6xf32>) outs(%empty : tensor<4x?xf32>) -> tensor<4x?xf32>
    einsum.yield %ab : tensor<4x6xf32>
  }
  return %y : tensor<4x6xf32>
}

// -----

// Memory does not address i1.
func.func @bits(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xi1>) -> tensor<4x6xf32> {
  // expected-error @below {{einsum-verify-kernels K4: 'einsum.kernel' op expected elements of 8, 16, 32 or 64 bits in an einsum.kernel, found 'tensor<4x6xi1>'}}
  %y = einsum.kernel (%p = %a : tensor<4x8xf32>, %q = %b : tensor<8x6xf32>, %m = %c : tensor<4x6xi1>) -> tensor<4x6xf32> {
    %zero = arith.constant dense<0.0> : tensor<4x6xf32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %s = arith.select %m, %ab, %zero : tensor<4x6xi1>, tensor<4x6xf32>
    einsum.yield %s : tensor<4x6xf32>
  }
  return %y : tensor<4x6xf32>
}

// -----

func.func @index(%a: tensor<4x8xi32>, %b: tensor<8x6xi32>) -> tensor<4x6xindex> {
  %y = einsum.kernel (%p = %a : tensor<4x8xi32>, %q = %b : tensor<8x6xi32>) -> tensor<4x6xindex> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<4x8xi32>, tensor<8x6xi32>) -> tensor<4x6xi32>
    // expected-error @below {{einsum-verify-kernels K4: 'arith.index_cast' op expected elements of 1, 8, 16, 32 or 64 bits in an einsum.kernel, found 'tensor<4x6xindex>'}}
    %i = arith.index_cast %ab : tensor<4x6xi32> to tensor<4x6xindex>
    einsum.yield %i : tensor<4x6xindex>
  }
  return %y : tensor<4x6xindex>
}

// -----

func.func @four_bits(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>) -> tensor<4x6xi4> {
  %y = einsum.kernel (%p = %a : tensor<4x8xi8>, %q = %b : tensor<8x6xi8>) -> tensor<4x6xi4> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {acc = i32} : (tensor<4x8xi8>, tensor<8x6xi8>) -> tensor<4x6xi32>
    // expected-error @below {{einsum-verify-kernels K4: 'arith.trunci' op expected elements of 1, 8, 16, 32 or 64 bits in an einsum.kernel, found 'tensor<4x6xi4>'}}
    %i = arith.trunci %ab : tensor<4x6xi32> to tensor<4x6xi4>
    einsum.yield %i : tensor<4x6xi4>
  }
  return %y : tensor<4x6xi4>
}

// -----

func.func @several_values(%a: tensor<1x8xf32>, %b: tensor<8x2xf32>) -> tensor<1x2xf32> {
  %y = einsum.kernel (%p = %a : tensor<1x8xf32>, %q = %b : tensor<8x2xf32>) -> tensor<1x2xf32> {
    // expected-error @below {{einsum-verify-kernels K5: 'arith.constant' op expected a constant of one value in an einsum.kernel: make this one an operand of it}}
    %c = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<1x8xf32>, tensor<8x2xf32>) -> tensor<1x2xf32>
    %s = arith.addf %ab, %c : tensor<1x2xf32>
    einsum.yield %s : tensor<1x2xf32>
  }
  return %y : tensor<1x2xf32>
}

// -----

func.func @three_operands(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{einsum-verify-kernels K2: 'einsum.contract' op expected one or two operands, found 3: run einsum-contract-pairwise before convert-einsum-to-tile}}
    %abc = einsum.contract "ij, jk, kl -> il" (%p, %p, %p) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %abc : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

func.func @operand_of_contraction(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %e = math.exp %ab : tensor<4x4xf32>
    // expected-error @below {{einsum-verify-kernels K6: 'einsum.contract' op expected operands computed from the kernel's inputs by pointwise ops, found one that another contraction computes: einsum-fuse makes two kernels of such contractions}}
    %abc = einsum.contract "mk, kn -> mn" (%e, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %abc : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

func.func @computed_table(%a: tensor<4x4xf32>, %t: tensor<4xi32>) -> tensor<4x4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>, %u = %t : tensor<4xi32>) -> tensor<4x4xf32> {
    %one = arith.constant dense<1> : tensor<4xi32>
    %v = arith.addi %u, %one : tensor<4xi32>
    // expected-error @below {{einsum-verify-kernels K7: 'einsum.contract' op expected tables that are inputs of the kernel, found one that is computed in it}}
    %c = einsum.contract "i(j+v[i]) -> ij" (%p) tables(v = %v : tensor<4xi32>) {pad = "zero"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %c : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

func.func @constant_table(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %one = arith.constant dense<1> : tensor<4xi32>
    // expected-error @below {{einsum-verify-kernels K7: 'einsum.contract' op expected tables that are inputs of the kernel, found one that is computed in it}}
    %c = einsum.contract "i(j+v[i]) -> ij" (%p) tables(v = %one : tensor<4xi32>) {pad = "zero"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %c : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

func.func @transposed(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{einsum-verify-kernels K8: 'einsum.contract' op expected axis i of its result to become axis i of the kernel's, found a transposition or broadcast: write the axes in the order of the kernel's result}}
    %ab = einsum.contract "mk, kn -> mn" (%p, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %empty = tensor.empty() : tensor<4x4xf32>
    %t = linalg.transpose ins(%ab : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) permutation = [1, 0]
    %s = arith.addf %ab, %t : tensor<4x4xf32>
    einsum.yield %s : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

func.func @broadcast(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{einsum-verify-kernels K8: 'einsum.contract' op expected axis i of its result to become axis i of the kernel's, found a transposition or broadcast: write the axes in the order of the kernel's result}}
    %sum = einsum.contract "ij -> i" (%p) : (tensor<4x4xf32>) -> tensor<4xf32>
    %empty = tensor.empty() : tensor<4x4xf32>
    %wide = linalg.broadcast ins(%sum : tensor<4xf32>) outs(%empty : tensor<4x4xf32>) dimensions = [1]
    einsum.yield %wide : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

func.func @no_contraction(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{einsum-verify-kernels K9: 'einsum.kernel' op expected its result to depend on a contraction, found none: run einsum-inline-kernels for kernels without}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    %e = math.exp %p : tensor<4xf32>
    einsum.yield %e : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// A contraction that the result does not depend on is none.
func.func @no_contraction_needed(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{einsum-verify-kernels K9: 'einsum.kernel' op expected its result to depend on a contraction, found none: run einsum-inline-kernels for kernels without}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    %s = einsum.contract "i -> " (%p) : (tensor<4xf32>) -> tensor<f32>
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

%a = arith.constant dense<1.0> : tensor<4x4xf32>
// expected-error @below {{einsum-verify-kernels K1: 'einsum.kernel' op expected to be in a 'func.func'}}
%y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%p, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  einsum.yield %ab : tensor<4x4xf32>
}

// -----

// All are found, not only the first.
func.func @two_errors(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error @below {{einsum-verify-kernels K9: 'einsum.kernel' op expected its result to depend on a contraction}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    einsum.yield %p : tensor<4xf32>
  }
  // expected-error @below {{einsum-verify-kernels K9: 'einsum.kernel' op expected its result to depend on a contraction}}
  %z = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    einsum.yield %p : tensor<4xf32>
  }
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @bits(%a: tensor<4x4xf32>) -> tensor<4x4xi1> {
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xi1> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %p) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error @below {{einsum-verify-kernels K4: 'arith.cmpf' op expected elements of 8, 16, 32 or 64 bits in an einsum.kernel, found 'tensor<4x4xi1>'}}
    %s = arith.cmpf olt, %ab, %p : tensor<4x4xf32>
    einsum.yield %s : tensor<4x4xi1>
  }
  return %y : tensor<4x4xi1>
}

// -----

func.func @sparse(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = einsum.kernel (%p = %a : tensor<2x2xf32>) -> tensor<2x2xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %p) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    // expected-error @below {{einsum-verify-kernels K5: 'arith.constant' op expected a constant of one value in an einsum.kernel: make this one an operand of it}}
    %c = arith.constant sparse<[[0, 0], [1, 1]], [1.0, 2.0]> : tensor<2x2xf32>
    %s = arith.addf %ab, %c : tensor<2x2xf32>
    einsum.yield %s : tensor<2x2xf32>
  }
  return %y : tensor<2x2xf32>
}

// Verifier and text form of einsum.kernel and einsum.yield (constraints C20 to C22).
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// C20: too many arguments.
func.func @too_many_arguments(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'einsum.kernel' op expects the arguments of its body to have the types of its operands ('tensor<4xf32>'), found 'tensor<4xf32>', 'tensor<4xf32>'}}
  %y = "einsum.kernel"(%a) ({
  ^bb0(%p: tensor<4xf32>, %q: tensor<4xf32>):
    "einsum.yield"(%p) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// C20: too few arguments.
func.func @too_few_arguments(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'einsum.kernel' op expects the arguments of its body to have the types of its operands ('tensor<4xf32>', 'tensor<4xf32>'), found 'tensor<4xf32>'}}
  %y = "einsum.kernel"(%a, %a) ({
  ^bb0(%p: tensor<4xf32>):
    "einsum.yield"(%p) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// C20: an argument of another type.
func.func @type_of_argument(%a: tensor<4xf32>) -> tensor<?xf32> {
  // expected-error @below {{'einsum.kernel' op expects the arguments of its body to have the types of its operands ('tensor<4xf32>'), found 'tensor<?xf32>'}}
  %y = "einsum.kernel"(%a) ({
  ^bb0(%p: tensor<?xf32>):
    "einsum.yield"(%p) : (tensor<?xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

// C21: an allocation, which has effects.
func.func @allocation(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'memref.alloc' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %m = memref.alloc() : memref<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a contraction on memrefs. (It stands before the allocations that it uses, at which the verifier would stop.)
func.func @contraction_on_memrefs(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'einsum.contract' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    einsum.contract "ij -> ji" (%m) outs(%n : memref<4x4xf32>) : (memref<4x4xf32>)
    %m = memref.alloc() : memref<4x4xf32>
    %n = memref.alloc() : memref<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a structured op that sums.
func.func @reduction(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'linalg.matmul' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %m = linalg.matmul ins(%p, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%p : tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a reduction loop that is not read as one.
func.func @reduction_loop(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %empty = tensor.empty() : tensor<4x4xf32>
    // expected-error @below {{'linalg.generic' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "reduction"]}
        ins(%p : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) {
    ^bb0(%x: f32, %out: f32):
      linalg.yield %x : f32
    } -> tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a structured op that reads an element of outs.
func.func @reads_outs(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'linalg.generic' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%p : tensor<4x4xf32>) outs(%p : tensor<4x4xf32>) {
    ^bb0(%x: f32, %out: f32):
      %sum = arith.addf %x, %out : f32
      linalg.yield %sum : f32
    } -> tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a structured op that yields the element of outs.
func.func @yields_outs(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'linalg.generic' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        outs(%p : tensor<4x4xf32>) {
    ^bb0(%out: f32):
      linalg.yield %out : f32
    } -> tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a structured op of two results.
func.func @two_results(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'linalg.generic' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                           iterator_types = ["parallel", "parallel"]}
        ins(%p : tensor<4x4xf32>) outs(%p, %p : tensor<4x4xf32>, tensor<4x4xf32>) {
    ^bb0(%x: f32, %out: f32, %other: f32):
      linalg.yield %x, %x : f32, f32
    } -> (tensor<4x4xf32>, tensor<4x4xf32>)
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a structured op whose result is not indexed by the loops in order.
func.func @transposed_result(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'linalg.generic' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
        ins(%p : tensor<4x4xf32>) outs(%p : tensor<4x4xf32>) {
    ^bb0(%x: f32, %out: f32):
      linalg.yield %x : f32
    } -> tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a structured op that reads a diagonal: an operand is not indexed by each loop once.
func.func @diagonal(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'linalg.generic' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%p : tensor<4x4xf32>) outs(%p : tensor<4x4xf32>) {
    ^bb0(%x: f32, %out: f32):
      linalg.yield %x : f32
    } -> tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a structured op that reads the first row: an operand is indexed by a constant.
func.func @first_row(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %empty = tensor.empty() : tensor<4x4xf32>
    // expected-error @below {{'linalg.generic' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%p : tensor<4x4xf32>) outs(%empty : tensor<4x4xf32>) {
    ^bb0(%x: f32, %out: f32):
      linalg.yield %x : f32
    } -> tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: an op in a region that is not element-wise.
func.func @linalg_index(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'linalg.generic' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        outs(%p : tensor<4x4xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      %x = arith.sitofp %n : i32 to f32
      linalg.yield %x : f32
    } -> tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a division whose divisor may be 0.
func.func @division(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4xi32>, %q = %b : tensor<4xi32>) -> tensor<4xi32> {
    // expected-error @below {{'arith.divsi' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = arith.divsi %p, %q : tensor<4xi32>
    einsum.yield %s : tensor<4xi32>
  }
  return %y : tensor<4xi32>
}

// -----

// C21: a division by a constant that is 0.
func.func @division_by_zero(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4xi32>) -> tensor<4xi32> {
    %zero = arith.constant dense<0> : tensor<4xi32>
    // expected-error @below {{'arith.divui' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = arith.divui %p, %zero : tensor<4xi32>
    einsum.yield %s : tensor<4xi32>
  }
  return %y : tensor<4xi32>
}

// -----

// C21: a division in the region of a structured op.
func.func @division_in_region(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4xi32>) -> tensor<4xi32> {
    // expected-error @below {{'linalg.map' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = linalg.map { arith.ceildivsi } ins(%p, %p : tensor<4xi32>, tensor<4xi32>) outs(%p : tensor<4xi32>)
    einsum.yield %s : tensor<4xi32>
  }
  return %y : tensor<4xi32>
}

// -----

// C21: an element-wise op of two results.
func.func @sincos(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'math.sincos' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s, %c = math.sincos %p : tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: an element-wise op on scalars.
func.func @scalar_op(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %one = arith.constant 1.0 : f32
    // expected-error @below {{'arith.addf' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %t = arith.addf %one, %one : f32
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: an op on tensors that is not element-wise.
func.func @not_elementwise(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'tensor.extract_slice' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = tensor.extract_slice %p[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> to tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a call, which may have effects.
func.func private @f(tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @call(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'func.call' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = func.call @f(%p) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a kernel.
func.func @nested(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-error @below {{'einsum.kernel' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = einsum.kernel (%q = %p : tensor<4x4xf32>) -> tensor<4x4xf32> {
      einsum.yield %q : tensor<4x4xf32>
    }
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C21: a loop, even of such ops.
func.func @loop(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %c = arith.constant 1 : index
    // expected-error @below {{'scf.for' op stands in an einsum.kernel, which takes contractions and pointwise ops on tensors, constants and tensor.empty: move it out of the kernel}}
    %s = scf.for %i = %c to %c step %c iter_args(%q = %p) -> tensor<4x4xf32> {
      %n = arith.negf %q : tensor<4x4xf32>
      scf.yield %n : tensor<4x4xf32>
    }
    einsum.yield %p : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}

// -----

// C22: another op ends the body.
func.func @other_terminator(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'einsum.kernel' op expects its body to end with einsum.yield}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    llvm.unreachable
  }
  return %y : tensor<4xf32>
}

// -----

// C22: no terminator.
func.func @no_terminator(%a: tensor<4xf32>) -> tensor<4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{block with no terminator}}
    %s = arith.negf %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// C22: an empty body.
func.func @empty_body() -> tensor<4xf32> {
  // expected-error @below {{'einsum.kernel' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %y = einsum.kernel () -> tensor<4xf32> {
  }
  return %y : tensor<4xf32>
}

// -----

// C22: a value of another shape.
func.func @yields_other_shape(%a: tensor<4xf32>) -> tensor<?xf32> {
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<?xf32> {
    // expected-error @below {{'einsum.yield' op expects a value of the kernel's result type 'tensor<?xf32>', found 'tensor<4xf32>'}}
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<?xf32>
}

// -----

// C22: a value of other elements.
func.func @yields_other_elements(%a: tensor<4xf32>) -> tensor<4xf16> {
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf16> {
    // expected-error @below {{'einsum.yield' op expects a value of the kernel's result type 'tensor<4xf16>', found 'tensor<4xf32>'}}
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf16>
}

// -----

// A value from outside that is not an input.
func.func @value_from_outside(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{required by region isolation constraints}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @below {{'arith.negf' op using value defined outside the region}}
    %n = arith.negf %a : tensor<4xf32>
    einsum.yield %n : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// An input that is no tensor.
func.func @scalar_input(%a: f32) -> tensor<4xf32> {
  // expected-error @below {{'einsum.kernel' op operand #0 must be variadic of ranked tensor of any type values, but got 'f32'}}
  %y = einsum.kernel (%p = %a : f32) -> tensor<4xf32> {
    %c = arith.constant dense<1.0> : tensor<4xf32>
    einsum.yield %c : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// A result that is no tensor.
func.func @memref_result(%a: tensor<4xf32>) -> memref<4xf32> {
  // expected-error @below {{'einsum.kernel' op result #0 must be ranked tensor of any type values, but got 'memref<4xf32>'}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> memref<4xf32> {
    einsum.yield %p : tensor<4xf32>
  }
  return %y : memref<4xf32>
}

// -----

// Two blocks.
func.func @two_blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'einsum.kernel' op expects region #0 to have 0 or 1 blocks}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    einsum.yield %p : tensor<4xf32>
  ^bb1:
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// einsum.yield outside of a kernel.
func.func @yield_outside(%a: tensor<4xf32>) {
  // expected-error @below {{'einsum.yield' op expects parent op 'einsum.kernel'}}
  einsum.yield %a : tensor<4xf32>
}

// -----

// Text: an input without a name in the body.
func.func @text_no_argument(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected '='}}
  %y = einsum.kernel (%a : tensor<4xf32>) -> tensor<4xf32> {
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Text: an input without type.
func.func @text_no_type(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected ':'}}
  %y = einsum.kernel (%p = %a) -> tensor<4xf32> {
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Text: inputs without parentheses.
func.func @text_no_parentheses(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected '('}}
  %y = einsum.kernel %p = %a : tensor<4xf32> -> tensor<4xf32> {
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Text: no result type.
func.func @text_no_result(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected '->'}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) {
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Text: two result types.
func.func @text_two_results(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{operation defines 2 results but was provided 1 to bind}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// Text: no body.
func.func @text_no_body(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected '{' to begin a region}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> attributes {tag} loc(unknown)
  return %y : tensor<4xf32>
}

// -----

// A remainder of an unknown divisor, which may be 0 where nothing is asked for.
func.func @remainder(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4xi32>) -> tensor<4xi32> {
    // expected-error @below {{stands in an einsum.kernel, which takes contractions and pointwise ops on tensors}}
    %r = arith.remsi %p, %p : tensor<4xi32>
    einsum.yield %r : tensor<4xi32>
  }
  return %y : tensor<4xi32>
}

// -----

func.func @captured(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @below {{the kernel}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    // expected-error @below {{stands in an einsum.kernel, which takes contractions and pointwise ops on tensors}}
    %r = linalg.map ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) (%x: f32, %out: f32) {
      %dead = arith.addf %p, %p : tensor<4xf32>
      linalg.yield %x : f32
    }
    einsum.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

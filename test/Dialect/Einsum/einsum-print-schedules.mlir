// einsum-print-schedules: what follows from schedules. Strides of random ones: test/Property/schedule-invalid.test.
//
// RUN: tile-opt --einsum-identify-primitives --einsum-print-schedules --split-input-file --verify-diagnostics %s -o /dev/null

// Indices that are gone through as one have offsets in a table where they do not follow each other.
func.func @all(%x: tensor<2x9x9x16xf32>, %w: tensor<3x3x16x32xf32>) -> tensor<2x7x7x32xf32> {
  // expected-remark @below {{initialization = zero, main = brgemm, epilogue = none, dims = ["n" m parallel 2 strides [1296, 0, 1568], "k" n seq 2 step 16 strides [0, 16, 16], "c" k seq 2 step 8 strides [8, 256, 0], "hw" m prim 49 strides [?, 0, 32], "k" n prim 16 strides [0, 1, 1], "rs" k prim 9 strides [?, 512, 0], "c" k prim 8 strides [1, 32, 0]]}}
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) {schedule = #einsum.schedule<lanes = 4, dims = [
           <"n" parallel 2>, <"k" seq 2 step 16>, <"c" seq 2 step 8>, <"hw" prim 49>, <"k" prim 16>, <"rs" prim 9>,
           <"c" prim 8>]>}
    : (tensor<2x9x9x16xf32>, tensor<3x3x16x32xf32>) -> tensor<2x7x7x32xf32>
  return %y : tensor<2x7x7x32xf32>
}

// Strides are those of the layouts: the same schedule has others where these are others.
func.func @memrefs(%x: memref<8x4xf64, strided<[1, 10], offset: 3>>, %y: memref<8xf64, strided<[2]>>, %z: memref<8x4xf64>) {
  // expected-remark @below {{main = sum, epilogue = none, dims = ["m" batch seq 8 strides [1, 2], "k" k prim 4 strides [10, 0]]}}
  einsum.contract "mk -> m" (%x) outs(%y : memref<8xf64, strided<[2]>>) {schedule = #einsum.schedule<
      dims = [<"m" seq 8>, <"k" prim 4>]>} : (memref<8x4xf64, strided<[1, 10], offset: 3>>)
  // expected-remark @below {{main = sum, epilogue = none, dims = ["m" batch seq 8 strides [4, 2], "k" k prim 4 strides [1, 0]]}}
  einsum.contract "mk -> m" (%z) outs(%y : memref<8xf64, strided<[2]>>) {schedule = #einsum.schedule<
      dims = [<"m" seq 8>, <"k" prim 4>]>} : (memref<8x4xf64>)
  return
}

// Look-up tables, divisions and constants: what moves by a number has a stride, what does not is a question.
func.func @tables(%x: tensor<16x8x6xf32>, %v: tensor<16xf32>, %t: tensor<16xi32>) -> tensor<5x3xf32> {
  // expected-remark @below {{main = gemm, epilogue = none, dims = ["h" m prim 5 strides [?, 0, 3], "w" m prim 3 strides [-2, 0, 1], "c" k prim 16 strides [?, 1, 0]]}}
  %y = einsum.contract "c(h/2+t[c])(5-2*w), c -> hw" (%x, %v) tables(t = %t : tensor<16xi32>) {sizes = {h = 5, w = 3}}
    : (tensor<16x8x6xf32>, tensor<16xf32>) -> tensor<5x3xf32>
  return %y : tensor<5x3xf32>
}

// Without a schedule there is nothing to show.
func.func @none(%a: tensor<?xf32>) -> tensor<?xf32> {
  %y = einsum.contract "m -> m" (%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @relu(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-remark @below {{initialization = zero, main = gemm, epilogue = relu, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %zero = arith.constant dense<0.0> : tensor<8x8xf32>
    %r = arith.maximumf %c, %zero : tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// -----

// A maximum with 1 is none, and neither is one with another op after it.
func.func @no_relu(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-remark @below {{initialization = zero, main = gemm, epilogue = fused, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %one = arith.constant dense<1.0> : tensor<8x8xf32>
    %r = arith.maximumf %c, %one : tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}
func.func @relu_and_more(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-remark @below {{initialization = zero, main = gemm, epilogue = fused, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %zero = arith.constant dense<0.0> : tensor<8x8xf32>
    %r = arith.maximumf %c, %zero : tensor<8x8xf32>
    %e = math.exp %r : tensor<8x8xf32>
    einsum.yield %e : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}
func.func @used_twice(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-remark @below {{initialization = zero, main = gemm, epilogue = fused, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %s = arith.mulf %c, %c : tensor<8x8xf32>
    einsum.yield %s : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// -----

// An operand that is added is what the sum starts from.
func.func @load(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>, %s = %d : tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-remark @below {{initialization = load, main = gemm, epilogue = none, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %r = arith.addf %s, %c : tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}
func.func @bias(%a: tensor<8x8xi32>, %b: tensor<8x8xi32>, %d: tensor<8xi32>) -> tensor<8x8xi32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xi32>, %q = %b : tensor<8x8xi32>, %s = %d : tensor<8xi32>) -> tensor<8x8xi32> {
    // expected-remark @below {{initialization = bias, main = gemm, epilogue = relu, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %e = tensor.empty() : tensor<8x8xi32>
    %t = linalg.broadcast ins(%s : tensor<8xi32>) outs(%e : tensor<8x8xi32>) dimensions = [0]
    %r = arith.addi %c, %t : tensor<8x8xi32>
    %zero = arith.constant dense<0> : tensor<8x8xi32>
    %m = arith.maxsi %r, %zero : tensor<8x8xi32>
    einsum.yield %m : tensor<8x8xi32>
  }
  return %y : tensor<8x8xi32>
}
// The same as one op: the epilogue adds it.
func.func @bias_generic(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %d: tensor<8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>, %s = %d : tensor<8xf32>) -> tensor<8x8xf32> {
    // expected-remark @below {{initialization = zero, main = gemm, epilogue = fused, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                         iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb0(%x: f32, %z: f32, %o: f32):
      %sum = arith.addf %x, %z : f32
      linalg.yield %sum : f32
    } -> tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}
// An operand that is read along other axes, or of narrower elements.
func.func @transposed(%a: tensor<8x8xf16>, %b: tensor<8x8xf16>, %d: tensor<8x8xf16>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf16>, %q = %b : tensor<8x8xf16>, %s = %d : tensor<8x8xf16>) -> tensor<8x8xf32> {
    // expected-remark @below {{initialization = bias, main = gemm, epilogue = none, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xf16>
    %t = linalg.transpose ins(%s : tensor<8x8xf16>) outs(%e : tensor<8x8xf16>) permutation = [1, 0]
    %w = arith.extf %t : tensor<8x8xf16> to tensor<8x8xf32>
    %r = arith.addf %c, %w : tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}
// The sum is formed in f32, and is rounded before something is added.
func.func @rounded(%a: tensor<8x8xf16>, %b: tensor<8x8xf16>, %d: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf16>, %q = %b : tensor<8x8xf16>, %s = %d : tensor<8x8xf16>) -> tensor<8x8xf16> {
    // expected-remark @below {{initialization = zero, main = gemm, epilogue = fused, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %r = arith.addf %c, %s : tensor<8x8xf16>
    einsum.yield %r : tensor<8x8xf16>
  }
  return %y : tensor<8x8xf16>
}
// What is added is computed in the kernel, and not only widened.
func.func @computed(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>, %s = %d : tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-remark @below {{initialization = zero, main = gemm, epilogue = fused, dims = [}}
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %e = math.exp %s : tensor<8x8xf32>
    %r = arith.addf %c, %e : tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// -----

// A copy that is combined with another operand.
func.func @sub(%a: tensor<8x9xf32>, %b: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    // expected-remark @below {{initialization = none, main = sub, epilogue = none, dims = [}}
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.subf %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  return %y : tensor<9x8xf32>
}
func.func @add_relu(%a: tensor<8x9xf32>, %b: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    // expected-remark @below {{initialization = none, main = add, epilogue = relu, dims = [}}
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.addf %c, %q : tensor<9x8xf32>
    %zero = arith.constant dense<0.0> : tensor<9x8xf32>
    %m = arith.maxnumf %r, %zero : tensor<9x8xf32>
    einsum.yield %m : tensor<9x8xf32>
  }
  return %y : tensor<9x8xf32>
}
func.func @copy_relu(%a: tensor<8x9xf32>) -> tensor<9x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x9xf32>) -> tensor<9x8xf32> {
    // expected-remark @below {{initialization = none, main = copy, epilogue = relu, dims = [}}
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %zero = arith.constant dense<0.0> : tensor<9x8xf32>
    %m = arith.maximumf %c, %zero : tensor<9x8xf32>
    einsum.yield %m : tensor<9x8xf32>
  }
  return %y : tensor<9x8xf32>
}
// Each of the others.
func.func @mul(%a: tensor<8x9xf32>, %b: tensor<9x8xf32>) -> (tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>) {
  %y0 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    // expected-remark @below {{main = mul, epilogue = none, dims = [}}
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.mulf %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  %y1 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    // expected-remark @below {{main = div, epilogue = none, dims = [}}
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.divf %q, %c : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  %y2 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    // expected-remark @below {{main = min, epilogue = none, dims = [}}
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.minimumf %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  %y3 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    // expected-remark @below {{main = max, epilogue = none, dims = [}}
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.maximumf %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  %y4 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    // expected-remark @below {{main = copy, epilogue = fused, dims = [}}
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = math.atan2 %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  return %y0, %y1, %y2, %y3, %y4 : tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>
}

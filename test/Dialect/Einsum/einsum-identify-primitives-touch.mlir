// einsum-identify-primitives: what a kernel starts from, combines and ends with, by the pointwise ops around it.
//
// RUN: tile-opt --einsum-identify-primitives --split-input-file %s | FileCheck %s

// CHECK-LABEL: @relu
// CHECK: first = zero, main = gemm, last = relu
func.func @relu(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %zero = arith.constant dense<0.0> : tensor<8x8xf32>
    %r = arith.maximumf %c, %zero : tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// -----

// A maximum with 1 is none, and neither is one with another op after it.
// CHECK-LABEL: @no_relu
// CHECK: first = zero, main = gemm, last = fused
func.func @no_relu(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %one = arith.constant dense<1.0> : tensor<8x8xf32>
    %r = arith.maximumf %c, %one : tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}
// CHECK-LABEL: @relu_and_more
// CHECK: first = zero, main = gemm, last = fused
func.func @relu_and_more(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %zero = arith.constant dense<0.0> : tensor<8x8xf32>
    %r = arith.maximumf %c, %zero : tensor<8x8xf32>
    %e = math.exp %r : tensor<8x8xf32>
    einsum.yield %e : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}
// CHECK-LABEL: @used_twice
// CHECK: first = zero, main = gemm, last = fused
func.func @used_twice(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %s = arith.mulf %c, %c : tensor<8x8xf32>
    einsum.yield %s : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// -----

// An operand that is added is what the sum starts from.
// CHECK-LABEL: @load
// CHECK: first = load, main = gemm, last = none
func.func @load(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>, %s = %d : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %r = arith.addf %s, %c : tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}
// CHECK-LABEL: @bias
// CHECK: first = bias, main = gemm, last = relu
func.func @bias(%a: tensor<8x8xi32>, %b: tensor<8x8xi32>, %d: tensor<8xi32>) -> tensor<8x8xi32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xi32>, %q = %b : tensor<8x8xi32>, %s = %d : tensor<8xi32>) -> tensor<8x8xi32> {
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
// The same as one op.
// CHECK-LABEL: @bias_generic
// CHECK: first = bias, main = gemm, last = none
func.func @bias_generic(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %d: tensor<8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>, %s = %d : tensor<8xf32>) -> tensor<8x8xf32> {
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
// The sum is formed in f32, and is rounded before something is added.
// CHECK-LABEL: @rounded
// CHECK: first = zero, main = gemm, last = fused
func.func @rounded(%a: tensor<8x8xf16>, %b: tensor<8x8xf16>, %d: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf16>, %q = %b : tensor<8x8xf16>, %s = %d : tensor<8x8xf16>) -> tensor<8x8xf16> {
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
    %r = arith.addf %c, %s : tensor<8x8xf16>
    einsum.yield %r : tensor<8x8xf16>
  }
  return %y : tensor<8x8xf16>
}
// What is added is computed in the kernel.
// CHECK-LABEL: @computed
// CHECK: first = zero, main = gemm, last = fused
func.func @computed(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>, %s = %d : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %e = math.exp %s : tensor<8x8xf32>
    %r = arith.addf %c, %e : tensor<8x8xf32>
    einsum.yield %r : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// -----

// A copy that is combined with another operand.
// CHECK-LABEL: @sub
// CHECK: first = none, main = sub, last = none
func.func @sub(%a: tensor<8x9xf32>, %b: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.subf %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  return %y : tensor<9x8xf32>
}
// CHECK-LABEL: @add_relu
// CHECK: first = none, main = add, last = relu
func.func @add_relu(%a: tensor<8x9xf32>, %b: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.addf %c, %q : tensor<9x8xf32>
    %zero = arith.constant dense<0.0> : tensor<9x8xf32>
    %m = arith.maxnumf %r, %zero : tensor<9x8xf32>
    einsum.yield %m : tensor<9x8xf32>
  }
  return %y : tensor<9x8xf32>
}
// CHECK-LABEL: @copy_relu
// CHECK: first = none, main = copy, last = relu
func.func @copy_relu(%a: tensor<8x9xf32>) -> tensor<9x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x9xf32>) -> tensor<9x8xf32> {
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %zero = arith.constant dense<0.0> : tensor<9x8xf32>
    %m = arith.maximumf %c, %zero : tensor<9x8xf32>
    einsum.yield %m : tensor<9x8xf32>
  }
  return %y : tensor<9x8xf32>
}
// Each of the others.
// CHECK-LABEL: @mul
// CHECK: main = mul, last = none
// CHECK: main = div, last = none
// CHECK: main = min, last = none
// CHECK: main = max, last = none
// CHECK: main = copy, last = fused
func.func @mul(%a: tensor<8x9xf32>, %b: tensor<9x8xf32>) -> (tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>) {
  %y0 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.mulf %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  %y1 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.divf %q, %c : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  %y2 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.minimumf %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  %y3 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = arith.maximumf %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  %y4 = einsum.kernel (%p = %a : tensor<8x9xf32>, %q = %b : tensor<9x8xf32>) -> tensor<9x8xf32> {
    %c = einsum.contract "mn -> nm" (%p) : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %r = math.atan2 %c, %q : tensor<9x8xf32>
    einsum.yield %r : tensor<9x8xf32>
  }
  return %y0, %y1, %y2, %y3, %y4 : tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>
}

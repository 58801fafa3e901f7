// Which specification each kind of structured op becomes, on tensors that are static, so that `outs` is left out.
// Outputs that are not zero and memrefs are in outputs.mlir, what stays in missed.mlir; programs.test runs them.
//
// RUN: tile-opt --convert-linalg-to-einsum %s | FileCheck %s --implicit-check-not=linalg.

// The example of the documentation.
// CHECK-LABEL: @doc
// CHECK-SAME: %[[X:.*]]: tensor<1x3x13x13xf32>, %[[W:.*]]: tensor<8x3x3x3xf32>
func.func @doc(%x: tensor<1x3x13x13xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x6x6xf32> {
  // CHECK: %[[Y:.*]] = einsum.contract "ae(2*c+f)(2*d+g), befg -> abcd" (%[[X]], %[[W]]) :
  // CHECK-NEXT: return %[[Y]]
  %zero = arith.constant dense<0.0> : tensor<1x8x6x6xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x13x13xf32>, tensor<8x3x3x3xf32>)
         outs(%zero : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  return %y : tensor<1x8x6x6xf32>
}

// The loops are a, b, c, ... in their order; the output was zero.
// CHECK-LABEL: @matmul
// CHECK-SAME: %[[A:.*]]: tensor<5x7xf32>, %[[B:.*]]: tensor<7x3xf32>
func.func @matmul(%a: tensor<5x7xf32>, %b: tensor<7x3xf32>) -> tensor<5x3xf32> {
  // CHECK: %[[R:.*]] = einsum.contract "ac, cb -> ab" (%[[A]], %[[B]]) : (tensor<5x7xf32>, tensor<7x3xf32>) -> tensor<5x3xf32>
  // CHECK-NEXT: return %[[R]]
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<5x3xf32>) -> tensor<5x3xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<5x7xf32>, tensor<7x3xf32>) outs(%fill : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// A transposed operand by its indexing map.
// CHECK-LABEL: @matmul_transposed
func.func @matmul_transposed(%a: tensor<7x5xf32>, %b: tensor<7x3xf32>) -> tensor<5x3xf32> {
  // CHECK: einsum.contract "ca, cb -> ab"
  %init = arith.constant dense<0.0> : tensor<5x3xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<7x5xf32>, tensor<7x3xf32>) outs(%init : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// An operand that has no batch.
// CHECK-LABEL: @batch_matmul_broadcast
func.func @batch_matmul_broadcast(%a: tensor<5x7xf64>, %b: tensor<2x7x3xf64>) -> tensor<2x5x3xf64> {
  // CHECK: einsum.contract "bd, adc -> abc"
  %init = arith.constant dense<0.0> : tensor<2x5x3xf64>
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%a, %b : tensor<5x7xf64>, tensor<2x7x3xf64>) outs(%init : tensor<2x5x3xf64>) -> tensor<2x5x3xf64>
  return %0 : tensor<2x5x3xf64>
}

// CHECK-LABEL: @vectors
func.func @vectors(%a: tensor<5x7xf32>, %b: tensor<2x5x7xf32>, %v: tensor<7xf32>, %w: tensor<5xf32>, %x: tensor<2x7xf32>)
    -> (tensor<5xf32>, tensor<7xf32>, tensor<2x5xf32>, tensor<f32>) {
  %z5 = arith.constant dense<0.0> : tensor<5xf32>
  %z7 = arith.constant dense<0.0> : tensor<7xf32>
  %z25 = arith.constant dense<0.0> : tensor<2x5xf32>
  %z = arith.constant dense<0.0> : tensor<f32>
  // CHECK: einsum.contract "ab, b -> a"
  // CHECK: einsum.contract "b, ba -> a"
  // CHECK: einsum.contract "abc, ac -> ab"
  // CHECK: einsum.contract "a, a -> "
  %0 = linalg.matvec ins(%a, %v : tensor<5x7xf32>, tensor<7xf32>) outs(%z5 : tensor<5xf32>) -> tensor<5xf32>
  %1 = linalg.vecmat ins(%w, %a : tensor<5xf32>, tensor<5x7xf32>) outs(%z7 : tensor<7xf32>) -> tensor<7xf32>
  %2 = linalg.batch_matvec ins(%b, %x : tensor<2x5x7xf32>, tensor<2x7xf32>) outs(%z25 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %3 = linalg.dot ins(%v, %v : tensor<7xf32>, tensor<7xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<5xf32>, tensor<7xf32>, tensor<2x5xf32>, tensor<f32>
}

// CHECK-LABEL: @mmt4d
func.func @mmt4d(%a: tensor<2x3x4x5xf32>, %b: tensor<6x3x7x5xf32>) -> tensor<2x6x4x7xf32> {
  // CHECK: einsum.contract "acdf, bcef -> abde"
  %init = arith.constant dense<0.0> : tensor<2x6x4x7xf32>
  %0 = linalg.mmt4d ins(%a, %b : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%init : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
  return %0 : tensor<2x6x4x7xf32>
}

// The scores of attention: a permuted batch contraction.
// CHECK-LABEL: @contract
func.func @contract(%q: tensor<2x5x3x4xf32>, %k: tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32> {
  // CHECK: einsum.contract "acbe, adbe -> abcd"
  %init = arith.constant dense<0.0> : tensor<2x3x5x6xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(b, h, q, k, d) -> (b, q, h, d)>, affine_map<(b, h, q, k, d) -> (b, k, h, d)>, affine_map<(b, h, q, k, d) -> (b, h, q, k)>]
      ins(%q, %k : tensor<2x5x3x4xf32>, tensor<2x6x3x4xf32>) outs(%init : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  return %0 : tensor<2x3x5x6xf32>
}

// A generic whose output is permuted: its indices are in the output's order. Operands are in the order of the product.
// CHECK-LABEL: @permuted_generic
func.func @permuted_generic(%a: tensor<2x5x7xf32>, %b: tensor<7x3x2xf32>) -> tensor<3x2x5xf32> {
  // CHECK: einsum.contract "dca, abd -> cab"
  %init = arith.constant dense<0.0> : tensor<3x2x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n, b)>, affine_map<(b, m, n, k) -> (n, b, m)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<2x5x7xf32>, tensor<7x3x2xf32>) outs(%init : tensor<3x2x5xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %xy = arith.mulf %y, %x : f32
    %sum = arith.addf %xy, %acc : f32
    linalg.yield %sum : f32
  } -> tensor<3x2x5xf32>
  return %0 : tensor<3x2x5xf32>
}

// CHECK-LABEL: @three_factors_and_a_square
func.func @three_factors_and_a_square(%a: tensor<4x5xf32>, %b: tensor<5x5xf32>) -> tensor<4xf32> {
  // CHECK: einsum.contract "ab, bc, ac -> a"
  // CHECK: einsum.contract "ab, ab -> a"
  %init = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, i, j) -> (n, i)>, affine_map<(n, i, j) -> (i, j)>, affine_map<(n, i, j) -> (n, j)>, affine_map<(n, i, j) -> (n)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%a, %b, %a : tensor<4x5xf32>, tensor<5x5xf32>, tensor<4x5xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%x: f32, %m: f32, %y: f32, %acc: f32):
    %xm = arith.mulf %x, %m : f32
    %p = arith.mulf %xm, %y : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, i) -> (n, i)>, affine_map<(n, i) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x5xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %p = arith.mulf %x, %x : f32
    %sum = arith.addf %acc, %p : f32
    linalg.yield %sum : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @convolutions_1d_3d
func.func @convolutions_1d_3d(%x: tensor<9xf32>, %w: tensor<3xf32>, %y: tensor<1x2x9xf32>, %v: tensor<4x2x3xf32>,
                              %z: tensor<1x6x5x7x2xf32>, %u: tensor<3x2x3x2x4xf32>) -> (tensor<7xf32>, tensor<1x4x3xf32>, tensor<1x2x4x5x4xf32>) {
  %z1 = arith.constant dense<0.0> : tensor<7xf32>
  %z2 = arith.constant dense<0.0> : tensor<1x4x3xf32>
  %z3 = arith.constant dense<0.0> : tensor<1x2x4x5x4xf32>
  // CHECK: einsum.contract "(a+b), b -> a"
  // CHECK: einsum.contract "ad(3*c+e), bde -> abc"
  // CHECK: einsum.contract "a(2*b+f)(c+g)(d+h)i, fghie -> abcde"
  %0 = linalg.conv_1d ins(%x, %w : tensor<9xf32>, tensor<3xf32>) outs(%z1 : tensor<7xf32>) -> tensor<7xf32>
  %1 = linalg.conv_1d_ncw_fcw {strides = dense<3> : tensor<1xi64>}
      ins(%y, %v : tensor<1x2x9xf32>, tensor<4x2x3xf32>) outs(%z2 : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  %2 = linalg.conv_3d_ndhwc_dhwcf {strides = dense<[2, 1, 1]> : tensor<3xi64>}
      ins(%z, %u : tensor<1x6x5x7x2xf32>, tensor<3x2x3x2x4xf32>) outs(%z3 : tensor<1x2x4x5x4xf32>) -> tensor<1x2x4x5x4xf32>
  return %0, %1, %2 : tensor<7xf32>, tensor<1x4x3xf32>, tensor<1x2x4x5x4xf32>
}

// Strides and dilations are in the maps.
// CHECK-LABEL: @convolutions_2d
func.func @convolutions_2d(%x: tensor<1x3x13x14xf32>, %w: tensor<8x3x3x3xf32>, %y: tensor<1x9x9x3xf32>, %v: tensor<3x2x3x8xf32>)
    -> (tensor<1x8x6x6xf32>, tensor<1x5x7x8xf32>) {
  %z1 = arith.constant dense<0.0> : tensor<1x8x6x6xf32>
  %z2 = arith.constant dense<0.0> : tensor<1x5x7x8xf32>
  // CHECK: einsum.contract "ae(2*c+f)(2*d+g), befg -> abcd"
  // CHECK: einsum.contract "a(b+2*e)(c+2*f)g, efgd -> abcd"
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x3x13x14xf32>, tensor<8x3x3x3xf32>) outs(%z1 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>}
      ins(%y, %v : tensor<1x9x9x3xf32>, tensor<3x2x3x8xf32>) outs(%z2 : tensor<1x5x7x8xf32>) -> tensor<1x5x7x8xf32>
  return %0, %1 : tensor<1x8x6x6xf32>, tensor<1x5x7x8xf32>
}

// CHECK-LABEL: @grouped_and_depthwise
func.func @grouped_and_depthwise(%x: tensor<1x2x3x6x6xf32>, %w: tensor<2x4x3x3x3xf32>, %y: tensor<1x6x6x3xf32>, %v: tensor<3x3x3x2xf32>)
    -> (tensor<1x2x4x4x4xf32>, tensor<1x4x4x3x2xf32>) {
  %z1 = arith.constant dense<0.0> : tensor<1x2x4x4x4xf32>
  %z2 = arith.constant dense<0.0> : tensor<1x4x4x3x2xf32>
  // CHECK: einsum.contract "abf(d+g)(e+h), bcfgh -> abcde"
  // CHECK: einsum.contract "a(b+f)(c+g)d, fgde -> abcde"
  %0 = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x2x3x6x6xf32>, tensor<2x4x3x3x3xf32>) outs(%z1 : tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32>
  %1 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%y, %v : tensor<1x6x6x3xf32>, tensor<3x3x3x2xf32>) outs(%z2 : tensor<1x4x4x3x2xf32>) -> tensor<1x4x4x3x2xf32>
  return %0, %1 : tensor<1x2x4x4x4xf32>, tensor<1x4x4x3x2xf32>
}

// The window is not read. Without `sizes` it would be the largest that fits, 3 rows.
// CHECK-LABEL: @sum_pooling
// CHECK-SAME: %[[X:.*]]: tensor<1x5x6x3xf32>, %{{.*}}: tensor<2x2xf32>
func.func @sum_pooling(%x: tensor<1x5x6x3xf32>, %window: tensor<2x2xf32>) -> tensor<1x2x3x3xf32> {
  // CHECK: einsum.contract "a(2*b+e)(2*c+f)d -> abcd" (%[[X]]) {sizes = {e = 2 : i64, f = 2 : i64}} : (tensor<1x5x6x3xf32>)
  %init = arith.constant dense<0.0> : tensor<1x2x3x3xf32>
  %0 = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x5x6x3xf32>, tensor<2x2xf32>) outs(%init : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// One operand: a transposition, which reads nothing of its output, sums of rows, a slice with steps, a diagonal.
// CHECK-LABEL: @unary
func.func @unary(%x: tensor<4x5xf32>, %y: tensor<4x4xf32>) -> (tensor<5x4xf32>, tensor<4xf32>, tensor<2x5xf32>, tensor<4xf32>) {
  %e0 = tensor.empty() : tensor<5x4xf32>
  %z1 = arith.constant dense<0.0> : tensor<4xf32>
  %e2 = tensor.empty() : tensor<2x5xf32>
  // CHECK: einsum.contract "ba -> ab"
  // CHECK: einsum.contract "ab -> a"
  // CHECK: einsum.contract "(2*a+1)b -> ab"
  // CHECK: einsum.contract "aa -> a"
  %0 = linalg.transpose ins(%x : tensor<4x5xf32>) outs(%e0 : tensor<5x4xf32>) permutation = [1, 0]
  %1 = linalg.reduce { arith.addf } ins(%x : tensor<4x5xf32>) outs(%z1 : tensor<4xf32>) dimensions = [1]
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (2 * i + 1, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x5xf32>) outs(%e2 : tensor<2x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x5xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%y : tensor<4x4xf32>) outs(%z1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<5x4xf32>, tensor<4xf32>, tensor<2x5xf32>, tensor<4xf32>
}

// Sums are formed in the element type of the output, as linalg forms them: `acc` says so where it is not the default.
// CHECK-LABEL: @element_types
func.func @element_types(%h: tensor<5x7xf16>, %i: tensor<7x3xf16>, %f: tensor<7x3xf32>, %b: tensor<5x7xi8>, %c: tensor<7x3xi8>,
                         %j: tensor<5x7xbf16>, %k: tensor<7x3xbf16>)
    -> (tensor<5x3xbf16>, tensor<5x3xf16>, tensor<5x3xf32>, tensor<5x3xf64>, tensor<5x3xi32>, tensor<5x3xi8>, tensor<5x3xf32>) {
  %zk = arith.constant dense<0.0> : tensor<5x3xbf16>
  %zh = arith.constant dense<0.0> : tensor<5x3xf16>
  %zf = arith.constant dense<0.0> : tensor<5x3xf32>
  %zd = arith.constant dense<0.0> : tensor<5x3xf64>
  %zi = arith.constant dense<0> : tensor<5x3xi32>
  %zb = arith.constant dense<0> : tensor<5x3xi8>
  // CHECK: einsum.contract "ac, cb -> ab" (%{{.*}}) {acc = bf16} : (tensor<5x7xbf16>, tensor<7x3xbf16>) -> tensor<5x3xbf16>
  // CHECK: einsum.contract "ac, cb -> ab" (%{{.*}}) {acc = f16} : (tensor<5x7xf16>, tensor<7x3xf16>) -> tensor<5x3xf16>
  // CHECK: einsum.contract "ac, cb -> ab" (%{{.*}}) : (tensor<5x7xf16>, tensor<7x3xf16>) -> tensor<5x3xf32>
  // CHECK: einsum.contract "ac, cb -> ab" (%{{.*}}) {acc = f64} : (tensor<5x7xf16>, tensor<7x3xf16>) -> tensor<5x3xf64>
  // CHECK: einsum.contract "ac, cb -> ab" (%{{.*}}) : (tensor<5x7xi8>, tensor<7x3xi8>) -> tensor<5x3xi32>
  // CHECK: einsum.contract "ac, cb -> ab" (%{{.*}}) : (tensor<5x7xi8>, tensor<7x3xi8>) -> tensor<5x3xi8>
  // CHECK: einsum.contract "ac, cb -> ab" (%{{.*}}) : (tensor<5x7xf16>, tensor<7x3xf32>) -> tensor<5x3xf32>
  %6 = linalg.matmul ins(%j, %k : tensor<5x7xbf16>, tensor<7x3xbf16>) outs(%zk : tensor<5x3xbf16>) -> tensor<5x3xbf16>
  %0 = linalg.matmul ins(%h, %i : tensor<5x7xf16>, tensor<7x3xf16>) outs(%zh : tensor<5x3xf16>) -> tensor<5x3xf16>
  %1 = linalg.matmul ins(%h, %i : tensor<5x7xf16>, tensor<7x3xf16>) outs(%zf : tensor<5x3xf32>) -> tensor<5x3xf32>
  %2 = linalg.matmul ins(%h, %i : tensor<5x7xf16>, tensor<7x3xf16>) outs(%zd : tensor<5x3xf64>) -> tensor<5x3xf64>
  %3 = linalg.matmul ins(%b, %c : tensor<5x7xi8>, tensor<7x3xi8>) outs(%zi : tensor<5x3xi32>) -> tensor<5x3xi32>
  %4 = linalg.matmul ins(%b, %c : tensor<5x7xi8>, tensor<7x3xi8>) outs(%zb : tensor<5x3xi8>) -> tensor<5x3xi8>
  %5 = linalg.matmul ins(%h, %f : tensor<5x7xf16>, tensor<7x3xf32>) outs(%zf : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %6, %0, %1, %2, %3, %4, %5 : tensor<5x3xbf16>, tensor<5x3xf16>, tensor<5x3xf32>, tensor<5x3xf64>, tensor<5x3xi32>, tensor<5x3xi8>, tensor<5x3xf32>
}

// convert-linalg-to-einsum: factors that only move, repeat or extend the elements of another tensor give way to it.
//
// RUN: tile-opt --convert-linalg-to-einsum %s | FileCheck %s
// RUN: tile-run %s --backend=sim --chip=sm_80 --pipeline="einsum-to-nvvm-pipeline{chip=sm_80}" --entry=transposed --random=3 --check=interp

// What a network in f16 computes with weights of [N, K]: neither the transposed weights nor operands of f32 are made.
// CHECK-LABEL: @transposed(
// CHECK-NOT: linalg.transpose
// CHECK-NOT: arith.extf
// CHECK: %[[C:.*]] = einsum.contract "ac, bc -> ab" (%arg0, %arg1) : (tensor<4x8xf16>, tensor<6x8xf16>) -> tensor<4x6xf32>
// CHECK-NEXT: return %[[C]]
func.func @transposed(%a: tensor<4x8xf16>, %w: tensor<6x8xf16>) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<8x6xf16>
  %t = linalg.transpose ins(%w : tensor<6x8xf16>) outs(%e : tensor<8x6xf16>) permutation = [1, 0]
  %ea = tensor.empty() : tensor<4x8xf32>
  %fa = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf16>) outs(%ea : tensor<4x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %et = tensor.empty() : tensor<8x6xf32>
  %ft = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<8x6xf16>) outs(%et : tensor<8x6xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<8x6xf32>
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %c = linalg.matmul ins(%fa, %ft : tensor<4x8xf32>, tensor<8x6xf32>) outs(%zero : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %c : tensor<4x6xf32>
}

// One matrix for all of a batch; the loops of the op that repeats it come in another order.
// CHECK-LABEL: @repeated(
// CHECK-NOT: linalg.broadcast
// CHECK: einsum.contract "abd, dc -> abc" (%arg0, %arg1)
func.func @repeated(%a: tensor<3x4x8xf16>, %w: tensor<8x6xf16>) -> tensor<3x4x6xf16> {
  %e = tensor.empty() : tensor<3x8x6xf16>
  %b = linalg.generic {indexing_maps = [affine_map<(j, i, k) -> (i, j)>, affine_map<(j, i, k) -> (k, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<8x6xf16>) outs(%e : tensor<3x8x6xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<3x8x6xf16>
  %zero = arith.constant dense<0.0> : tensor<3x4x6xf16>
  %c = linalg.batch_matmul ins(%a, %b : tensor<3x4x8xf16>, tensor<3x8x6xf16>) outs(%zero : tensor<3x4x6xf16>) -> tensor<3x4x6xf16>
  return %c : tensor<3x4x6xf16>
}

// What is used as it is as well stays, and so does what computes.
// CHECK-LABEL: @kept(
// CHECK: %[[T:.*]] = einsum.contract "ba -> ab" (%arg1)
// CHECK: %[[N:.*]] = linalg.negf ins(%arg0
// CHECK: einsum.contract "ac, bc -> ab" (%[[N]], %arg1)
// CHECK: return %{{.*}}, %[[T]]
func.func @kept(%a: tensor<4x8xf16>, %w: tensor<6x8xf16>) -> (tensor<4x6xf16>, tensor<8x6xf16>) {
  %e = tensor.empty() : tensor<8x6xf16>
  %t = linalg.transpose ins(%w : tensor<6x8xf16>) outs(%e : tensor<8x6xf16>) permutation = [1, 0]
  %ea = tensor.empty() : tensor<4x8xf16>
  %n = linalg.negf ins(%a : tensor<4x8xf16>) outs(%ea : tensor<4x8xf16>) -> tensor<4x8xf16>
  %zero = arith.constant dense<0.0> : tensor<4x6xf16>
  %c = linalg.matmul ins(%n, %t : tensor<4x8xf16>, tensor<8x6xf16>) outs(%zero : tensor<4x6xf16>) -> tensor<4x6xf16>
  return %c, %t : tensor<4x6xf16>, tensor<8x6xf16>
}

// A product with what is broadcast is left to be fused with what comes before or after.
// CHECK-LABEL: @scaled(
// CHECK-NOT: einsum.contract
// CHECK: return
func.func @scaled(%a: tensor<4x8xf16>, %scale: tensor<8xf16>) -> tensor<4x8xf16> {
  %e = tensor.empty() : tensor<4x8xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %scale : tensor<4x8xf16>, tensor<8xf16>) outs(%e : tensor<4x8xf16>) {
  ^bb0(%x: f16, %s: f16, %out: f16):
    %0 = arith.mulf %x, %s : f16
    linalg.yield %0 : f16
  } -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

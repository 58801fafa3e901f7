// C15, C16: the steps of a contraction of three operands of different element types are valid: the
// accumulator is that of the whole, and the last step may round to the element type of an operand
// that an earlier step read. Both left operations that do not verify.
//
// RUN: tile-opt --einsum-contract-pairwise --split-input-file %s | FileCheck %s

// The default accumulator is f64 because of %c, which the first step does not read.
// CHECK-LABEL: @accumulator
func.func @accumulator(%a: tensor<4x4xf16>, %b: tensor<4x4xf16>, %c: tensor<4x4xf64>) -> tensor<4x4xf64> {
  // CHECK: %[[AB:.*]] = einsum.contract "ij, jk -> ik" (%arg0, %arg1) {acc = f64} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf64>
  // CHECK: einsum.contract "ik, kl -> il" (%[[AB]], %arg2)
  %0 = einsum.contract "ij, jk, kl -> il" (%a, %b, %c)
      : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}

// -----

// The result has the type of %a, which only the first step reads.
// CHECK-LABEL: @result
func.func @result(%a: tensor<4x4xf16>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf16> {
  // CHECK-COUNT-2: einsum.contract
  // CHECK: return %{{.*}} : tensor<4x4xf16>
  %0 = einsum.contract "ij, jk, kl -> il" (%a, %b, %c)
      : (tensor<4x4xf16>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}

// -----

// CHECK-LABEL: @integers
func.func @integers(%a: memref<4x4xi8>, %b: memref<4x4xi32>, %c: memref<4x4xi32>, %o: memref<4x4xi8>) {
  // CHECK-COUNT-2: einsum.contract
  einsum.contract "ij, jk, kl -> il" (%a, %b, %c) outs(%o : memref<4x4xi8>)
      : (memref<4x4xi8>, memref<4x4xi32>, memref<4x4xi32>)
  return
}

// einsum-inline-kernels: bodies take the place of kernels, also of kernels in a row.
//
// RUN: tile-opt --einsum-inline-kernels %s | FileCheck %s --implicit-check-not=einsum.kernel --implicit-check-not=einsum.yield

// The example of the documentation.
// CHECK-LABEL: @doc
// CHECK-SAME: %[[A:.*]]: tensor<64x32xf32>, %[[B:.*]]: tensor<32x48xf32>, %[[C:.*]]: tensor<64x48xf32>
func.func @doc(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
  // CHECK-NEXT: %[[PRODUCT:.*]] = einsum.contract "mk, kn -> mn" (%[[A]], %[[B]])
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[PRODUCT]], %[[C]] : tensor<64x48xf32>
  // CHECK-NEXT: return %[[SUM]]
  %y = einsum.kernel (%p = %a : tensor<64x32xf32>, %q = %b : tensor<32x48xf32>,
                      %r = %c : tensor<64x48xf32>) -> tensor<64x48xf32> {
    %product = einsum.contract "mk, kn -> mn" (%p, %q)
        : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
    %sum = arith.addf %product, %r : tensor<64x48xf32>
    einsum.yield %sum : tensor<64x48xf32>
  }
  return %y : tensor<64x48xf32>
}

// CHECK-LABEL: @row
// CHECK-SAME: %[[A:.*]]: tensor<5x5xf32>
func.func @row(%a: tensor<5x5xf32>) -> tensor<5x5xf32> {
  // CHECK-NEXT: %[[SQUARE:.*]] = einsum.contract "ij, jk -> ik" (%[[A]], %[[A]])
  // CHECK-NEXT: %[[FOURTH:.*]] = einsum.contract "ij, jk -> ik" (%[[SQUARE]], %[[SQUARE]])
  // CHECK-NEXT: return %[[FOURTH]]
  %0 = einsum.kernel (%p = %a : tensor<5x5xf32>) -> tensor<5x5xf32> {
    %c = einsum.contract "ij, jk -> ik" (%p, %p) : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    einsum.yield %c : tensor<5x5xf32>
  }
  %1 = einsum.kernel (%p = %0 : tensor<5x5xf32>) -> tensor<5x5xf32> {
    %c = einsum.contract "ij, jk -> ik" (%p, %p) : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
    einsum.yield %c : tensor<5x5xf32>
  }
  return %1 : tensor<5x5xf32>
}

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

// The result may be used more than once.
// CHECK-LABEL: func.func @epilogue(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4x6xf32>, %[[C:.*]]: tensor<8x6xf32>)
// CHECK-NEXT: %[[TWO:.*]] = arith.constant dense<2.000000e+00> : tensor<8x6xf32>
// CHECK-NEXT: %[[AB:.*]] = einsum.contract "mk, kn -> mn" (%[[A]], %[[B]])
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[AB]], %[[C]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[SUM]], %[[TWO]]
// CHECK-NEXT: return %[[PRODUCT]], %[[PRODUCT]]
func.func @epilogue(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %y = einsum.kernel (%p = %a : tensor<8x4xf32>, %q = %b : tensor<4x6xf32>, %r = %c : tensor<8x6xf32>) -> tensor<8x6xf32> {
    %two = arith.constant dense<2.0> : tensor<8x6xf32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %sum = arith.addf %ab, %r : tensor<8x6xf32>
    %product = arith.mulf %sum, %two : tensor<8x6xf32>
    einsum.yield %product : tensor<8x6xf32>
  }
  return %y, %y : tensor<8x6xf32>, tensor<8x6xf32>
}

// A kernel may read another, and stand in a loop.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %[[A]])
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[X]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[N]], %[[X]]
// CHECK-NEXT: scf.yield %[[SUM]]
func.func @loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<4xf32> {
    %y = einsum.kernel (%p = %x : tensor<4xf32>) -> tensor<4xf32> {
      %negative = arith.negf %p : tensor<4xf32>
      einsum.yield %negative : tensor<4xf32>
    }
    %z = einsum.kernel (%p = %y : tensor<4xf32>, %q = %x : tensor<4xf32>) -> tensor<4xf32> {
      %sum = arith.addf %p, %q : tensor<4xf32>
      einsum.yield %sum : tensor<4xf32>
    }
    scf.yield %z : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Regions of structured ops, and uses in them, are moved with them.
// CHECK-LABEL: func.func @structured(
// CHECK-SAME: %[[A:.*]]: tensor<4x6xf32>, %[[B:.*]]: tensor<6xf32>
// CHECK-NEXT: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty()
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[EMPTY]]
// CHECK: arith.mulf %{{.*}}, %[[HALF]]
// CHECK: einsum.contract "ij -> i"
// CHECK-NEXT: return
func.func @structured(%a: tensor<4x6xf32>, %b: tensor<6xf32>) -> tensor<4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4x6xf32>, %q = %b : tensor<6xf32>) -> tensor<4x6xf32> {
    %half = arith.constant 5.000000e-01 : f32
    %empty = tensor.empty() : tensor<4x6xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%p, %q : tensor<4x6xf32>, tensor<6xf32>) outs(%empty : tensor<4x6xf32>) {
    ^bb0(%u: f32, %v: f32, %out: f32):
      %sum = arith.addf %u, %v : f32
      %scaled = arith.mulf %sum, %half : f32
      linalg.yield %scaled : f32
    } -> tensor<4x6xf32>
    einsum.yield %s : tensor<4x6xf32>
  }
  %z = einsum.contract "ij -> i" (%y) : (tensor<4x6xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

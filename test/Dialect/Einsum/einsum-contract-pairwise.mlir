// einsum-contract-pairwise: which pairs are contracted in which order, what the intermediate results
// are, and the options. See einsum-contract-pairwise-remark.mlir for what it reports.
//
// RUN: tile-opt --einsum-contract-pairwise %s | FileCheck %s
// RUN: tile-opt --einsum-contract-pairwise="max-exhaustive=2" %s | FileCheck %s --check-prefix=GREEDY
// RUN: tile-opt --einsum-contract-pairwise="unknown-size=4" %s | FileCheck %s --check-prefix=SMALL

// The example of the documentation: 30 + 1000 multiplications, where the other order needs 1500 + 600.
// CHECK-LABEL: @doc
func.func @doc(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>, %c: tensor<5x100xf32>) -> tensor<2x100xf32> {
  // CHECK-NEXT: %[[AB:.*]] = einsum.contract "ij, jk -> ik" (%arg0, %arg1) : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  // CHECK-NEXT: %[[R:.*]] = einsum.contract "ik, kl -> il" (%[[AB]], %arg2) : (tensor<2x5xf32>, tensor<5x100xf32>) -> tensor<2x100xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = einsum.contract "ij, jk, kl -> il" (%a, %b, %c)
      : (tensor<2x3xf32>, tensor<3x5xf32>, tensor<5x100xf32>) -> tensor<2x100xf32>
  return %0 : tensor<2x100xf32>
}

// The same specification with other sizes: from the right.
// CHECK-LABEL: @from_the_right
func.func @from_the_right(%a: tensor<100x5xf32>, %b: tensor<5x3xf32>, %c: tensor<3x2xf32>) -> tensor<100x2xf32> {
  // CHECK-NEXT: %[[BC:.*]] = einsum.contract "jk, kl -> lj" (%arg1, %arg2) {{.*}} -> tensor<2x5xf32>
  // CHECK-NEXT: einsum.contract "ij, lj -> il" (%arg0, %[[BC]]) {{.*}} -> tensor<100x2xf32>
  %0 = einsum.contract "ij, jk, kl -> il" (%a, %b, %c)
      : (tensor<100x5xf32>, tensor<5x3xf32>, tensor<3x2xf32>) -> tensor<100x2xf32>
  return %0 : tensor<100x2xf32>
}

// Of equal orders the first, from left to right.
// CHECK-LABEL: @equal
func.func @equal(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NEXT: %[[X:.*]] = einsum.contract "ij, jk -> ik"
  // CHECK-NEXT: %[[Y:.*]] = einsum.contract "ik, kl -> il" (%[[X]], %arg0)
  // CHECK-NEXT: einsum.contract "il, lm -> im" (%[[Y]], %arg0)
  %0 = einsum.contract "ij, jk, kl, lm -> im" (%a, %a, %a, %a)
      : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// Neither half of the best order is left-deep: (ab)(cd).
// CHECK-LABEL: @tree
func.func @tree(%a: tensor<2x9xf32>, %b: tensor<9x2xf32>, %c: tensor<2x9xf32>, %d: tensor<9x2xf32>) -> tensor<2x2xf32> {
  // CHECK-NEXT: %[[AB:.*]] = einsum.contract "ij, jk -> ik" (%arg0, %arg1)
  // CHECK-NEXT: %[[CD:.*]] = einsum.contract "kl, lm -> mk" (%arg2, %arg3)
  // CHECK-NEXT: einsum.contract "ik, mk -> im" (%[[AB]], %[[CD]])
  %0 = einsum.contract "ij, jk, kl, lm -> im" (%a, %b, %c, %d)
      : (tensor<2x9xf32>, tensor<9x2xf32>, tensor<2x9xf32>, tensor<9x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// All orders: 110 + 110. The cheapest pair first: 100 + 1100.
// CHECK-LABEL: @greed
// GREEDY-LABEL: @greed
func.func @greed(%a: tensor<10x1xf32>, %b: tensor<1x10xf32>, %c: tensor<10x11xf32>) -> tensor<10x11xf32> {
  // CHECK-NEXT: einsum.contract "jk, kl -> lj"
  // CHECK-NEXT: einsum.contract "ij, lj -> il"
  // GREEDY-NEXT: %[[AB:.*]] = einsum.contract "ij, jk -> ik" (%arg0, %arg1)
  // GREEDY-NEXT: einsum.contract "ik, kl -> il" (%[[AB]], %arg2)
  %0 = einsum.contract "ij, jk, kl -> il" (%a, %b, %c)
      : (tensor<10x1xf32>, tensor<1x10xf32>, tensor<10x11xf32>) -> tensor<10x11xf32>
  return %0 : tensor<10x11xf32>
}

// 160*i multiplications from the left, 512 + 64*i from the right: what i counts as decides. The
// intermediate result that has axis i gets its size from %a.
// CHECK-LABEL: @unknown_size
// SMALL-LABEL: @unknown_size
func.func @unknown_size(%a: tensor<?x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x16xf32>) -> tensor<?x16xf32> {
  // CHECK: %[[BC:.*]] = einsum.contract "jk, kl -> lj" (%arg1, %arg2) : {{.*}} -> tensor<16x4xf32>
  // CHECK: einsum.contract "ij, lj -> il" (%arg0, %[[BC]]) : {{.*}} -> tensor<?x16xf32>
  // SMALL: %[[I:.*]] = tensor.dim %arg0, %c0
  // SMALL: %[[E:.*]] = tensor.empty(%[[I]]) : tensor<?x8xf32>
  // SMALL-NEXT: %[[AB:.*]] = einsum.contract "ij, jk -> ik" (%arg0, %arg1) outs(%[[E]] : tensor<?x8xf32>) : {{.*}} -> tensor<?x8xf32>
  // SMALL-NEXT: einsum.contract "ik, kl -> il" (%[[AB]], %arg2) : {{.*}} -> tensor<?x16xf32>
  %0 = einsum.contract "ij, jk, kl -> il" (%a, %b, %c)
      : (tensor<?x4xf32>, tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// The step that reads the original operand has its affine axes, tables and padding; sizes go where
// their indices are; the intermediate result has the accumulator's type, and outs are for the last.
// CHECK-LABEL: @features
// CHECK-SAME: %[[X:.*]]: tensor<2x4x8xf16>, %[[W:.*]]: tensor<4x5xf16>, %[[T:.*]]: tensor<4xi32>, %[[B:.*]]: tensor<3x6xf16>, %[[O:.*]]: tensor<2x5x6xf16>
func.func @features(%x: tensor<2x4x8xf16>, %w: tensor<4x5xf16>, %t: tensor<4xi32>, %b: tensor<3x6xf16>,
                    %o: tensor<2x5x6xf16>) -> tensor<2x5x6xf16> {
  // CHECK-NEXT: %[[XB:.*]] = einsum.contract "nc(h+r+t[c]), rh -> nhc" (%[[X]], %[[B]]) tables(t = %[[T]] : tensor<4xi32>) {acc = f64, pad = "zero", sizes = {n = 2 : i64, r = 3 : i64}} : (tensor<2x4x8xf16>, tensor<3x6xf16>) -> tensor<2x6x4xf64>
  // CHECK-NEXT: %[[R:.*]] = einsum.contract "nhc, ck -> nkh" (%[[XB]], %[[W]]) outs(%[[O]] : tensor<2x5x6xf16>) {acc = f64, pad = "zero", sizes = {n = 2 : i64}} : (tensor<2x6x4xf64>, tensor<4x5xf16>) -> tensor<2x5x6xf16>
  // CHECK-NEXT: return %[[R]]
  %0 = einsum.contract "nc(h+r+t[c]), ck, rh -> nkh" (%x, %w, %b) tables(t = %t : tensor<4xi32>)
      outs(%o : tensor<2x5x6xf16>) {pad = "zero", acc = f64, sizes = {r = 3, n = 2}}
      : (tensor<2x4x8xf16>, tensor<4x5xf16>, tensor<3x6xf16>) -> tensor<2x5x6xf16>
  return %0 : tensor<2x5x6xf16>
}

// Scalars and indices that only one operand has.
// CHECK-LABEL: @scalars
func.func @scalars(%s: tensor<f32>, %a: tensor<4x9xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[X:.*]] = einsum.contract {{.*}}
  // CHECK-NEXT: %[[Y:.*]] = einsum.contract {{.*}} -> tensor<4xf32>
  // CHECK-NEXT: return %[[Y]]
  %0 = einsum.contract ", mk, -> m" (%s, %a, %s) : (tensor<f32>, tensor<4x9xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// On memrefs the intermediate result is allocated before and freed after.
// CHECK-LABEL: @memrefs
// CHECK-SAME: %[[A:.*]]: memref<?x3xi8>, %[[B:.*]]: memref<3x5xi8>, %[[C:.*]]: memref<5x?xi8>, %[[O:.*]]: memref<?x?xi8>
func.func @memrefs(%a: memref<?x3xi8>, %b: memref<3x5xi8>, %c: memref<5x?xi8>, %o: memref<?x?xi8>) {
  // CHECK-DAG: %[[L:.*]] = memref.dim %[[C]], %{{.*}}
  // CHECK: %[[BC:.*]] = memref.alloc(%[[L]]) : memref<?x3xi32>
  // CHECK-NEXT: einsum.contract "jk, kl -> lj" (%[[B]], %[[C]]) outs(%[[BC]] : memref<?x3xi32>) : (memref<3x5xi8>, memref<5x?xi8>){{$}}
  // CHECK-NEXT: einsum.contract "ij, lj -> il" (%[[A]], %[[BC]]) outs(%[[O]] : memref<?x?xi8>) : (memref<?x3xi8>, memref<?x3xi32>){{$}}
  // CHECK-NEXT: memref.dealloc %[[BC]]
  // CHECK-NEXT: return
  einsum.contract "ij, jk, kl -> il" (%a, %b, %c) outs(%o : memref<?x?xi8>)
      : (memref<?x3xi8>, memref<3x5xi8>, memref<5x?xi8>)
  return
}

// Two operands and one are left alone.
// CHECK-LABEL: @pairs
func.func @pairs(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NEXT: einsum.contract "ij, jk -> ik"
  // CHECK-NEXT: einsum.contract "ij -> ji"
  // CHECK-NEXT: return
  %0 = einsum.contract "ij, jk -> ik" (%a, %a) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = einsum.contract "ij -> ji" (%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

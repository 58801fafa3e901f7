// einsum-fuse{recompute=false}: an operand is computed by a kernel if each of its elements is read once.
//
// RUN: tile-opt --einsum-fuse=recompute=false --split-input-file %s | FileCheck %s
// RUN: tile-opt --einsum-fuse=recompute=false --split-input-file %s -o /dev/null --remark-format=emitRemark --remark-policy=all --remarks-filter=einsum --mlir-print-op-on-diagnostic=false 2>&1 | FileCheck %s --check-prefix=REMARK

!a = tensor<8x8xf32>
// CHECK-LABEL: @product
// CHECK: %[[E:.*]] = math.exp %arg0
// CHECK-NEXT: einsum.contract "mk, kn -> mn" (%[[E]], %arg1)
// REMARK: Reason="its elements would be computed several times"
func.func @product(%a: !a, %b: !a) -> !a {
  %e = math.exp %a : !a
  %c = einsum.contract "mk, kn -> mn" (%e, %b) : (!a, !a) -> !a
  return %c : !a
}

// -----

!a = tensor<8x8xf32>
// CHECK-LABEL: @permute
// CHECK-NEXT: einsum.kernel
// CHECK: math.exp
// CHECK: einsum.contract "ij -> ji"
func.func @permute(%a: !a) -> !a {
  %e = math.exp %a : !a
  %c = einsum.contract "ij -> ji" (%e) : (!a) -> !a
  return %c : !a
}

// -----

// A window reads elements again, and so does an op before one that does; an epilogue is still fused.
// CHECK-LABEL: @window
// CHECK: math.exp
// CHECK: arith.negf
// CHECK: einsum.kernel
// CHECK: einsum.contract "(i+r), r -> i"
// CHECK: math.tanh
func.func @window(%a: tensor<10xf32>, %b: tensor<3xf32>) -> tensor<8xf32> {
  %e = math.exp %a : tensor<10xf32>
  %n = arith.negf %e : tensor<10xf32>
  %c = einsum.contract "(i+r), r -> i" (%n, %b) : (tensor<10xf32>, tensor<3xf32>) -> tensor<8xf32>
  %t = math.tanh %c : tensor<8xf32>
  return %t : tensor<8xf32>
}

// einsum-fuse tells which kernels it made, and of contractions that did not join the op that uses them the reason.
//
// RUN: tile-opt --einsum-fuse=max-contractions=2 %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s
// RUN: tile-opt --einsum-fuse=prologues=false %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s --check-prefix=NOPROLOGUE
// RUN: tile-opt --einsum-fuse %s 2>&1 >/dev/null | count 0
// RUN: tile-opt --einsum-fuse %s --remark-policy=all --remarks-filter=other 2>&1 >/dev/null | count 0

!a = tensor<8x8xf32>

func.func @passed(%a: !a, %b: !a) -> !a {
  %zero = arith.constant dense<0.0> : !a
  %e = math.exp %a : !a
  %0 = einsum.contract "mk, kn -> mn" (%e, %b) : (!a, !a) -> !a
  %1 = arith.addf %0, %b : !a
  // Constants do not count. With prologues=false the exponential is none of the kernel's.
  // CHECK-NOT: remark:
  // CHECK: {{:}}[[@LINE+2]]:8: remark: [Passed] einsum-fuse | Category:einsum | contractions=1, pointwise-ops=3
  // NOPROLOGUE: {{:}}[[@LINE+1]]:8: remark: [Passed] einsum-fuse | Category:einsum | contractions=1, pointwise-ops=2
  %2 = arith.maximumf %1, %zero : !a
  return %2 : !a
}
func.func @used_outside(%a: !a, %b: !a) -> (!a, !a) {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="its result is used outside of the kernel as well"
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  %1 = arith.addf %0, %b : !a
  return %0, %1 : !a, !a
}
func.func @used_after_more(%a: !a, %b: !a) -> (!a, !a) {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  // CHECK: {{:}}[[@LINE+2]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="its result is used outside of the kernel as well"
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Passed] einsum-fuse | Category:einsum | contractions=1, pointwise-ops=1
  %1 = math.exp %0 : !a
  %2 = arith.addf %1, %b : !a
  return %1, %2 : !a, !a
}
func.func @makes_operand(%a: !a, %b: !a) -> !a {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="its result is needed to make an operand of another contraction"
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  %1 = math.exp %0 : !a
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Passed] einsum-fuse | Category:einsum | contractions=1, pointwise-ops=1
  %2 = einsum.contract "mk, kn -> mn" (%1, %b) : (!a, !a) -> !a
  return %2 : !a
}
func.func @is_operand(%a: !a, %b: !a) -> !a {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="its result is needed to make an operand of another contraction"
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  %1 = einsum.contract "mk, kn -> mn" (%0, %b) : (!a, !a) -> !a
  return %1 : !a
}
func.func @transposed(%a: !a, %b: !a) -> !a {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="its result is transposed or broadcast"
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  %empty = tensor.empty() : !a
  %1 = linalg.transpose ins(%0 : !a) outs(%empty : !a) permutation = [1, 0]
  return %1 : !a
}
func.func @other_shape(%a: !a, %b: !a) -> !a {
  // CHECK: {{:}}[[@LINE+1]]:11: remark: [Missed] einsum-fuse | Category:einsum | Reason="its result is transposed or broadcast"
  %rows = einsum.contract "ij -> i" (%a) : (!a) -> tensor<8xf32>
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  %empty = tensor.empty() : !a
  %1 = linalg.broadcast ins(%rows : tensor<8xf32>) outs(%empty : !a) dimensions = [1]
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Passed] einsum-fuse | Category:einsum | contractions=1, pointwise-ops=2
  %2 = arith.divf %0, %1 : !a
  return %2 : !a
}
func.func @three_operands(%a: !a, %b: !a) -> !a {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="it has more than two operands: run einsum-contract-pairwise first"
  %0 = einsum.contract "mk, kl, ln -> mn" (%a, %b, %b) : (!a, !a, !a) -> !a
  %1 = math.exp %0 : !a
  return %1 : !a
}
func.func @three_contractions(%a: !a, %b: !a) -> !a {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="the kernel has 2 contractions already, as many as max-contractions allows"
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  %1 = einsum.contract "mk, kn -> mn" (%a, %a) : (!a, !a) -> !a
  %2 = einsum.contract "mk, kn -> mn" (%b, %b) : (!a, !a) -> !a
  %3 = arith.addf %0, %1 : !a
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Passed] einsum-fuse | Category:einsum | contractions=2, pointwise-ops=2
  %4 = arith.addf %2, %3 : !a
  return %4 : !a
}
func.func @other_division(%a: !a, %b: !a) -> !a {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="its result is divided into rows and columns in another way than that of the kernel's other contractions"
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  %1 = einsum.contract "mn, mn -> mn" (%a, %b) : (!a, !a) -> !a
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Passed] einsum-fuse | Category:einsum | contractions=1, pointwise-ops=1
  %2 = arith.addf %0, %1 : !a
  return %2 : !a
}
func.func @nothing_to_compute(%a: tensor<0x8xf32>, %b: !a) -> tensor<0x8xf32> {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="kernels of several ops need shapes without sizes of 0, and its result is a tensor<0x8xf32>"
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<0x8xf32>, !a) -> tensor<0x8xf32>
  %1 = math.exp %0 : tensor<0x8xf32>
  return %1 : tensor<0x8xf32>
}
func.func @bits(%a: !a, %b: !a, %m: tensor<8x8xi1>) -> !a {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  %1 = math.exp %0 : !a
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] einsum-fuse | Category:einsum | Reason="it reads elements of i1 from outside of the kernel, which memory does not address"
  %2 = arith.select %m, %1, %b : tensor<8x8xi1>, !a
  return %2 : !a
}
// What it does not read i1 for is a kernel.
// CHECK: {{:}}[[@LINE-6]]:8: remark: [Passed] einsum-fuse | Category:einsum | contractions=1, pointwise-ops=1
// CHECK-NOT: remark:
func.func @nothing(%a: !a, %b: !a) -> (!a, !a) {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  %1 = math.exp %a : !a
  %2 = math.exp %1 : !a
  return %0, %2 : !a, !a
}

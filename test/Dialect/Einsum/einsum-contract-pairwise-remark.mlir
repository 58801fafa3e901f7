// einsum-contract-pairwise tells the order that it chose and its cost as a remark of MLIR.
// (Statistics count too, but LLVM as Debian builds it does not print any.)
//
// RUN: tile-opt --einsum-contract-pairwise %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s
// RUN: tile-opt --einsum-contract-pairwise %s 2>&1 >/dev/null | count 0
// RUN: tile-opt --einsum-contract-pairwise %s --remark-policy=all --remarks-filter=other 2>&1 >/dev/null | count 0

func.func @f(%a: tensor<100x5xf32>, %b: tensor<5x3xf32>, %c: tensor<3x2xf32>, %d: tensor<?xf32>) {
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Passed] contract-pairwise | Category:einsum | multiplications=1.030000e+03, order="(1 2), (0 3)"
  %0 = einsum.contract "ij, jk, kl -> il" (%a, %b, %c)
      : (tensor<100x5xf32>, tensor<5x3xf32>, tensor<3x2xf32>) -> tensor<100x2xf32>
  // Four operands; m counts as 64.
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Passed] contract-pairwise | Category:einsum | multiplications=1.383000e+04, order="(1 2), (0 4), (5 3)"
  %1 = einsum.contract "ij, jk, kl, m -> ilm" (%a, %b, %c, %d)
      : (tensor<100x5xf32>, tensor<5x3xf32>, tensor<3x2xf32>, tensor<?xf32>) -> tensor<100x2x?xf32>
  // CHECK-NOT: remark
  %2 = einsum.contract "ij, jk -> ik" (%a, %b) : (tensor<100x5xf32>, tensor<5x3xf32>) -> tensor<100x3xf32>
  return
}

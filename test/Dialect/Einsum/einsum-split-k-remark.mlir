// einsum-split-k tells how it split a contraction, and why it left one alone.
//
// RUN: tile-opt --einsum-split-k=factor=4 %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s
// RUN: tile-opt --einsum-split-k=factor=4 %s 2>/dev/null | FileCheck %s --check-prefix=SAME
// RUN: tile-opt --einsum-split-k="programs=2" %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=CHOOSE

func.func @split(%a: tensor<64x1000xf16>, %b: tensor<1000x64xf16>) -> tensor<64x64xf16> {
  // CHECK: [[@LINE+2]]:8: remark: [Passed] einsum-split-k | Category:einsum | index=k, padded=1, parts=4, size=256
  // CHOOSE: [[@LINE+1]]:8: remark: [Passed] einsum-split-k | Category:einsum | index=k, padded=1, parts=2, size=512
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x1000xf16>, tensor<1000x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// SAME-LABEL: @dynamic
func.func @dynamic(%a: tensor<?x1024xf16>, %b: tensor<1024x64xf16>) -> tensor<?x64xf16> {
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="the size of index 'm' is not static: tile-split-k-blocks takes it"
  // SAME: "mk, kn -> mn"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<?x1024xf16>, tensor<1024x64xf16>) -> tensor<?x64xf16>
  return %c : tensor<?x64xf16>
}

// SAME-LABEL: @short
func.func @short(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>) -> tensor<64x64xf16> {
  // CHECK: [[@LINE+3]]:8: remark: [Missed] {{.*}} Reason="the 32 positions of index 'k' are one part of 32"
  // CHOOSE: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="the programs of its result suffice, or its sum is too short"
  // SAME: "mk, kn -> mn"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// SAME-LABEL: @no_sum
func.func @no_sum(%a: tensor<64x32xf16>) -> tensor<32x64xf16> {
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="it sums nothing"
  // SAME: "mn -> nm"
  %c = einsum.contract "mn -> nm" (%a) : (tensor<64x32xf16>) -> tensor<32x64xf16>
  return %c : tensor<32x64xf16>
}

// SAME-LABEL: @does_not_divide
func.func @does_not_divide(%x: tensor<400xf32>, %w: tensor<101xf32>) -> tensor<300xf32> {
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="4 parts of 26 do not divide index 'r', of size 101, and not every operand would read 0 beyond its end"
  // SAME: "(t+r), r -> t"
  %y = einsum.contract "(t+r), r -> t" (%x, %w) : (tensor<400xf32>, tensor<101xf32>) -> tensor<300xf32>
  return %y : tensor<300xf32>
}

// SAME-LABEL: @indexes_table
func.func @indexes_table(%x: tensor<101x64xf32>, %t: tensor<101xi32>) -> tensor<8xf32> {
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="index 'c' indexes table 't'"
  // SAME: "c(h+t[c]) -> h"
  %y = einsum.contract "c(h+t[c]) -> h" (%x) tables(t = %t : tensor<101xi32>) : (tensor<101x64xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// Padding would make 0 of what leaves the operand by the table, which is to be found.
// SAME-LABEL: @other_table
func.func @other_table(%x: tensor<101x64xf32>, %t: tensor<8xi32>) -> tensor<8xf32> {
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="4 parts of 26 do not divide index 'c', of size 101, and
  // SAME: "c(t[h]) -> h"
  %y = einsum.contract "c(t[h]) -> h" (%x) tables(t = %t : tensor<8xi32>) : (tensor<101x64xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// SAME-LABEL: @divided
func.func @divided(%x: tensor<64xf32>, %w: tensor<128xf32>) -> tensor<f32> {
  // CHECK: [[@LINE+2]]:8: remark: [Missed] {{.*}} Reason="index 'r' is multiplied or divided by more than a constant in '(r/2)'"
  // SAME: "(r/2), r ->
  %y = einsum.contract "(r/2), r ->" (%x, %w) : (tensor<64xf32>, tensor<128xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// SAME-LABEL: @in_kernel
func.func @in_kernel(%a: tensor<64x1024xf16>, %b: tensor<1024x64xf16>) -> tensor<64x64xf16> {
  %y = einsum.kernel (%p = %a : tensor<64x1024xf16>, %q = %b : tensor<1024x64xf16>) -> tensor<64x64xf16> {
    // CHECK: [[@LINE+2]]:10: remark: [Missed] {{.*}} Reason="it is part of an einsum.kernel already: einsum-split-k comes before einsum-fuse"
    // SAME: "mk, kn -> mn"
    %c = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<64x1024xf16>, tensor<1024x64xf16>) -> tensor<64x64xf16>
    einsum.yield %c : tensor<64x64xf16>
  }
  return %y : tensor<64x64xf16>
}

// SAME-LABEL: @all_letters
func.func @all_letters(
    %x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x64xf32>)
    -> tensor<f32> {
  // CHECK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="its specification uses all 52 indices, and none is left for the part"
  %y = einsum.contract "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ->" (%x)
      : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x64xf32>)
      -> tensor<f32>
  return %y : tensor<f32>
}

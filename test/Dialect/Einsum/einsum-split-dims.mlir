// einsum-split-dims: the sizes of the parts.
//
// RUN: tile-opt --einsum-split-dims=min-kernel-size=1 %s | FileCheck %s
// RUN: tile-opt --einsum-split-dims %s | FileCheck %s --check-prefix=DEFAULT
// RUN: tile-opt --einsum-split-dims=min-kernel-size=32 %s | FileCheck %s --check-prefix=LARGER
// RUN: tile-opt --einsum-split-dims="min-kernel-size=4 max-kernel-size=64" %s | FileCheck %s --check-prefix=SMALL
// RUN: tile-opt --einsum-split-dims %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not tile-opt --einsum-split-dims=min-kernel-size=0 %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tile-opt --einsum-split-dims=max-kernel-size=8 %s 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: einsum-split-dims expects min-kernel-size to be positive and max-kernel-size to be no less, found {{0 and 1024|16 and 8}}

module attributes {einsum.machine = #einsum.machine<cpu = "znver4", vector_bits = 512, registers = 32, fma = 1,
    latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {

// The example of the seed, whose 50 * 32 its rule gives for a least size of 32. The part of a dimension along vectors is
// a multiple of their 16 lanes, and the largest one that leaves both parts the least size: 1600 = 2 * 800 = 20 * 80.
// CHECK-LABEL: @lanes
// CHECK: <"n" seq 2 step 800>, <"n" seq 800>
// DEFAULT-LABEL: @lanes
// DEFAULT: <"n" seq 20 step 80>, <"n" seq 80>
// LARGER-LABEL: @lanes
// LARGER: <"n" seq 50 step 32>, <"n" seq 32>
// SMALL-LABEL: @lanes
// SMALL: <"n" seq 25 step 64>, <"n" seq 64>
func.func @lanes(%a: tensor<8x64xf32>, %b: tensor<64x1600xf32>) -> tensor<8x1600xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Passed] einsum-split-dims | Category:einsum | dims="m m seq 8, n n seq 20, n n seq 80, k k seq 64"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x64xf32>, tensor<64x1600xf32>) -> tensor<8x1600xf32>
  return %c : tensor<8x1600xf32>
}

// Other dimensions are multiples of 4: 1600 = 16 * 100.
// CHECK-LABEL: @rows
// CHECK: <"m" seq 2 step 800
// DEFAULT-LABEL: @rows
// DEFAULT: <"m" seq 16 step 100>, <"m" seq 100>
// SMALL-LABEL: @rows
// SMALL: <"m" seq 25 step 64>
func.func @rows(%a: tensor<1600x64xf32>, %b: tensor<64x8xf32>) -> tensor<1600x8xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<1600x64xf32>, tensor<64x8xf32>) -> tensor<1600x8xf32>
  return %c : tensor<1600x8xf32>
}

// The outer part is split again: 16875 = 375 * 45, and 375 = 15 * 25. A sum of odd size has odd parts. Vectors of f64
// have 8 lanes, and of 72 = 3 * 24 = 9 * 8 the first has too small a part.
// SMALL-LABEL: @again
// SMALL: <"n" seq 9 step 8>, <"n" seq 8>
// SMALL-SAME: <"k" seq 15 step 1125>, <"k" seq 25 step 45>, <"k" seq 45>
func.func @again(%a: tensor<3x16875xf64>, %b: tensor<16875x72xf64>) -> tensor<3x72xf64> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<3x16875xf64>, tensor<16875x72xf64>) -> tensor<3x72xf64>
  return %c : tensor<3x72xf64>
}

// 2 * 1013, both prime: an even part comes before a large one.
// CHECK-LABEL: @prime
// CHECK: <"m" seq 1013 step 2>, <"m" seq 2>
// DEFAULT-LABEL: @prime
// DEFAULT: einsum.contract "m -> m" (%{{.*}}) :
func.func @prime(%a: tensor<2026xf32>) -> tensor<2026xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="no parts of dimension "m", of size 2026, are within the sizes of kernels"
  %y = einsum.contract "m -> m" (%a) : (tensor<2026xf32>) -> tensor<2026xf32>
  return %y : tensor<2026xf32>
}

// DEFAULT-LABEL: @fits
// DEFAULT: einsum.contract "m -> m" (%{{.*}}) :
func.func @fits(%a: tensor<1024xf32>) -> tensor<1024xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="no dimension is larger than max-kernel-size"
  %y = einsum.contract "m -> m" (%a) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %y : tensor<1024xf32>
}

// A prim dimension stays, and lanes are the dimension that they were.
// DEFAULT-LABEL: @prim
// DEFAULT: lanes = 2, dims = [<"m" seq 20 step 100>, <"m" seq 100>, <"n" prim 2048
func.func @prim(%a: tensor<2000x2048xf32>) -> tensor<2000x2048xf32> {
  %y = einsum.contract "mn -> mn" (%a) {schedule = #einsum.schedule<lanes = 1, dims = [
      <"m" seq 2000>, <"n" prim 2048>]>}
    : (tensor<2000x2048xf32>) -> tensor<2000x2048xf32>
  return %y : tensor<2000x2048xf32>
}

// DEFAULT-LABEL: @padded
// DEFAULT-NOT: schedule
// DEFAULT: return
func.func @padded(%a: tensor<2000xf32>, %b: tensor<3xf32>) -> tensor<2000xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="it is padded: einsum-pad-operands comes before"
  %y = einsum.contract "(m+r-1), r -> m" (%a, %b) {pad = "zero"} : (tensor<2000xf32>, tensor<3xf32>) -> tensor<2000xf32>
  return %y : tensor<2000xf32>
}

}

// Vectors of AVX2 have 8 lanes of f32: 1624 = 58 * 28 = 29 * 56.
// DEFAULT-LABEL: @avx2
// DEFAULT: <"m" seq 29 step 56>
module attributes {einsum.machine = #einsum.machine<cpu = "haswell", vector_bits = 256, registers = 16, fma = 2,
    latency = 5, l1 = 32768, l2 = 262144, l3 = 33554432, cores = 4, bf16 = false>} {
func.func @avx2(%a: tensor<1624xf32>) -> tensor<1624xf32> {
  %y = einsum.contract "m -> m" (%a) : (tensor<1624xf32>) -> tensor<1624xf32>
  return %y : tensor<1624xf32>
}
}

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
// CHECK: <"n" n seq 2 step 800 strides [0, 800, 800]>, <"n" n seq 800 strides [0, 1, 1]>
// DEFAULT-LABEL: @lanes
// DEFAULT: <"n" n seq 20 step 80 strides [0, 80, 80]>, <"n" n seq 80 strides [0, 1, 1]>
// LARGER-LABEL: @lanes
// LARGER: <"n" n seq 50 step 32 strides [0, 32, 32]>, <"n" n seq 32 strides [0, 1, 1]>
// SMALL-LABEL: @lanes
// SMALL: <"n" n seq 25 step 64 strides [0, 64, 64]>, <"n" n seq 64 strides [0, 1, 1]>
func.func @lanes(%a: tensor<8x64xf32>, %b: tensor<64x1600xf32>) -> tensor<8x1600xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Passed] einsum-split-dims | Category:einsum | dims="m m seq 8, n n seq 20, n n seq 80, k k seq 64"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x64xf32>, tensor<64x1600xf32>) -> tensor<8x1600xf32>
  return %c : tensor<8x1600xf32>
}

// Other dimensions are multiples of 4: 1600 = 16 * 100.
// CHECK-LABEL: @rows
// CHECK: <"m" m seq 2 step 800
// DEFAULT-LABEL: @rows
// DEFAULT: <"m" m seq 16 step 100 strides [6400, 0, 800]>, <"m" m seq 100 strides [64, 0, 8]>
// SMALL-LABEL: @rows
// SMALL: <"m" m seq 25 step 64 strides
func.func @rows(%a: tensor<1600x64xf32>, %b: tensor<64x8xf32>) -> tensor<1600x8xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<1600x64xf32>, tensor<64x8xf32>) -> tensor<1600x8xf32>
  return %c : tensor<1600x8xf32>
}

// The outer part is split again: 16875 = 375 * 45, and 375 = 15 * 25. A sum of odd size has odd parts. Vectors of f64
// have 8 lanes, and of 72 = 3 * 24 = 9 * 8 the first has too small a part.
// SMALL-LABEL: @again
// SMALL: <"n" n seq 9 step 8 strides [0, 8, 8]>, <"n" n seq 8 strides [0, 1, 1]>
// SMALL-SAME: <"k" k seq 15 step 1125 strides [1125, 81000, 0]>, <"k" k seq 25 step 45 strides [45, 3240, 0]>, <"k" k seq 45 strides [1, 72, 0]>
func.func @again(%a: tensor<3x16875xf64>, %b: tensor<16875x72xf64>) -> tensor<3x72xf64> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<3x16875xf64>, tensor<16875x72xf64>) -> tensor<3x72xf64>
  return %c : tensor<3x72xf64>
}

// 2 * 1013, both prime: an even part comes before a large one.
// CHECK-LABEL: @prime
// CHECK: <"m" c seq 1013 step 2 strides [2, 2]>, <"m" c seq 2 strides [1, 1]>
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
// DEFAULT: lanes = 2, dims = [<"m" c seq 20 step 100 {{.*}}<"m" c seq 100 {{.*}}<"n" c prim 2048
func.func @prim(%a: tensor<2000x2048xf32>) -> tensor<2000x2048xf32> {
  %y = einsum.contract "mn -> mn" (%a) {schedule = #einsum.schedule<first = none, main = copy, last = none, lanes = 1, dims = [
      <"m" c seq 2000 strides [2048, 2048]>, <"n" c prim 2048 strides [1, 1]>]>}
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
// DEFAULT: <"m" c seq 29 step 56 strides [56, 56]>
module attributes {einsum.machine = #einsum.machine<cpu = "haswell", vector_bits = 256, registers = 16, fma = 2,
    latency = 5, l1 = 32768, l2 = 262144, l3 = 33554432, cores = 4, bf16 = false>} {
func.func @avx2(%a: tensor<1624xf32>) -> tensor<1624xf32> {
  %y = einsum.contract "m -> m" (%a) : (tensor<1624xf32>) -> tensor<1624xf32>
  return %y : tensor<1624xf32>
}
}

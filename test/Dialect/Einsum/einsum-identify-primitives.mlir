// einsum-identify-primitives: lanes, rows and sums of the kernel.
//
// RUN: tile-opt --einsum-identify-primitives %s | FileCheck %s
// RUN: tile-opt --einsum-identify-primitives=max-sums=1 %s | FileCheck %s --check-prefix=ONE
// RUN: tile-opt --einsum-identify-primitives %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not tile-opt --einsum-identify-primitives=max-sums=-1 %s 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: einsum-identify-primitives expects max-sums to be 0 or more, found -1

// Lanes are the columns, whose stride in the result is 1.
// CHECK-LABEL: @gemm
// CHECK: lanes = 1, dims = [<"m" prim 33>, <"n" prim 17>, <"k" prim 65>]
func.func @gemm(%a: tensor<33x65xf64>, %b: tensor<65x17xf64>) -> tensor<33x17xf64> {
  // REMARK: [[@LINE+1]]:8: remark: [Passed] einsum-identify-primitives | Category:einsum | dims="m m prim 33, n n prim 17, k k prim 65"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<33x65xf64>, tensor<65x17xf64>) -> tensor<33x17xf64>
  return %c : tensor<33x17xf64>
}

// Stored by columns, it is the rows.
// CHECK-LABEL: @by_columns
// CHECK: lanes = 1, dims = [<"n" prim 48>, <"m" prim 64>, <"k" prim 32>]
func.func @by_columns(%a: tensor<32x64xf32>, %b: tensor<48x32xf32>) -> tensor<48x64xf32> {
  %c = einsum.contract "km, nk -> nm" (%a, %b) : (tensor<32x64xf32>, tensor<48x32xf32>) -> tensor<48x64xf32>
  return %c : tensor<48x64xf32>
}

// The contraction of the seed: two summed dimensions are a batch-reduce GEMM, of which with one, c, a loop remains.
// CHECK-LABEL: @brgemm
// CHECK: lanes = 3, dims = [<"a" seq 32>, <"b" seq 32>,
// CHECK-SAME: <"n" prim 32>, <"m" prim 32>, <"c" prim 8>, <"k" prim 32>]
// ONE-LABEL: @brgemm
// ONE: lanes = 4, dims = [<"a" seq 32>, <"b" seq 32>, <"c" seq 8>,
// ONE-SAME: <"n" prim 32>, <"m" prim 32>, <"k" prim 32>]
func.func @brgemm(%a: tensor<32x8x32x32xf32>, %b: tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32> {
  %c = einsum.contract "ackm, bcnk -> abnm" (%a, %b) : (tensor<32x8x32x32xf32>, tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32>
  return %c : tensor<32x32x32x32xf32>
}

// Sums of f16 are formed in f32, and are kept in a buffer between kernels.
// CHECK-LABEL: @half
// CHECK: <"c" prim 8>, <"k" prim 32>]
// ONE-LABEL: @half
// ONE: <"c" seq 8>, <"m" prim 32>, <"n" prim 32>, <"k" prim 32>]
func.func @half(%a: tensor<8x32x32xf16>, %b: tensor<8x32x32xf16>) -> tensor<32x32xf16> {
  %c = einsum.contract "cmk, ckn -> mn" (%a, %b) : (tensor<8x32x32xf16>, tensor<8x32x32xf16>) -> tensor<32x32xf16>
  return %c : tensor<32x32xf16>
}

// A convolution of images stored by channels last: lanes are channels, rows columns of the image, and the innermost sum
// is over channels; by columns last, lanes are columns and rows channels, and it is over columns of the filter.
// CHECK-LABEL: @convolution
// CHECK: lanes = 3, dims = [<"n" seq 4>, <"h" seq 56>, <"w" prim 56>, <"k" prim 32>,
// CHECK-SAME: <"r" prim 3>, <"s" prim 3>, <"c" prim 64>]
func.func @convolution(%x: tensor<4x58x58x64xf32>, %w: tensor<3x3x64x32xf32>) -> tensor<4x56x56x32xf32> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) : (tensor<4x58x58x64xf32>, tensor<3x3x64x32xf32>) -> tensor<4x56x56x32xf32>
  return %y : tensor<4x56x56x32xf32>
}
// CHECK-LABEL: @channels_first
// CHECK: lanes = 3, dims = [<"n" seq 4>, <"h" seq 56>, <"k" prim 32>, <"w" prim 56>,
// CHECK-SAME: <"c" prim 64>, <"r" prim 3>, <"s" prim 3>]
func.func @channels_first(%x: tensor<4x64x58x58xf32>, %w: tensor<64x32x3x3xf32>) -> tensor<4x32x56x56xf32> {
  %y = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%x, %w) : (tensor<4x64x58x58xf32>, tensor<64x32x3x3xf32>) -> tensor<4x32x56x56xf32>
  return %y : tensor<4x32x56x56xf32>
}
// No dimension moves the filter alone: rows are those of the image.
// CHECK-LABEL: @depthwise
// CHECK: lanes = 3, dims = [<"n" seq 4>, <"c" seq 64>, <"h" prim 56>, <"w" prim 56>,
func.func @depthwise(%x: tensor<4x64x58x58xf32>, %w: tensor<64x3x3xf32>) -> tensor<4x64x56x56xf32> {
  %y = einsum.contract "nc(h+r)(w+s), crs -> nchw" (%x, %w) : (tensor<4x64x58x58xf32>, tensor<64x3x3xf32>) -> tensor<4x64x56x56xf32>
  return %y : tensor<4x64x56x56xf32>
}

// The permutation of the seed: s has stride 1 in both; of the others r has the smallest one in the result.
// CHECK-LABEL: @permutation
// CHECK: lanes = 3, dims = [<"t" seq 8>, <"u" seq 32>, <"r" prim 16>, <"s" prim 64>]
func.func @permutation(%a: tensor<8x16x32x64xf32>) -> tensor<8x32x16x64xf32> {
  %y = einsum.contract "trus -> turs" (%a) : (tensor<8x16x32x64xf32>) -> tensor<8x32x16x64xf32>
  return %y : tensor<8x32x16x64xf32>
}
// A transposition: rows have stride 1 in the operand.
// CHECK-LABEL: @transposition
// CHECK: lanes = 2, dims = [<"b" seq 8>, <"n" prim 33>, <"m" prim 17>]
func.func @transposition(%a: tensor<17x8x33xf32>) -> tensor<8x33x17xf32> {
  %y = einsum.contract "mbn -> bnm" (%a) : (tensor<17x8x33xf32>) -> tensor<8x33x17xf32>
  return %y : tensor<8x33x17xf32>
}
// A product without a sum, and a sum of one operand.
// CHECK-LABEL: @product
// CHECK: lanes = 1, dims = [<"m" prim 64>, <"n" prim 96>]
func.func @product(%a: tensor<64x96xf32>, %b: tensor<64xf32>) -> tensor<64x96xf32> {
  %y = einsum.contract "mn, m -> mn" (%a, %b) : (tensor<64x96xf32>, tensor<64xf32>) -> tensor<64x96xf32>
  return %y : tensor<64x96xf32>
}
// CHECK-LABEL: @sum
// CHECK: lanes = 2, dims = [<"j" seq 5>, <"m" prim 64>, <"n" prim 96>, <"k" prim 7>]
func.func @sum(%a: tensor<5x64x7x96xf32>) -> tensor<64x96xf32> {
  %y = einsum.contract "jmkn -> mn" (%a) : (tensor<5x64x7x96xf32>) -> tensor<64x96xf32>
  return %y : tensor<64x96xf32>
}
// CHECK-LABEL: @sum_of_half
// CHECK: lanes = 2, dims = [<"j" seq 5>, <"m" prim 64>, <"n" prim 96>, <"k" prim 7>]
func.func @sum_of_half(%a: tensor<5x64x7x96xf16>) -> tensor<64x96xf16> {
  %y = einsum.contract "jmkn -> mn" (%a) : (tensor<5x64x7x96xf16>) -> tensor<64x96xf16>
  return %y : tensor<64x96xf16>
}

// Loops over one value stay outside; a dot product has neither lanes nor rows; and one element one lane.
// CHECK-LABEL: @ones
// CHECK: lanes = 4, dims = [<"h" seq 1>, <"r" seq 1>, <"s" seq 1>, <"w" prim 14>, <"k" prim 32>, <"c" prim 64>]
func.func @ones(%x: tensor<1x14x64xf32>, %w: tensor<1x1x64x32xf32>) -> tensor<1x14x32xf32> {
  %y = einsum.contract "(h+r)(w+s)c, rsck -> hwk" (%x, %w) : (tensor<1x14x64xf32>, tensor<1x1x64x32xf32>) -> tensor<1x14x32xf32>
  return %y : tensor<1x14x32xf32>
}
// CHECK-LABEL: @dot
// CHECK: dims = [<"k" prim 512>]
func.func @dot(%a: tensor<512xf32>, %b: tensor<512xf32>) -> tensor<f32> {
  %y = einsum.contract "k, k ->" (%a, %b) : (tensor<512xf32>, tensor<512xf32>) -> tensor<f32>
  return %y : tensor<f32>
}
// CHECK-LABEL: @one
// CHECK: lanes = 1, dims = [<"n" seq 1>, <"m" prim 1>]
func.func @one(%a: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %y = einsum.contract "mn -> mn" (%a) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// The part of step 1 is the kernel's, and what is parallel stays outside.
// CHECK-LABEL: @parts
// CHECK: lanes = 3, dims = [<"m" parallel 2 step 32>, <"n" seq 4 step 16>, <"m" prim 32>, <"n" prim 16>, <"k" prim 64>]
func.func @parts(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [
      <"m" parallel 2 step 32>, <"n" seq 4 step 16>, <"n" seq 16>,
      <"m" seq 32>, <"k" seq 64>]>}
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// What moves by a table, the stride of which is no number, is last among rows.
// CHECK-LABEL: @shift
// CHECK: <"k" prim 32>, <"w" prim 28>, <"c" prim 64>]
func.func @shift(%x: tensor<64x30x28xf32>, %w: tensor<64x32xf32>, %sh: tensor<64xi32>) -> tensor<32x28x28xf32> {
  %y = einsum.contract "c(h+sh[c])w, ck -> khw" (%x, %w) tables(sh = %sh : tensor<64xi32>) {sizes = {h = 28}}
    : (tensor<64x30x28xf32>, tensor<64x32xf32>) -> tensor<32x28x28xf32>
  return %y : tensor<32x28x28xf32>
}

// CHECK-LABEL: @again
func.func @again(%a: tensor<64xf32>) -> tensor<64xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="it has prim dimensions already"
  %y = einsum.contract "m -> m" (%a) {schedule = #einsum.schedule<dims = [<"m" prim 64>]>}
    : (tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
func.func @parallel(%a: tensor<64xf32>) -> tensor<64xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="all of its dimensions are parallel"
  %y = einsum.contract "m -> m" (%a) {schedule = #einsum.schedule<dims = [<"m" parallel 64>]>}
    : (tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
func.func @three(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %c: tensor<6x7xf32>) -> tensor<4x7xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="it has three or more operands: einsum-contract-pairwise comes before"
  %y = einsum.contract "ij, jk, kl -> il" (%a, %b, %c) : (tensor<4x5xf32>, tensor<5x6xf32>, tensor<6x7xf32>) -> tensor<4x7xf32>
  return %y : tensor<4x7xf32>
}
func.func @scalar(%a: tensor<f32>) -> tensor<f32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="it has no indices"
  %y = einsum.contract "->" (%a) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}

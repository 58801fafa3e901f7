// einsum-choose-schedule: what the model chooses for a machine with AVX-512 and one with AVX2. The tests pin down what
// any good model chooses; how fast that is, benchmarks tell.
//
// RUN: tile-opt --einsum-choose-schedule %s | FileCheck %s
// RUN: tile-opt --einsum-choose-schedule=threads=2 %s | FileCheck %s --check-prefix=TWO
// RUN: tile-opt --einsum-choose-schedule=threads=0 %s | FileCheck %s --check-prefix=CORES
// RUN: tile-opt --einsum-choose-schedule %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not tile-opt --einsum-choose-schedule=threads=-1 %s 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: einsum-choose-schedule expects threads to be 0 or more, found -1

module attributes {einsum.machine = #einsum.machine<cpu = "znver4", vector_bits = 512, registers = 32, fma = 1,
    latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {

// Sixteen accumulators: one vector of 16 columns, all rows.
// CHECK-LABEL: @small
// CHECK: lanes = 1, tile = [16, 1], unroll = {{[0-9]+}}, dims = [<"m" prim 16>, <"n" prim 16>, <"k" prim 16>]
func.func @small(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Passed] einsum-choose-schedule | Category:einsum | dims="m m prim 16, n n prim 16, k k prim 16"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}

// 17 columns are two vectors, which are held side by side; and 33 rows, of which groups are made equal, are not cut
// where a group of few would remain.
// CHECK-LABEL: @odd
// CHECK: lanes = 1, tile = [{{[5-9]|1[0-4]}}, 2],
// TWO-LABEL: @odd
// TWO: dims = [<"m" prim 33
func.func @odd(%a: tensor<33x40xf32>, %b: tensor<40x17xf32>) -> tensor<33x17xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<33x40xf32>, tensor<40x17xf32>) -> tensor<33x17xf32>
  return %c : tensor<33x17xf32>
}

// Doubles: 24 columns are three vectors.
// CHECK-LABEL: @double
// CHECK: lanes = 1, tile = [{{[4-9]}}, 3],
func.func @double(%a: tensor<64x64xf64>, %b: tensor<64x24xf64>) -> tensor<64x24xf64> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xf64>, tensor<64x24xf64>) -> tensor<64x24xf64>
  return %c : tensor<64x24xf64>
}

// Between threads what does not suffice is not divided, and rows of a larger one are.
// CHECK-LABEL: @middle
// CHECK-NOT: pack
// CHECK: dims = [<"m" prim 256
// TWO-LABEL: @middle
// TWO: lanes = 2, {{.*}}dims = [<"m" parallel 2 step 128>, <"m" prim 128>, <"n" prim 256
// CORES-LABEL: @middle
// CORES: <"m" parallel 2 step 128
func.func @middle(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}

// Columns of B are 8192 bytes apart and fall into few sets of a cache: panels of them are copied. Threads share panels.
// CHECK-LABEL: @large
// CHECK: pack = [1], dims = [<"n" seq {{[0-9]+}} step {{[0-9]+}}>, <"m" prim 2048>, <"n" prim {{[0-9]+}}>, <"k" prim 2048
// TWO-LABEL: @large
// TWO: pack = [1], dims = [<"n" parallel
func.func @large(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %c : tensor<2048x2048xf32>
}

// Vectors cannot be loaded from columns that are not next to each other: B is packed. With lanes from the first operand
// it is A.
// CHECK-LABEL: @transposed
// CHECK: pack = [1]
func.func @transposed(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = einsum.contract "mk, nk -> mn" (%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
// CHECK-LABEL: @transposed_first
// CHECK: pack = [0]
func.func @transposed_first(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = einsum.contract "mk, nk -> nm" (%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// A brgemm as it is: no copy.
// CHECK-LABEL: @brgemm
// CHECK-NOT: pack
// CHECK: <"a" seq 32>, <"b" seq 32>, <"n" prim 32>, <"m" prim 32>, <"c" prim 8>, <"k" prim 32>]
// TWO-LABEL: @brgemm
// TWO: dims = [<"a" parallel 32
func.func @brgemm(%a: tensor<32x8x32x32xf32>, %b: tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32> {
  %c = einsum.contract "ackm, bcnk -> abnm" (%a, %b) : (tensor<32x8x32x32xf32>, tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32>
  return %c : tensor<32x32x32x32xf32>
}

// Dimensions are fused first: a convolution of 1x1 is a product of all pixels.
// CHECK-LABEL: @one_by_one
// CHECK: <"nhw" prim {{392|784}}>, <"k" prim {{64|512}} 
func.func @one_by_one(%x: tensor<4x14x14x256xf32>, %w: tensor<256x512xf32>) -> tensor<4x14x14x512xf32> {
  %y = einsum.contract "nhwc, ck -> nhwk" (%x, %w) : (tensor<4x14x14x256xf32>, tensor<256x512xf32>) -> tensor<4x14x14x512xf32>
  return %y : tensor<4x14x14x512xf32>
}

// What is read along rows is much more than the second cache holds, and each of two groups of vectors reads it: blocks of
// rows stay there in between.
// CHECK-LABEL: @tall
// CHECK: dims = [<"m" seq {{[0-9]+}} step [[BLOCK:[0-9]+]]>, <"m" prim [[BLOCK]]>, <"n" prim 128>, <"k" prim 576
func.func @tall(%a: tensor<50176x576xf32>, %b: tensor<576x128xf32>) -> tensor<50176x128xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<50176x576xf32>, tensor<576x128xf32>) -> tensor<50176x128xf32>
  return %c : tensor<50176x128xf32>
}

// A matrix times a vector: the matrix is read once, along the sum, and not copied.
// CHECK-LABEL: @one_column
// CHECK-NOT: pack
// CHECK: dims = [<"n" prim 1000>, <"m" prim 1>, <"k" prim 2048>]
func.func @one_column(%a: tensor<1x2048xf32>, %b: tensor<1000x2048xf32>) -> tensor<1x1000xf32> {
  %c = einsum.contract "mk, nk -> mn" (%a, %b) : (tensor<1x2048xf32>, tensor<1000x2048xf32>) -> tensor<1x1000xf32>
  return %c : tensor<1x1000xf32>
}

// The filter, of 9 MiB, is larger than the second cache. What is read of it for a few rows of pixels would not stay
// there: the sum is divided, outside of the loops over images and rows.
// CHECK-LABEL: @deep
// CHECK: dims = [{{.*}}<"sc" seq {{[^>]*}}>, <"n" seq 4>, <"{{[hw]}}" seq 7>, <"{{[hw]}}" prim 7>, <"k" prim
func.func @deep(%x: tensor<4x9x9x512xf32>, %w: tensor<3x3x512x512xf32>) -> tensor<4x7x7x512xf32> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) : (tensor<4x9x9x512xf32>, tensor<3x3x512x512xf32>) -> tensor<4x7x7x512xf32>
  return %y : tensor<4x7x7x512xf32>
}
// Sums of f16 are not.
// CHECK-LABEL: @deep_half
// CHECK-NOT: k seq
// CHECK: return
func.func @deep_half(%x: tensor<4x9x9x512xf16>, %w: tensor<3x3x512x512xf16>) -> tensor<4x7x7x512xf16> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) : (tensor<4x9x9x512xf16>, tensor<3x3x512x512xf16>) -> tensor<4x7x7x512xf16>
  return %y : tensor<4x7x7x512xf16>
}

// With few columns, vectors along rows are fuller where they can be loaded, though results are stored one by one.
// CHECK-LABEL: @narrow
// CHECK: lanes = 1, {{.*}}dims = [<"n" prim 2>, <"m" prim 256>, <"k" prim 256
func.func @narrow(%a: tensor<256x256xf32>, %b: tensor<256x2xf32>) -> tensor<256x2xf32> {
  %c = einsum.contract "km, kn -> mn" (%a, %b) : (tensor<256x256xf32>, tensor<256x2xf32>) -> tensor<256x2xf32>
  return %c : tensor<256x2xf32>
}

// Images of 14 x 14 leave vectors partly empty: channels are along lanes, stored one by one, and weights are copied.
// CHECK-LABEL: @half_full
// CHECK: pack = [1], {{.*}}<"w" prim 14>, <"k" prim {{[0-9]+}}>, <"c" prim
func.func @half_full(%x: tensor<4x512x16x16xf32>, %w: tensor<512x512x3x3xf32>) -> tensor<4x512x14x14xf32> {
  %y = einsum.contract "nc(h+r)(w+s), kcrs -> nkhw" (%x, %w) : (tensor<4x512x16x16xf32>, tensor<512x512x3x3xf32>) -> tensor<4x512x14x14xf32>
  return %y : tensor<4x512x14x14xf32>
}

// Pixels are one dimension by tables, and what tables tell is copied; in a convolution of 3 x 3, all windows never are.
// CHECK-LABEL: @shift
// CHECK: pack = [0], {{.*}}<"hw" prim {{[0-9]+}}>
func.func @shift(%x: tensor<4x256x30x30xf32>, %w: tensor<256x512xf32>, %s: tensor<256xi32>) -> tensor<4x512x28x28xf32> {
  %y = einsum.contract "nc(h+s[c])(w+s[c]), ck -> nkhw" (%x, %w) tables(s = %s : tensor<256xi32>) : (tensor<4x256x30x30xf32>, tensor<256x512xf32>) -> tensor<4x512x28x28xf32>
  return %y : tensor<4x512x28x28xf32>
}
// CHECK-LABEL: @windows
// CHECK-NOT: pack = [0
// CHECK: return
func.func @windows(%x: tensor<4x256x30x30xf32>, %w: tensor<256x512x3x3xf32>) -> tensor<4x512x28x28xf32> {
  %y = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%x, %w) : (tensor<4x256x30x30xf32>, tensor<256x512x3x3xf32>) -> tensor<4x512x28x28xf32>
  return %y : tensor<4x512x28x28xf32>
}

// A result of 116 MB, of short sums, is written past the caches, in whole rows, which are four vectors; so is one whose rows
// are no whole lines, by the caches: four vectors are all 60 channels of a pixel.
// CHECK-LABEL: @large_result
// CHECK: tile = [{{[0-9]+}}, 4], {{.*}}<"k" prim 64
// CHECK-LABEL: @large_odd_result
// CHECK: tile = [{{[0-9]+}}, 4], {{.*}}<"k" prim 60
func.func @large_result(%x: tensor<4x165x704x1xf32>, %w: tensor<5x5x1x64xf32>) -> tensor<4x161x700x64xf32> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) : (tensor<4x165x704x1xf32>, tensor<5x5x1x64xf32>) -> tensor<4x161x700x64xf32>
  return %y : tensor<4x161x700x64xf32>
}
func.func @large_odd_result(%x: tensor<4x165x704x1xf32>, %w: tensor<5x5x1x60xf32>) -> tensor<4x161x700x60xf32> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) : (tensor<4x165x704x1xf32>, tensor<5x5x1x60xf32>) -> tensor<4x161x700x60xf32>
  return %y : tensor<4x161x700x60xf32>
}

// A transposition: a block of as many rows as a vector has lanes. A permutation that keeps the last axis, and a sum.
// CHECK-LABEL: @transposition
// CHECK: lanes = 1, tile = [16, 1]
func.func @transposition(%a: tensor<256x512xf32>) -> tensor<512x256xf32> {
  %y = einsum.contract "mn -> nm" (%a) : (tensor<256x512xf32>) -> tensor<512x256xf32>
  return %y : tensor<512x256xf32>
}
// CHECK-LABEL: @permutation
// CHECK: lanes = 3, {{.*}}dims = [<"t" seq 8>, <"u" seq 32>, <"r" prim 16>, <"s" prim 64
func.func @permutation(%a: tensor<8x16x32x64xf32>) -> tensor<8x32x16x64xf32> {
  %y = einsum.contract "trus -> turs" (%a) : (tensor<8x16x32x64xf32>) -> tensor<8x32x16x64xf32>
  return %y : tensor<8x32x16x64xf32>
}
// A matrix and a vector: dot products of rows, along the sum.
// CHECK-LABEL: @matrix_vector
// CHECK: lanes = 2, {{.*}}dims = [<"b" seq 8>, <"m" prim 256>, <"k" prim 512>]
func.func @matrix_vector(%a: tensor<8x256x512xf32>, %b: tensor<8x512xf32>) -> tensor<8x256xf32> {
  %y = einsum.contract "bmk, bk -> bm" (%a, %b) : (tensor<8x256x512xf32>, tensor<8x512xf32>) -> tensor<8x256xf32>
  return %y : tensor<8x256xf32>
}
// A few rows and a matrix whose rows lie along the sum, as the weights of a linear layer: to copy these would take longer.
// The sum is in parts: what a tile reads stays in the first cache. Of many rows a copy is worth it.
// CHECK-LABEL: @few_rows
// CHECK: lanes = 3, {{.*}}dims = [<"k" seq 4 step 512>, <"m" prim 8>, <"n" prim 1024>, <"k" prim 512>]
func.func @few_rows(%a: tensor<8x2048xf32>, %b: tensor<1024x2048xf32>) -> tensor<8x1024xf32> {
  %y = einsum.contract "mk, nk -> mn" (%a, %b) : (tensor<8x2048xf32>, tensor<1024x2048xf32>) -> tensor<8x1024xf32>
  return %y : tensor<8x1024xf32>
}
// Pairs of bf16 are made where eight rows read them, all of them in one tile; a copy is for more rows.
// CHECK-LABEL: @pairs_of_few_rows
// CHECK: tile = [8, {{[0-9]+}}], unroll = {{[0-9]+}}, prefetch = {{[0-9]+}}, dims
func.func @pairs_of_few_rows(%a: tensor<8x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<8x1024xbf16> {
  %y = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<8x1024xbf16>
  return %y : tensor<8x1024xbf16>
}
// CHECK-LABEL: @many_rows
// CHECK: pack = [1
func.func @many_rows(%a: tensor<512x2048xf32>, %b: tensor<1024x2048xf32>) -> tensor<512x1024xf32> {
  %y = einsum.contract "mk, nk -> mn" (%a, %b) : (tensor<512x2048xf32>, tensor<1024x2048xf32>) -> tensor<512x1024xf32>
  return %y : tensor<512x1024xf32>
}
// Sums of rows, and products of rows by rows, go along them, too.
// CHECK-LABEL: @products_of_rows
// CHECK: lanes = 1, {{.*}}dims = [<"m" prim 256>, <"k" prim 512>]
func.func @products_of_rows(%a: tensor<256x512xf32>, %b: tensor<256x512xf32>) -> tensor<256xf32> {
  %y = einsum.contract "mk, mk -> m" (%a, %b) : (tensor<256x512xf32>, tensor<256x512xf32>) -> tensor<256xf32>
  return %y : tensor<256xf32>
}
// CHECK-LABEL: @sum
// CHECK: lanes = 1, {{.*}}dims = [<"m" prim 256>, <"k" prim 512>]
func.func @sum(%a: tensor<256x512xf32>) -> tensor<256xf32> {
  %y = einsum.contract "mk -> m" (%a) : (tensor<256x512xf32>) -> tensor<256xf32>
  return %y : tensor<256xf32>
}

// Of sums of columns, a step reads as long a piece of a row as registers have sums for: one row is an operand in memory.
// CHECK-LABEL: @sums_of_columns
// CHECK: lanes = 1, tile = [1, 30], {{.*}}dims = [<"b" prim 8>, <"n" prim 1024>, <"k" prim 64>]
func.func @sums_of_columns(%a: tensor<8x64x1024xf32>) -> tensor<8x1024xf32> {
  %y = einsum.contract "bkn -> bn" (%a) : (tensor<8x64x1024xf32>) -> tensor<8x1024xf32>
  return %y : tensor<8x1024xf32>
}

// A dot product has no lanes.
// CHECK-LABEL: @dot
// CHECK: tile = [1, 1], {{.*}}dims = [<"k" prim 512
func.func @dot(%a: tensor<512xf32>, %b: tensor<512xf32>) -> tensor<f32> {
  %y = einsum.contract "k, k ->" (%a, %b) : (tensor<512xf32>, tensor<512xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// A schedule that is complete stays. With a kernel, a tile is chosen for it; a tile, unrolling and packing that are
// there are kept.
// CHECK-LABEL: @complete
// CHECK: tile = [1, 1], dims = [<"m" seq 64>, <"n" prim 64
func.func @complete(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="it has prim dimensions and a tile already"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<tile = [1, 1], dims = [
      <"m" seq 64>, <"n" prim 64>, <"k" prim 64>]>}
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
// CHECK-LABEL: @kernel
// CHECK: tile = [1, 4], unroll = {{[0-9]+}}, pack = [1], dims = [<"m" seq 64>, <"n" prim 64
func.func @kernel(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<pack = [1], dims = [
      <"m" seq 64>, <"n" prim 64>, <"k" prim 64>]>}
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
// CHECK-LABEL: @tile
// CHECK: tile = [3, 2], unroll = 5, dims = [<"m" parallel 2 step 32>, <"m" prim 32>, <"n" prim 64
func.func @tile(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<tile = [3, 2], unroll = 5, dims = [
      <"m" parallel 2 step 32>, <"m" seq 32>, <"n" seq 64>, <"k" seq 64>]>}
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// In an einsum.kernel.
// CHECK-LABEL: @fused
// CHECK: lanes = 1, tile = [
func.func @fused(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<48xf32>) -> tensor<64x48xf32> {
  %y = einsum.kernel (%p = %a : tensor<64x32xf32>, %q = %b : tensor<32x48xf32>, %r = %c : tensor<48xf32>) -> tensor<64x48xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
    %e = tensor.empty() : tensor<64x48xf32>
    %bias = linalg.broadcast ins(%r : tensor<48xf32>) outs(%e : tensor<64x48xf32>) dimensions = [0]
    %sum = arith.addf %ab, %bias : tensor<64x48xf32>
    %zero = arith.constant dense<0.0> : tensor<64x48xf32>
    %relu = arith.maximumf %sum, %zero : tensor<64x48xf32>
    einsum.yield %relu : tensor<64x48xf32>
  }
  return %y : tensor<64x48xf32>
}

// Refused: no static size, padding, three operands.
// CHECK-LABEL: @refused
// CHECK-NOT: schedule
// CHECK: return
func.func @refused(%a: tensor<?x8xf32>, %b: tensor<8x8xf32>, %c: tensor<3xf32>, %d: tensor<8xf32>) -> (tensor<?x8xf32>, tensor<8xf32>, tensor<8x8xf32>) {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="its operands have a size or stride that is dynamic, or a size of 0"
  %x = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<?x8xf32>, tensor<8x8xf32>) -> tensor<?x8xf32>
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="it is padded: einsum-pad-operands comes before"
  %y = einsum.contract "(m+r-1), r -> m" (%d, %c) {pad = "zero"} : (tensor<8xf32>, tensor<3xf32>) -> tensor<8xf32>
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="it has three or more operands: einsum-contract-pairwise comes before"
  %z = einsum.contract "ij, jk, kl -> il" (%b, %b, %b) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x, %y, %z : tensor<?x8xf32>, tensor<8xf32>, tensor<8x8xf32>
}

}

// AVX2: 8 lanes, and 16 registers, which hold 12 accumulators and what a step of them needs.
// CHECK-LABEL: @avx2
// CHECK: tile = [{{4, 3|6, 2}}],
module attributes {einsum.machine = #einsum.machine<cpu = "haswell", vector_bits = 256, registers = 16, fma = 2,
    latency = 5, l1 = 32768, l2 = 262144, l3 = 33554432, cores = 4, bf16 = false>} {
func.func @avx2(%a: tensor<96x96xf32>, %b: tensor<96x96xf32>) -> tensor<96x96xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
  return %c : tensor<96x96xf32>
}
}

// Rows of B that are 4096 bytes apart fall into one set of the first cache: 60 of them do not stay there, and are packed
// for many rows of A. Those of 4160 bytes do.
// CHECK-LABEL: @conflict
// CHECK: pack = [1]
// CHECK-LABEL: @no_conflict
// CHECK-NOT: pack
// CHECK: return
module attributes {einsum.machine = #einsum.machine<cpu = "sapphirerapids", vector_bits = 512, registers = 32, fma = 2,
    latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 2, bf16 = true>} {
func.func @conflict(%a: tensor<4096x60xf32>, %b: tensor<60x1024xf32>) -> tensor<4096x1024xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4096x60xf32>, tensor<60x1024xf32>) -> tensor<4096x1024xf32>
  return %c : tensor<4096x1024xf32>
}
func.func @no_conflict(%a: tensor<4096x60xf32>, %b: tensor<60x1040xf32>) -> tensor<4096x1040xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4096x60xf32>, tensor<60x1040xf32>) -> tensor<4096x1040xf32>
  return %c : tensor<4096x1040xf32>
}
}

// A matrix unit computes what it has elements for, with four products in its registers: rows of A stay in the first
// cache, for which a sum of 1024 is divided into two, and copies of blocks of them are small; B streams past them. A
// sum of three would leave registers empty, and a row has no use for them.
// CHECK-LABEL: @matrix(
// CHECK: lanes = 1, matrix = true, tile = [32, 2], unroll = 1, pack = [1], dims = [<"m" prim 64>, <"n" prim 64>, <"k" prim 64>]
// CHECK-LABEL: @matrix_parts
// CHECK: matrix = true, tile = [32, 2], unroll = 1, pack = [0, 1], dims = [{{.*}}<"k" seq 2 step 512>, {{.*}}<"m" prim {{[0-9]+}}>, <"n" prim {{[0-9]+}}>, <"k" prim 512>]
// CHECK-LABEL: @matrix_bytes
// CHECK: matrix = true
// CHECK-LABEL: @matrix_convolution
// CHECK: matrix = true
// Groups are along channels, not along the window, which comes last.
// CHECK-LABEL: @matrix_by_channels
// CHECK: matrix = true
// CHECK-LABEL: @no_matrix_three
// CHECK-NOT: matrix
// CHECK-LABEL: @no_matrix_row
// CHECK-NOT: matrix
// CHECK-LABEL: @no_matrix_elements
// CHECK-NOT: matrix
// CHECK: return
module attributes {einsum.machine = #einsum.machine<cpu = "sapphirerapids", vector_bits = 512, registers = 32, fma = 2,
    latency = 4, l1 = 49152, l2 = 2097152, l3 = 110100480, cores = 2, bf16 = false, amx = true>} {
func.func @matrix(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %c : tensor<64x64xbf16>
}
func.func @matrix_parts(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %c : tensor<1024x1024xbf16>
}
func.func @matrix_bytes(%a: tensor<100x100xi8>, %b: tensor<100x100xi8>) -> tensor<100x100xi32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<100x100xi8>, tensor<100x100xi8>) -> tensor<100x100xi32>
  return %c : tensor<100x100xi32>
}
func.func @matrix_convolution(%x: tensor<1x58x58x64xbf16>, %w: tensor<3x3x64x64xbf16>) -> tensor<1x56x56x64xbf16> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) : (tensor<1x58x58x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<1x56x56x64xbf16>
  return %y : tensor<1x56x56x64xbf16>
}
func.func @matrix_by_channels(%x: tensor<1x64x58x58xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x64x56x56xbf16> {
  %y = einsum.contract "nc(h+r)(w+s), kcrs -> nkhw" (%x, %w) : (tensor<1x64x58x58xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x56x56xbf16>
  return %y : tensor<1x64x56x56xbf16>
}
func.func @no_matrix_three(%a: tensor<64x3xbf16>, %b: tensor<3x64xbf16>) -> tensor<64x64xbf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x3xbf16>, tensor<3x64xbf16>) -> tensor<64x64xbf16>
  return %c : tensor<64x64xbf16>
}
func.func @no_matrix_row(%a: tensor<512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512xbf16> {
  %c = einsum.contract "k, kn -> n" (%a, %b) : (tensor<512xbf16>, tensor<512x512xbf16>) -> tensor<512xbf16>
  return %c : tensor<512xbf16>
}
func.func @no_matrix_elements(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}
}

// Lines of what is larger than caches are prefetched, which unrolled steps share; 64 x 64 is in the first cache anyway,
// and each of a batch of these after the first tiles. Few rows use what is prefetched too little.
// CHECK-LABEL: @prefetched
// CHECK: unroll = 4, prefetch = 2,
// CHECK-LABEL: @not_prefetched_few
// CHECK-NOT: prefetch =
// CHECK-LABEL: @not_prefetched_batch
// CHECK-NOT: prefetch =
// CHECK-LABEL: @not_prefetched(
// CHECK-NOT: prefetch =
// CHECK: return
module attributes {einsum.machine = #einsum.machine<cpu = "sapphirerapids", vector_bits = 512, registers = 32, fma = 2,
    latency = 4, l1 = 49152, l2 = 2097152, l3 = 33554432, cores = 2, bf16 = false>} {
func.func @prefetched(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}
func.func @not_prefetched_few(%a: tensor<3x512xf32>, %b: tensor<512x1024xf32>) -> tensor<3x1024xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<3x512xf32>, tensor<512x1024xf32>) -> tensor<3x1024xf32>
  return %c : tensor<3x1024xf32>
}
func.func @not_prefetched_batch(%a: tensor<64x64x64xf32>, %b: tensor<64x64x64xf32>) -> tensor<64x64x64xf32> {
  %c = einsum.contract "bmk, bkn -> bmn" (%a, %b) : (tensor<64x64x64xf32>, tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  return %c : tensor<64x64x64xf32>
}
func.func @not_prefetched(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
}

// All of a short sum is one iteration, and four steps of a middling one that they divide.
// CHECK-LABEL: @short
// CHECK: unroll = 24, dims
// CHECK-LABEL: @middling
// CHECK: unroll = 4, dims
// CHECK-LABEL: @middling_odd
// CHECK: unroll = 1, dims
module attributes {einsum.machine = #einsum.machine<cpu = "sapphirerapids", vector_bits = 512, registers = 32, fma = 2,
    latency = 4, l1 = 49152, l2 = 2097152, l3 = 33554432, cores = 2, bf16 = false>} {
func.func @short(%a: tensor<24x24xf32>, %b: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<24x24xf32>, tensor<24x24xf32>) -> tensor<24x24xf32>
  return %c : tensor<24x24xf32>
}
func.func @middling(%a: tensor<40x40xf32>, %b: tensor<40x40xf32>) -> tensor<40x40xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<40x40xf32>, tensor<40x40xf32>) -> tensor<40x40xf32>
  return %c : tensor<40x40xf32>
}
func.func @middling_odd(%a: tensor<50x50xf32>, %b: tensor<50x50xf32>) -> tensor<50x50xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<50x50xf32>, tensor<50x50xf32>) -> tensor<50x50xf32>
  return %c : tensor<50x50xf32>
}
}

// Rows of 800 bytes do not begin at lines, and those of 832 bytes do: of the former a line more is held of each row, so
// that a panel of two vectors fills more of the first cache than it may, and is packed.
// CHECK-LABEL: @unaligned
// CHECK: pack = [1]
// CHECK-LABEL: @aligned
// CHECK-NOT: pack
// CHECK: return
// Eight accumulators, of two images, would start one product after the other as soon as latency allows, and not a cycle
// later: the 64 rows of an image are taken instead.
// CHECK-LABEL: @latency
// CHECK: tile = [{{[4-6]}}, 4]
// CHECK-SAME: <"t" prim 64>
// The gradient of an image of stride 2: a copy of the filter's taps is for one place in a block of 2 x 2. It is made once for
// all images and rows.
// CHECK-LABEL: @strided_gradient
// CHECK: pack = [1], dims = [<"b" seq 2>, <"f" seq 2>, <"n" seq 4>, <"a" seq 14>,
module attributes {einsum.machine = #einsum.machine<cpu = "sapphirerapids", vector_bits = 512, registers = 32, fma = 2,
    latency = 4, l1 = 49152, l2 = 2097152, l3 = 33554432, cores = 2, bf16 = false>} {
func.func @unaligned(%a: tensor<200x200xf32>, %b: tensor<200x200xf32>) -> tensor<200x200xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<200x200xf32>, tensor<200x200xf32>) -> tensor<200x200xf32>
  return %c : tensor<200x200xf32>
}
func.func @aligned(%a: tensor<208x208xf32>, %b: tensor<208x208xf32>) -> tensor<208x208xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<208x208xf32>, tensor<208x208xf32>) -> tensor<208x208xf32>
  return %c : tensor<208x208xf32>
}
func.func @latency(%a: tensor<2x64x8x64xf32>, %b: tensor<8x64x64xf32>) -> tensor<2x8x64x64xf32> {
  %c = einsum.contract "nths, hes -> nhte" (%a, %b) : (tensor<2x64x8x64xf32>, tensor<8x64x64xf32>) -> tensor<2x8x64x64xf32>
  return %c : tensor<2x8x64x64xf32>
}
func.func @strided_gradient(%g: tensor<4x256x15x15xf32>, %w: tensor<256x128x4x4xf32>) -> tensor<4x128x14x2x14x2xf32> {
  %y = einsum.contract "nk(a-d+1)(e-g+1), kc(2*d+b)(2*g+f) -> ncabef" (%g, %w) {sizes = {d = 2 : i64, g = 2 : i64}}
      : (tensor<4x256x15x15xf32>, tensor<256x128x4x4xf32>) -> tensor<4x128x14x2x14x2xf32>
  return %y : tensor<4x128x14x2x14x2xf32>
}
}

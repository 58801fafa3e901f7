// Errors of #einsum.schedule and of einsum.contract with one (constraints C23 to C28).
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// C23: a kernel around a loop.
func.func @order(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects parallel dimensions first and prim ones last, found prim "m" before seq "n" (C23)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" prim 8>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C23: a parallel loop inside of a sequential one.
func.func @order_shared(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects parallel dimensions first and prim ones last, found seq "m" before parallel "n" (C23)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" seq 8>, <"n" parallel 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C23: threads that add to the same elements.
func.func @shared_sum(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects dimension "k", which is summed, to be seq or prim, found parallel (C23)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"k" parallel 4>, <"m" seq 8>, <"n" seq 6>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: three dimensions of a kernel that are not summed.
func.func @three_prim(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects at most 2 prim dimensions that are not summed, found 3 (C24)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" prim 2 step 4>, <"m" prim 4>, <"n" prim 6>, <"k" prim 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: a GEMM with the sum outside of the kernel.
func.func @gemm_without_sum(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects a kernel that sums to have a summed prim dimension, found none (C24)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"k" seq 4>, <"m" prim 8>, <"n" prim 6>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: a sum of one operand over two dimensions.
func.func @two_sums(%a: tensor<8x4x6xf32>) -> tensor<6xf32> {
  // expected-error @below {{expects a sum of one operand to have 1 summed prim dimension, found 2 (C24)}}
  %c = einsum.contract "jkm -> m" (%a) {schedule = #einsum.schedule<dims = [<"m" prim 6>, <"j" prim 8>, <"k" prim 4>]>} : (tensor<8x4x6xf32>) -> tensor<6xf32>
  return %c : tensor<6xf32>
}

// -----

// C25: an index that the contraction has not.
func.func @other_letter(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the dimensions of its schedule to have indices of "mk, kn -> mn", found 'x' (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" seq 8>, <"n" seq 6>, <"k" seq 4>, <"x" seq 1>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: an index that is part of two dimensions.
func.func @two_owners(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects index 'n' in dimensions of the same indices, found "n" and "mn" (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"n" seq 6>, <"mn" seq 48>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: an index twice in a dimension.
func.func @twice(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects index 'm' in dimensions of the same indices, found "mm" and "mm" (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"mm" seq 64>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: steps that leave values out.
func.func @gap(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects a dimension of "m" with step 4, found step 8 (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" seq 2 step 8>, <"m" seq 4>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: no dimension of step 1.
func.func @no_least(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects a dimension of "m" with step 1, found step 4 (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" seq 2 step 4>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: too few values.
func.func @too_few(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the dimensions of "m" to cover 8 values, found 4 (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" seq 4>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: too many values.
func.func @too_many(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the dimensions of "n" to cover 6 values, found 7 (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" seq 8>, <"n" seq 7>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: an index without a dimension.
func.func @missing(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects a dimension of index 'k' in its schedule (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" seq 8>, <"n" seq 6>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C26: indices of two kinds as one.
func.func @mixed_kinds(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the indices of dimension "mn" to belong to one dimension of the contraction, found 'm' of m and 'n' of n (C26)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"mn" seq 48>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C27: elements that a matrix unit does not multiply.
func.func @matrix_elements(%a: tensor<8x4xf16>, %b: tensor<4x6xf16>) -> tensor<8x6xf16> {
  // expected-error @below {{expects a schedule with 'matrix' to have two operands of bf16 that are summed in f32, or of i8 in i32, found 'f16', 'f16' in 'f32' (C27)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<matrix = true, dims = [<"m" prim 8>, <"n" prim 6>, <"k" prim 4>]>} : (tensor<8x4xf16>, tensor<4x6xf16>) -> tensor<8x6xf16>
  return %c : tensor<8x6xf16>
}

// -----

// C27: an accumulator that it does not have.
func.func @matrix_accumulator(%a: tensor<8x4xbf16>, %b: tensor<4x6xbf16>) -> tensor<8x6xbf16> {
  // expected-error @below {{found 'bf16', 'bf16' in 'f64' (C27)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {acc = f64, schedule = #einsum.schedule<matrix = true, dims = [<"m" prim 8>, <"n" prim 6>, <"k" prim 4>]>} : (tensor<8x4xbf16>, tensor<4x6xbf16>) -> tensor<8x6xbf16>
  return %c : tensor<8x6xbf16>
}

// -----

// C27: rows, but no lanes.
func.func @matrix_dims(%a: tensor<8x4xi8>, %b: tensor<4x6xi8>) -> tensor<8x6xi32> {
  // expected-error @below {{expects a schedule with 'matrix' to have a prim dimension of M and one of N, found 1 and 0 (C27)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<matrix = true, dims = [<"n" seq 6>, <"m" prim 8>, <"k" prim 4>]>} : (tensor<8x4xi8>, tensor<4x6xi8>) -> tensor<8x6xi32>
  return %c : tensor<8x6xi32>
}

// -----

// C27: more registers than there are.
func.func @matrix_tile(%a: tensor<64x4xi8>, %b: tensor<4x64xi8>) -> tensor<64x64xi32> {
  // expected-error @below {{expects 'tile' of a schedule with 'matrix' to fit 8 registers of 16 rows, found [33, 2] (C27)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<matrix = true, tile = [33, 2], dims = [<"m" prim 64>, <"n" prim 64>, <"k" prim 4>]>} : (tensor<64x4xi8>, tensor<4x64xi8>) -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}

// -----

// C28: three operands.
func.func @three(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{expects a contraction with a schedule to have one or two operands, found 3: run einsum-contract-pairwise before (C28)}}
  %c = einsum.contract "ij, jk, kl -> il" (%a, %a, %a) {schedule = #einsum.schedule<dims = [<"i" seq 8>]>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

// C28: padding.
func.func @padded(%a: tensor<8xf32>, %b: tensor<3xf32>) -> tensor<8xf32> {
  // expected-error @below {{expects a contraction with a schedule to have pad = "none", found "zero": run einsum-pad-operands before (C28)}}
  %c = einsum.contract "(m+r-1), r -> m" (%a, %b) {pad = "zero", schedule = #einsum.schedule<dims = [<"m" seq 8>, <"r" seq 3>]>} : (tensor<8xf32>, tensor<3xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// C28: a dynamic size.
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{expects a contraction with a schedule to have operands of static shape and layout, found 'tensor<?xf32>' (C28)}}
  %c = einsum.contract "m -> m" (%a) {schedule = #einsum.schedule<dims = [<"m" seq 8>]>} : (tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}

// -----

// C28: a dynamic stride.
func.func @layout(%a: memref<8x8xf32, strided<[?, 1]>>, %c: memref<8x8xf32>) {
  // expected-error @below {{expects a contraction with a schedule to have operands of static shape and layout, found 'memref<8x8xf32, strided<[?, 1]>>' (C28)}}
  einsum.contract "mn -> mn" (%a) outs(%c : memref<8x8xf32>) {schedule = #einsum.schedule<dims = [<"m" seq 8>, <"n" seq 8>]>} : (memref<8x8xf32, strided<[?, 1]>>)
  return
}

// -----

// C28: no elements.
func.func @empty(%a: tensor<8x0xf32>) -> tensor<8x0xf32> {
  // expected-error @below {{expects a contraction with a schedule to have operands with elements, found 'tensor<8x0xf32>' (C28)}}
  %c = einsum.contract "mn -> mn" (%a) {schedule = #einsum.schedule<dims = [<"m" seq 8>, <"n" seq 1>]>} : (tensor<8x0xf32>) -> tensor<8x0xf32>
  return %c : tensor<8x0xf32>
}

// -----

// C28: an index that takes no value, of an operand with elements.
func.func @no_values(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expects a contraction with a schedule to have indices of positive size, found 'r' of size 0 (C28)}}
  %c = einsum.contract "(m+r) -> m" (%a) {sizes = {r = 0}, schedule = #einsum.schedule<dims = [<"m" seq 8>, <"r" seq 1>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// C28: an index whose size a table alone gives, at run time.
func.func @unknown_size(%a: tensor<8xf32>, %t: tensor<?xi32> {einsum.value_range = array<i64: 0, 0>}) -> tensor<8xf32> {
  // expected-error @below {{expects a contraction with a schedule to have indices of positive size, found 'v' of a size that is not known (C28)}}
  %c = einsum.contract "(m+t[v]) -> m" (%a) tables(t = %t : tensor<?xi32>) {schedule = #einsum.schedule<dims = [<"m" seq 8>, <"v" seq 1>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// Lanes that are not of the kernel.
func.func @lanes(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'lanes' to be the position of a prim dimension, found 1}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<lanes = 1, dims = [<"m" seq 8>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Lanes that are no dimension.
func.func @lanes_beyond(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'lanes' to be the position of a prim dimension, found 3}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<lanes = 3, dims = [<"m" prim 8>, <"n" prim 6>, <"k" prim 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A tile of three numbers.
func.func @tile(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'tile' to be two positive numbers, rows and vectors, found [8, 2, 1]}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<tile = [8, 2, 1], dims = [<"m" seq 8>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A tile without rows.
func.func @tile_zero(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'tile' to be two positive numbers, rows and vectors, found [0, 2]}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<tile = [0, 2], dims = [<"m" seq 8>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Unrolling.
func.func @unroll(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'unroll' to be positive, found -1}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<unroll = -1, dims = [<"m" seq 8>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Prefetching what is behind.
func.func @prefetch(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'prefetch' to be a number of steps, at most 1024, found -1}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<prefetch = -1, dims = [<"m" seq 8>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Prefetching what no cache would hold.
func.func @prefetch_far(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'prefetch' to be a number of steps, at most 1024, found 1025}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<prefetch = 1025, dims = [<"m" seq 8>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// An operand that is none.
func.func @pack(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'pack' to name operands 0 and 1, found 2}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<pack = [2], dims = [<"m" seq 8>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// The second operand of one.
func.func @pack_of_one(%a: tensor<6x8xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'pack' of its schedule to name operands, found 1}}
  %c = einsum.contract "nm -> mn" (%a) {schedule = #einsum.schedule<pack = [1], dims = [<"m" seq 8>, <"n" seq 6>]>} : (tensor<6x8xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A dimension without indices.
func.func @no_letter(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects a dimension to have an index, found none}}
  // expected-error @below {{failed to parse Einsum_ScheduleAttr parameter 'dims'}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"" seq 8>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A size of 0.
func.func @size(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the size of dimension "m" to be positive, found 0}}
  // expected-error @below {{failed to parse Einsum_ScheduleAttr parameter 'dims'}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" seq 0>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A step of 0.
func.func @step(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the step of dimension "m" to be positive, found -1}}
  // expected-error @below {{failed to parse Einsum_ScheduleAttr parameter 'dims'}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" seq 8 step -1>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Words that are none.
func.func @word(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expected one of [seq, parallel, prim] for how a dimension is executed, got: shared}}
  // expected-error @below {{failed to parse Einsum_DimAttr parameter 'exec'}}
  // expected-error @below {{failed to parse Einsum_ScheduleAttr parameter 'dims'}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" shared 8>, <"n" seq 6>, <"k" seq 4>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

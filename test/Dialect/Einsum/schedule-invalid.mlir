// Errors of #einsum.schedule and of einsum.contract with one (constraints C23 to C28).
//
// RUN: tile-opt --split-input-file --verify-diagnostics %s

// C23: a kernel around a loop.
func.func @order(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects shared dimensions first and prim ones last, found prim "m" before seq "n" (C23)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m prim 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C23: a shared loop inside of a sequential one.
func.func @order_shared(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects shared dimensions first and prim ones last, found seq "m" before shared "n" (C23)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n shared 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C23: threads that add to the same elements.
func.func @shared_sum(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects dimension "k", which is summed, to be seq or prim, found shared (C23)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"k" k shared 4 strides [1, 6, 0]>, <"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: three dimensions of a kernel that are not summed.
func.func @three_prim(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects at most 2 prim dimensions that are not summed, found 3 (C24)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m prim 2 step 4 strides [16, 0, 24]>, <"m" m prim 4 strides [4, 0, 6]>, <"n" n prim 6 strides [0, 1, 1]>, <"k" k prim 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: a GEMM with the sum outside of the kernel.
func.func @gemm_without_sum(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects gemm to have 1 summed prim dimension, found 0 (C24)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"k" k seq 4 strides [1, 6, 0]>, <"m" m prim 8 strides [4, 0, 6]>, <"n" n prim 6 strides [0, 1, 1]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: a batch-reduce GEMM without a second sum.
func.func @brgemm_of_one(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects brgemm to have at least 2 summed prim dimensions, found 1 (C24)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = brgemm, last = none, dims = [<"m" m prim 8 strides [4, 0, 6]>, <"n" n prim 6 strides [0, 1, 1]>, <"k" k prim 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: a copy with a sum around it.
func.func @copy_with_sum(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects copy to have no summed dimension (C24)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = copy, last = none, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: a kernel of one operand for two.
func.func @copy_of_two(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the main primitive of its schedule to fit "mk, kn -> mn", found sum (C24)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = sum, last = none, dims = [<"m" m prim 8 strides [4, 0, 6]>, <"n" n prim 6 strides [0, 1, 1]>, <"k" k prim 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: a kernel of two operands for one.
func.func @gemm_of_one(%a: tensor<6x8xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the main primitive of its schedule to fit "nm -> mn", found gemm (C24)}}
  %c = einsum.contract "nm -> mn" (%a) {schedule = #einsum.schedule<first = none, main = gemm, last = none, dims = [<"m" c seq 8 strides [1, 6]>, <"n" c seq 6 strides [8, 1]>]>} : (tensor<6x8xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24: a copy is combined with another operand in an einsum.kernel only.
func.func @mul_alone(%a: tensor<6x8xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the main primitive of its schedule to fit "nm -> mn", found mul (C24)}}
  %c = einsum.contract "nm -> mn" (%a) {schedule = #einsum.schedule<first = none, main = mul, last = none, dims = [<"m" c seq 8 strides [1, 6]>, <"n" c seq 6 strides [8, 1]>]>} : (tensor<6x8xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C24, of another primitive.
func.func @add_alone(%a: tensor<6x8xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the main primitive of its schedule to fit "nm -> mn", found add (C24)}}
  %c = einsum.contract "nm -> mn" (%a) {schedule = #einsum.schedule<first = none, main = add, last = none, dims = [<"m" c seq 8 strides [1, 6]>, <"n" c seq 6 strides [8, 1]>]>} : (tensor<6x8xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: a letter that the contraction has not.
func.func @other_letter(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the dimensions of its schedule to have letters of "mk, kn -> mn", found 'x' (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>, <"x" k seq 1 strides [0, 0, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: a letter that is part of two dimensions.
func.func @two_owners(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects letter 'n' in dimensions of the same letters, found "n" and "mn" (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"n" n seq 6 strides [0, 1, 1]>, <"mn" n seq 48 strides [?, ?, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: a letter twice in a dimension.
func.func @twice(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects letter 'm' in dimensions of the same letters, found "mm" and "mm" (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"mm" m seq 64 strides [4, 0, 6]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: steps that leave values out.
func.func @gap(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects a dimension of "m" with step 4, found step 8 (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 2 step 8 strides [32, 0, 48]>, <"m" m seq 4 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: no dimension of step 1.
func.func @no_least(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects a dimension of "m" with step 1, found step 4 (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 2 step 4 strides [16, 0, 24]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: too few values.
func.func @too_few(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the dimensions of "m" to cover 8 values, found 4 (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 4 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: too many values.
func.func @too_many(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the dimensions of "n" to cover 6 values, found 7 (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 7 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C25: a letter without a dimension.
func.func @missing(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects a dimension of letter 'k' in its schedule (C25)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C26: another kind.
func.func @kind(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the dimension of 'm' to be of kind m, found n (C26)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" n seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C26: letters of two kinds as one.
func.func @mixed_kinds(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the dimension of 'm' to be of kind m, found n (C26)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"mn" n seq 48 strides [?, ?, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C26: another stride.
func.func @strides(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects strides [1, 6, 0] of dimension "k" with step 1, found [1, 8, 0] (C26)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 8, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C26: the stride of a part is that of the letter times its step.
func.func @stride_of_part(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects strides [16, 0, 24] of dimension "m" with step 4, found [4, 0, 6] (C26)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 2 step 4 strides [4, 0, 6]>, <"m" m seq 4 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C26: a stride too few.
func.func @number_of_strides(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects strides [1, 6, 0] of dimension "k" with step 1, found [1, 6] (C26)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C26: no number, where there is one.
func.func @question(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects strides [1, 6, 0] of dimension "k" with step 1, found [1, ?, 0] (C26)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, ?, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// C27: sums that would be rounded to f16 between kernels.
func.func @rounds(%a: tensor<8x4xf16>, %b: tensor<4x6xf16>) -> tensor<8x6xf16> {
  // expected-error @below {{expects summed dimensions to be prim, for it sums in 'f32' and its result has elements 'f16' (C27)}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"k" k seq 2 step 2 strides [2, 12, 0]>, <"m" m prim 8 strides [4, 0, 6]>, <"n" n prim 6 strides [0, 1, 1]>, <"k" k prim 2 strides [1, 6, 0]>]>} : (tensor<8x4xf16>, tensor<4x6xf16>) -> tensor<8x6xf16>
  return %c : tensor<8x6xf16>
}

// -----

// C28: three operands.
func.func @three(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @below {{expects a contraction with a schedule to have one or two operands, found 3: run einsum-contract-pairwise before (C28)}}
  %c = einsum.contract "ij, jk, kl -> il" (%a, %a, %a) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"i" m seq 8 strides [8, 0, 0, 8]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

// C28: padding.
func.func @padded(%a: tensor<8xf32>, %b: tensor<3xf32>) -> tensor<8xf32> {
  // expected-error @below {{expects a contraction with a schedule to have pad = "none", found "zero": run einsum-pad-operands before (C28)}}
  %c = einsum.contract "(m+r-1), r -> m" (%a, %b) {pad = "zero", schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 8 strides [1, 0, 1]>, <"r" k seq 3 strides [1, 1, 0]>]>} : (tensor<8xf32>, tensor<3xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// C28: a dynamic size.
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{expects a contraction with a schedule to have operands of static shape and layout, found 'tensor<?xf32>' (C28)}}
  %c = einsum.contract "m -> m" (%a) {schedule = #einsum.schedule<first = none, main = copy, last = none, dims = [<"m" c seq 8 strides [1, 1]>]>} : (tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}

// -----

// C28: a dynamic stride.
func.func @layout(%a: memref<8x8xf32, strided<[?, 1]>>, %c: memref<8x8xf32>) {
  // expected-error @below {{expects a contraction with a schedule to have operands of static shape and layout, found 'memref<8x8xf32, strided<[?, 1]>>' (C28)}}
  einsum.contract "mn -> mn" (%a) outs(%c : memref<8x8xf32>) {schedule = #einsum.schedule<first = none, main = copy, last = none, dims = [<"m" c seq 8 strides [8, 8]>, <"n" c seq 8 strides [1, 1]>]>} : (memref<8x8xf32, strided<[?, 1]>>)
  return
}

// -----

// C28: no elements.
func.func @empty(%a: tensor<8x0xf32>) -> tensor<8x0xf32> {
  // expected-error @below {{expects a contraction with a schedule to have operands with elements, found 'tensor<8x0xf32>' (C28)}}
  %c = einsum.contract "mn -> mn" (%a) {schedule = #einsum.schedule<first = none, main = copy, last = none, dims = [<"m" c seq 8 strides [0, 0]>, <"n" c seq 1 strides [1, 1]>]>} : (tensor<8x0xf32>) -> tensor<8x0xf32>
  return %c : tensor<8x0xf32>
}

// -----

// C28: a letter that takes no value, of an operand with elements.
func.func @no_values(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{expects a contraction with a schedule to have letters of positive size, found one of size 0 (C28)}}
  %c = einsum.contract "(m+r) -> m" (%a) {sizes = {r = 0}, schedule = #einsum.schedule<first = zero, main = sum, last = none, dims = [<"m" c seq 8 strides [1, 1]>, <"r" k seq 1 strides [1, 0]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// What a sum starts from, alone.
func.func @first(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects its schedule to start from zero, found load}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = load, main = gemm, last = none, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// What a copy starts from.
func.func @first_of_copy(%a: tensor<6x8xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects its schedule to start from none, found zero}}
  %c = einsum.contract "nm -> mn" (%a) {schedule = #einsum.schedule<first = zero, main = copy, last = none, dims = [<"m" c seq 8 strides [1, 6]>, <"n" c seq 6 strides [8, 1]>]>} : (tensor<6x8xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// What follows it, alone.
func.func @last(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects last = none outside of an einsum.kernel, found relu}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = relu, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Lanes that are not of the kernel.
func.func @lanes(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'lanes' to be the position of a prim dimension, found 1}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, lanes = 1, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Lanes that are no dimension.
func.func @lanes_beyond(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'lanes' to be the position of a prim dimension, found 3}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, lanes = 3, dims = [<"m" m prim 8 strides [4, 0, 6]>, <"n" n prim 6 strides [0, 1, 1]>, <"k" k prim 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A tile of three numbers.
func.func @tile(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'tile' to be two positive numbers, rows and vectors, found [8, 2, 1]}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, tile = [8, 2, 1], dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A tile without rows.
func.func @tile_zero(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'tile' to be two positive numbers, rows and vectors, found [0, 2]}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, tile = [0, 2], dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Unrolling.
func.func @unroll(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'unroll' to be positive, found -1}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, unroll = -1, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Prefetching what is behind.
func.func @prefetch(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'prefetch' to be a number of steps, at most 1024, found -1}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, prefetch = -1, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Prefetching what no cache would hold.
func.func @prefetch_far(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'prefetch' to be a number of steps, at most 1024, found 1025}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, prefetch = 1025, dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// An operand that is none.
func.func @pack(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'pack' to name operands 0 and 1, found 2}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, pack = [2], dims = [<"m" m seq 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// The second operand of one.
func.func @pack_of_one(%a: tensor<6x8xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects 'pack' of its schedule to name operands, found 1}}
  %c = einsum.contract "nm -> mn" (%a) {schedule = #einsum.schedule<first = none, main = copy, last = none, pack = [1], dims = [<"m" c seq 8 strides [1, 6]>, <"n" c seq 6 strides [8, 1]>]>} : (tensor<6x8xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A dimension without letters.
func.func @no_letter(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects a dimension to have a letter, found none}}
  // expected-error @below {{failed to parse Einsum_ScheduleAttr parameter 'dims'}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"" m seq 8 strides [4, 0, 6]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A size of 0.
func.func @size(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the size of dimension "m" to be positive, found 0}}
  // expected-error @below {{failed to parse Einsum_ScheduleAttr parameter 'dims'}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 0 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// A step of 0.
func.func @step(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expects the step of dimension "m" to be positive, found -1}}
  // expected-error @below {{failed to parse Einsum_ScheduleAttr parameter 'dims'}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m seq 8 step -1 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// -----

// Words that are none.
func.func @word(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{expected one of [seq, shared, prim] for how a dimension is executed, got: parallel}}
  // expected-error @below {{failed to parse Einsum_DimAttr parameter 'exec'}}
  // expected-error @below {{failed to parse Einsum_ScheduleAttr parameter 'dims'}}
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<first = zero, main = gemm, last = none, dims = [<"m" m parallel 8 strides [4, 0, 6]>, <"n" n seq 6 strides [0, 1, 1]>, <"k" k seq 4 strides [1, 6, 0]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c : tensor<8x6xf32>
}

// A rewrite must not lose a size that only the rewritten types told, nor make known at compile time
// that a run will fail. These left operations that do not verify, so that a valid program did not
// compile.
//
// RUN: tile-opt --canonicalize --split-input-file %s | FileCheck %s

// C12: only the permutation's operand type tells the size of h, which with padding no axis does.
// CHECK-LABEL: @result_permutation
func.func @result_permutation(%a: tensor<8x?xf32>) -> tensor<?x?xf32> {
  // CHECK: %[[R:.*]] = einsum.contract "(h+r)k -> kh" (%{{.*}}) {pad = "zero", sizes = {r = 3 : i64}} : (tensor<8x?xf32>) -> tensor<?x9xf32>
  // CHECK: tensor.cast %[[R]] : tensor<?x9xf32> to tensor<?x?xf32>
  %t = einsum.contract "(h+r)k -> hk" (%a) {pad = "zero", sizes = {r = 3}}
      : (tensor<8x?xf32>) -> tensor<9x?xf32>
  %0 = einsum.contract "hk -> kh" (%t) : (tensor<9x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// C19: the divisor w+1 is known to be positive because the permutation's result has a static size.
// CHECK-LABEL: @operand_permutation
func.func @operand_permutation(%a: tensor<?x9xf32>) -> tensor<f32> {
  // CHECK: einsum.contract {{.*}} -> tensor<f32>
  %t = einsum.contract "wh -> hw" (%a) : (tensor<?x9xf32>) -> tensor<9x4xf32>
  %0 = einsum.contract "(h/(w+1))w -> " (%t) {sizes = {h = 9}} : (tensor<9x4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// C14: the read leaves the source of the cast, which is an error of the run: the code may be dead.
// CHECK-LABEL: @cast_to_a_read_outside
func.func @cast_to_a_read_outside(%a: tensor<5xf32>) -> tensor<9xf32> {
  // CHECK: tensor.cast %{{.*}} : tensor<5xf32> to tensor<?xf32>
  // CHECK: einsum.contract "(h+1) -> h" (%{{.*}}) : (tensor<?xf32>) -> tensor<9xf32>
  %c = tensor.cast %a : tensor<5xf32> to tensor<?xf32>
  %0 = einsum.contract "(h+1) -> h" (%c) : (tensor<?xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

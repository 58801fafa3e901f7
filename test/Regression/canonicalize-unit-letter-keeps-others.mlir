// Replacing a reduced index of size 1 by 0 makes a product with it vanish, and with it another
// index (whose sum is then lost) or a table. Such an index stays. It used to crash, or to leave an
// operation that does not verify.
//
// RUN: tile-opt --canonicalize --split-input-file %s | FileCheck %s

// The sum over s is 2 * a[0] * b[0].
// CHECK-LABEL: @other_letter_of_sizes
func.func @other_letter_of_sizes(%a: tensor<1xf32>, %b: tensor<9xf32>) -> tensor<f32> {
  // CHECK: einsum.contract "r, (r*s) -> " (%{{.*}}) {sizes = {s = 2 : i64}} : (tensor<1xf32>, tensor<9xf32>) -> tensor<f32>
  %0 = einsum.contract "r, (r*s) -> " (%a, %b) {sizes = {s = 2}}
      : (tensor<1xf32>, tensor<9xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// One table is left of two.
// CHECK-LABEL: @one_of_two_tables
func.func @one_of_two_tables(%a: tensor<1xf32>, %b: tensor<9xf32>, %u: tensor<5xi32>,
                             %t: tensor<5xi32>) -> tensor<f32> {
  // CHECK: einsum.contract "r, (r*u[s]+t[s]) -> " (%{{.*}}) tables(u = %{{.*}} : tensor<5xi32>, t = %{{.*}} : tensor<5xi32>)
  %0 = einsum.contract "r, (r*u[s]+t[s]) -> " (%a, %b)
      tables(u = %u : tensor<5xi32>, t = %t : tensor<5xi32>)
      : (tensor<1xf32>, tensor<9xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// No table is left, and s with it.
// CHECK-LABEL: @table_and_letter
func.func @table_and_letter(%a: tensor<1xf32>, %b: tensor<9xf32>, %u: tensor<5xi32>) -> tensor<f32> {
  // CHECK: einsum.contract "r, (r*u[s]) -> " (%{{.*}}) tables(u = %{{.*}} : tensor<5xi32>)
  %0 = einsum.contract "r, (r*u[s]) -> " (%a, %b) tables(u = %u : tensor<5xi32>)
      : (tensor<1xf32>, tensor<9xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Canonicalization patterns of einsum.contract that go by sizes, and where they must not apply:
// reduced indices of size 1, casts of operands, the result's type, outs.
//
// RUN: tile-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: @unit_letters
func.func @unit_letters(%a: tensor<4x1x8x1xf32>, %b: tensor<1x8xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: einsum.contract "m(0)k(0), (0)k -> m" (%arg0, %arg1) : (tensor<4x1x8x1xf32>, tensor<1x8xf32>) -> tensor<4xf32>
  %0 = einsum.contract "mikj, jk -> m" (%a, %b) : (tensor<4x1x8x1xf32>, tensor<1x8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Its entry in `sizes` goes with it, the others stay.
// CHECK-LABEL: @unit_letter_of_sizes
func.func @unit_letter_of_sizes(%a: tensor<9x9xf32>) -> (tensor<4x7xf32>, tensor<4x4xf32>) {
  // CHECK-NEXT: einsum.contract "(2*h)(w+s) -> hw" (%arg0) {sizes = {s = 3 : i64}} : (tensor<9x9xf32>) -> tensor<4x7xf32>
  %0 = einsum.contract "(2*h+r)(w+s) -> hw" (%a) {sizes = {r = 1, s = 3}} : (tensor<9x9xf32>) -> tensor<4x7xf32>
  // CHECK-NEXT: einsum.contract "(2*h)(2*w) -> hw" (%arg0) : (tensor<9x9xf32>) -> tensor<4x4xf32>
  %1 = einsum.contract "(2*h+r)(2*w+s) -> hw" (%a) {sizes = {r = 1, s = 1}} : (tensor<9x9xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x7xf32>, tensor<4x4xf32>
}

// The axis becomes an index alone of the size that it has: an identity here.
// CHECK-LABEL: @unit_letter_leaves_a_bare_letter
// CHECK-SAME: %[[A:.*]]: tensor<4x9xf32>
func.func @unit_letter_leaves_a_bare_letter(%a: tensor<4x9xf32>) -> tensor<4x9xf32> {
  // CHECK-NEXT: return %[[A]]
  %0 = einsum.contract "a(h+r) -> ah" (%a) {sizes = {r = 1}} : (tensor<4x9xf32>) -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}

// The axis would be an index alone of another size: less is read of it, or more, padded.
// CHECK-LABEL: @unit_letter_before_another_size
func.func @unit_letter_before_another_size(%a: tensor<9xf32>) -> (tensor<8xf32>, tensor<12xf32>) {
  // CHECK-NEXT: einsum.contract "(h+r) -> h" (%arg0) {sizes = {r = 1 : i64}} : (tensor<9xf32>) -> tensor<8xf32>
  %0 = einsum.contract "(h+r) -> h" (%a) {sizes = {r = 1}} : (tensor<9xf32>) -> tensor<8xf32>
  // CHECK-NEXT: einsum.contract "(h+r) -> h" (%arg0) {pad = "zero", sizes = {r = 1 : i64}} : (tensor<9xf32>) -> tensor<12xf32>
  %1 = einsum.contract "(h+r) -> h" (%a) {pad = "zero", sizes = {r = 1}} : (tensor<9xf32>) -> tensor<12xf32>
  return %0, %1 : tensor<8xf32>, tensor<12xf32>
}

// The axis would be an index alone of a size that is not known to be the same.
// CHECK-LABEL: @unit_letter_and_dynamic_size
func.func @unit_letter_and_dynamic_size(%a: tensor<?xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: einsum.contract "(h+r), h -> h" (%arg0, %arg1) {sizes = {r = 1 : i64}}
  %0 = einsum.contract "(h+r), h -> h" (%a, %b) {sizes = {r = 1}} : (tensor<?xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// What indexes a table is an index.
// CHECK-LABEL: @unit_letter_of_a_table
func.func @unit_letter_of_a_table(%a: tensor<8xf32>, %t: tensor<1xi32>) -> tensor<4xf32> {
  // CHECK-NEXT: einsum.contract "(h+t[r]) -> h" (%arg0) tables(t = %arg1 : tensor<1xi32>)
  %0 = einsum.contract "(h+t[r]) -> h" (%a) tables(t = %t : tensor<1xi32>) : (tensor<8xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An index of the result stays, whatever its size, and so does a reduced one of size 0 or 2.
// CHECK-LABEL: @other_letters
func.func @other_letters(%a: tensor<1x2xf32>, %b: tensor<1x0xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  // CHECK-NEXT: einsum.contract "mk -> m" (%arg0)
  // CHECK-NEXT: einsum.contract "mk -> m" (%arg1)
  %0 = einsum.contract "mk -> m" (%a) : (tensor<1x2xf32>) -> tensor<1xf32>
  %1 = einsum.contract "mk -> m" (%b) : (tensor<1x0xf32>) -> tensor<1xf32>
  return %0, %1 : tensor<1xf32>, tensor<1xf32>
}

// Also on memrefs.
// CHECK-LABEL: @unit_letter_on_memrefs
func.func @unit_letter_on_memrefs(%a: memref<4x1xf32>, %o: memref<4xf32>) {
  // CHECK-NEXT: einsum.contract "h(0) -> h" (%arg0) outs(%arg1 : memref<4xf32>) : (memref<4x1xf32>)
  einsum.contract "hr -> h" (%a) outs(%o : memref<4xf32>) : (memref<4x1xf32>)
  return
}

// Inputs and tables are read where they are static, and the result becomes so.
// CHECK-LABEL: @casts
func.func @casts(%a: tensor<9x8xf32>, %b: tensor<8x5xf32>, %t: tensor<8xi32>) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[R:.*]] = einsum.contract "m(k+t[k]), kn -> mn" (%arg0, %arg1) tables(t = %arg2 : tensor<8xi32>) {pad = "zero"} : (tensor<9x8xf32>, tensor<8x5xf32>) -> tensor<9x5xf32>
  // CHECK-NEXT: %[[C:.*]] = tensor.cast %[[R]] : tensor<9x5xf32> to tensor<?x?xf32>
  // CHECK-NEXT: return %[[C]]
  %c = tensor.cast %a : tensor<9x8xf32> to tensor<?x?xf32>
  %d = tensor.cast %b : tensor<8x5xf32> to tensor<?x5xf32>
  %u = tensor.cast %t : tensor<8xi32> to tensor<?xi32>
  %0 = einsum.contract "m(k+t[k]), kn -> mn" (%c, %d) tables(t = %u : tensor<?xi32>) {pad = "zero"}
      : (tensor<?x?xf32>, tensor<?x5xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A cast that tells more is a check, and an unranked source no operand.
// CHECK-LABEL: @casts_that_stay
func.func @casts_that_stay(%a: tensor<?x?xf32>, %b: tensor<*xf32>) -> tensor<9x5xf32> {
  // CHECK-NEXT: %[[C:.*]] = tensor.cast %arg0
  // CHECK-NEXT: %[[D:.*]] = tensor.cast %arg1
  // CHECK-NEXT: einsum.contract "mk, kn -> mn" (%[[C]], %[[D]])
  %c = tensor.cast %a : tensor<?x?xf32> to tensor<9x8xf32>
  %d = tensor.cast %b : tensor<*xf32> to tensor<8x5xf32>
  %0 = einsum.contract "mk, kn -> mn" (%c, %d) : (tensor<9x8xf32>, tensor<8x5xf32>) -> tensor<9x5xf32>
  return %0 : tensor<9x5xf32>
}

// C11: sizes that will disagree at run time stay an error of the run: the code may be dead.
// CHECK-LABEL: @cast_to_a_contradiction
func.func @cast_to_a_contradiction(%a: tensor<9x7xf32>, %b: tensor<8x5xf32>) -> tensor<9x5xf32> {
  // CHECK-NEXT: %[[C:.*]] = tensor.cast %arg0
  // CHECK-NEXT: einsum.contract "mk, kn -> mn" (%[[C]], %arg1) : (tensor<?x?xf32>, tensor<8x5xf32>) -> tensor<9x5xf32>
  %c = tensor.cast %a : tensor<9x7xf32> to tensor<?x?xf32>
  %0 = einsum.contract "mk, kn -> mn" (%c, %b) : (tensor<?x?xf32>, tensor<8x5xf32>) -> tensor<9x5xf32>
  return %0 : tensor<9x5xf32>
}

// The result's sizes: of operands, of tables, of windows; what is dynamic stays so.
// CHECK-LABEL: @refined_result
func.func @refined_result(%a: tensor<9x8x20xf32>, %b: tensor<?xf32>, %t: tensor<6xi32>) -> tensor<?x?x?x?xf32> {
  // CHECK-NEXT: %[[R:.*]] = einsum.contract "h(2*w+r)(t[c]), v -> hwcv" (%arg0, %arg1) tables(t = %arg2 : tensor<6xi32>) {sizes = {r = 3 : i64}} : (tensor<9x8x20xf32>, tensor<?xf32>) -> tensor<9x3x6x?xf32>
  // CHECK-NEXT: %[[C:.*]] = tensor.cast %[[R]] : tensor<9x3x6x?xf32> to tensor<?x?x?x?xf32>
  // CHECK-NEXT: return %[[C]]
  %0 = einsum.contract "h(2*w+r)(t[c]), v -> hwcv" (%a, %b) tables(t = %t : tensor<6xi32>) {sizes = {r = 3}}
      : (tensor<9x8x20xf32>, tensor<?xf32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// outs of a result that is static anyway: its value is not read.
// CHECK-LABEL: @outs_dropped
func.func @outs_dropped(%a: tensor<9x8xf32>, %b: tensor<8x5xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[R:.*]] = einsum.contract "mk, kn -> mn" (%arg0, %arg1) : (tensor<9x8xf32>, tensor<8x5xf32>) -> tensor<9x5xf32>
  // CHECK-NEXT: tensor.cast %[[R]]
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) outs(%o : tensor<?x?xf32>)
      : (tensor<9x8xf32>, tensor<8x5xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// outs that tell a size stay.
// CHECK-LABEL: @outs_kept
func.func @outs_kept(%a: tensor<9x8xf32>, %o: tensor<9x?xf32>) -> tensor<9x?xf32> {
  // CHECK-NEXT: einsum.contract "m(k+r) -> mk" (%arg0) outs(%arg1 : tensor<9x?xf32>) {pad = "zero", sizes = {r = 2 : i64}}
  %0 = einsum.contract "m(k+r) -> mk" (%a) outs(%o : tensor<9x?xf32>) {pad = "zero", sizes = {r = 2}}
      : (tensor<9x8xf32>) -> tensor<9x?xf32>
  return %0 : tensor<9x?xf32>
}

// On memrefs there is no type to refine.
// CHECK-LABEL: @outs_on_memrefs
func.func @outs_on_memrefs(%a: memref<9x8xf32>, %o: memref<?x?xf32>) {
  // CHECK-NEXT: einsum.contract "mk -> mk" (%arg0) outs(%arg1 : memref<?x?xf32>) : (memref<9x8xf32>)
  einsum.contract "mk -> mk" (%a) outs(%o : memref<?x?xf32>) : (memref<9x8xf32>)
  return
}

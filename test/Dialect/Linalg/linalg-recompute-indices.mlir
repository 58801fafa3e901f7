// linalg-recompute-indices: who uses indices or masks gets the ops that compute them to itself, so that fusion takes them in.
//
// RUN: tile-opt %s --linalg-recompute-indices --canonicalize | FileCheck %s
// RUN: tile-opt %s --linalg-recompute-indices --linalg-fuse-elementwise-ops | FileCheck %s --check-prefix=FUSED

#row = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

// A mask of a sum of a range: the range, the sum and the comparison are computed in each of two selections; the memory
// that is accessed under it needs the mask, too.
// CHECK-LABEL: @mask
// CHECK: arith.cmpi
// CHECK: arith.select
// CHECK: arith.cmpi
// CHECK: arith.select
// FUSED-LABEL: @mask
// FUSED-NOT: tensor<8xi32>
// FUSED: linalg.generic {{.*}} outs(%{{.*}} : tensor<8xi1>)
// FUSED: linalg.generic {{.*}} ins(%{{[a-z0-9]+}} : tensor<8xf32>)
// FUSED: linalg.index
// FUSED: arith.cmpi
// FUSED: arith.select
// FUSED: linalg.generic {{.*}} ins(%{{[a-z0-9]+}} : tensor<8xf32>)
// FUSED: linalg.index
// FUSED: arith.cmpi
// FUSED: arith.select
// FUSED-NOT: linalg.generic
// FUSED: tensor.extract
func.func @mask(%start: i32, %n: i32, %x: tensor<8xf32>, %y: tensor<8xf32>, %at: index) -> (tensor<8xf32>, tensor<8xf32>, i1) {
  %zero = arith.constant 0.0 : f32
  %numbers = tensor.empty() : tensor<8xi32>
  %bits = tensor.empty() : tensor<8xi1>
  %empty = tensor.empty() : tensor<8xf32>
  %starts = linalg.fill ins(%start : i32) outs(%numbers : tensor<8xi32>) -> tensor<8xi32>
  %range = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%numbers : tensor<8xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %number = arith.index_cast %i : index to i32
    linalg.yield %number : i32
  } -> tensor<8xi32>
  %sum = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%starts, %range : tensor<8xi32>, tensor<8xi32>) outs(%numbers : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %c = arith.addi %a, %b : i32
    linalg.yield %c : i32
  } -> tensor<8xi32>
  %mask = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%sum : tensor<8xi32>) outs(%bits : tensor<8xi1>) {
  ^bb0(%a: i32, %out: i1):
    %c = arith.cmpi slt, %a, %n : i32
    linalg.yield %c : i1
  } -> tensor<8xi1>
  %u = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%mask, %x : tensor<8xi1>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%a: i1, %b: f32, %out: f32):
    %c = arith.select %a, %b, %zero : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%mask, %y : tensor<8xi1>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%a: i1, %b: f32, %out: f32):
    %c = arith.select %a, %zero, %b : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %bit = tensor.extract %mask[%at] : tensor<8xi1>
  return %u, %v, %bit : tensor<8xf32>, tensor<8xf32>, i1
}

// Through a reshape, which is copied, too.
// CHECK-LABEL: @reshaped
// CHECK-COUNT-2: tensor.expand_shape
// FUSED-LABEL: @reshaped
// FUSED-NOT: tensor.expand_shape
// FUSED: return
func.func @reshaped(%x: tensor<4x8xi64>) -> (tensor<4x8xi64>, tensor<4x8xi64>) {
  %numbers = tensor.empty() : tensor<32xi64>
  %empty = tensor.empty() : tensor<4x8xi64>
  %range = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%numbers : tensor<32xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %number = arith.index_cast %i : index to i64
    linalg.yield %number : i64
  } -> tensor<32xi64>
  %table = tensor.expand_shape %range [[0, 1]] output_shape [4, 8] : tensor<32xi64> into tensor<4x8xi64>
  %u = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%table, %x : tensor<4x8xi64>, tensor<4x8xi64>) outs(%empty : tensor<4x8xi64>) {
  ^bb0(%a: i64, %b: i64, %out: i64):
    %c = arith.addi %a, %b : i64
    linalg.yield %c : i64
  } -> tensor<4x8xi64>
  %v = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%table, %x : tensor<4x8xi64>, tensor<4x8xi64>) outs(%empty : tensor<4x8xi64>) {
  ^bb0(%a: i64, %b: i64, %out: i64):
    %c = arith.muli %a, %b : i64
    linalg.yield %c : i64
  } -> tensor<4x8xi64>
  return %u, %v : tensor<4x8xi64>, tensor<4x8xi64>
}

// Not copied: what divides, what reads as many numbers as it makes, what has one user.
// CHECK-LABEL: @stays
// CHECK-COUNT-1: arith.divsi
// CHECK-COUNT-1: arith.muli
// CHECK-COUNT-1: arith.cmpi
// CHECK-NOT: arith.{{divsi|muli|cmpi}}
// CHECK: return
func.func @stays(%x: tensor<8xi32>, %n: i32) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %bits = tensor.empty() : tensor<8xi1>
  %empty = tensor.empty() : tensor<8xi32>
  %quotient = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]} outs(%empty : tensor<8xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %number = arith.index_cast %i : index to i32
    %q = arith.divsi %number, %n : i32
    linalg.yield %q : i32
  } -> tensor<8xi32>
  %product = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%empty : tensor<8xi32>) {
  ^bb0(%a: i32, %out: i32):
    %c = arith.muli %a, %n : i32
    linalg.yield %c : i32
  } -> tensor<8xi32>
  %mask = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%bits : tensor<8xi1>) {
  ^bb0(%a: i32, %out: i1):
    %c = arith.cmpi slt, %a, %n : i32
    linalg.yield %c : i1
  } -> tensor<8xi1>
  %u = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%quotient, %product : tensor<8xi32>, tensor<8xi32>) outs(%empty : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %c = arith.addi %a, %b : i32
    linalg.yield %c : i32
  } -> tensor<8xi32>
  %v = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%quotient, %product : tensor<8xi32>, tensor<8xi32>) outs(%empty : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %c = arith.subi %a, %b : i32
    linalg.yield %c : i32
  } -> tensor<8xi32>
  %w = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%mask, %x : tensor<8xi1>, tensor<8xi32>) outs(%empty : tensor<8xi32>) {
  ^bb0(%a: i1, %b: i32, %out: i32):
    %c = arith.select %a, %b, %n : i32
    linalg.yield %c : i32
  } -> tensor<8xi32>
  return %u, %v, %w : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}

// A comparison of as many numbers as its mask has, but no vector reads an i1 from memory.
// CHECK-LABEL: @compared
// CHECK-COUNT-2: arith.cmpf
// FUSED-LABEL: @compared
// FUSED-NOT: tensor<8xi1>
// FUSED: return
func.func @compared(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %bits = tensor.empty() : tensor<8xi1>
  %empty = tensor.empty() : tensor<8xf32>
  %mask = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%bits : tensor<8xi1>) {
  ^bb0(%a: f32, %b: f32, %out: i1):
    %c = arith.cmpf olt, %a, %b : f32
    linalg.yield %c : i1
  } -> tensor<8xi1>
  %u = linalg.generic {indexing_maps = [#row, #row, #row, #row], iterator_types = ["parallel"]}
      ins(%mask, %x, %y : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%a: i1, %b: f32, %c: f32, %out: f32):
    %d = arith.select %a, %b, %c : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#row, #row, #row, #row], iterator_types = ["parallel"]}
      ins(%mask, %x, %y : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%a: i1, %b: f32, %c: f32, %out: f32):
    %d = arith.select %a, %c, %b : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  return %u, %v : tensor<8xf32>, tensor<8xf32>
}

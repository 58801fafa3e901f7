// tile-psi-to-select: the last true predicate wins, where none is true the first pair's value is it.
//
// RUN: tile-opt --tile-psi-to-select %s | FileCheck %s

// The example of the documentation.
// CHECK-LABEL: @doc
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>, %[[ZERO:.*]]: tensor<64xf32>
func.func @doc(%x: tensor<64xf32>, %zero: tensor<64xf32>) -> tensor<64xf32> {
  // CHECK-NEXT: %[[T:.*]] = arith.cmpf ogt, %[[X]], %[[ZERO]] : tensor<64xf32>
  // CHECK-NEXT: %[[TRUE:.*]] = arith.constant dense<true> : tensor<64xi1>
  // CHECK-NEXT: %[[E:.*]] = arith.xori %[[T]], %[[TRUE]] : tensor<64xi1>
  // CHECK-NEXT: %[[R:.*]] = arith.select %[[E]], %[[ZERO]], %[[X]] : tensor<64xi1>, tensor<64xf32>
  // CHECK-NEXT: return %[[R]]
  %t, %e = tile.cmpp ogt %x, %zero : tensor<64xf32>
  %r = tile.psi %t ? %x, %e ? %zero : tensor<64xi1>, tensor<64xf32>
  return %r : tensor<64xf32>
}

// CHECK-LABEL: @psi
// CHECK-SAME: %[[P:.*]]: tensor<3xi1>, %[[Q:.*]]: tensor<3xi1>, %[[R:.*]]: tensor<3xi1>, %[[X:.*]]: tensor<3xf32>, %[[Y:.*]]: tensor<3xf32>, %[[Z:.*]]: tensor<3xf32>
func.func @psi(%p: tensor<3xi1>, %q: tensor<3xi1>, %r: tensor<3xi1>,
               %x: tensor<3xf32>, %y: tensor<3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: %[[A:.*]] = arith.select %[[Q]], %[[Y]], %[[X]] : tensor<3xi1>, tensor<3xf32>
  // CHECK-NEXT: %[[B:.*]] = arith.select %[[R]], %[[Z]], %[[A]] : tensor<3xi1>, tensor<3xf32>
  // CHECK-NEXT: return %[[B]]
  %0 = tile.psi %p ? %x, %q ? %y, %r ? %z : tensor<3xi1>, tensor<3xf32>
  return %0 : tensor<3xf32>
}

// One predicate for whole tiles, and pointers. One pair alone is its value.
// CHECK-LABEL: @pointers
// CHECK-SAME: %[[P:.*]]: i1, %[[X:.*]]: tensor<3x!tile.ptr<f32>>, %[[Y:.*]]: tensor<3x!tile.ptr<f32>>
func.func @pointers(%p: i1, %x: tensor<3x!tile.ptr<f32>>, %y: tensor<3x!tile.ptr<f32>>)
    -> (tensor<3x!tile.ptr<f32>>, tensor<3x!tile.ptr<f32>>) {
  // CHECK-NEXT: %[[A:.*]] = arith.select %[[P]], %[[Y]], %[[X]] : tensor<3x!tile.ptr<f32>>
  // CHECK-NEXT: return %[[A]], %[[X]]
  %0 = tile.psi %p ? %x, %p ? %y : i1, tensor<3x!tile.ptr<f32>>
  %1 = tile.psi %p ? %x : i1, tensor<3x!tile.ptr<f32>>
  return %0, %1 : tensor<3x!tile.ptr<f32>>, tensor<3x!tile.ptr<f32>>
}

// CHECK-LABEL: @cmpp
// CHECK-SAME: %[[X:.*]]: tensor<5xf32>, %[[I:.*]]: i64
func.func @cmpp(%x: tensor<5xf32>, %i: i64) -> (tensor<5xi1>, tensor<5xi1>, i1, i1) {
  // CHECK: %[[T:.*]] = arith.cmpf olt, %[[X]], %[[X]] : tensor<5xf32>
  // CHECK: %[[ONES:.*]] = arith.constant dense<true> : tensor<5xi1>
  // CHECK: %[[E:.*]] = arith.xori %[[T]], %[[ONES]] : tensor<5xi1>
  // CHECK: %[[U:.*]] = arith.cmpi ule, %[[I]], %[[I]] : i64
  // Nothing is negated that nobody uses.
  // CHECK-NOT: arith.xori
  // CHECK: return %[[T]], %[[E]], %[[U]], %[[U]]
  %t, %e = tile.cmpp olt %x, %x : tensor<5xf32>
  %u, %v = tile.cmpp ule %i, %i : i64
  return %t, %e, %u, %u : tensor<5xi1>, tensor<5xi1>, i1, i1
}

// Folds and canonicalizations. What must not be simplified stands here too.
// RUN: tile-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @splat_of_constant
func.func @splat_of_constant() -> tensor<4xi32> {
  // CHECK: arith.constant dense<7> : tensor<4xi32>
  // CHECK-NOT: tile.splat
  %c = arith.constant 7 : i32
  %0 = tile.splat %c : i32 -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @ranges
func.func @ranges() -> (tensor<1xi32>, tensor<2xi32>) {
  // CHECK-DAG: arith.constant dense<5> : tensor<1xi32>
  %0 = tile.range 5 to 6 : tensor<1xi32>
  // CHECK-DAG: tile.range 5 to 7
  %1 = tile.range 5 to 7 : tensor<2xi32>
  return %0, %1 : tensor<1xi32>, tensor<2xi32>
}

// CHECK-LABEL: func.func @reshapes
// CHECK-SAME: %[[X:.*]]: tensor<6xf32>, %[[S:.*]]: f32
func.func @reshapes(%x: tensor<6xf32>, %s: f32) -> (tensor<6xf32>, tensor<3x2xf32>, tensor<2x1xf32>, tensor<2x2xi32>) {
  %0 = tile.reshape %x : tensor<6xf32> -> tensor<2x3xf32>
  %1 = tile.reshape %0 : tensor<2x3xf32> -> tensor<6xf32>
  // CHECK: %[[A:.*]] = tile.reshape %[[X]] : tensor<6xf32> -> tensor<3x2xf32>
  %2 = tile.reshape %0 : tensor<2x3xf32> -> tensor<3x2xf32>
  // CHECK: %[[B:.*]] = tile.splat %[[S]] : f32 -> tensor<2x1xf32>
  %3 = tile.splat %s : f32 -> tensor<2xf32>
  %4 = tile.reshape %3 : tensor<2xf32> -> tensor<2x1xf32>
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %5 = tile.reshape %c : tensor<4xi32> -> tensor<2x2xi32>
  // CHECK: return %[[X]], %[[A]], %[[B]], %{{.*}}
  return %1, %2, %4, %5 : tensor<6xf32>, tensor<3x2xf32>, tensor<2x1xf32>, tensor<2x2xi32>
}

// CHECK-LABEL: func.func @broadcasts
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>
func.func @broadcasts(%x: tensor<3xf32>) -> (tensor<4x2x3xf32>, tensor<3xf32>) {
  // CHECK: %[[A:.*]] = tile.broadcast %[[X]] : tensor<3xf32> -> tensor<4x2x3xf32>
  %0 = tile.broadcast %x : tensor<3xf32> -> tensor<2x3xf32>
  %1 = tile.broadcast %0 : tensor<2x3xf32> -> tensor<4x2x3xf32>
  %2 = tile.broadcast %x : tensor<3xf32> -> tensor<3xf32>
  // CHECK: return %[[A]], %[[X]]
  return %1, %2 : tensor<4x2x3xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @transpositions
// CHECK-SAME: %[[X:.*]]: tensor<2x3x5xf32>
func.func @transpositions(%x: tensor<2x3x5xf32>) -> (tensor<2x3x5xf32>, tensor<5x2x3xf32>) {
  %0 = tile.trans %x [1, 2, 0] : tensor<2x3x5xf32>
  %1 = tile.trans %0 [2, 0, 1] : tensor<3x5x2xf32>
  // CHECK: %[[A:.*]] = tile.trans %[[X]] [2, 0, 1] : tensor<2x3x5xf32>
  %2 = tile.trans %0 [1, 2, 0] : tensor<3x5x2xf32>
  // CHECK: return %[[X]], %[[A]]
  return %1, %2 : tensor<2x3x5xf32>, tensor<5x2x3xf32>
}

// CHECK-LABEL: func.func @dots
// CHECK-SAME: %[[A:.*]]: tensor<2x2xf32>, %[[B:.*]]: tensor<2x2xf32>, %[[C:.*]]: tensor<2x2xf32>
func.func @dots(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x2xf32>
  // The sum goes into the accumulator.
  // CHECK: %[[D:.*]] = tile.dot %[[A]], %[[B]], %[[C]]
  %0 = tile.dot %a, %b, %z : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  %1 = arith.addf %0, %c : tensor<2x2xf32>
  // 0 * inf is NaN: a product of floats with zero stays.
  // CHECK: %[[E:.*]] = tile.dot %{{.*}}, %[[B]], %[[C]]
  %2 = tile.dot %z, %b, %c : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  // CHECK: return %[[D]], %[[E]]
  return %1, %2 : tensor<2x2xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @integer_dot
// CHECK-SAME: %[[B:.*]]: tensor<2x2xi8>, %[[C:.*]]: tensor<2x2xi32>
func.func @integer_dot(%b: tensor<2x2xi8>, %c: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %z = arith.constant dense<0> : tensor<2x2xi8>
  %0 = tile.dot %b, %z, %c : tensor<2x2xi8>, tensor<2x2xi8>, tensor<2x2xi32>
  // CHECK: return %[[C]]
  return %0 : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @dot_with_two_uses
func.func @dot_with_two_uses(%a: tensor<2x2xf32>, %c: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x2xf32>
  // CHECK: tile.dot
  // CHECK-NEXT: arith.addf
  // CHECK-NOT: tile.dot
  %0 = tile.dot %a, %a, %z : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  %1 = arith.addf %0, %c : tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @pointers
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>
func.func @pointers(%p: !tile.ptr<f32>) -> (!tile.ptr<f32>, !tile.ptr<f32>) {
  // CHECK: %[[C:.*]] = arith.constant 7 : i32
  // CHECK: %[[Q:.*]] = tile.addptr %[[P]], %[[C]]
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %0 = tile.addptr %p, %c0 : !tile.ptr<f32>, i32
  %1 = tile.addptr %p, %c3 : !tile.ptr<f32>, i32
  %2 = tile.addptr %1, %c4 : !tile.ptr<f32>, i32
  // CHECK: return %[[P]], %[[Q]]
  return %0, %2 : !tile.ptr<f32>, !tile.ptr<f32>
}

// Casts there and back; one to another type stays.
// CHECK-LABEL: func.func @casts
// CHECK-SAME: %[[P:.*]]: tensor<4x!tile.ptr<f32>>, %[[I:.*]]: i64
func.func @casts(%p: tensor<4x!tile.ptr<f32>>, %i: i64) -> (tensor<4x!tile.ptr<f32>>, tensor<4x!tile.ptr<f32>>, i64, tensor<4x!tile.ptr<f32>>, !tile.ptr<f32>) {
  // CHECK-NEXT: %[[A:.*]] = tile.ptr_to_int %[[P]]
  // CHECK-NEXT: %[[Q:.*]] = tile.int_to_ptr %[[I]] : i64 -> !tile.ptr<f32>
  // CHECK-NEXT: %[[Z:.*]] = tile.int_to_ptr %[[A]] : tensor<4xi64> -> tensor<4x!tile.ptr<i8>>
  // CHECK-NEXT: %[[Y:.*]] = tile.ptr_to_ptr %[[Z]]
  // CHECK-NEXT: return %[[P]], %[[P]], %[[I]], %[[Y]], %[[Q]]
  %0 = tile.ptr_to_ptr %p : tensor<4x!tile.ptr<f32>> -> tensor<4x!tile.ptr<f32>>
  %1 = tile.ptr_to_ptr %0 : tensor<4x!tile.ptr<f32>> -> tensor<4x!tile.ptr<i8>>
  %2 = tile.ptr_to_ptr %1 : tensor<4x!tile.ptr<i8>> -> tensor<4x!tile.ptr<f32>>
  %3 = tile.ptr_to_int %2 : tensor<4x!tile.ptr<f32>> -> tensor<4xi64>
  %4 = tile.int_to_ptr %3 : tensor<4xi64> -> tensor<4x!tile.ptr<f32>>
  %5 = tile.int_to_ptr %i : i64 -> !tile.ptr<f32>
  %6 = tile.ptr_to_int %5 : !tile.ptr<f32> -> i64
  %7 = tile.int_to_ptr %3 : tensor<4xi64> -> tensor<4x!tile.ptr<i8>>
  %8 = tile.ptr_to_ptr %7 : tensor<4x!tile.ptr<i8>> -> tensor<4x!tile.ptr<f32>>
  return %2, %4, %6, %8, %5 : tensor<4x!tile.ptr<f32>>, tensor<4x!tile.ptr<f32>>, i64, tensor<4x!tile.ptr<f32>>, !tile.ptr<f32>
}

// CHECK-LABEL: func.func @masks
// CHECK-SAME: %[[P:.*]]: tensor<4x!tile.ptr<f32>>, %[[X:.*]]: tensor<4xf32>
func.func @masks(%p: tensor<4x!tile.ptr<f32>>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %true = arith.constant dense<true> : tensor<4xi1>
  %false = arith.constant dense<false> : tensor<4xi1>
  // CHECK-DAG: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<4xf32>
  // CHECK-DAG: %[[L:.*]] = tile.load %[[P]] : tensor<4x!tile.ptr<f32>>
  %0 = tile.load %p mask %true other %x : tensor<4x!tile.ptr<f32>>
  %1 = tile.load %p mask %false other %x : tensor<4x!tile.ptr<f32>>
  %2 = tile.load %p mask %false : tensor<4x!tile.ptr<f32>>
  // CHECK: tile.store %[[P]], %[[X]] : tensor<4x!tile.ptr<f32>>
  // CHECK-NOT: tile.store
  tile.store %p, %x mask %true : tensor<4x!tile.ptr<f32>>
  tile.store %p, %x mask %false : tensor<4x!tile.ptr<f32>>
  // CHECK: return %[[L]], %[[X]], %[[Z]]
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Loads that nobody needs go; what may be written between two loads keeps both.
// CHECK-LABEL: func.func @effects
func.func @effects(%p: !tile.ptr<f32>, %x: f32) -> (f32, f32) {
  // CHECK: %[[A:.*]] = tile.load
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: %[[B:.*]] = tile.load
  // CHECK-NEXT: return %[[A]], %[[B]]
  %unused = tile.load %p : !tile.ptr<f32>
  %0 = tile.load %p : !tile.ptr<f32>
  tile.store %p, %x : !tile.ptr<f32>
  %1 = tile.load %p : !tile.ptr<f32>
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @comparisons
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>, %[[Y:.*]]: f32
func.func @comparisons(%x: tensor<4xi32>, %y: f32) -> (tensor<4xi1>, tensor<4xi1>, i1, i1) {
  // CHECK-DAG: %[[T:.*]] = arith.constant dense<true>
  // CHECK-DAG: %[[F:.*]] = arith.constant dense<false>
  %0, %1 = tile.cmpp sle %x, %x : tensor<4xi32>
  // A NaN is not equal to itself.
  // CHECK-DAG: %[[A:.*]], %[[B:.*]] = tile.cmpp oeq %[[Y]], %[[Y]] : f32
  %2, %3 = tile.cmpp oeq %y, %y : f32
  // CHECK: return %[[T]], %[[F]], %[[A]], %[[B]]
  return %0, %1, %2, %3 : tensor<4xi1>, tensor<4xi1>, i1, i1
}

// CHECK-LABEL: func.func @psi
// CHECK-SAME: %[[P:.*]]: i1, %[[Q:.*]]: i1, %[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: f32
func.func @psi(%p: i1, %q: i1, %x: f32, %y: f32, %z: f32) -> (f32, f32, f32, f32, f32) {
  // CHECK-DAG: %[[T:.*]] = arith.constant true
  %true = arith.constant true
  %false = arith.constant false
  // The last true predicate decides.
  %0 = tile.psi %p ? %x, %true ? %y : i1, f32
  // One pair, and pairs of one value.
  %1 = tile.psi %p ? %x : i1, f32
  %2 = tile.psi %p ? %x, %q ? %x : i1, f32
  // What is false never decides, nor what comes before something true.
  // CHECK: %[[A:.*]] = tile.psi %[[P]] ? %[[X]], %[[Q]] ? %[[Z]] : i1, f32
  %3 = tile.psi %p ? %x, %false ? %y, %q ? %z : i1, f32
  // CHECK: %[[B:.*]] = tile.psi %[[T]] ? %[[Y]], %[[Q]] ? %[[Z]] : i1, f32
  %4 = tile.psi %p ? %x, %true ? %y, %q ? %z : i1, f32
  // CHECK: return %[[Y]], %[[X]], %[[X]], %[[A]], %[[B]]
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

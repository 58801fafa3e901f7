// convert-tile-to-linalg: making and retiling tiles, and arithmetic across elements.
//
// RUN: tile-opt --convert-tile-to-linalg %s | FileCheck %s --implicit-check-not=tile.

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[$ID2:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1)>
// CHECK-DAG: #[[$NOTHING:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[$ID3:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$CYCLE:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KM:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$BMK:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[$BKN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[$BMN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>

// CHECK-LABEL: @splat
// CHECK-SAME: (%[[X:.*]]: f32)
func.func @splat(%x: f32) -> (tensor<8x16xf32>, tensor<4xi1>, tensor<2xi32>) {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<8x16xf32>
  // CHECK: linalg.fill ins(%[[X]] : f32) outs(%[[E]] : tensor<8x16xf32>)
  %0 = tile.splat %x : f32 -> tensor<8x16xf32>
  // CHECK: linalg.fill ins(%true{{.*}} : i1) outs(%{{.*}} : tensor<4xi1>)
  %1 = arith.constant dense<true> : tensor<4xi1>
  // CHECK: arith.constant dense<[1, 2]> : tensor<2xi32>
  %2 = arith.constant dense<[1, 2]> : tensor<2xi32>
  return %0, %1, %2 : tensor<8x16xf32>, tensor<4xi1>, tensor<2xi32>
}

// CHECK-LABEL: @range
func.func @range() -> tensor<7xi32> {
  // CHECK: linalg.generic {indexing_maps = [#[[$ID]]], iterator_types = ["parallel"]} outs(%{{.*}} : tensor<7xi32>)
  // CHECK:   %[[I:.*]] = linalg.index 0
  // CHECK:   %[[N:.*]] = arith.index_cast %[[I]] : index to i32
  // CHECK:   %[[START:.*]] = arith.constant -2 : i32
  // CHECK:   %[[R:.*]] = arith.addi %[[N]], %[[START]]
  // CHECK:   linalg.yield %[[R]]
  %0 = tile.range -2 to 5 : tensor<7xi32>
  return %0 : tensor<7xi32>
}

// CHECK-LABEL: @reshape
func.func @reshape(%x: tensor<6x4xf32>, %y: tensor<6xf32>) -> (tensor<3x8xf32>, tensor<6x1xf32>) {
  // CHECK: %[[FLAT:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<6x4xf32> into tensor<24xf32>
  // CHECK: tensor.expand_shape %[[FLAT]] {{\[\[}}0, 1]] output_shape [3, 8] : tensor<24xf32> into tensor<3x8xf32>
  %0 = tile.reshape %x : tensor<6x4xf32> -> tensor<3x8xf32>
  // CHECK-NEXT: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [6, 1]
  %1 = tile.reshape %y : tensor<6xf32> -> tensor<6x1xf32>
  return %0, %1 : tensor<3x8xf32>, tensor<6x1xf32>
}

// Axes of size one are dropped before.
// CHECK-LABEL: @broadcast
func.func @broadcast(%x: tensor<3x1xf32>, %y: tensor<1x1xf32>, %z: tensor<3x5xf32>)
    -> (tensor<2x3x5xf32>, tensor<3x5xf32>, tensor<2x3x5xf32>) {
  // CHECK: %[[ROW:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<3x1xf32> into tensor<3xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[$ROWS]], #[[$ID3]]], {{.*}}} ins(%[[ROW]] : tensor<3xf32>)
  %0 = tile.broadcast %x : tensor<3x1xf32> -> tensor<2x3x5xf32>
  // CHECK: %[[ONE:.*]] = tensor.collapse_shape %{{.*}} [] : tensor<1x1xf32> into tensor<f32>
  // CHECK: linalg.generic {indexing_maps = [#[[$NOTHING]], #[[$ID2]]], {{.*}}} ins(%[[ONE]] : tensor<f32>)
  %1 = tile.broadcast %y : tensor<1x1xf32> -> tensor<3x5xf32>
  // CHECK-NOT: collapse_shape
  // CHECK: linalg.generic {indexing_maps = [#[[$KN]], #[[$ID3]]]
  %2 = tile.broadcast %z : tensor<3x5xf32> -> tensor<2x3x5xf32>
  return %0, %1, %2 : tensor<2x3x5xf32>, tensor<3x5xf32>, tensor<2x3x5xf32>
}

// Axis i of the result is axis [1, 2, 0][i] of the operand.
// CHECK-LABEL: @trans
func.func @trans(%x: tensor<2x3x5xf32>) -> tensor<3x5x2xf32> {
  // CHECK: linalg.generic {indexing_maps = [#[[$CYCLE]], #[[$ID3]]], {{.*}}} ins(%{{.*}} : tensor<2x3x5xf32>) outs(%{{.*}} : tensor<3x5x2xf32>)
  %0 = tile.trans %x [1, 2, 0] : tensor<2x3x5xf32>
  return %0 : tensor<3x5x2xf32>
}

// The sum is not the innermost loop: rows of memory are.
// CHECK-LABEL: @dot
// CHECK-SAME: (%[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: tensor<4x6xi32>)
func.func @dot(%a: tensor<4x5xi8>, %b: tensor<5x6xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  // CHECK: linalg.contract indexing_maps = [#[[$MK]], #[[$KN]], #[[$MN]]] ins(%[[A]], %[[B]] : tensor<4x5xi8>, tensor<5x6xi8>) outs(%[[C]] : tensor<4x6xi32>)
  %0 = tile.dot %a, %b, %c : tensor<4x5xi8>, tensor<5x6xi8>, tensor<4x6xi32>
  return %0 : tensor<4x6xi32>
}

// Operands whose axes are turned are read as they are.
// CHECK-LABEL: @dot_turned
// CHECK-SAME: (%[[A:[a-z0-9]+]]: {{.*}}, %[[B:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]: tensor<4x6xi32>)
func.func @dot_turned(%a: tensor<5x4xi8>, %b: tensor<6x5xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %at = tile.trans %a [1, 0] : tensor<5x4xi8>
  %bt = tile.trans %b [1, 0] : tensor<6x5xi8>
  // CHECK: linalg.contract indexing_maps = [#[[$KM]], #[[$NK]], #[[$MN]]] ins(%[[A]], %[[B]] : tensor<5x4xi8>, tensor<6x5xi8>) outs(%[[C]] : tensor<4x6xi32>)
  %0 = tile.dot %at, %bt, %c : tensor<4x5xi8>, tensor<5x6xi8>, tensor<4x6xi32>
  return %0 : tensor<4x6xi32>
}

// Half sums are formed in f32 and rounded once.
// CHECK-LABEL: @dot_half
func.func @dot_half(%a: tensor<2x4x5xbf16>, %b: tensor<2x5x6xbf16>, %c: tensor<2x4x6xbf16>) -> tensor<2x4x6xbf16> {
  // CHECK: %[[C:.*]] = arith.extf %{{.*}} : tensor<2x4x6xbf16> to tensor<2x4x6xf32>
  // CHECK: %[[D:.*]] = linalg.contract indexing_maps = [#[[$BMK]], #[[$BKN]], #[[$BMN]]] ins(%{{.*}} : tensor<2x4x5xbf16>, tensor<2x5x6xbf16>) outs(%[[C]] : tensor<2x4x6xf32>)
  // CHECK: arith.truncf %[[D]] : tensor<2x4x6xf32> to tensor<2x4x6xbf16>
  %0 = tile.dot %a, %b, %c : tensor<2x4x5xbf16>, tensor<2x5x6xbf16>, tensor<2x4x6xbf16>
  return %0 : tensor<2x4x6xbf16>
}

// Each from what changes nothing: of sums that is -0, not 0.
// CHECK-LABEL: @reduce
func.func @reduce(%x: tensor<8x16xf32>, %y: tensor<8xi8>) -> (tensor<8xf32>, tensor<16xf32>, i8, i8) {
  // CHECK: %[[ADD:.*]] = arith.constant -0.000000e+00 : f32
  // CHECK: %[[INIT:.*]] = linalg.fill ins(%[[ADD]]
  // CHECK: linalg.reduce ins(%{{.*}} : tensor<8x16xf32>) outs(%[[INIT]] : tensor<8xf32>) dimensions = [1]
  // CHECK: arith.addf
  %0 = tile.reduce add %x axis 1 : tensor<8x16xf32>
  // CHECK: arith.constant 0xFF800000 : f32
  // CHECK: linalg.reduce {{.*}} dimensions = [0]
  // CHECK: arith.maximumf
  %1 = tile.reduce max %x axis 0 : tensor<8x16xf32>
  // CHECK: arith.constant -128 : i8
  // CHECK: %[[MAX:.*]] = linalg.reduce {{.*}} outs(%{{.*}} : tensor<i8>)
  // CHECK: arith.maxsi
  // CHECK: tensor.extract %[[MAX]][] : tensor<i8>
  %2 = tile.reduce max %y axis 0 : tensor<8xi8>
  // CHECK: arith.constant -1 : i8
  // CHECK: arith.minui
  %3 = tile.reduce umin %y axis 0 : tensor<8xi8>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<16xf32>, i8, i8
}

// In place, one step less than elements; backwards with `reverse`.
// CHECK-LABEL: @scan
// CHECK-SAME: (%[[X:.*]]: tensor<3x7xf32>)
func.func @scan(%x: tensor<3x7xf32>) -> (tensor<3x7xf32>, tensor<3x7xf32>) {
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %c3{{.*}} iter_args(%{{.*}} = %[[X]])
  // CHECK: scf.for %[[J:.*]] = %{{.*}} to %c6{{.*}} iter_args(%[[T:.*]] = %{{.*}})
  // CHECK: %[[NEXT:.*]] = affine.apply #{{.*}}(%[[J]])
  // CHECK: %[[BEFORE:.*]] = tensor.extract %[[T]][%[[I]], %[[J]]]
  // CHECK: %[[HERE:.*]] = tensor.extract %[[T]][%[[I]], %[[NEXT]]]
  // CHECK: %[[SUM:.*]] = arith.addf %[[BEFORE]], %[[HERE]]
  // CHECK: tensor.insert %[[SUM]] into %[[T]][%[[I]], %[[NEXT]]]
  %0 = tile.scan add %x axis 1 : tensor<3x7xf32>
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %c2
  // CHECK: scf.for %[[J:.*]] = %{{.*}} to %c7
  // CHECK: %[[FROM:.*]] = affine.apply #{{.*}}(%[[I]])
  // CHECK: %[[TO:.*]] = affine.apply #{{.*}}(%[[I]])
  // CHECK: tensor.extract %{{.*}}[%[[FROM]], %[[J]]]
  // CHECK: tensor.extract %{{.*}}[%[[TO]], %[[J]]]
  // CHECK: arith.minimumf
  // CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[TO]], %[[J]]]
  %1 = tile.scan min %x axis 0 reverse : tensor<3x7xf32>
  return %0, %1 : tensor<3x7xf32>, tensor<3x7xf32>
}

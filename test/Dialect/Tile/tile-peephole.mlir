// tile-peephole: what is retiled where.
//
// RUN: tile-opt --tile-peephole %s | FileCheck %s

// The example of the documentation.
// CHECK-LABEL: @doc
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<6x8xf32>
func.func @doc(%a: tensor<8x4xf32>, %b: tensor<6x8xf32>) -> tensor<6x4xf32> {
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : tensor<6x4xf32>
  // CHECK-NEXT: %[[C:.*]] = tile.dot %[[B]], %[[A]], %[[ZERO]]
  // CHECK-NEXT: return %[[C]]
  %zero = arith.constant dense<0.0> : tensor<4x6xf32>
  %at = tile.trans %a [1, 0] : tensor<8x4xf32>
  %bt = tile.trans %b [1, 0] : tensor<6x8xf32>
  %c = tile.dot %at, %bt, %zero : tensor<4x8xf32>, tensor<8x6xf32>, tensor<4x6xf32>
  %ct = tile.trans %c [1, 0] : tensor<4x6xf32>
  return %ct : tensor<6x4xf32>
}

// Batches; an accumulator that is transposed, and one that is not.
// CHECK-LABEL: @dots
func.func @dots(%a: tensor<2x8x4xf16>, %b: tensor<2x6x8xf16>, %acc: tensor<2x6x4xf32>, %other: tensor<2x4x6xf32>)
    -> (tensor<2x4x6xf32>, tensor<2x4x6xf32>) {
  // CHECK: %[[C:.*]] = tile.dot %arg1, %arg0, %arg2
  // CHECK: %[[R:.*]] = tile.trans %[[C]] [0, 2, 1]
  // CHECK: %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %arg3
  // CHECK: return %[[R]], %[[D]]
  %at = tile.trans %a [0, 2, 1] : tensor<2x8x4xf16>
  %bt = tile.trans %b [0, 2, 1] : tensor<2x6x8xf16>
  %acct = tile.trans %acc [0, 2, 1] : tensor<2x6x4xf32>
  %c = tile.dot %at, %bt, %acct : tensor<2x4x8xf16>, tensor<2x8x6xf16>, tensor<2x4x6xf32>
  %d = tile.dot %at, %bt, %other : tensor<2x4x8xf16>, tensor<2x8x6xf16>, tensor<2x4x6xf32>
  return %c, %d : tensor<2x4x6xf32>, tensor<2x4x6xf32>
}

// A broadcast as accumulator.
// CHECK-LABEL: @bias
func.func @bias(%a: tensor<8x4xf32>, %b: tensor<6x8xf32>, %x: tensor<6xf32>) -> tensor<6x4xf32> {
  // CHECK: %[[COL:.*]] = tile.reshape %arg2 : tensor<6xf32> -> tensor<6x1xf32>
  // CHECK: %[[BIAS:.*]] = tile.broadcast %[[COL]] : tensor<6x1xf32> -> tensor<6x4xf32>
  // CHECK: %[[C:.*]] = tile.dot %arg1, %arg0, %[[BIAS]]
  // CHECK-NEXT: return %[[C]]
  %bias = tile.broadcast %x : tensor<6xf32> -> tensor<4x6xf32>
  %at = tile.trans %a [1, 0] : tensor<8x4xf32>
  %bt = tile.trans %b [1, 0] : tensor<6x8xf32>
  %c = tile.dot %at, %bt, %bias : tensor<4x8xf32>, tensor<8x6xf32>, tensor<4x6xf32>
  %ct = tile.trans %c [1, 0] : tensor<4x6xf32>
  return %ct : tensor<6x4xf32>
}

// Transpositions sink through elementwise ops until they cancel; splats take any shape.
// CHECK-LABEL: @elementwise
// CHECK-SAME: %[[A:.*]]: tensor<3x5xf32>, %[[B:.*]]: tensor<3x5xf32>, %[[S:.*]]: f32
func.func @elementwise(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>, %s: f32) -> tensor<3x5xf32> {
  // CHECK-DAG: %[[TWO:.*]] = arith.constant dense<2.0{{.*}}> : tensor<3x5xf32>
  // CHECK-DAG: %[[SS:.*]] = tile.splat %[[S]] : f32 -> tensor<3x5xf32>
  // CHECK-DAG: %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : tensor<3x5xf32>
  // CHECK-DAG: %[[MUL:.*]] = arith.mulf %[[SUM]], %[[TWO]]
  // CHECK: %[[SUB:.*]] = arith.subf %[[SS]], %[[MUL]]
  // CHECK: %[[EXP:.*]] = math.exp %[[SUB]]
  // CHECK-NOT: tile.trans
  // CHECK: return %[[EXP]]
  %two = arith.constant dense<2.0> : tensor<5x3xf32>
  %ss = tile.splat %s : f32 -> tensor<5x3xf32>
  %at = tile.trans %a [1, 0] : tensor<3x5xf32>
  %bt = tile.trans %b [1, 0] : tensor<3x5xf32>
  %sum = arith.addf %at, %bt : tensor<5x3xf32>
  %mul = arith.mulf %sum, %two : tensor<5x3xf32>
  %sub = arith.subf %ss, %mul : tensor<5x3xf32>
  %exp = math.exp %sub : tensor<5x3xf32>
  %t = tile.trans %exp [1, 0] : tensor<5x3xf32>
  return %t : tensor<3x5xf32>
}

// Not if an operand is used elsewhere, or is retiled in another way.
// CHECK-LABEL: @kept
func.func @kept(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[AT:.*]] = tile.trans
  // CHECK: arith.negf %[[AT]]
  // CHECK: arith.addf %{{.*}}, %arg1
  %at = tile.trans %a [1, 0] : tensor<4x4xf32>
  %n = arith.negf %at : tensor<4x4xf32>
  %bt = tile.trans %b [1, 0] : tensor<4x4xf32>
  %s = arith.addf %bt, %b : tensor<4x4xf32>
  return %at, %n, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Comparisons and integers: what is repeated is computed once. The type of elements changes.
// CHECK-LABEL: @broadcasts
// CHECK-SAME: %[[I:.*]]: tensor<5xi32>, %[[N:.*]]: i32
func.func @broadcasts(%i: tensor<5xi32>, %n: i32) -> tensor<3x5xi1> {
  // CHECK: %[[NS:.*]] = tile.splat %[[N]] : i32 -> tensor<5xi32>
  // CHECK: %[[LT:.*]] = arith.cmpi slt, %[[I]], %[[NS]] : tensor<5xi32>
  // CHECK: %[[R:.*]] = tile.broadcast %[[LT]] : tensor<5xi1> -> tensor<3x5xi1>
  // CHECK: return %[[R]]
  %is = tile.broadcast %i : tensor<5xi32> -> tensor<3x5xi32>
  %ns = tile.splat %n : i32 -> tensor<3x5xi32>
  %lt = arith.cmpi slt, %is, %ns : tensor<3x5xi32>
  return %lt : tensor<3x5xi1>
}

// Chains of retiling.
// CHECK-LABEL: @chains
// CHECK-SAME: %[[X:.*]]: tensor<5xf32>
func.func @chains(%x: tensor<5xf32>) -> (tensor<5x3xf32>, tensor<3x5xf32>, tensor<1x5xf32>) {
  // CHECK-DAG: %[[COL:.*]] = tile.reshape %[[X]] : tensor<5xf32> -> tensor<5x1xf32>
  // CHECK-DAG: %[[T:.*]] = tile.broadcast %[[COL]] : tensor<5x1xf32> -> tensor<5x3xf32>
  // CHECK-DAG: %[[ROWS:.*]] = tile.broadcast %[[X]] : tensor<5xf32> -> tensor<3x5xf32>
  // CHECK-DAG: %[[ROW:.*]] = tile.reshape %[[X]] : tensor<5xf32> -> tensor<1x5xf32>
  // CHECK: return %[[T]], %[[ROWS]], %[[ROW]]
  %a = tile.broadcast %x : tensor<5xf32> -> tensor<3x5xf32>
  %at = tile.trans %a [1, 0] : tensor<3x5xf32>
  %row = tile.reshape %x : tensor<5xf32> -> tensor<1x5xf32>
  %rows = tile.broadcast %row : tensor<1x5xf32> -> tensor<3x5xf32>
  %col = tile.reshape %x : tensor<5xf32> -> tensor<5x1xf32>
  %back = tile.trans %col [1, 0] : tensor<5x1xf32>
  return %at, %rows, %back : tensor<5x3xf32>, tensor<3x5xf32>, tensor<1x5xf32>
}

// A select by the load's own mask; not if the other value comes after the load.
// CHECK-LABEL: @loads
// CHECK-SAME: %[[P:.*]]: tensor<5x!tile.ptr<f32>>, %[[M:.*]]: tensor<5xi1>, %[[Z:.*]]: tensor<5xf32>
func.func @loads(%p: tensor<5x!tile.ptr<f32>>, %m: tensor<5xi1>, %z: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  // CHECK-NEXT: %[[X:.*]] = tile.load %[[P]] mask %[[M]] other %[[Z]]
  // CHECK-NEXT: %[[Y:.*]] = tile.load %[[P]] mask %[[M]] :
  // CHECK-NEXT: %[[N:.*]] = math.exp %[[Z]]
  // CHECK-NEXT: %[[S:.*]] = arith.select %[[M]], %[[Y]], %[[N]]
  // CHECK-NEXT: return %[[X]], %[[S]]
  %x = tile.load %p mask %m : tensor<5x!tile.ptr<f32>>
  %a = arith.select %m, %x, %z : tensor<5xi1>, tensor<5xf32>
  %y = tile.load %p mask %m : tensor<5x!tile.ptr<f32>>
  %n = math.exp %z : tensor<5xf32>
  %b = arith.select %m, %y, %n : tensor<5xi1>, tensor<5xf32>
  return %a, %b : tensor<5xf32>, tensor<5xf32>
}

// Tiles with layouts stay as they are.
#l = #tile.layout<register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4]]>
#t = #tile.layout<register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0]]>
#c = #tile.layout<register = [[1, 0], [2, 0]], lane = [[0, 0], [0, 0], [0, 0]]>
// CHECK-LABEL: func.func @layouts
func.func @layouts(%x: tensor<4x8xf32, #l>, %y: tensor<4x1xf32, #c>) -> (tensor<8x4xf32, #t>, tensor<8x4xf32, #t>) {
  // CHECK: arith.constant dense<1.000000e+00> : tensor<8x4xf32,
  %one = arith.constant dense<1.0> : tensor<8x4xf32, #t>
  // CHECK: %[[T:.*]] = tile.trans
  // CHECK-NEXT: arith.addf %[[T]], %{{.*}} : tensor<8x4xf32
  %a = tile.trans %x [1, 0] : tensor<4x8xf32, #l>
  %b = arith.addf %a, %one : tensor<8x4xf32, #t>
  // CHECK-NEXT: %[[B:.*]] = tile.broadcast
  // CHECK-NEXT: tile.trans %[[B]] [1, 0]
  %c = tile.broadcast %y : tensor<4x1xf32, #c> -> tensor<4x8xf32, #l>
  %d = tile.trans %c [1, 0] : tensor<4x8xf32, #l>
  return %b, %d : tensor<8x4xf32, #t>, tensor<8x4xf32, #t>
}

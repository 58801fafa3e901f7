// tile-carry-offsets: tiles that go up by one number, in one loop or in two, become a number that is carried; others stay.
//
// RUN: tile-opt --tile-carry-offsets --canonicalize --cse --split-input-file %s | FileCheck %s

// Pointers by a constant and by a number that is known when it runs, integers by their own width; one is used afterwards.
// CHECK-LABEL: func.func @walk
// CHECK-SAME: %[[P:[a-z0-9]*]]: tensor<8x!tile.ptr<i32>>, %[[I:[a-z0-9]*]]: tensor<8xi32>, %[[N:[a-z0-9]*]]: i32, %[[BY:[a-z0-9]*]]: i32
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i64
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[O:.*]] = %c0_i64, %[[J:.*]] = %c0_i32) -> (i64, i32)
// CHECK: %[[JS:.*]] = tile.splat %[[J]] : i32 -> tensor<8xi32>
// CHECK: %[[VALUE:.*]] = arith.addi %[[I]], %[[JS]] : tensor<8xi32>
// CHECK: %[[OS:.*]] = tile.splat %[[O]] : i64 -> tensor<8xi64>
// CHECK: %[[AT:.*]] = tile.addptr %[[P]], %[[OS]]
// CHECK: tile.store %[[AT]], %[[VALUE]]
// CHECK: %[[BETWEEN:.*]] = arith.addi %[[O]], %[[EIGHT]] : i64
// CHECK: %[[WIDE:.*]] = arith.extsi %[[BY]] : i32 to i64
// CHECK: %[[NEXT:.*]] = arith.addi %[[BETWEEN]], %[[WIDE]] : i64
// CHECK: %[[MORE:.*]] = arith.addi %[[J]], %[[THREE]] : i32
// CHECK: scf.yield %[[NEXT]], %[[MORE]] : i64, i32
// CHECK: %[[END:.*]] = tile.splat %[[LOOP]]#0 : i64 -> tensor<8xi64>
// CHECK: %[[LAST:.*]] = tile.addptr %[[P]], %[[END]]
// CHECK: tile.store %[[LAST]], %[[I]]
func.func @walk(%p: tensor<8x!tile.ptr<i32>>, %i: tensor<8xi32>, %n: i32, %by: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %eight = arith.constant dense<8> : tensor<8xi32>
  %three = arith.constant dense<3> : tensor<8xi32>
  %bys = tile.splat %by : i32 -> tensor<8xi32>
  %last:2 = scf.for %k = %c0 to %n step %c1 iter_args(%at = %p, %j = %i) -> (tensor<8x!tile.ptr<i32>>, tensor<8xi32>) : i32 {
    tile.store %at, %j : tensor<8x!tile.ptr<i32>>
    %between = tile.addptr %at, %eight : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
    %next = tile.addptr %between, %bys : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
    %more = arith.addi %three, %j : tensor<8xi32>
    scf.yield %next, %more : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
  }
  tile.store %last#0, %i : tensor<8x!tile.ptr<i32>>
  return
}

// -----

// CHECK-LABEL: func.func @nested
// CHECK: scf.for {{.*}} iter_args(%[[OUTER:.*]] = %c0_i64) -> (i64)
// CHECK: %[[INNER:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %c0_i64) -> (i64)
// CHECK: %[[SUM:.*]] = arith.addi %[[OUTER]], %[[INNER]] : i64
// CHECK: scf.yield %[[SUM]] : i64
func.func @nested(%p: tensor<8x!tile.ptr<i32>>, %i: tensor<8xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %eight = arith.constant dense<8> : tensor<8xi32>
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%from = %p) -> (tensor<8x!tile.ptr<i32>>) : i32 {
    %to = scf.for %l = %c0 to %k step %c1 iter_args(%at = %from) -> (tensor<8x!tile.ptr<i32>>) : i32 {
      tile.store %at, %i : tensor<8x!tile.ptr<i32>>
      %next = tile.addptr %at, %eight : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
      scf.yield %next : tensor<8x!tile.ptr<i32>>
    }
    scf.yield %to : tensor<8x!tile.ptr<i32>>
  }
  return
}

// -----

// Steps that differ between elements, a product, and floats.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for {{.*}} -> (tensor<8xi32>, tensor<8xi32>, tensor<8xf32>)
func.func @kept(%p: tensor<8x!tile.ptr<i32>>, %i: tensor<8xi32>, %x: tensor<8xf32>, %n: i32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %two = arith.constant dense<2> : tensor<8xi32>
  %range = tile.range 0 to 8 : tensor<8xi32>
  %last:3 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i, %b = %i, %c = %x) -> (tensor<8xi32>, tensor<8xi32>, tensor<8xf32>) : i32 {
    %s = arith.addi %a, %b : tensor<8xi32>
    tile.store %p, %s : tensor<8x!tile.ptr<i32>>
    %d = arith.addi %a, %range : tensor<8xi32>
    %e = arith.muli %b, %two : tensor<8xi32>
    %f = arith.addf %c, %one : tensor<8xf32>
    scf.yield %d, %e, %f : tensor<8xi32>, tensor<8xi32>, tensor<8xf32>
  }
  return %last#2 : tensor<8xf32>
}

// tile-if-to-psi: what becomes straight code, and with which masks. See tile-if-to-psi-remark.mlir for
// what is kept and why, and tile-if-to-psi-run.mlir for the answers before and after.
//
// RUN: tile-opt --tile-if-to-psi --split-input-file %s | FileCheck %s
// RUN: tile-opt --tile-if-to-psi=max-ops=1 --split-input-file %s | FileCheck %s --check-prefix=FEW

// The example of the documentation. The comparison becomes a cmpp for all of its users.
// CHECK-LABEL: @doc
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[I:.*]]: i32, %[[N:.*]]: i32
// FEW-LABEL: @doc
func.func @doc(%p: !tile.ptr<f32>, %i: i32, %n: i32) attributes {tile.kernel} {
  // CHECK: %[[T:.*]], %[[E:.*]] = tile.cmpp slt %[[I]], %[[N]] : i32
  // CHECK: %[[M:.*]] = tile.splat %[[T]] : i1 -> tensor<64xi1>
  // CHECK: %[[X:.*]] = tile.load %[[PS:.*]] mask %[[M]] : tensor<64x!tile.ptr<f32>>
  // CHECK: %[[R:.*]] = tile.psi %[[T]] ? %[[X]], %[[E]] ? %[[ZERO:.*]] : i1, tensor<64xf32>
  // CHECK-NOT: scf.if
  // CHECK: tile.store %[[PS]], %[[R]] : tensor<64x!tile.ptr<f32>>
  // CHECK: tile.splat %[[T]] : i1 -> tensor<3xi1>
  // FEW: tile.cmpp
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %c = arith.cmpi slt, %i, %n : i32
  %r = scf.if %c -> tensor<64xf32> {
    %x = tile.load %ps : tensor<64x!tile.ptr<f32>>
    scf.yield %x : tensor<64xf32>
  } else {
    scf.yield %zero : tensor<64xf32>
  }
  tile.store %ps, %r : tensor<64x!tile.ptr<f32>>
  %other = tile.splat %c : i1 -> tensor<3xi1>
  %q = tile.splat %p : !tile.ptr<f32> -> tensor<3x!tile.ptr<f32>>
  %y = tile.load %q mask %other : tensor<3x!tile.ptr<f32>>
  return
}

// -----

// Scalars, own masks, atomics and stores on both sides; a float comparison; no result.
// CHECK-LABEL: @effects
// CHECK-SAME: %[[P:.*]]: !tile.ptr<i32>, %[[X:.*]]: f32, %[[V:.*]]: i32, %[[OWN:.*]]: i1
// FEW-LABEL: @effects
func.func @effects(%p: !tile.ptr<i32>, %x: f32, %v: i32, %own: i1) attributes {tile.kernel} {
  // CHECK-DAG: %[[T:.*]], %[[E:.*]] = tile.cmpp olt %[[X]], %[[X]] : f32
  // CHECK: %[[A:.*]] = tile.load %[[P]] mask %[[T]] : !tile.ptr<i32>
  // CHECK-NEXT: tile.store %[[P]], %[[A]] mask %[[T]]
  // CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[OWN]], %[[E]] : i1
  // CHECK-NEXT: tile.atomic_rmw add %[[P]], %[[V]] mask %[[BOTH]]
  // CHECK-NEXT: return
  // FEW: scf.if
  %c = arith.cmpf olt, %x, %x : f32
  scf.if %c {
    %a = tile.load %p : !tile.ptr<i32>
    tile.store %p, %a : !tile.ptr<i32>
  } else {
    %b = tile.atomic_rmw add %p, %v mask %own : !tile.ptr<i32>
  }
  return
}

// -----

// A condition that is no comparison of numbers: p and not p. An index is merged by a select; a fact
// that holds in a branch is left out; without else nothing is negated.
// CHECK-LABEL: @plain
// CHECK-SAME: %[[P:.*]]: !tile.ptr<i32>, %[[C:.*]]: i1, %[[I:.*]]: index
func.func @plain(%p: !tile.ptr<i32>, %c: i1, %i: index, %v: i32) attributes {tile.kernel} {
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK-NEXT: %[[NOT:.*]] = arith.xori %[[C]], %[[TRUE]] : i1
  // CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[V:.*]], %[[V]] : i32
  // CHECK-NEXT: %[[S:.*]] = arith.select %[[C]], %[[I]], %{{.*}} : index
  // CHECK-NEXT: %[[R:.*]] = tile.psi %[[C]] ? %[[SUM]], %[[NOT]] ? %[[V]] : i1, i32
  // CHECK: %[[CMP:.*]] = arith.cmpi eq, %[[S]], %[[I]] : index
  // CHECK-NEXT: tile.store %[[P]], %[[R]] mask %[[CMP]]
  // CHECK-NOT: tile.assume
  %c7 = arith.constant 7 : index
  %a:2 = scf.if %c -> (index, i32) {
    %fact = tile.assume %v {divisibility = array<i64: 8>} : i32
    %sum = arith.addi %fact, %fact : i32
    scf.yield %i, %sum : index, i32
  } else {
    scf.yield %c7, %v : index, i32
  }
  %d = arith.cmpi eq, %a#0, %i : index
  scf.if %d {
    tile.store %p, %a#1 : !tile.ptr<i32>
  }
  return
}

// -----

// Nested branches, from the inside: the masks are and-ed. A loop with accesses.
// CHECK-LABEL: @nested
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[A:.*]]: i1, %[[B:.*]]: i1
func.func @nested(%p: !tile.ptr<f32>, %a: i1, %b: i1, %n: i32) attributes {tile.kernel} {
  // CHECK-NOT: scf.if
  // CHECK: %[[TILE_B:.*]] = tile.splat %[[B]] : i1 -> tensor<3x5xi1>
  // CHECK: %[[TILE_A:.*]] = tile.splat %[[A]] : i1 -> tensor<3x5xi1>
  // CHECK: %[[AB:.*]] = arith.andi %[[TILE_B]], %[[TILE_A]]
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %[[AB]]
  // CHECK: scf.for
  // CHECK: tile.load %{{.*}} mask %[[A]] : !tile.ptr<f32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<3x5xf32>
  scf.if %a {
    scf.if %b {
      %ps = tile.splat %p : !tile.ptr<f32> -> tensor<3x5x!tile.ptr<f32>>
      tile.store %ps, %zero : tensor<3x5x!tile.ptr<f32>>
    }
    scf.for %i = %c0 to %n step %c1 : i32 {
      %q = tile.addptr %p, %i : !tile.ptr<f32>, i32
      %x = tile.load %q : !tile.ptr<f32>
    }
  }
  return
}

// -----

// Views have no mask: they are moved outside of the memref, along the first axis of the tile. Along axes
// that are not the tile's the index must be inside.
// CHECK-LABEL: @views
// CHECK-SAME: %[[M:.*]]: memref<4x?x?xf32>, %[[C:.*]]: i1, %[[I:.*]]: index, %[[J:[a-z0-9]*]]: index
func.func @views(%m: memref<4x?x?xf32>, %c: i1, %i: index, %j: index) attributes {tile.kernel} {
  // CHECK-DAG: %[[B:.*]] = arith.select %[[C]], %[[J]], %{{.*}} : index
  // CHECK-DAG: %[[OUT:.*]] = arith.constant -3 : index
  // CHECK-DAG: %[[F:.*]] = arith.select %[[C]], %[[I]], %[[OUT]] : index
  // CHECK: %[[X:.*]] = tile.load_view %[[M]][%[[B]], %[[F]], %[[J]]] axes [1, 2]
  // CHECK: %[[OUT2:.*]] = arith.constant -5 : index
  // CHECK: %[[G:.*]] = arith.select %[[C]], %[[J]], %[[OUT2]] : index
  // CHECK: tile.store_view %{{.*}}, %[[M]][%{{.*}}, %{{.*}}, %[[G]]] axes [2]
  // CHECK-NOT: scf.if
  scf.if %c {
    %x = tile.load_view %m[%j, %i, %j] axes [1, 2] : memref<4x?x?xf32> -> tensor<3x5xf32>
    %s = tile.reduce add %x axis 0 : tensor<3x5xf32>
    tile.store_view %s, %m[%i, %i, %j] axes [2] : tensor<5xf32>, memref<4x?x?xf32>
  }
  return
}

// -----

// Both ways of one comparison: the second scf.if finds the first one's cmpp.
// CHECK-LABEL: @shared
func.func @shared(%p: !tile.ptr<i32>, %i: i32, %n: i32) attributes {tile.kernel} {
  // CHECK: %[[T:.*]], %[[E:.*]] = tile.cmpp
  // CHECK-NOT: tile.cmpp
  // CHECK: tile.psi %[[T]] ? %{{.*}}, %[[E]] ? %{{.*}}
  // CHECK: tile.psi %[[T]] ? %{{.*}}, %[[E]] ? %{{.*}}
  %c = arith.cmpi ne, %i, %n : i32
  %a = scf.if %c -> i32 {
    scf.yield %i : i32
  } else {
    scf.yield %n : i32
  }
  %b = scf.if %c -> i32 {
    scf.yield %n : i32
  } else {
    scf.yield %i : i32
  }
  %s = arith.addi %a, %b : i32
  tile.store %p, %s : !tile.ptr<i32>
  return
}

// -----

// Host code keeps its branches.
// CHECK-LABEL: @host
func.func @host(%c: i1, %x: i32) -> i32 {
  // CHECK: scf.if
  %r = scf.if %c -> i32 {
    scf.yield %x : i32
  } else {
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }
  return %r : i32
}

// tile-eliminate-masks: comparisons whose answer is known, or is that of one of scalars, and those that
// must stay.
//
// RUN: tile-opt --tile-eliminate-masks --split-input-file %s | FileCheck %s
// RUN: tile-opt --tile-eliminate-masks --split-input-file %s --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// The example of the documentation. Its opposite gives stores that never happen.
// CHECK-LABEL: @doc
func.func @doc(%p_base: !tile.ptr<f32>, %n: i32 {tile.multiple_of = 8 : i64}) attributes {tile.kernel} {
  %p = tile.splat %p_base : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  // CHECK: scf.for
  // CHECK-NEXT: %[[X:.*]] = tile.load %{{.*}} : tensor<8x!tile.ptr<f32>>
  // CHECK-NEXT: tile.store %{{.*}}, %[[X]] : tensor<8x!tile.ptr<f32>>
  // CHECK-NEXT: }
  // REMARK: remark: [Passed] eliminate-masks | Category:tile | answer=true
  // REMARK: remark: [Passed] eliminate-masks | Category:tile | answer=false
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %lane = tile.range 0 to 8 : tensor<8xi32>
  scf.for %k = %c0 to %n step %c8 : i32 {
    %ks = tile.splat %k : i32 -> tensor<8xi32>
    %i = arith.addi %ks, %lane : tensor<8xi32>
    %ns = tile.splat %n : i32 -> tensor<8xi32>
    %inside = arith.cmpi slt, %i, %ns : tensor<8xi32>
    %outside = arith.cmpi sle, %ns, %i : tensor<8xi32>
    %x = tile.load %p mask %inside : tensor<8x!tile.ptr<f32>>
    tile.store %p, %x mask %outside : tensor<8x!tile.ptr<f32>>
    tile.store %p, %x mask %inside : tensor<8x!tile.ptr<f32>>
  }
  return
}

// -----

// What is left, n - k, of a loop that starts at 0: but not of one that starts anywhere, as n - k may
// wrap there.
// CHECK-LABEL: @rest
func.func @rest(%p_base: !tile.ptr<f32>, %n: i32 {tile.multiple_of = 24 : i64},
                %from: i32 {tile.multiple_of = 12 : i64}) attributes {tile.kernel} {
  %p = tile.splat %p_base : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  // CHECK: scf.for
  // CHECK: tile.load %{{.*}} : tensor<8x!tile.ptr<f32>>
  // CHECK: scf.for
  // CHECK: tile.load %{{.*}} mask
  %c0 = arith.constant 0 : i32
  %c12 = arith.constant 12 : i32
  %lane = tile.range 0 to 8 : tensor<8xi32>
  scf.for %k = %c0 to %n step %c12 : i32 {
    %left = arith.subi %n, %k : i32
    %lefts = tile.splat %left : i32 -> tensor<8xi32>
    %inside, %outside = tile.cmpp slt %lane, %lefts : tensor<8xi32>
    %x = tile.load %p mask %inside : tensor<8x!tile.ptr<f32>>
    tile.store %p, %x : tensor<8x!tile.ptr<f32>>
  }
  scf.for %k = %from to %n step %c12 : i32 {
    %left = arith.subi %n, %k : i32
    %lefts = tile.splat %left : i32 -> tensor<8xi32>
    %inside = arith.cmpi slt, %lane, %lefts : tensor<8xi32>
    %x = tile.load %p mask %inside : tensor<8x!tile.ptr<f32>>
    tile.store %p, %x : tensor<8x!tile.ptr<f32>>
  }
  return
}

// -----

// Loops up to a constant: 40 is a multiple of 8, 44 is not. Two axes.
// CHECK-LABEL: @constant_bounds
func.func @constant_bounds(%p_base: !tile.ptr<f32>) attributes {tile.kernel} {
  %p = tile.splat %p_base : !tile.ptr<f32> -> tensor<8x3x!tile.ptr<f32>>
  // CHECK: scf.for
  // CHECK: tile.load %{{.*}} : tensor<8x3x!tile.ptr<f32>>
  // CHECK: scf.for
  // CHECK: tile.load %{{.*}} mask
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %c40 = arith.constant 40 : i32
  %c44 = arith.constant 44 : i32
  %n40 = arith.constant dense<40> : tensor<8x3xi32>
  %n44 = arith.constant dense<44> : tensor<8x3xi32>
  %lane = tile.range 0 to 8 : tensor<8xi32>
  %col = tile.reshape %lane : tensor<8xi32> -> tensor<8x1xi32>
  %cols = tile.broadcast %col : tensor<8x1xi32> -> tensor<8x3xi32>
  scf.for %k = %c0 to %c40 step %c8 : i32 {
    %ks = tile.splat %k : i32 -> tensor<8x3xi32>
    %i = arith.addi %cols, %ks : tensor<8x3xi32>
    %inside = arith.cmpi slt, %i, %n40 : tensor<8x3xi32>
    %x = tile.load %p mask %inside : tensor<8x3x!tile.ptr<f32>>
    tile.store %p, %x : tensor<8x3x!tile.ptr<f32>>
  }
  scf.for %k = %c0 to %c44 step %c8 : i32 {
    %ks = tile.splat %k : i32 -> tensor<8x3xi32>
    %i = arith.addi %cols, %ks : tensor<8x3xi32>
    %inside = arith.cmpi slt, %i, %n44 : tensor<8x3xi32>
    %x = tile.load %p mask %inside : tensor<8x3x!tile.ptr<f32>>
    tile.store %p, %x : tensor<8x3x!tile.ptr<f32>>
  }
  return
}

// -----

// Ranges: a promise, and the lanes of a range.
// CHECK-LABEL: @ranges
func.func @ranges(%p_base: !tile.ptr<f32>, %z_base: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %p = tile.splat %p_base : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %z_at = tile.splat %z_base : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %z = tile.load %z_at : tensor<8x!tile.ptr<f32>>
  // CHECK: %[[Z:.*]] = tile.load %{{.*}} : tensor<8x!tile.ptr<f32>>
  // CHECK: %[[X:.*]] = tile.load %{{.*}} : tensor<8x!tile.ptr<f32>>
  // CHECK-NOT: tile.load
  // CHECK: tile.store %{{.*}}, %[[X]] mask
  // CHECK: tile.store %{{.*}}, %[[Z]] :
  %m = tile.assume %n {range = array<i64: 8, 100>} : i32
  %ms = tile.splat %m : i32 -> tensor<8xi32>
  %lane = tile.range 0 to 8 : tensor<8xi32>
  %more = tile.range 1 to 9 : tensor<8xi32>
  %c200 = arith.constant dense<200> : tensor<8xi32>
  %yes = arith.cmpi slt, %lane, %ms : tensor<8xi32>
  %maybe = arith.cmpi slt, %more, %ms : tensor<8xi32>
  %no = arith.cmpi ugt, %ms, %c200 : tensor<8xi32>
  %x = tile.load %p mask %yes other %z : tensor<8x!tile.ptr<f32>>
  tile.store %p, %x mask %maybe : tensor<8x!tile.ptr<f32>>
  %y = tile.load %p mask %no other %z : tensor<8x!tile.ptr<f32>>
  tile.store %p, %y : tensor<8x!tile.ptr<f32>>
  return
}

// -----

// A block of the grid is inside or outside as a whole: 64 divides the start, 128 the end.
// CHECK-LABEL: @blocks
// CHECK-SAME: %[[N:[a-z0-9]*]]: i32 {tile.multiple_of = 128
func.func @blocks(%p_base: !tile.ptr<f32>, %n: i32 {tile.multiple_of = 128 : i64},
                  %m: i32 {tile.multiple_of = 32 : i64}) attributes {tile.kernel} {
  %p = tile.splat %p_base : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  // CHECK: %[[FIRST:.*]] = arith.muli
  // CHECK: %[[IN:.*]] = arith.cmpi slt, %[[FIRST]], %[[N]] : i32
  // CHECK: %[[MASK:.*]] = tile.splat %[[IN]] : i1 -> tensor<64xi1>
  // CHECK: tile.load %{{.*}} mask %[[MASK]]
  // CHECK: %[[T:.*]], %[[E:.*]] = tile.cmpp sge %[[FIRST]], %[[N]] : i32
  // CHECK: %[[OUT:.*]] = tile.splat %[[T]]
  // CHECK: %[[BACK:.*]] = tile.splat %[[E]]
  // CHECK: tile.store {{.*}} mask %[[OUT]]
  // CHECK: tile.store {{.*}} mask %[[BACK]]
  // Not of one that ends within a block.
  // CHECK: %[[OWN:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<64xi32>
  // CHECK: tile.store {{.*}} mask %[[OWN]]
  // REMARK-COUNT-2: answer=uniform
  %c64 = arith.constant 64 : i32
  %id = tile.program_id x
  %first = arith.muli %id, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %lane = tile.range 0 to 64 : tensor<64xi32>
  %i = arith.addi %firsts, %lane : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %ms = tile.splat %m : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %x = tile.load %p mask %inside : tensor<64x!tile.ptr<f32>>
  %outside, %back = tile.cmpp sge %i, %ns : tensor<64xi32>
  tile.store %p, %x mask %outside : tensor<64x!tile.ptr<f32>>
  tile.store %p, %x mask %back : tensor<64x!tile.ptr<f32>>
  %own = arith.cmpi slt, %i, %ms : tensor<64xi32>
  tile.store %p, %x mask %own : tensor<64x!tile.ptr<f32>>
  return
}

// -----

// Not powers of two: 48 * id may wrap, and then no block of 48 is on one side.
// CHECK-LABEL: @wraps
func.func @wraps(%p_base: !tile.ptr<f32>, %n: i32 {tile.multiple_of = 48 : i64}) attributes {tile.kernel} {
  %p = tile.splat %p_base : !tile.ptr<f32> -> tensor<48x!tile.ptr<f32>>
  // CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<48xi32>
  %c48 = arith.constant 48 : i32
  %id = tile.program_id x
  %first = arith.muli %id, %c48 overflow<nsw> : i32
  %firsts = tile.splat %first : i32 -> tensor<48xi32>
  %lane = tile.range 0 to 48 : tensor<48xi32>
  %i = arith.addi %firsts, %lane : tensor<48xi32>
  %ns = tile.splat %n : i32 -> tensor<48xi32>
  %inside = arith.cmpi slt, %i, %ns : tensor<48xi32>
  %x = tile.load %p mask %inside : tensor<48x!tile.ptr<f32>>
  tile.store %p, %x : tensor<48x!tile.ptr<f32>>
  return
}

// -----

// What must stay: an unsigned loop (all lanes are on one side, but on which?), another bound than the loop's, lanes from below, i <= n, more lanes
// than the divisor, host code.
// CHECK-LABEL: @kept
func.func @kept(%p_base: !tile.ptr<f32>, %n: i32 {tile.multiple_of = 8 : i64},
                %m: i32 {tile.multiple_of = 8 : i64}) attributes {tile.kernel} {
  %p = tile.splat %p_base : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  // CHECK: arith.cmpi slt, {{.*}} : i32
  // CHECK: tile.load %{{.*}} mask
  // CHECK-COUNT-4: arith.cmpi {{.*}} : tensor<8xi32>
  // CHECK: tile.load %{{.*}} mask
  // CHECK: tile.load %{{.*}} mask
  // CHECK: tile.load %{{.*}} mask
  // CHECK: tile.load %{{.*}} mask
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %lane = tile.range 0 to 8 : tensor<8xi32>
  %below = tile.range -1 to 7 : tensor<8xi32>
  %ns = tile.splat %n : i32 -> tensor<8xi32>
  %ms = tile.splat %m : i32 -> tensor<8xi32>
  scf.for unsigned %k = %c0 to %n step %c8 : i32 {
    %ks = tile.splat %k : i32 -> tensor<8xi32>
    %i = arith.addi %ks, %lane : tensor<8xi32>
    %a = arith.cmpi slt, %i, %ns : tensor<8xi32>
    %x = tile.load %p mask %a : tensor<8x!tile.ptr<f32>>
    tile.store %p, %x : tensor<8x!tile.ptr<f32>>
  }
  scf.for %k = %c0 to %n step %c4 : i32 {
    %ks = tile.splat %k : i32 -> tensor<8xi32>
    %i = arith.addi %ks, %lane : tensor<8xi32>
    %j = arith.addi %ks, %below : tensor<8xi32>
    %a = arith.cmpi slt, %i, %ms : tensor<8xi32>
    %b = arith.cmpi slt, %j, %ns : tensor<8xi32>
    %c = arith.cmpi sle, %i, %ns : tensor<8xi32>
    %d = arith.cmpi slt, %i, %ns : tensor<8xi32>
    %x = tile.load %p mask %a : tensor<8x!tile.ptr<f32>>
    tile.store %p, %x : tensor<8x!tile.ptr<f32>>
    %y = tile.load %p mask %b : tensor<8x!tile.ptr<f32>>
    tile.store %p, %y : tensor<8x!tile.ptr<f32>>
    %z = tile.load %p mask %c : tensor<8x!tile.ptr<f32>>
    tile.store %p, %z : tensor<8x!tile.ptr<f32>>
    %w = tile.load %p mask %d : tensor<8x!tile.ptr<f32>>
    tile.store %p, %w : tensor<8x!tile.ptr<f32>>
  }
  return
}
// REMARK: answer=uniform
// REMARK-NOT: remark
func.func @host(%x: tensor<8xi32>) -> tensor<8xi1> {
  %zero = arith.constant dense<0> : tensor<8xi32>
  %low = arith.constant dense<3> : tensor<8xi32>
  %lane = arith.andi %x, %low : tensor<8xi32>
  // CHECK: arith.cmpi slt
  %r = arith.cmpi slt, %lane, %zero : tensor<8xi32>
  return %r : tensor<8xi1>
}

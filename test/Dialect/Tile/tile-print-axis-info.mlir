// Axis analysis: what it makes of each op. Each remark is about the value of the next line.
//
// RUN: tile-opt --tile-print-axis-info --split-input-file --verify-diagnostics %s
// RUN: tile-opt --tile-print-axis-info=annotate --split-input-file %s | FileCheck %s
// Whether all that is found is true is for test/Property/tile-assumptions.test.

// Arguments, and what scalars are multiples of.
// expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1]}}
func.func @arguments(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64},
    // expected-remark @below {{contiguity = [1], divisibility = [24], constancy = [1]}}
    %n: i32 {tile.multiple_of = 24 : i64},
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
    %u: i32) attributes {tile.kernel} {
  // expected-remark @below {{contiguity = [1], divisibility = [6], constancy = [1], value = -6}}
  %m6 = arith.constant -6 : i32
  // As facts that the interpreter checks; 0 is a multiple of 2^62.
  // CHECK: %[[M:.*]] = arith.constant -6
  // CHECK-NEXT: tile.assume %[[M]] {constancy = array<i64: 1>, contiguity = array<i64: 1>, divisibility = array<i64: 6>, range = array<i64: -6, -6>} : i32
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0
  // CHECK-NEXT: tile.assume %[[ZERO]] {{.*}} divisibility = array<i64: 4611686018427387904>
  // expected-remark @below {{contiguity = [1], divisibility = [0], constancy = [1], value = 0}}
  %c0 = arith.constant 0 : i32
  // The product may wrap, and the only powers of two in 24 * 6 is 16.
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1]}}
  %a = arith.muli %n, %m6 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [144], constancy = [1]}}
  %b = arith.muli %n, %m6 overflow<nsw> : i32
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1]}}
  %c = arith.addi %n, %m6 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [6], constancy = [1]}}
  %d = arith.subi %n, %m6 overflow<nsw> : i32
  // Nothing is added, so nothing wraps.
  // expected-remark @below {{contiguity = [1], divisibility = [24], constancy = [1]}}
  %e = arith.addi %n, %c0 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %id = tile.program_id x
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %num = tile.num_programs y
  return
}

// -----

// Tiles: range, splat, retiling, and their sums.
// expected-remark @below {{divisibility = [8]}}
func.func @tiles(%n: i32 {tile.multiple_of = 8 : i64}) attributes {tile.kernel} {
  // expected-remark @below {{contiguity = [48], divisibility = [0], constancy = [1]}}
  %r = tile.range 0 to 48 : tensor<48xi32>
  // expected-remark @below {{contiguity = [6], divisibility = [12], constancy = [1]}}
  %q = tile.range -12 to -6 : tensor<6xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [48]}}
  %s = tile.splat %n : i32 -> tensor<48xi32>
  // expected-remark @below {{contiguity = [48], divisibility = [8], constancy = [1]}}
  %i = arith.addi %s, %r : tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %t = arith.subi %s, %r : tensor<48xi32>
  // expected-remark @below {{contiguity = [48], divisibility = [8], constancy = [1]}}
  %j = arith.subi %i, %s : tensor<48xi32>
  // expected-remark @below {{contiguity = [48, 1], divisibility = [8, 1], constancy = [1, 1]}}
  %col = tile.reshape %i : tensor<48xi32> -> tensor<48x1xi32>
  // expected-remark @below {{contiguity = [48, 1], divisibility = [8, 1], constancy = [1, 5]}}
  %cols = tile.broadcast %col : tensor<48x1xi32> -> tensor<48x5xi32>
  // expected-remark @below {{contiguity = [1, 48], divisibility = [1, 8], constancy = [5, 1]}}
  %rows = tile.trans %cols [1, 0] : tensor<48x5xi32>
  // expected-remark @below {{contiguity = [1, 48], divisibility = [1, 8], constancy = [3, 1]}}
  %padded = tile.broadcast %i : tensor<48xi32> -> tensor<3x48xi32>
  // expected-remark @below {{contiguity = [1, 8], divisibility = [1, 8], constancy = [1, 1]}}
  %split = tile.reshape %i : tensor<48xi32> -> tensor<6x8xi32>
  // Runs of 48 and rows of 32 have runs of 16 in common.
  // expected-remark @below {{contiguity = [1, 1], divisibility = [8, 8], constancy = [3, 48]}}
  %sp = tile.splat %n : i32 -> tensor<3x48xi32>
  // expected-remark @below {{contiguity = [1, 48], divisibility = [1, 8], constancy = [3, 1]}}
  %sum = arith.addi %sp, %padded : tensor<3x48xi32>
  // expected-remark @below {{contiguity = [1, 16], divisibility = [1, 8], constancy = [1, 1]}}
  %other = tile.reshape %sum : tensor<3x48xi32> -> tensor<9x16xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1]}}
  %dense = arith.constant dense<[2, 6, -4]> : tensor<3xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [12], constancy = [3], value = 12}}
  %twelve = arith.constant dense<12> : tensor<3xi32>
  return
}

// -----

// Quotients and remainders by constants.
// expected-remark @below {{divisibility = [8]}}
func.func @quotients(%n: i32 {tile.multiple_of = 8 : i64}) attributes {tile.kernel} {
  // expected-remark @below {{contiguity = [48], divisibility = [0]}}
  %r = tile.range 0 to 48 : tensor<48xi32>
  // expected-remark @below {{constancy = [48]}}
  %s = tile.splat %n : i32 -> tensor<48xi32>
  // expected-remark @below {{contiguity = [48], divisibility = [8], constancy = [1]}}
  %i = arith.addi %s, %r : tensor<48xi32>
  // expected-remark @below {{value = 4}}
  %c4 = arith.constant dense<4> : tensor<48xi32>
  // expected-remark @below {{value = 6}}
  %c6 = arith.constant dense<6> : tensor<48xi32>
  // expected-remark @below {{value = 12}}
  %c12 = arith.constant dense<12> : tensor<48xi32>
  // A range of which all is positive: any divisor.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [6]}}
  %a = arith.divsi %r, %c6 : tensor<48xi32>
  // expected-remark @below {{contiguity = [6], divisibility = [2], constancy = [1]}}
  %b = arith.remsi %r, %c6 : tensor<48xi32>
  // What may be negative is rounded to zero, up or down: -1 / 4 = 1 / 4.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %c = arith.divsi %i, %c4 : tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %d = arith.remsi %i, %c4 : tensor<48xi32>
  // Unsigned and floor division are good for powers of two.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4]}}
  %e = arith.divui %i, %c4 : tensor<48xi32>
  // expected-remark @below {{contiguity = [4], divisibility = [4], constancy = [1]}}
  %f = arith.remui %i, %c4 : tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4]}}
  %g = arith.floordivsi %i, %c12 : tensor<48xi32>
  // A multiple of 8 in quarters.
  // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [48]}}
  %h = arith.divsi %s, %c4 : tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [48]}}
  %k = arith.andi %s, %c4 : tensor<48xi32>
  // expected-remark @below {{value = 3}}
  %c3 = arith.constant dense<3> : tensor<48xi32>
  // expected-remark @below {{contiguity = [4], divisibility = [4], constancy = [1]}}
  %l = arith.andi %i, %c3 : tensor<48xi32>
  // expected-remark @below {{value = -4}}
  %m4 = arith.constant dense<-4> : tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [4]}}
  %m = arith.andi %i, %m4 : tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [48]}}
  %o = arith.shli %s, %c4 : tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %q = arith.shrui %i, %c4 : tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %t = arith.shrsi %i, %c4 : tensor<48xi32>
  // The bits of 0 to 7 and those of a multiple of 8 are apart.
  // expected-remark @below {{contiguity = [8], divisibility = [0], constancy = [1]}}
  %u = tile.range 0 to 8 : tensor<8xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [8]}}
  %v = tile.splat %n : i32 -> tensor<8xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1]}}
  %w = arith.ori %u, %v : tensor<8xi32>
  return
}

// -----

// Pointers: bytes. Offsets of 32 bits may wrap unless runs are aligned, or the range says no.
// expected-remark @below {{divisibility = [16]}}
func.func @pointers(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64},
    // expected-remark @below {{divisibility = [1]}}
    %u: i32,
    // expected-remark @below {{divisibility = [1]}}
    %w: i64) attributes {tile.kernel} {
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [48]}}
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<48x!tile.ptr<f32>>
  // expected-remark @below {{contiguity = [48], divisibility = [0]}}
  %r = tile.range 0 to 48 : tensor<48xi32>
  // expected-remark @below {{contiguity = [48], divisibility = [16], constancy = [1]}}
  %a = tile.addptr %ps, %r : tensor<48x!tile.ptr<f32>>, tensor<48xi32>
  // expected-remark @below {{constancy = [48]}}
  %us = tile.splat %u : i32 -> tensor<48xi32>
  // expected-remark @below {{contiguity = [48], divisibility = [1], constancy = [1]}}
  %i = arith.addi %us, %r : tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1]}}
  %b = tile.addptr %ps, %i : tensor<48x!tile.ptr<f32>>, tensor<48xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %x = arith.extsi %i : tensor<48xi32> to tensor<48xi64>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %small = tile.assume %u {range = array<i64: 0, 1000>} : i32
  // expected-remark @below {{constancy = [48]}}
  %vs = tile.splat %small : i32 -> tensor<48xi32>
  // expected-remark @below {{contiguity = [48], divisibility = [1], constancy = [1]}}
  %j = arith.addi %vs, %r : tensor<48xi32>
  // expected-remark @below {{contiguity = [48], divisibility = [4], constancy = [1]}}
  %c = tile.addptr %ps, %j : tensor<48x!tile.ptr<f32>>, tensor<48xi32>
  // expected-remark @below {{contiguity = [48], divisibility = [1], constancy = [1]}}
  %y = arith.extui %j : tensor<48xi32> to tensor<48xi64>
  // expected-remark @below {{contiguity = [48], divisibility = [1], constancy = [1]}}
  %z = arith.trunci %y : tensor<48xi64> to tensor<48xi16>
  // expected-remark @below {{contiguity = [1], divisibility = [96], constancy = [1]}}
  %known = tile.assume %w {divisibility = array<i64: 96>} : i64
  // 64-bit offsets reach everything; they may wrap as well.
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1]}}
  %d = tile.addptr %p, %known : !tile.ptr<f32>, i64
  // expected-remark @below {{contiguity = [1], divisibility = [96], constancy = [1]}}
  %wide = arith.index_cast %known : i64 to index
  return
}

// -----

// Promises add to what is known.
// expected-remark @below {{divisibility = [6]}}
func.func @facts(%n: i32 {tile.multiple_of = 6 : i64}) attributes {tile.kernel} {
  // expected-remark @below {{contiguity = [1], divisibility = [24], constancy = [1]}}
  %a = tile.assume %n {divisibility = array<i64: 8>} : i32
  // expected-remark @below {{contiguity = [1], divisibility = [6], constancy = [16]}}
  %s = tile.splat %n : i32 -> tensor<16xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [48], constancy = [16]}}
  %b = tile.assume %s {contiguity = array<i64: 8>, divisibility = array<i64: 16>} : tensor<16xi32>
  // expected-remark @below {{value = 7}}
  %d = tile.assume %n {range = array<i64: 7, 7>} : i32
  return
}

// -----

// Choices and comparisons.
// expected-remark @below {{divisibility = [8]}}
func.func @choices(%n: i32 {tile.multiple_of = 8 : i64},
    // expected-remark @below {{divisibility = [1]}}
    %c: i1) attributes {tile.kernel} {
  // expected-remark @below {{contiguity = [32], divisibility = [0]}}
  %r = tile.range 0 to 32 : tensor<32xi32>
  // expected-remark @below {{constancy = [32]}}
  %s = tile.splat %n : i32 -> tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [8]}}
  %i = arith.addi %s, %r : tensor<32xi32>
  // expected-remark @below {{contiguity = [32], divisibility = [8], constancy = [1]}}
  %a = arith.select %c, %r, %i : tensor<32xi32>
  // i < 8k is the same for 8 i's in a row, i <= 8k is not.
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %lt = arith.cmpi slt, %r, %s : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %le = arith.cmpi sle, %r, %s : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %gt = arith.cmpi ugt, %s, %r : tensor<32xi32>
  // expected-remark @below {{constancy = [1]}}
  %eq = arith.cmpi eq, %r, %s : tensor<32xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1]}}
  %b = arith.select %lt, %r, %i : tensor<32xi1>, tensor<32xi32>
  // Both predicates.
  // expected-remark @below {{constancy = [8]}}
  %t, %e = tile.cmpp sge %i, %s : tensor<32xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1]}}
  %psi = tile.psi %t ? %r, %e ? %i : tensor<32xi1>, tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %min = arith.minsi %r, %i : tensor<32xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [32]}}
  %max = arith.maxui %s, %s : tensor<32xi32>
  return
}

// -----

// Loops: induction variables, and what is carried.
// expected-remark @below {{divisibility = [16]}}
func.func @loops(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64},
    // expected-remark @below {{divisibility = [8]}}
    %ld: i32 {tile.multiple_of = 8 : i64},
    // expected-remark @below {{divisibility = [1]}}
    %n: i32, %x: f32) attributes {tile.kernel} {
  // expected-remark @below {{value = 0}}
  %c0 = arith.constant 0 : i32
  // expected-remark @below {{value = 12}}
  %c12 = arith.constant 12 : i32
  // expected-remark @below {{contiguity = [8]}}
  %r = tile.range 0 to 8 : tensor<8xi32>
  // expected-remark @below {{constancy = [8]}}
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  // expected-remark @below {{contiguity = [8], divisibility = [16], constancy = [1]}}
  %q = tile.addptr %ps, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  // expected-remark @below {{constancy = [8]}}
  %step = tile.splat %ld : i32 -> tensor<8xi32>
  // The induction variable; what the loop carries, and its result.
  // expected-remark @below {{contiguity = [1], divisibility = [12], constancy = [1]}}
  // expected-remark @below {{contiguity = [8], divisibility = [16], constancy = [1]}}
  %end = scf.for %k = %c0 to %n step %c12 iter_args(%c = %q) -> tensor<8x!tile.ptr<f32>> : i32 {
    // expected-remark @below {{contiguity = [8], divisibility = [16], constancy = [1]}}
    %next = tile.addptr %c, %step : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    scf.yield %next : tensor<8x!tile.ptr<f32>>
  }
  return
}

// -----

// Casts of pointers: addresses stay; what goes up by one does so only where elements have one size.
// expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1]}}
func.func @casts(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64}) attributes {tile.kernel} {
  // expected-remark @below {{contiguity = [64], divisibility = [64], constancy = [1]}}
  %i = tile.range 64 to 128 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [64]}}
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  // expected-remark @below {{contiguity = [64], divisibility = [16], constancy = [1]}}
  %q = tile.addptr %ps, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [16], constancy = [1]}}
  %same = tile.ptr_to_ptr %q : tensor<64x!tile.ptr<f32>> -> tensor<64x!tile.ptr<i32>>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1]}}
  %other = tile.ptr_to_ptr %q : tensor<64x!tile.ptr<f32>> -> tensor<64x!tile.ptr<f16>>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [64]}}
  %bytes = tile.ptr_to_ptr %ps : tensor<64x!tile.ptr<f32>> -> tensor<64x!tile.ptr<i8>>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [64]}}
  %addresses = tile.ptr_to_int %ps : tensor<64x!tile.ptr<f32>> -> tensor<64xi64>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [64]}}
  %made = tile.int_to_ptr %addresses : tensor<64xi64> -> tensor<64x!tile.ptr<f16>>
  return
}

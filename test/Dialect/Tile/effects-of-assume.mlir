// A fact that holds in a loop or branch need not hold outside: tile.assume is a value without effects,
// of which equal ones are one and unused ones none, but it is not moved to where it would be run more
// often.
//
// RUN: tile-opt --loop-invariant-code-motion %s | FileCheck %s --check-prefix=LICM
// RUN: tile-opt --cse --canonicalize %s | FileCheck %s --check-prefix=CSE

// LICM-LABEL: @loop
// LICM: tile.splat
// LICM: scf.for
// LICM-NEXT: tile.assume
// CSE-LABEL: @loop
// CSE: scf.for
// CSE-NEXT: %[[A:.*]] = tile.assume
// CSE-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[A]]
// CSE-NEXT: tile.store %{{.*}}, %[[S]]
// CSE-NEXT: }
func.func @loop(%p: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %ns = tile.splat %n : i32 -> tensor<4xi32>
    %a = tile.assume %n {range = array<i64: 1, 9>} : i32
    %b = tile.assume %n {range = array<i64: 1, 9>} : i32
    %c = tile.assume %ns {divisibility = array<i64: 4>} : tensor<4xi32>
    %s = arith.addi %a, %b : i32
    tile.store %p, %s : !tile.ptr<i32>
  }
  return
}

// tile-if-to-psi tells what it made straight, and of what it kept the reason.
//
// RUN: tile-opt --tile-if-to-psi=max-ops=3 %s --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null | FileCheck %s
// RUN: tile-opt --tile-if-to-psi %s 2>&1 >/dev/null | count 0
// RUN: tile-opt --tile-if-to-psi=max-ops=3 %s | FileCheck %s --check-prefix=IR

// IR-LABEL: @f
// IR-COUNT-5: scf.if
// IR-NOT: scf.if
func.func @f(%p: !tile.ptr<i32>, %m: memref<8xi32>, %c: i1, %i: i32, %n: i32, %k: index) attributes {tile.kernel} {
  // CHECK: {{:}}[[@LINE+1]]:3: remark: [Passed] if-to-psi | Category:tile | ops=2
  scf.if %c {
    %q = tile.addptr %p, %i : !tile.ptr<i32>, i32
    tile.store %q, %n : !tile.ptr<i32>
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: [Missed] if-to-psi | Category:tile | Reason="'arith.divsi' may fail where the condition is false"
  scf.if %c {
    %q = arith.divsi %i, %n : i32
    tile.store %p, %q : !tile.ptr<i32>
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: [Missed] if-to-psi | Category:tile | Reason="'memref.store' has effects that no mask takes away"
  scf.if %c {
    memref.store %i, %m[%k] : memref<8xi32>
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: [Missed] if-to-psi | Category:tile | Reason="'scf.for' has a step that is not known to be positive"
  scf.if %c {
    scf.for %j = %i to %n step %i : i32 {
      tile.store %p, %j : !tile.ptr<i32>
    }
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: [Missed] if-to-psi | Category:tile | Reason="'memref.store' has effects that no mask takes away"
  scf.if %c {
    %one = arith.constant 1 : i32
    scf.for %j = %i to %n step %one : i32 {
      memref.store %j, %m[%k] : memref<8xi32>
    }
  }
  // CHECK: {{:}}[[@LINE+1]]:3: remark: [Missed] if-to-psi | Category:tile | Reason="the branches hold 4 ops, more than max-ops = 3"
  scf.if %c {
    tile.store %p, %i : !tile.ptr<i32>
    tile.store %p, %n : !tile.ptr<i32>
  } else {
    tile.store %p, %n : !tile.ptr<i32>
    tile.store %p, %i : !tile.ptr<i32>
  }
  return
}

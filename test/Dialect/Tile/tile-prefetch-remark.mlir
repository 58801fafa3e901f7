// tile-prefetch tells what it pipelined, and of loops with dots that it kept the reason.
//
// RUN: tile-opt --tile-select-config="config={stages=3}" --tile-prefetch %s --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null | FileCheck %s
// RUN: tile-opt --tile-select-config="config={stages=3}" --tile-prefetch %s --tile-select-config="config={stages=3}" --tile-prefetch --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null | FileCheck %s --check-prefix=TWICE

!ptrs = tensor<8x8x!tile.ptr<f32>>
!tile = tensor<8x8xf32>

func.func @f(%ps_base: !tile.ptr<f32>, %b_base: !tile.ptr<f32>, %n: i32, %d: i32, %x: !tile.ptr<i32> {tile.noalias}) attributes {tile.kernel} {
  %ps = tile.splat %ps_base : !tile.ptr<f32> -> !ptrs
  %b_at = tile.splat %b_base : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  %b = tile.load %b_at : tensor<8x8x!tile.ptr<f32>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: {{:}}[[@LINE+2]]:8: remark: [Passed] prefetch | Category:tile | loads=2, stages=3
  // TWICE: {{:}}[[@LINE+1]]:8: remark: [Missed] prefetch | Category:tile | Reason="no tile.load or tile.load_view of an iteration feeds its product"
  %0 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %b) -> !tile : i32 {
    %u = tile.load %ps : !ptrs
    %v = tile.load %ps : !ptrs
    %sum = tile.dot %u, %v, %acc : !tile, !tile, !tile
    scf.yield %sum : !tile
  }
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] prefetch | Category:tile | Reason="no tile.load or tile.load_view of an iteration feeds its product"
  %1 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %b) -> !tile : i32 {
    %sum = tile.dot %b, %b, %acc : !tile, !tile, !tile
    scf.yield %sum : !tile
  }
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] prefetch | Category:tile | Reason="'tile.store' may write what is loaded ahead"
  %2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %b) -> !tile : i32 {
    %a = tile.load %ps : !ptrs
    %sum = tile.dot %a, %b, %acc : !tile, !tile, !tile
    tile.store %ps, %sum : !ptrs
    scf.yield %sum : !tile
  }
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] prefetch | Category:tile | Reason="a load depends on 'arith.divsi', which may fail after the last iteration"
  %3 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %b) -> !tile : i32 {
    %left = arith.subi %n, %k : i32
    %q = arith.divsi %d, %left : i32
    %qs = tile.splat %q : i32 -> tensor<8x8xi32>
    %p = tile.addptr %ps, %qs : !ptrs, tensor<8x8xi32>
    %a = tile.load %p : !ptrs
    %sum = tile.dot %a, %b, %acc : !tile, !tile, !tile
    scf.yield %sum : !tile
  }
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] prefetch | Category:tile | Reason="a load depends on 'tile.atomic_rmw', which has effects"
  %4 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %b) -> !tile : i32 {
    %q = tile.atomic_rmw add %x, %d : !tile.ptr<i32>
    %qs = tile.splat %q : i32 -> tensor<8x8xi32>
    %p = tile.addptr %ps, %qs : !ptrs, tensor<8x8xi32>
    %a = tile.load %p : !ptrs
    %sum = tile.dot %a, %b, %acc : !tile, !tile, !tile
    scf.yield %sum : !tile
  }
  // CHECK: {{:}}[[@LINE+1]]:10: remark: [Missed] prefetch | Category:tile | Reason="a load depends on a tile.dot of an earlier iteration"
  %5:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %b, %p = %ps) -> (!tile, !ptrs) : i32 {
    %a = tile.load %p : !ptrs
    %sum = tile.dot %a, %b, %acc : !tile, !tile, !tile
    %i = arith.fptosi %sum : !tile to tensor<8x8xi32>
    %next = tile.addptr %p, %i : !ptrs, tensor<8x8xi32>
    scf.yield %sum, %next : !tile, !ptrs
  }
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] prefetch | Category:tile | Reason="the loop compares unsigned numbers"
  %6 = scf.for unsigned %k = %c0 to %n step %c1 iter_args(%acc = %b) -> !tile : i32 {
    %a = tile.load %ps : !ptrs
    %sum = tile.dot %a, %b, %acc : !tile, !tile, !tile
    scf.yield %sum : !tile
  }
  // CHECK: {{:}}[[@LINE+1]]:10: remark: [Missed] prefetch | Category:tile | Reason="a value that the loop carries is not computed in the loop"
  %7:3 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %b, %p = %ps, %q = %ps) -> (!tile, !ptrs, !ptrs) : i32 {
    %a = tile.load %p : !ptrs
    %sum = tile.dot %a, %b, %acc : !tile, !tile, !tile
    scf.yield %sum, %q, %p : !tile, !ptrs, !ptrs
  }
  // A loop without dots is none of its business.
  // CHECK-NOT: remark:
  scf.for %k = %c0 to %n step %c1 : i32 {
    %a = tile.load %ps : !ptrs
  }
  return
}

// Nothing that is said of arguments holds for stores through pointers made of integers.
func.func @addresses(%x: !tile.ptr<f32> {tile.readonly, tile.noalias}, %n: i32, %address: i64, %v: f32) attributes {tile.kernel} {
  %b = arith.constant dense<0.0> : !tile
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %y = tile.int_to_ptr %address : i64 -> !tile.ptr<f32>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Missed] prefetch | Category:tile | Reason="'tile.store' may write what is loaded ahead"
  %0 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %b) -> !tile : i32 {
    %a = tile.load %xs : !ptrs
    %sum = tile.dot %a, %b, %acc : !tile, !tile, !tile
    tile.store %y, %v : !tile.ptr<f32>
    scf.yield %sum : !tile
  }
  // CHECK-NOT: remark
  return
}

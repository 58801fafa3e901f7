// tile-insert-barriers: one barrier for each hazard between threads, and no more.
//
// RUN: tile-opt %s --tile-insert-barriers | FileCheck %s
// RUN: tile-opt %s --tile-insert-barriers --tile-insert-barriers | FileCheck %s

#rows = #tile.layout<blocked shape = [64, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#columns = #tile.layout<blocked shape = [64, 64], register = [8, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>
// Two warps with copies.
#copies = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[0, 0]]>
!rows = tensor<64x64xf32, #rows>
!columns = tensor<64x64xf32, #columns>
!copies = tensor<64x64xf32, #copies>
!b = !tile.buffer<64x64xf32>
!b2 = !tile.buffer<2x64x64xf32>

// Read after write, write after read; the last is read by those who wrote it.
// CHECK-LABEL: @straight
func.func @straight() attributes {tile.kernel} {
  // CHECK: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: return
  %x = arith.constant dense<1.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b
  tile.local_store %x, %a : !rows, !b
  %u = tile.local_load %a : !b -> !columns
  %v = tile.local_load %a : !b -> !columns
  tile.local_store %x, %a : !rows, !b
  %w = tile.local_load %a : !b -> !rows
  return
}

// One barrier for two buffers side by side; one more where a third overlaps.
// CHECK-LABEL: @bytes
func.func @bytes() attributes {tile.kernel} {
  // CHECK: tile.local_store
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: return
  %x = arith.constant dense<1.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b
  %b = tile.alloc {offset = 16384 : i64} : !b
  %c = tile.alloc {offset = 32768 : i64} : !b
  %d = tile.alloc {offset = 16640 : i64} : !b
  tile.local_store %x, %a : !rows, !b
  tile.local_store %x, %b : !rows, !b
  %u = tile.local_load %a : !b -> !columns
  %v = tile.local_load %b : !b -> !columns
  tile.local_store %x, %c : !rows, !b
  tile.local_store %x, %d : !rows, !b
  tile.local_store %x, %b : !rows, !b
  return
}

// Threads that hold copies may write at different times; those that do not overwrite what is their own.
// CHECK-LABEL: @same_threads
func.func @same_threads() attributes {tile.kernel} {
  // CHECK: tile.local_store
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: return
  %x = arith.constant dense<1.0> : !rows
  %y = arith.constant dense<1.0> : !copies
  %a = tile.alloc {offset = 0 : i64} : !b
  tile.local_store %x, %a : !rows, !b
  tile.local_store %x, %a : !rows, !b
  tile.local_store %y, %a : !copies, !b
  tile.local_store %y, %a : !copies, !b
  return
}

// A step of a product: its operands are read after all threads have written them, and written after all have
// read those of the step before. At the end nothing waits.
// CHECK-LABEL: @steps
func.func @steps(%n: index) attributes {tile.kernel} {
  // CHECK-NOT: tile.barrier
  // CHECK: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b
  %b = tile.alloc {offset = 16384 : i64} : !b
  scf.for %k = %c0 to %n step %c1 {
    tile.local_store %x, %a : !rows, !b
    tile.local_store %x, %b : !rows, !b
    %u = tile.local_load %a : !b -> !columns
    %v = tile.local_load %b : !b -> !columns
  }
  return
}

// Two buffers in turn: the one before is written anew only behind the barrier of the next step.
// CHECK-LABEL: @in_turn
func.func @in_turn(%n: index) attributes {tile.kernel} {
  // CHECK: scf.for
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: arith.xori
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b2
  %b = tile.alloc {offset = 32768 : i64} : !b2
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%stage = %c0) -> index {
    tile.local_store %x, %a[%stage] : !rows, !b2
    tile.local_store %x, %b[%stage] : !rows, !b2
    %u = tile.local_load %a[%stage] : !b2 -> !columns
    %v = tile.local_load %b[%stage] : !b2 -> !columns
    %next = arith.xori %stage, %c1 : index
    scf.yield %next : index
  }
  return
}

// The next step's tile is written while this one's is read, which was written in the step before.
// CHECK-LABEL: @ahead
func.func @ahead(%n: index) attributes {tile.kernel} {
  // CHECK: tile.local_store
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: arith.xori
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b2
  tile.local_store %x, %a[%c0] : !rows, !b2
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%stage = %c0) -> index {
    %u = tile.local_load %a[%stage] : !b2 -> !columns
    %next = arith.xori %stage, %c1 : index
    tile.local_store %x, %a[%next] : !rows, !b2
    scf.yield %next : index
  }
  return
}

// Indices that do not take turns, or of which that is not known, may be equal.
// CHECK-LABEL: @not_in_turn
func.func @not_in_turn(%n: index) attributes {tile.kernel} {
  // CHECK: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK: scf.for
  // CHECK-NEXT: arith.andi
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b2
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%stage = %c0, %other = %c1) -> (index, index) {
    tile.local_store %x, %a[%stage] : !rows, !b2
    %u = tile.local_load %a[%stage] : !b2 -> !columns
    scf.yield %other, %stage : index, index
  }
  scf.for %k = %c0 to %n step %c1 {
    %stage = arith.andi %k, %c1 : index
    tile.local_store %x, %a[%stage] : !rows, !b2
    %u = tile.local_load %a[%stage] : !b2 -> !columns
  }
  tile.local_store %x, %a[%c0] : !rows, !b2
  %v = tile.local_load %a[%c1] : !b2 -> !columns
  return
}

// What was written before a loop that reads it alone, is waited for before the loop.
// CHECK-LABEL: @before_loops
func.func @before_loops(%n: index) attributes {tile.kernel} {
  // CHECK: tile.local_store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b
  tile.local_store %x, %a : !rows, !b
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %u = tile.local_load %a : !b -> !columns
    }
  }
  tile.local_store %x, %a : !rows, !b
  return
}

// A barrier in one branch does not help the other; one in each does. All of a loop may be skipped.
// CHECK-LABEL: @branches
func.func @branches(%n: index, %p: i1) attributes {tile.kernel} {
  // CHECK: tile.local_store
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: } else {
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b
  tile.local_store %x, %a : !rows, !b
  scf.if %p {
    %u = tile.local_load %a : !b -> !columns
  }
  %v = tile.local_load %a : !b -> !columns
  tile.local_store %x, %a : !rows, !b
  scf.if %p {
    %u = tile.local_load %a : !b -> !columns
  } else {
    %u = tile.local_load %a : !b -> !columns
    %w = tile.local_load %a : !b -> !rows
  }
  %w = tile.local_load %a : !b -> !columns
  tile.local_store %x, %a : !rows, !b
  scf.for %i = %c0 to %n step %c1 {
    tile.barrier
  }
  %z = tile.local_load %a : !b -> !columns
  return
}

// In the other region of a loop, and in the iteration after the next.
// CHECK-LABEL: @while
func.func @while(%p: i1) attributes {tile.kernel} {
  // CHECK: scf.while
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: scf.condition
  // CHECK-NEXT: } do {
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: }
  // CHECK-NEXT: scf.yield
  %x = arith.constant dense<1.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b
  scf.while : () -> () {
    tile.local_store %x, %a : !rows, !b
    scf.condition(%p)
  } do {
    scf.if %p {
      %u = tile.local_load %a : !b -> !columns
    }
    scf.yield
  }
  return
}

// CHECK-LABEL: @no_kernel
func.func @no_kernel(%x: !rows, %a: !b) -> !columns {
  // CHECK-NOT: tile.barrier
  // CHECK: return
  tile.local_store %x, %a : !rows, !b
  %u = tile.local_load %a : !b -> !columns
  return %u : !columns
}

// A step waits, copies into the stage that the step before has read, and reads its own. One barrier, behind the wait, is
// enough for both.
// CHECK-LABEL: @ring
func.func @ring(%m: memref<64x64xf32>, %n: index) attributes {tile.kernel} {
  // CHECK: tile.async_load_view
  // CHECK-NEXT: scf.for
  // CHECK: tile.async_wait
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.async_load_view
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: scf.yield
  // CHECK: tile.async_wait
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant dense<1.0> : !columns
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<3x64x64xf32>
  %other = tile.alloc {offset = 0 : i64} : !b
  %t0 = tile.async_load_view %m[%c0, %c0], %a[%c0] : memref<64x64xf32>, !tile.buffer<3x64x64xf32> as !rows
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%before = %c2) -> index {
    %last = arith.cmpi eq, %before, %c2 : index
    %up = arith.addi %before, %c1 : index
    %next = arith.select %last, %c0, %up : index
    tile.async_wait {pending = 0}
    %t = tile.async_load_view %m[%c0, %c0], %a[%before] : memref<64x64xf32>, !tile.buffer<3x64x64xf32> as !rows
    %u = tile.local_load %a[%next] : !tile.buffer<3x64x64xf32> -> !columns
    scf.yield %next : index
  }
  // Copies that are still on their way may arrive where this is.
  tile.async_wait {pending = 0}
  tile.local_store %x, %other : !columns, !b
  return
}

// A barrier before the wait does not tell that copies have arrived. Elements that the reading thread has copied by
// itself need none.
// CHECK-LABEL: @before_the_wait
func.func @before_the_wait(%m: memref<64x64xf32>) attributes {tile.kernel} {
  // CHECK: tile.async_load_view
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.async_wait
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.async_load_view
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %a = tile.alloc {offset = 0 : i64} : !b
  %t = tile.async_load_view %m[%c0, %c0], %a : memref<64x64xf32>, !b as !rows
  tile.barrier
  tile.async_wait %t {pending = 0}
  %u = tile.local_load %a : !b -> !rows
  %v = tile.local_load %a : !b -> !columns
  %w = tile.async_load_view %m[%c0, %c0], %a : memref<64x64xf32>, !b as !rows
  return
}

// A bulk store reads what all threads have stored; until the wait it may not be written, and after it all threads have to know.
// CHECK-LABEL: @bulk_stores
func.func @bulk_stores(%m: memref<64x64xf32>, %n: index) attributes {tile.kernel} {
  // CHECK: scf.for
  // CHECK-NEXT: tile.bulk_store_wait
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: tile.proxy_fence
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.bulk_store
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.bulk_store_wait
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<0.0> : !rows
  %a = tile.alloc {offset = 0 : i64} : !b
  scf.for %k = %c0 to %n step %c1 {
    tile.bulk_store_wait pending 0
    tile.local_store %x, %a : !rows, !b
    tile.proxy_fence
    tile.bulk_store %a, %m[%c0, %c0] : !b, memref<64x64xf32>
  }
  tile.bulk_store_wait pending 0
  return
}

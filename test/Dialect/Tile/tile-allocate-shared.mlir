// tile-allocate-shared: how long buffers live, and what may share memory.
//
// RUN: tile-opt %s --tile-allocate-shared=share-above=0 | FileCheck %s
// RUN: tile-opt %s --tile-allocate-shared=share-above=0 --tile-allocate-shared=share-above=0 | FileCheck %s
// RUN: tile-opt %s --tile-allocate-shared | FileCheck %s --check-prefix=APART
// RUN: tile-opt %s --tile-allocate-shared=capacity=1408 | FileCheck %s --check-prefix=TIGHT

!t = tensor<64xf32>
!h = tensor<32xf32>
!b = !tile.buffer<64xf32>
!hb = !tile.buffer<32xf32>

// One after the other. By default small buffers have memory of their own.
// CHECK-LABEL: @disjoint
// CHECK-SAME: tile.shared_bytes = 256 : i64
// CHECK: tile.alloc {offset = 0 : i64}
// CHECK: tile.alloc {offset = 0 : i64}
// With less memory than that they share again.
// TIGHT-LABEL: @gaps
// APART-LABEL: @disjoint
// APART-SAME: tile.shared_bytes = 512 : i64
// APART: tile.alloc {offset = 0 : i64}
// APART: tile.alloc {offset = 256 : i64}
func.func @disjoint() attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : !t
  %y = arith.constant dense<1.0> : !t
  %a = tile.alloc : !b
  %b = tile.alloc : !b
  tile.local_store %x, %a : !t, !b
  %u = tile.local_load %a : !b -> !t
  tile.local_store %y, %b : !t, !b
  %v = tile.local_load %b : !b -> !t
  return
}

// The second is written before the first is read for the last time. What nobody uses has a place, too.
// CHECK-LABEL: @together
// CHECK-SAME: tile.shared_bytes = 512 : i64
// CHECK: tile.alloc {offset = 0 : i64} : <64xf32>
// CHECK: tile.alloc {offset = 256 : i64} : <64xf32>
// CHECK: tile.alloc {offset = 0 : i64} : <1xf32>
func.func @together() attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : !t
  %y = arith.constant dense<1.0> : !t
  %a = tile.alloc : !b
  %b = tile.alloc : !b
  %unused = tile.alloc : !tile.buffer<1xf32>
  tile.local_store %x, %a : !t, !b
  %u = tile.local_load %a : !b -> !t
  tile.local_store %y, %b : !t, !b
  %v = tile.local_load %b : !b -> !t
  %w = tile.local_load %a : !b -> !t
  return
}

// The large one takes the place of two. Offsets are multiples of 16 bytes.
// CHECK-LABEL: @gaps
// CHECK-SAME: tile.shared_bytes = 260 : i64
// CHECK: tile.alloc {offset = 16 : i64} : <3xi8>
// CHECK: tile.alloc {offset = 0 : i64} : <5xi8>
// CHECK: tile.alloc {offset = 0 : i64} : <260xi8>
// CHECK: tile.alloc {offset = 32 : i64} : <1xi8>
func.func @gaps() attributes {tile.kernel} {
  %x = arith.constant dense<1> : tensor<3xi8>
  %y = arith.constant dense<1> : tensor<5xi8>
  %z = arith.constant dense<1> : tensor<260xi8>
  %w = arith.constant dense<1> : tensor<1xi8>
  %b = tile.alloc : !tile.buffer<3xi8>
  %a = tile.alloc : !tile.buffer<5xi8>
  %c = tile.alloc : !tile.buffer<260xi8>
  %d = tile.alloc : !tile.buffer<1xi8>
  tile.local_store %y, %a : tensor<5xi8>, !tile.buffer<5xi8>
  tile.local_store %x, %b : tensor<3xi8>, !tile.buffer<3xi8>
  tile.local_store %w, %d : tensor<1xi8>, !tile.buffer<1xi8>
  %v = tile.local_load %b : !tile.buffer<3xi8> -> tensor<3xi8>
  %u = tile.local_load %a : !tile.buffer<5xi8> -> tensor<5xi8>
  %s = tile.local_load %d : !tile.buffer<1xi8> -> tensor<1xi8>
  tile.local_store %z, %c : tensor<260xi8>, !tile.buffer<260xi8>
  %t = tile.local_load %c : !tile.buffer<260xi8> -> tensor<260xi8>
  return
}

// Each iteration writes both before it reads them: neither lives from one to the next.
// CHECK-LABEL: @in_loop
// CHECK-SAME: tile.shared_bytes = 256 : i64
func.func @in_loop(%n: index) attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : !t
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc : !b
  %b = tile.alloc : !b
  scf.for %i = %c0 to %n step %c1 {
    tile.local_store %x, %a : !t, !b
    %u = tile.local_load %a : !b -> !t
    tile.local_store %u, %b : !t, !b
    %v = tile.local_load %b : !b -> !t
  }
  return
}

// %a is read in each iteration, %c is written in one and read in the next, of %d there are two in turn, %e is
// read behind the loop: all live with %b, which an iteration needs for itself, though after %a is read.
// CHECK-LABEL: @across
// CHECK-SAME: tile.shared_bytes = 1408 : i64
// CHECK: tile.alloc {offset = 512 : i64} : <64xf32>
// CHECK: tile.alloc {offset = 768 : i64} : <64xf32>
// CHECK: tile.alloc {offset = 1024 : i64} : <64xf32>
// CHECK: tile.alloc {offset = 0 : i64} : <2x64xf32>
// CHECK: tile.alloc {offset = 1280 : i64} : <32xf32>
func.func @across(%n: index, %stage: index) attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : !t
  %h = arith.constant dense<1.0> : !h
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc : !b
  %b = tile.alloc : !b
  %c = tile.alloc : !b
  %d = tile.alloc : !tile.buffer<2x64xf32>
  %e = tile.alloc : !hb
  tile.local_store %x, %a : !t, !b
  tile.local_store %x, %c : !t, !b
  scf.for %i = %c0 to %n step %c1 {
    tile.local_store %x, %d[%stage] : !t, !tile.buffer<2x64xf32>
    %s = tile.local_load %d[%stage] : !tile.buffer<2x64xf32> -> !t
    %r = tile.local_load %c : !b -> !t
    %u = tile.local_load %a : !b -> !t
    tile.local_store %u, %b : !t, !b
    %v = tile.local_load %b : !b -> !t
    tile.local_store %v, %c : !t, !b
    tile.local_store %h, %e : !h, !hb
  }
  %w = tile.local_load %e : !hb -> !h
  return
}

// Only one branch is taken; in the inner one %a is still needed. What a branch may have written lives all
// through the loop.
// CHECK-LABEL: @branches
// CHECK-SAME: tile.shared_bytes = 768 : i64
// CHECK: tile.alloc {offset = 0 : i64}
// CHECK: tile.alloc {offset = 256 : i64}
// CHECK: tile.alloc {offset = 0 : i64}
// CHECK: tile.alloc {offset = 512 : i64}
func.func @branches(%n: index, %p: i1, %q: i1) attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : !t
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc : !b
  %b = tile.alloc : !b
  %c = tile.alloc : !b
  %d = tile.alloc : !b
  scf.for %i = %c0 to %n step %c1 {
    scf.if %p {
      tile.local_store %x, %a : !t, !b
      scf.if %q {
        tile.local_store %x, %b : !t, !b
        %u = tile.local_load %b : !b -> !t
      }
      %v = tile.local_load %a : !b -> !t
    } else {
      tile.local_store %x, %c : !t, !b
      %w = tile.local_load %c : !b -> !t
    }
    scf.if %q {
      tile.local_store %x, %d : !t, !b
    }
    %y = tile.local_load %d : !b -> !t
  }
  return
}

// What is copied asynchronously may arrive until a wait leaves nothing pending: the first loop's copies until behind it, where
// the memory is free for the second loop.
// CHECK-LABEL: @copies
// CHECK-SAME: tile.shared_bytes = 1024 : i64
// CHECK: tile.alloc {offset = 0 : i64}
// CHECK: tile.alloc {offset = 512 : i64}
// CHECK: tile.alloc {offset = 0 : i64}
func.func @copies(%m: memref<64xf32>, %n: index) attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : !t
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc : !tile.buffer<2x64xf32>
  %b = tile.alloc : !tile.buffer<2x64xf32>
  %c = tile.alloc : !tile.buffer<2x64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %t = tile.async_load_view %m[%c0], %a[%c1] : memref<64xf32>, !tile.buffer<2x64xf32> as !t
    tile.async_wait %t {pending = 1}
    %u = tile.local_load %a[%c0] : !tile.buffer<2x64xf32> -> !t
  }
  tile.local_store %x, %b[%c0] : !t, !tile.buffer<2x64xf32>
  tile.async_wait {pending = 0}
  %v = tile.local_load %b[%c0] : !tile.buffer<2x64xf32> -> !t
  scf.for %i = %c0 to %n step %c1 {
    %t = tile.async_load_view %m[%c0], %c[%c1] : memref<64xf32>, !tile.buffer<2x64xf32> as !t
    tile.async_wait %t {pending = 0}
    %u = tile.local_load %c[%c0] : !tile.buffer<2x64xf32> -> !t
  }
  return
}

// CHECK-LABEL: @nothing
// CHECK-NOT: tile.shared_bytes
func.func @nothing() attributes {tile.kernel} {
  return
}

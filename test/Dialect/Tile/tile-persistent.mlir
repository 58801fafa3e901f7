// tile-persistent: roles loop over blocks, and count the iterations of their channel on; and which kernels are kept.
//
// RUN: tile-opt %s --split-input-file --tile-persistent="programs=5" --cse --remark-policy=all --remarks-filter=tile 2>%t.notes | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE --input-file=%t.notes
// RUN: tile-opt %s --split-input-file --tile-persistent --remark-policy=all --remarks-filter=tile 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: remark: [Missed] persistent | Category:tile | Reason="the number of multiprocessors is not known: set 'sms' of #tile.target"

// Ten blocks, of 2 x 5 x 1, on 5 programs. What finds a block is in both loops, x fastest; what both roles share is not.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref
// CHECK-NOT: tile.program_id
// CHECK: %[[SA:.*]] = tile.alloc
// CHECK: %[[CH:.*]] = tile.channel stages 4
// CHECK: tile.roles warps [4, 4] {
// CHECK: %[[P:.*]] = tile.program_id x
// CHECK: scf.for %[[BLOCK:.*]] = %[[P]] to %c10_i32 step %c5_i32 iter_args(%[[T0:.*]] = %c0) -> (index) : i32 {
// CHECK: %[[T1:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[T0]]) -> (index) {
// CHECK: tile.channel_wait %[[CH]][%[[T]]]
// CHECK: scf.yield %[[T1]] : index
// CHECK: }, {
// CHECK: %[[P:.*]] = tile.program_id x
// CHECK: scf.for %[[BLOCK:.*]] = %[[P]] to %c10_i32 step %c5_i32 iter_args(%[[T0:.*]] = %c0) -> (index) : i32 {
// CHECK: %[[X:.*]] = arith.remui %[[BLOCK]], %c2_i32
// CHECK: %[[Q:.*]] = arith.divui %[[BLOCK]], %c2_i32
// CHECK: %[[Y:.*]] = arith.remui %[[Q]], %c5_i32
// CHECK: %[[SUM:.*]] = arith.addi %[[X]], %[[Y]]
// CHECK: %[[ALL:.*]] = arith.addi %[[SUM]], %c2_i32
// CHECK: %[[I:.*]] = arith.index_cast %[[ALL]]
// CHECK: %[[T1:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[T0]]) -> (index) {
// CHECK: %[[S:.*]] = tile.channel_acquire %[[CH]][%[[T]]]
// CHECK: tile.bulk_load %[[A]][%[[I]], %{{.*}}], %[[SA]][%[[S]]]
// CHECK: scf.yield %[[T1]] : index
// CHECK-LABEL: func.func @main(
// CHECK: tile.launch @blocks grid(%c5, %c1, %c1)
// NOTE: remark: [Passed] persistent | Category:tile | blocks=10, programs=5
func.func @blocks(%a: memref<?x?xf16>) attributes {tile.kernel, tile.config = #tile.config<persistent=1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %columns = tile.num_programs x
  %sum = arith.addi %x, %y : i32
  %all = arith.addi %sum, %columns : i32
  %i = arith.index_cast %all : i32 to index
  %sa = tile.alloc : !tile.buffer<4x64x64xf16>
  %ch = tile.channel stages 4
  tile.roles warps [4, 4] {
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%t = %c0) -> (index) {
      %s = tile.channel_wait %ch[%t]
      %before = arith.subi %t, %c1 : index
      tile.channel_release %ch[%before]
      %next = arith.addi %t, %c1 : index
      scf.yield %next : index
    }
  }, {
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%t = %c0) -> (index) {
      %s = tile.channel_acquire %ch[%t] bytes 8192
      tile.bulk_load %a[%i, %k], %sa[%s] through %ch : memref<?x?xf16>, !tile.buffer<4x64x64xf16>
      %next = arith.addi %t, %c1 : index
      scf.yield %next : index
    }
  }
  return
}
func.func @main(%a: memref<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  tile.launch @blocks grid(%c2, %c5, %c1) (%a) : memref<?x?xf16>
  return
}

// -----

// A program that a role knows by itself; whole clusters, on 4 of 5 multiprocessors; a role without a channel.
// CHECK-LABEL: func.func @clusters(
// CHECK: scf.for %[[BLOCK:.*]] = %{{.*}} to %c6_i32 step %c4_i32
// CHECK: %[[X:.*]] = arith.remui %[[BLOCK]], %c6_i32
// CHECK: tile.store %{{.*}}, %[[X]]
// CHECK: }, {
// CHECK-NOT: scf.for
// CHECK: tile.launch @clusters grid(%c4, %c1, %c1)
func.func @clusters(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.config = #tile.config<cluster=2 persistent=1>} {
  tile.roles warps [4, 4] {
    %x = tile.program_id x
    tile.store %p, %x : !tile.ptr<i32>
  }, {
  }
  return
}
func.func @main(%p: !tile.ptr<i32>) {
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  tile.launch @clusters grid(%c6, %c1, %c1) (%p) : !tile.ptr<i32>
  return
}

// -----

// Warps of one kind.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT: scf.for %{{.*}} to %c8_i32
// CHECK: return
// NOTE: remark: [Missed] persistent | Category:tile | Reason="its warps have no roles"
func.func @plain(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.config = #tile.config<persistent=1>} {
  %x = tile.program_id x
  tile.store %p, %x : !tile.ptr<i32>
  return
}
func.func @main(%p: !tile.ptr<i32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  tile.launch @plain grid(%c8, %c1, %c1) (%p) : !tile.ptr<i32>
  return
}

// -----

// What all warps store.
// CHECK-LABEL: func.func @outside(
// CHECK-NOT: scf.for %{{.*}} to %c8_i32
// CHECK: return
// NOTE: remark: [Missed] persistent | Category:tile | Reason="'tile.store' is outside of the roles"
func.func @outside(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.config = #tile.config<persistent=1>} {
  %x = tile.program_id x
  tile.store %p, %x : !tile.ptr<i32>
  tile.roles warps [4, 4] {
    tile.store %p, %x : !tile.ptr<i32>
  }, {
  }
  return
}
func.func @main(%p: !tile.ptr<i32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  tile.launch @outside grid(%c8, %c1, %c1) (%p) : !tile.ptr<i32>
  return
}

// -----

// A grid that is known when it runs.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: scf.for %{{.*}} to %c8_i32
// CHECK: return
// NOTE: remark: [Missed] persistent | Category:tile | Reason="a launch has a grid that is known at run time only"
func.func @dynamic(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.config = #tile.config<persistent=1>} {
  %x = tile.program_id x
  tile.roles warps [4, 4] {
    tile.store %p, %x : !tile.ptr<i32>
  }, {
  }
  return
}
func.func @main(%p: !tile.ptr<i32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  tile.launch @dynamic grid(%c8, %n, %c1) (%p) : !tile.ptr<i32>
  return
}

// -----

// Two grids.
// CHECK-LABEL: func.func @different(
// CHECK-NOT: scf.for %{{.*}} to %c8_i32
// CHECK: return
// NOTE: remark: [Missed] persistent | Category:tile | Reason="launches have different grids"
func.func @different(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.config = #tile.config<persistent=1>} {
  %x = tile.program_id x
  tile.roles warps [4, 4] {
    tile.store %p, %x : !tile.ptr<i32>
  }, {
  }
  return
}
func.func @main(%p: !tile.ptr<i32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  tile.launch @different grid(%c8, %c1, %c1) (%p) : !tile.ptr<i32>
  tile.launch @different grid(%c4, %c4, %c1) (%p) : !tile.ptr<i32>
  return
}

// -----

// No more blocks than programs.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: scf.for %{{.*}} to %c8_i32
// CHECK: return
// NOTE: remark: [Missed] persistent | Category:tile | Reason="it has 4 blocks for 5 programs"
func.func @few(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.config = #tile.config<persistent=1>} {
  %x = tile.program_id x
  tile.roles warps [4, 4] {
    tile.store %p, %x : !tile.ptr<i32>
  }, {
  }
  return
}
func.func @main(%p: !tile.ptr<i32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  tile.launch @few grid(%c4, %c1, %c1) (%p) : !tile.ptr<i32>
  return
}

// -----

// A kernel that others launch.
// CHECK-LABEL: func.func @public(
// CHECK-NOT: scf.for %{{.*}} to %c8_i32
// CHECK: return
// NOTE: remark: [Missed] persistent | Category:tile | Reason="it is not launched in its module"
func.func @public(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.config = #tile.config<persistent=1>} {
  %x = tile.program_id x
  tile.roles warps [4, 4] {
    tile.store %p, %x : !tile.ptr<i32>
  }, {
  }
  return
}
func.func @main(%p: !tile.ptr<i32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  return
}

// -----

// Iterations from 1 on.
// CHECK-LABEL: func.func @counter(
// CHECK-NOT: scf.for %{{.*}} to %c8_i32
// CHECK: return
// NOTE: remark: [Missed] persistent | Category:tile | Reason="the iteration of a 'tile.channel_wait' is not counted from 0 by the loop of its role"
func.func @counter(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.config = #tile.config<persistent=1>} {
  %x = tile.program_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %ch = tile.channel stages 4
  tile.roles warps [4, 4] {
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%t = %c1) -> (index) {
      %s = tile.channel_wait %ch[%t]
      %next = arith.addi %t, %c1 : index
      scf.yield %next : index
    }
  }, {
  }
  return
}
func.func @main(%p: !tile.ptr<i32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  tile.launch @counter grid(%c8, %c1, %c1) (%p) : !tile.ptr<i32>
  return
}

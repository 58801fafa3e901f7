// convert-tile-to-gpu, asynchronous copies: as many bytes as follow one another in both memories; masks as the bytes that
// are read; one group for each op, or for those that are with the next, in all threads.
//
// RUN: tile-opt %s --convert-tile-to-gpu --canonicalize --cse | FileCheck %s

#rows = #tile.layout<blocked shape = [32, 32], register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#tall = #tile.layout<blocked shape = [64, 32], register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#long = #tile.layout<blocked shape = [256, 32], register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#narrow = #tile.layout<blocked shape = [32, 32], register = [1, 2], lane = [2, 16], warp = [4, 1], order = [1, 0]>
#single = #tile.layout<blocked shape = [32, 32], register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#line = #tile.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [0]], warp = [[0], [0]]>
// Elements 4 and 5 of a row lie behind each other, 3 and 4 do not.
#pairs = #tile.layout<offset = [[0, 1], [0, 4], [0, 2], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>

module attributes {tile.target = #tile.target<chip = "sm_80", shared = 166912, threads = 1024, registers = 255, async = true, mma = []>} {

// CHECK-LABEL: gpu.func @widths
// CHECK-COUNT-1: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache =  cg : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-COUNT-4: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache =  ca : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-4: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache =  ca : !llvm.ptr<3>, !llvm.ptr<1>
// CHECK: nvvm.cp.async.commit.group
// Two bytes are too few for a copy.
// CHECK-NOT: nvvm.cp.async.shared
// CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<3>
// CHECK: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 3
// CHECK-NEXT: nvvm.cp.async.wait.group 0
func.func @widths(%m: memref<32x32xf16>) attributes {tile.kernel, tile.num_warps = 4 : i64, tile.shared_bytes = 8192 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<3x32x32xf16>
  %b = tile.alloc {offset = 6144 : i64} : !tile.buffer<32x32xf16, #pairs>
  %t0 = tile.async_load_view %m[%c0, %c0], %a[%c0] : memref<32x32xf16>, !tile.buffer<3x32x32xf16> as tensor<32x32xf16, #rows>
  %t1 = tile.async_load_view %m[%c0, %c0], %a[%c0] : memref<32x32xf16>, !tile.buffer<3x32x32xf16> as tensor<32x32xf16, #narrow>
  %t2 = tile.async_load_view %m[%c0, %c0], %b : memref<32x32xf16>, !tile.buffer<32x32xf16, #pairs> as tensor<32x32xf16, #rows>
  %t3 = tile.async_load_view %m[%c0, %c0], %a[%c0] : memref<32x32xf16>, !tile.buffer<3x32x32xf16> as tensor<32x32xf16, #single>
  tile.async_wait %t0 {pending = 3}
  tile.async_wait %t1, %t2, %t3 {pending = 0}
  return
}

// A mask of the whole, and one of what may be outside, choose between all bytes and none.
// CHECK-LABEL: gpu.func @masks
// CHECK-SAME: %{{.*}}: i64, %[[SIZE:.*]]: i64, %[[ANY:.*]]: i1
// CHECK: %[[ALL:.*]] = arith.select %[[ANY]], %c16_i32, %c0_i32 : i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache =  cg, %[[ALL]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
// CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %[[SIZE]] : i64
// CHECK: %[[BIT:.*]] = arith.extui %[[IN]] : i1 to i32
// CHECK: %[[BYTES:.*]] = arith.shli %[[BIT]], %c4_i32 : i32
// CHECK: %[[READ:.*]] = arith.select %[[ANY]], %[[BYTES]], %c0_i32 : i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache =  cg, %[[READ]]
func.func @masks(%m: memref<?x32xf16>, %any: i1) attributes {tile.kernel, tile.num_warps = 4 : i64, tile.shared_bytes = 2048 : i64} {
  %c0 = arith.constant 0 : index
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<32x32xf16>
  %t0 = tile.async_load_view %m[%c0, %c0], %a mask %any in_bounds [true, true] : memref<?x32xf16>, !tile.buffer<32x32xf16> as tensor<32x32xf16, #rows>
  %t1 = tile.async_load_view %m[%c0, %c0], %a mask %any : memref<?x32xf16>, !tile.buffer<32x32xf16> as tensor<32x32xf16, #rows>
  tile.async_wait {pending = 0}
  return
}

// In a loop the index of a step is compared with what is computed before: the size less what the thread adds, and no more
// than the limit of steps. Addresses count from that of the first copy.
// CHECK-LABEL: gpu.func @steps
// CHECK-SAME: %{{.*}}: i64, %[[M:.*]]: i64, %[[K:.*]]: i64, %[[N:.*]]: index
// CHECK: scf.for %[[I:.*]] = %c0 to %[[N]] step %c32 {
// CHECK: %[[START:.*]] = arith.addi %[[I]], %c32 : index
// CHECK: %[[ADDRESS:.*]] = llvm.inttoptr
// CHECK: %[[BELOW:.*]] = arith.cmpi ult, %{{.*}}, %[[M]] : i64
// CHECK: %[[ROOM:.*]] = arith.subi %[[K]], %{{.*}} : i64
// CHECK: %[[LEAST:.*]] = arith.minsi %[[ROOM]], %{{.*}} : i64
// CHECK: %[[BOUND:.*]] = arith.maxsi %[[LEAST]], %c0_i64 : i64
// CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %[[BOUND]] : i64
// CHECK: llvm.getelementptr %[[ADDRESS]][%{{.*}}]
// CHECK: %[[BOTH:.*]] = arith.andi %[[BELOW]], %[[IN]] : i1
// CHECK: %[[READ:.*]] = arith.select %[[BOTH]], %c16_i32, %c0_i32 : i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %[[ADDRESS]], 16, cache =  cg, %[[READ]]
func.func @steps(%m: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<64x32xf16>
  scf.for %i = %c0 to %n step %c32 {
    %last = arith.subi %n, %c32 : index
    %any = arith.cmpi slt, %i, %last : index
    %k = arith.addi %i, %c32 : index
    %t = tile.async_load_view %m[%c0, %k], %a mask %any : memref<?x?xf16>, !tile.buffer<64x32xf16> as tensor<64x32xf16, #tall>
    tile.async_wait %t {pending = 0}
  }
  return
}

// So it is where another step is compared than the one that is copied: if i + 32 is less than the limit, i + 96 is less
// than the limit and 64.
// CHECK-LABEL: gpu.func @rotated
// CHECK: %[[LIMIT:.*]] = arith.addi %{{.*}}, %c64_i64
// CHECK: %[[LEAST:.*]] = arith.minsi %{{.*}}, %[[LIMIT]] : i64
// CHECK: %[[BOUND:.*]] = arith.maxsi %[[LEAST]], %c0_i64 : i64
// CHECK: arith.cmpi ult, %{{.*}}, %[[BOUND]] : i64
func.func @rotated(%m: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64, tile.shared_bytes = 4096 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<64x32xf16>
  scf.for %i = %c0 to %n step %c32 {
    %next = arith.addi %i, %c32 : index
    %any = arith.cmpi slt, %next, %n : index
    %k = arith.addi %i, %c96 : index
    %t = tile.async_load_view %m[%c0, %k], %a mask %any : memref<?x?xf16>, !tile.buffer<64x32xf16> as tensor<64x32xf16, #tall>
    tile.async_wait %t {pending = 0}
  }
  return
}

// Where a loop would hold many bounds, the copies of a view have one in common: each adds a constant to what is left of it.
// CHECK-LABEL: gpu.func @bounds
// CHECK-SAME: %{{.*}}: i64, %[[M:.*]]: i64, %{{.*}}: index, %{{.*}}: i1
// CHECK: scf.for
// CHECK: %[[BOUND:.*]] = arith.subi %[[M]], %{{.*}} : i64
// CHECK: %[[LEFT:.*]] = arith.subi %[[BOUND]], %{{.*}} : i64
// CHECK: arith.cmpi sgt, %[[LEFT]], %c0_i64 : i64
// CHECK-NOT: arith.subi
// CHECK: arith.cmpi sgt, %[[LEFT]], %c32_i64 : i64
// CHECK: %[[LAST:.*]] = arith.cmpi sgt, %[[LEFT]], %c224_i64 : i64
// CHECK: arith.andi %{{.*}}, %[[LAST]] : i1
// CHECK-COUNT-8: nvvm.cp.async.shared
func.func @bounds(%m: memref<?x32xf16>, %n: index, %any: i1)
    attributes {tile.kernel, tile.num_warps = 4 : i64, tile.shared_bytes = 16384 : i64} {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<256x32xf16>
  scf.for %i = %c0 to %n step %c256 {
    %t = tile.async_load_view %m[%i, %c0], %a mask %any : memref<?x32xf16>, !tile.buffer<256x32xf16> as tensor<256x32xf16, #long>
    tile.async_wait %t {pending = 0}
  }
  return
}

// Of several threads that hold an element, the first one copies it; all of them close the group.
// CHECK-LABEL: gpu.func @first
// CHECK: scf.if
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16
// CHECK: }
// CHECK-NEXT: nvvm.cp.async.commit.group
func.func @first(%p: !tile.ptr<f16> {tile.multiple_of = 16 : i64}) attributes {tile.kernel, tile.num_warps = 4 : i64, tile.shared_bytes = 256 : i64} {
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<128xf16>
  %all = tile.splat %p : !tile.ptr<f16> -> tensor<128x!tile.ptr<f16>, #line>
  %range = tile.range 0 to 128 : tensor<128xi32, #line>
  %pointers = tile.addptr %all, %range : tensor<128x!tile.ptr<f16>, #line>, tensor<128xi32, #line>
  %t = tile.async_load %pointers, %a : tensor<128x!tile.ptr<f16>, #line>, !tile.buffer<128xf16>
  tile.async_wait %t {pending = 0}
  return
}

// CHECK-LABEL: gpu.func @groups
// CHECK: nvvm.cp.async.shared
// CHECK-NOT: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.shared
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.shared
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 1
func.func @groups(%m: memref<32x32xf16>) attributes {tile.kernel, tile.num_warps = 4 : i64, tile.shared_bytes = 6144 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<3x32x32xf16>
  %t0 = tile.async_load_view %m[%c0, %c0], %a[%c0] in_bounds [true, true] with_next : memref<32x32xf16>, !tile.buffer<3x32x32xf16> as tensor<32x32xf16, #rows>
  %t1 = tile.async_load_view %m[%c0, %c0], %a[%c1] in_bounds [true, true] : memref<32x32xf16>, !tile.buffer<3x32x32xf16> as tensor<32x32xf16, #rows>
  %t2 = tile.async_load_view %m[%c0, %c0], %a[%c2] in_bounds [true, true] : memref<32x32xf16>, !tile.buffer<3x32x32xf16> as tensor<32x32xf16, #rows>
  tile.async_wait %t0, %t1 {pending = 1}
  return
}

// Tokens that loops and branches pass are nothing to a thread.
// CHECK-LABEL: gpu.func @tokens
// CHECK: scf.for %{{[a-z0-9]+}} = %{{.*}} to %{{.*}} step %{{[a-z0-9_]+}} {
// CHECK: nvvm.cp.async.wait.group 0
func.func @tokens(%m: memref<32x32xf16>, %n: index) attributes {tile.kernel, tile.num_warps = 4 : i64, tile.shared_bytes = 2048 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc {offset = 0 : i64} : !tile.buffer<32x32xf16>
  %t0 = tile.async_load_view %m[%c0, %c0], %a : memref<32x32xf16>, !tile.buffer<32x32xf16> as tensor<32x32xf16, #rows>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> !tile.token {
    tile.async_wait %t {pending = 0}
    %t1 = tile.async_load_view %m[%c0, %c0], %a : memref<32x32xf16>, !tile.buffer<32x32xf16> as tensor<32x32xf16, #rows>
    scf.yield %t1 : !tile.token
  }
  return
}
}

// convert-tile-to-gpu: barriers where threads of a program touch what others of it have accessed, and where programs
// release and acquire.
//
// RUN: tile-opt --tile-place-buffers --convert-tile-to-gpu %s -o %t.gpu.mlir
// RUN: FileCheck %s --input-file=%t.gpu.mlir
// RUN: tile-run %s --backend=interp --entry=main --random=3 --outputs=%t.a0.npy,%t.b0.npy,%t.c0.npy
// RUN: tile-run %t.gpu.mlir --backend=sim --entry=main --random=3 --outputs=%t.a1.npy,%t.b1.npy,%t.c1.npy
// RUN: cmp %t.a0.npy %t.a1.npy
// RUN: cmp %t.b0.npy %t.b1.npy
// RUN: cmp %t.c0.npy %t.c1.npy

#l = #tile.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#t = #tile.layout<register = [[1, 0]], lane = [[2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8]]>
#v = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]]>

// Elements go to the places of others, once in place, once to what is the same memory in one launch; and what a thread
// changes by itself needs no barrier.
// CHECK-LABEL: gpu.func @transpose
// CHECK:         llvm.load
// CHECK:         gpu.barrier
// CHECK:         llvm.store
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @transpose(%a: memref<16x16xi32>, %b: memref<16x16xi32>)
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<16x16xi32> -> tensor<16x16xi32, #l>
  %y = tile.trans %x [1, 0] : tensor<16x16xi32, #l>
  tile.store_view %y, %b[%c0, %c0] : tensor<16x16xi32, #t>, memref<16x16xi32>
  return
}

// CHECK-LABEL: gpu.func @own
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @own(%a: memref<16x16xi32>, %b: memref<16x16xi32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<16x16xi32> -> tensor<16x16xi32, #l>
  %z = tile.load_view %b[%c0, %c0] : memref<16x16xi32> -> tensor<16x16xi32, #t>
  %y = arith.addi %x, %x : tensor<16x16xi32, #l>
  tile.store_view %y, %a[%c0, %c0] : tensor<16x16xi32, #l>, memref<16x16xi32>
  tile.store_view %z, %b[%c0, %c0] : tensor<16x16xi32, #t>, memref<16x16xi32>
  return
}

// All threads load the number, one changes it: all have to have loaded it before, and that has to be seen in the next
// iteration.
// CHECK-LABEL: gpu.func @count
// CHECK:         scf.for
// CHECK:           gpu.barrier
// CHECK:           llvm.load
// CHECK:           gpu.barrier
// CHECK:           llvm.store
// CHECK:         gpu.return
func.func @count(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %zero = arith.constant dense<0> : tensor<128xi32, #v>
  %sum = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %zero) -> (tensor<128xi32, #v>) : i32 {
    %x = tile.load %p : !tile.ptr<i32>
    %y = arith.addi %x, %c1 : i32
    tile.store %p, %y : !tile.ptr<i32>
    %xs = tile.splat %x : i32 -> tensor<128xi32, #v>
    %n = arith.addi %s, %xs : tensor<128xi32, #v>
    scf.yield %n : tensor<128xi32, #v>
  }
  %r = tile.range 0 to 128 : tensor<128xi32, #v>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #v>
  %qr = tile.addptr %qs, %r : tensor<128x!tile.ptr<i32>, #v>, tensor<128xi32, #v>
  tile.store %qr, %sum : tensor<128x!tile.ptr<i32>, #v>
  return
}

func.func @main(%a: memref<16x16xi32>, %p: memref<1xi32>, %q: memref<128xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @transpose grid(%c1, %c1, %c1) (%a, %a) : memref<16x16xi32>, memref<16x16xi32>
  tile.launch @count grid(%c1, %c1, %c1) (%p, %q) : memref<1xi32>, memref<128xi32>
  return
}

// Two memrefs of this launch are two.
func.func @other(%a: memref<16x16xi32>, %b: memref<16x16xi32>) {
  %c1 = arith.constant 1 : index
  tile.launch @own grid(%c1, %c1, %c1) (%a, %b) : memref<16x16xi32>, memref<16x16xi32>
  return
}

// What is at an address may be what any argument points at, also where no two of those are the same.
// CHECK-LABEL: gpu.func @addresses
// CHECK:         llvm.store
// CHECK:         gpu.barrier
// CHECK:         llvm.load
// CHECK:         gpu.barrier
// CHECK:         llvm.store
// CHECK:         gpu.return
func.func @addresses(%a: !tile.ptr<i32> {tile.noalias}, %b: !tile.ptr<i32> {tile.noalias}, %n: i64) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %i = tile.range 0 to 128 : tensor<128xi32, #v>
  %as = tile.splat %a : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #v>
  %bs = tile.splat %b : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #v>
  %ai = tile.addptr %as, %i : tensor<128x!tile.ptr<i32>, #v>, tensor<128xi32, #v>
  %bi = tile.addptr %bs, %i : tensor<128x!tile.ptr<i32>, #v>, tensor<128xi32, #v>
  %p = tile.int_to_ptr %n : i64 -> !tile.ptr<i32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #v>
  tile.store %ps, %i : tensor<128x!tile.ptr<i32>, #v>
  %x = tile.load %ai : tensor<128x!tile.ptr<i32>, #v>
  tile.store %bi, %x : tensor<128x!tile.ptr<i32>, #v>
  return
}

// A program releases once all its threads have come there, and goes on once one of them has acquired; fences are of the
// thread that acts. The barrier behind what acquires is the one that tells the result, where there is one.
// CHECK-LABEL: gpu.func @hand_on
// CHECK:         llvm.store
// CHECK-NEXT:    gpu.barrier
// CHECK:         scf.if
// CHECK-NEXT:      llvm.fence syncscope("device") release
// CHECK-NOT:       llvm.fence
// CHECK:           llvm.atomicrmw xchg %{{.*}}, %{{.*}} syncscope("device") monotonic
// CHECK-NOT:     llvm.fence
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.if
// CHECK-NOT:       llvm.fence
// CHECK:           llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} monotonic monotonic
// CHECK:           llvm.fence acquire
// CHECK:         gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         llvm.load
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @hand_on(%flag: !tile.ptr<i32> {tile.noalias}, %other: !tile.ptr<i32> {tile.noalias},
                   %data: !tile.ptr<i32> {tile.noalias}, %out: !tile.ptr<i32> {tile.noalias})
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tile.range 0 to 128 : tensor<128xi32, #v>
  %ds = tile.splat %data : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #v>
  %di = tile.addptr %ds, %i : tensor<128x!tile.ptr<i32>, #v>, tensor<128xi32, #v>
  tile.store %di, %i : tensor<128x!tile.ptr<i32>, #v>
  %0 = tile.atomic_rmw xchg %flag, %c1 order release : !tile.ptr<i32>
  %1 = tile.atomic_cas %other, %c1, %c0 order acquire scope sys : !tile.ptr<i32>
  %x = tile.load %di : tensor<128x!tile.ptr<i32>, #v>
  %os = tile.splat %out : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #v>
  %oi = tile.addptr %os, %i : tensor<128x!tile.ptr<i32>, #v>, tensor<128xi32, #v>
  tile.store %oi, %x : tensor<128x!tile.ptr<i32>, #v>
  return
}

// No other program sees what is atomic for this one alone.
// CHECK-LABEL: gpu.func @own_scope
// CHECK-NOT:     llvm.fence
// CHECK-NOT:     gpu.barrier
// CHECK:         llvm.atomicrmw xchg %{{.*}}, %{{.*}} syncscope("block") monotonic
// CHECK-NOT:     llvm.fence
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
func.func @own_scope(%flag: !tile.ptr<i32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c1 = arith.constant 1 : i32
  %0 = tile.atomic_rmw xchg %flag, %c1 order acq_rel scope cta : !tile.ptr<i32>
  return
}

// tile-use-bulk-stores: results go to buffers, from which bulk copies take them; and which stores are kept.
//
// RUN: tile-opt %s --split-input-file --tile-use-bulk-stores --remark-policy=all --remarks-filter=tile 2>%t.notes | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE --input-file=%t.notes

// Two results of a loop: the first one waits for both of the iteration before. Another behind it.
// CHECK-LABEL: func.func @results(
// CHECK: %[[B0:.*]] = tile.alloc : <64x64xf32>
// CHECK: %[[B1:.*]] = tile.alloc : <64x64xf16>
// CHECK: %[[B2:.*]] = tile.alloc : <64x16x64xf32>
// CHECK: tile.roles warps [4, 4] {
// CHECK-NEXT: scf.for %[[I:.*]] =
// CHECK-NEXT: tile.bulk_store_wait pending 0
// CHECK-NEXT: tile.local_store %{{.*}}, %[[B0]]
// CHECK-NEXT: tile.bulk_store %[[B0]], %arg0[%[[I]], %[[I]]]
// CHECK-NEXT: tile.local_store %{{.*}}, %[[B1]]
// CHECK-NEXT: tile.bulk_store %[[B1]], %arg1[%[[I]], %[[I]]]
// CHECK-NEXT: }
// CHECK-NEXT: tile.local_store %{{.*}}, %[[B2]]
// CHECK-NEXT: tile.bulk_store %[[B2]], %arg2[%c0, %c0, %c0, %c0] axes [0, 2, 3]
// CHECK-NEXT: tile.bulk_store_wait pending 0
// CHECK-NEXT: }, {
// CHECK-NEXT: }
// NOTE: remark: [Passed] use-bulk-stores | Category:tile | bytes=16384
// NOTE: remark: [Passed] use-bulk-stores | Category:tile | bytes=8192
// NOTE: remark: [Passed] use-bulk-stores | Category:tile | bytes=262144
func.func @results(%a: memref<?x4096xf32>, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}, %c: memref<?x?x?x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant dense<0.0> : tensor<64x64xf32>
  %y = arith.constant dense<0.0> : tensor<64x64xf16>
  %z = arith.constant dense<0.0> : tensor<64x16x64xf32>
  tile.roles warps [4, 4] {
    scf.for %i = %c0 to %c4 step %c1 {
      tile.store_view %x, %a[%i, %i] : tensor<64x64xf32>, memref<?x4096xf32>
      tile.store_view %y, %b[%i, %i] : tensor<64x64xf16>, memref<?x?xf16>
    }
    tile.store_view %z, %c[%c0, %c0, %c0, %c0] axes [0, 2, 3] : tensor<64x16x64xf32>, memref<?x?x?x64xf32>
  }, {
  }
  return
}

// -----

// None has a map, and so nobody waits.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: tile.alloc
// CHECK-NOT: bulk
// CHECK-LABEL: func.func @twice(
// CHECK-NOT: bulk
// NOTE: [Missed] use-bulk-stores | Category:tile | Reason="it is not to a memref of at most 5 axes in row-major order that the kernel takes"
// NOTE: Reason="it is not to a memref of at most 5 axes in row-major order that the kernel takes"
// NOTE: Reason="rows of its memref are not known to be multiples of 16 bytes apart"
// NOTE: Reason="no axis of the tile is the last one of its memref"
// NOTE: Reason="tensor<64x4xf32> has rows of fewer than 32 bytes, or a size that is no power of two"
// NOTE: Reason="it is in a 'scf.if'"
// NOTE: Reason="it is in a 'scf.for'"
func.func @kept(%a: memref<64x64xf32, strided<[1, 64]>>, %b: memref<1x1x1x1x64x64xf32>, %c: memref<64x66xf16>, %d: memref<64x64xf32>,
    %e: memref<64x4xf32>, %f: memref<64x64xf32>, %g: memref<64x64xf32>, %is: i1) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<0.0> : tensor<64x64xf32>
  %y = arith.constant dense<0.0> : tensor<64x64xf16>
  %z = arith.constant dense<0.0> : tensor<64x4xf32>
  %v = arith.constant dense<0.0> : tensor<64xf32>
  tile.roles warps [4, 4] {
    tile.store_view %x, %a[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32, strided<[1, 64]>>
    tile.store_view %x, %b[%c0, %c0, %c0, %c0, %c0, %c0] axes [4, 5] : tensor<64x64xf32>, memref<1x1x1x1x64x64xf32>
    tile.store_view %y, %c[%c0, %c0] : tensor<64x64xf16>, memref<64x66xf16>
    tile.store_view %v, %d[%c0, %c0] axes [0] : tensor<64xf32>, memref<64x64xf32>
    tile.store_view %z, %e[%c0, %c0] : tensor<64x4xf32>, memref<64x4xf32>
    scf.if %is {
      tile.store_view %x, %f[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
    }
    scf.for %i = %c0 to %c1 step %c1 {
      scf.for %j = %c0 to %c1 step %c1 {
        tile.store_view %x, %g[%i, %j] : tensor<64x64xf32>, memref<64x64xf32>
      }
    }
  }, {
  }
  return
}
// What is loaded and broadcast is in any layout.
// CHECK-LABEL: func.func @loaded(
// CHECK: tile.store_view %{{.*}}, %arg2
// CHECK: tile.bulk_store %{{.*}}, %arg3
// NOTE: Reason="the kernel also accesses its memref elsewhere"
// NOTE: Reason="the kernel also accesses its memref elsewhere"
// NOTE: Reason="it is of a tile computed of loaded ones, in whose layout it is"
// NOTE: remark: [Passed] use-bulk-stores
func.func @twice(%a: memref<64x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<0.0> : tensor<64x64xf32>
  tile.roles warps [4, 4] {
    tile.store_view %x, %a[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
    tile.store_view %x, %a[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  }, {
  }
  return
}

func.func @loaded(%a: memref<64x64xf32>, %b: memref<64x1xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<2.0> : tensor<64x64xf32>
  tile.roles warps [4, 4] {
    %y = tile.load_view %a[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
    %z = arith.addf %x, %y : tensor<64x64xf32>
    tile.store_view %z, %c[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
    %u = tile.load_view %b[%c0, %c0] : memref<64x1xf32> -> tensor<64x1xf32>
    %v = tile.broadcast %u : tensor<64x1xf32> -> tensor<64x64xf32>
    %w = arith.addf %x, %v : tensor<64x64xf32>
    tile.store_view %w, %d[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  }, {
  }
  return
}

// -----

// Shared memory has no room for 16384 bytes of a loop beside the 8192 of a stage, but for those behind it in its place.
// CHECK-LABEL: func.func @room(
// CHECK: scf.for
// CHECK-NEXT: tile.store_view
// CHECK: tile.bulk_store
// NOTE: [Missed] use-bulk-stores | Category:tile | Reason="stages and results take 24576 bytes of shared memory, the chip has 20000"
// NOTE: [Passed] use-bulk-stores | Category:tile | bytes=16384
module attributes {tile.target = #tile.target<chip = "sm_90a", shared = 20000, threads = 1024, registers = 255, mma = []>} {
func.func @room(%a: memref<64x64xf32>, %b: memref<64x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<0.0> : tensor<64x64xf32>
  %stages = tile.alloc : !tile.buffer<1x64x64xf16>
  tile.roles warps [4, 4] {
    scf.for %i = %c0 to %c1 step %c1 {
      tile.store_view %x, %a[%i, %i] : tensor<64x64xf32>, memref<64x64xf32>
    }
    tile.store_view %x, %b[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  }, {
  }
  return
}
}

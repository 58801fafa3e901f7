// tile-insert-fences: behind what bulk stores read, once.
//
// RUN: tile-opt %s --tile-insert-fences | FileCheck %s

!b = !tile.buffer<64x64xf32>

// CHECK-LABEL: func.func @stores
// CHECK: tile.local_store
// CHECK-NEXT: tile.proxy_fence
// CHECK-NEXT: tile.bulk_store
// CHECK-NEXT: tile.bulk_store_wait
// CHECK-NEXT: tile.local_store
// CHECK-NEXT: tile.proxy_fence
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.bulk_store
// CHECK-NEXT: tile.bulk_store_wait
// What no bulk store reads needs none.
// CHECK-NEXT: tile.local_store
// CHECK-NEXT: tile.local_load
// A fence behind the barrier is one of other stores.
// CHECK: tile.local_store
// CHECK-NEXT: tile.proxy_fence
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.proxy_fence
// CHECK-NEXT: tile.bulk_store
func.func @stores(%m: memref<?x?xf32>, %i: index) attributes {tile.kernel} {
  %x = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = tile.alloc : !b
  %other = tile.alloc : !b
  tile.local_store %x, %s : tensor<64x64xf32>, !b
  tile.bulk_store %s, %m[%i, %i] : !b, memref<?x?xf32>
  tile.bulk_store_wait pending 0
  tile.local_store %x, %s : tensor<64x64xf32>, !b
  tile.proxy_fence
  tile.barrier
  tile.bulk_store %s, %m[%i, %i] : !b, memref<?x?xf32>
  tile.bulk_store_wait pending 0
  tile.local_store %x, %other : tensor<64x64xf32>, !b
  %y = tile.local_load %other : !b -> tensor<64x64xf32>
  tile.store_view %y, %m[%i, %i] : tensor<64x64xf32>, memref<?x?xf32>
  tile.local_store %x, %s : tensor<64x64xf32>, !b
  tile.barrier
  tile.proxy_fence
  tile.bulk_store %s, %m[%i, %i] : !b, memref<?x?xf32>
  tile.bulk_store_wait pending 0
  return
}

// tile-allocate-shared: what bulk copies write to, and nobody multiplies, lives as long as the program; so does what is
// multiplied outside of roles. What bulk stores read lives until a wait for all of them.
//
// RUN: tile-opt %s --tile-allocate-shared="share-above=0" | FileCheck %s

// CHECK-LABEL: func.func @unread(
// CHECK-SAME: tile.shared_bytes = 4128
// CHECK: tile.alloc {offset = 0 : i64} : <2x16x64xf16>
// CHECK: tile.channel stages 2 {offset = 4096 : i64}
func.func @unread(%a: memref<?x64xf16>, %i: index) attributes {tile.kernel} {
  %b = tile.alloc : !tile.buffer<2x16x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
  }, {
    %s = tile.channel_acquire %ch[%i] bytes 2048
    tile.bulk_load %a[%i, %i], %b[%s] through %ch : memref<?x64xf16>, !tile.buffer<2x16x64xf16>
  }
  return
}

// CHECK-LABEL: func.func @outside(
// CHECK-SAME: tile.shared_bytes = 16384
// CHECK: tile.alloc {offset = {{0|8192}} : i64} : <1x64x64xf16>
// CHECK: tile.alloc {offset = {{0|8192}} : i64} : <1x64x64xf16>
func.func @outside(%i: index) attributes {tile.kernel} {
  %x = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.alloc : !tile.buffer<1x64x64xf16>
  %b = tile.alloc : !tile.buffer<1x64x64xf16>
  %y = tile.mma_async %a[%i] row, %b[%i] row, %x atom <wgmma_k16_f16> : !tile.buffer<1x64x64xf16>, !tile.buffer<1x64x64xf16>, tensor<64x64xf32>
  %z = tile.mma_wait %y pending 0 : tensor<64x64xf32>
  return
}

// In a loop beside the other buffer of it, behind it in its place.
// CHECK-LABEL: func.func @results(
// CHECK-SAME: tile.shared_bytes = 24576
// CHECK: tile.alloc {offset = 16384 : i64} : <32x64xf32>
// CHECK: tile.alloc {offset = 0 : i64} : <64x64xf32>
// CHECK: tile.alloc {offset = 0 : i64} : <64x64xf32>
func.func @results(%m: memref<64x64xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<0.0> : tensor<64x64xf32>
  %y = arith.constant dense<0.0> : tensor<32x64xf32>
  %s = tile.alloc : !tile.buffer<32x64xf32>
  %a = tile.alloc : !tile.buffer<64x64xf32>
  %b = tile.alloc : !tile.buffer<64x64xf32>
  scf.for %k = %c0 to %n step %c1 {
    tile.bulk_store_wait pending 0
    tile.local_store %x, %a : tensor<64x64xf32>, !tile.buffer<64x64xf32>
    tile.bulk_store %a, %m[%c0, %c0] : !tile.buffer<64x64xf32>, memref<64x64xf32>
    tile.local_store %y, %s : tensor<32x64xf32>, !tile.buffer<32x64xf32>
    %u = tile.local_load %s : !tile.buffer<32x64xf32> -> tensor<32x64xf32>
  }
  tile.bulk_store_wait pending 0
  tile.local_store %x, %b : tensor<64x64xf32>, !tile.buffer<64x64xf32>
  tile.bulk_store %b, %m[%c0, %c0] : !tile.buffer<64x64xf32>, memref<64x64xf32>
  tile.bulk_store_wait pending 0
  return
}

// CHECK-LABEL: func.func @waited(
// CHECK-SAME: tile.shared_bytes = 16400
// CHECK: tile.alloc {offset = 0 : i64} : <1x64x64xf16>
// CHECK: tile.alloc {offset = 8192 : i64} : <1x64x64xf16>
// CHECK: tile.alloc {offset = 0 : i64} : <64x64xf32>
func.func @waited(%m: memref<64x64xf16>, %r: memref<64x64xf32>, %i: index, %n: index) attributes {tile.kernel} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %a = tile.alloc : !tile.buffer<1x64x64xf16>
  %b = tile.alloc : !tile.buffer<1x64x64xf16>
  %result = tile.alloc : !tile.buffer<64x64xf32>
  %ch = tile.channel stages 1
  tile.roles warps [4, 4] {
    %sum = scf.for %t = %i to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> {
      %s = tile.channel_wait %ch[%t]
      %y = tile.mma_async %a[%s] row, %b[%s] row, %zero atom <wgmma_k16_f16> : !tile.buffer<1x64x64xf16>, !tile.buffer<1x64x64xf16>, tensor<64x64xf32>
      %z = tile.mma_wait %y pending 0 : tensor<64x64xf32>
      tile.channel_release %ch[%t]
      %next = arith.addf %acc, %z : tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    tile.local_store %sum, %result[] : tensor<64x64xf32>, !tile.buffer<64x64xf32>
    %back = tile.local_load %result[] : !tile.buffer<64x64xf32> -> tensor<64x64xf32>
    tile.store_view %back, %r[%i, %i] : tensor<64x64xf32>, memref<64x64xf32>
  }, {
    scf.for %t = %i to %n step %c1 {
      %s = tile.channel_acquire %ch[%t] bytes 16384
      tile.bulk_load %m[%i, %i], %a[%s] through %ch : memref<64x64xf16>, !tile.buffer<1x64x64xf16>
      tile.bulk_load %m[%i, %i], %b[%s] through %ch : memref<64x64xf16>, !tile.buffer<1x64x64xf16>
    }
  }
  return
}

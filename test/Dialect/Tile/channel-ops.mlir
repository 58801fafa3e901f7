// The ops of roles and channels are printed as they are read.
//
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#acc = #tile.layout<mma c f32, shape = [128, 256], atom = wgmma_k16_bf16, warp = [8, 1]>

// CHECK-LABEL: func.func @kernel
func.func @kernel(%m: memref<?x?xbf16>, %map: !tile.tensor_map<64x64xbf16, swizzle = 128, steps = [4, 1]>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<128x256xf32, #acc>
  %weights = arith.constant dense<0.0> : tensor<128x64xbf16>
  %a = tile.alloc : !tile.buffer<4x128x64xbf16>
  %b = tile.alloc : !tile.buffer<4x256x64xbf16>
  // CHECK: %[[CHANNEL:.*]] = tile.channel stages 4
  %ch = tile.channel stages 4
  // CHECK: tile.channel stages 2 {offset = 128 : i64}
  %placed = tile.channel stages 2 {offset = 128 : i64}
  // CHECK: tile.roles warps [8, 4] registers [240, 24] {
  tile.roles warps [8, 4] registers [240, 24] {
    // CHECK: %[[STAGE:.*]] = tile.channel_wait %[[CHANNEL]][%{{.*}}]
    %s = tile.channel_wait %ch[%c0]
    // CHECK: tile.mma_async %{{.*}}[%[[STAGE]]] row, %{{.*}}[%[[STAGE]]] column, %{{.*}} atom <wgmma_k16_bf16> : !tile.buffer<4x128x64xbf16>, <4x256x64xbf16>, tensor<128x256xf32
    %x = tile.mma_async %a[%s] row, %b[%s] column, %zero atom <wgmma_k16_bf16> : !tile.buffer<4x128x64xbf16>, !tile.buffer<4x256x64xbf16>, tensor<128x256xf32, #acc>
    // CHECK: tile.mma_wait %{{.*}} pending 0 : tensor<128x256xf32
    %y = tile.mma_wait %x pending 0 : tensor<128x256xf32, #acc>
    // CHECK: tile.mma_async %{{.*}}, %{{.*}}[%[[STAGE]]] column, %{{.*}} atom <wgmma_k16_bf16> : tensor<128x64xbf16>, <4x256x64xbf16>, tensor<128x256xf32
    %v = tile.mma_async %weights, %b[%s] column, %y atom <wgmma_k16_bf16> : tensor<128x64xbf16>, !tile.buffer<4x256x64xbf16>, tensor<128x256xf32, #acc>
    %w = tile.mma_wait %v pending 0 : tensor<128x256xf32, #acc>
    // CHECK: tile.channel_release %[[CHANNEL]][%{{.*}}]
    tile.channel_release %ch[%c0]
    // CHECK: tile.take_turn
    // CHECK-NEXT: tile.pass_turn
    tile.take_turn
    tile.pass_turn
  // CHECK: }, {
  }, {
    // CHECK: %[[FREE:.*]] = tile.channel_acquire %[[CHANNEL]][%{{.*}}] bytes 49152
    %s = tile.channel_acquire %ch[%c0] bytes 49152
    // CHECK: tile.bulk_load %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}[%[[FREE]]] through %[[CHANNEL]] : memref<?x?xbf16>, <4x128x64xbf16>
    tile.bulk_load %m[%c0, %c0], %a[%s] through %ch : memref<?x?xbf16>, !tile.buffer<4x128x64xbf16>
    // CHECK: tile.bulk_load %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}[%[[FREE]]] through %[[CHANNEL]] axes [0, 1] steps [4, 1] : !tile.tensor_map<64x64xbf16, swizzle = 128, steps = [4, 1]>, <4x256x64xbf16>
    tile.bulk_load %map[%c0, %c0], %b[%s] through %ch axes [0, 1] steps [4, 1] : !tile.tensor_map<64x64xbf16, swizzle = 128, steps = [4, 1]>, !tile.buffer<4x256x64xbf16>
  }
  return
}

// CHECK-LABEL: func.func @results
func.func @results(%m: memref<?x?x64xbf16>, %map: !tile.tensor_map<64x1x64xbf16, swizzle = 128>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = arith.constant dense<0.0> : tensor<128x64xbf16>
  %b = tile.alloc : !tile.buffer<128x64xbf16>
  tile.local_store %x, %b : tensor<128x64xbf16>, !tile.buffer<128x64xbf16>
  // CHECK: tile.proxy_fence
  tile.proxy_fence
  // CHECK: tile.bulk_store %[[B:.*]], %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] axes [0, 2] : <128x64xbf16>, memref<?x?x64xbf16>
  tile.bulk_store %b, %m[%c0, %c0, %c0] axes [0, 2] : !tile.buffer<128x64xbf16>, memref<?x?x64xbf16>
  // CHECK: tile.bulk_store %[[B]], %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] axes [0, 2] : <128x64xbf16>, !tile.tensor_map<64x1x64xbf16, swizzle = 128>
  tile.bulk_store %b, %map[%c0, %c0, %c0] axes [0, 2] : !tile.buffer<128x64xbf16>, !tile.tensor_map<64x1x64xbf16, swizzle = 128>
  // CHECK: tile.bulk_store_wait pending 0
  tile.bulk_store_wait pending 0
  return
}

// CHECK-LABEL: func.func @host
func.func @host(%m: memref<?x4096xbf16>, %n: memref<8x64x64xf8E4M3FN>) {
  // CHECK: tile.tensor_map %{{.*}} : memref<?x4096xbf16> -> <128x64xbf16, swizzle = 128>
  %map = tile.tensor_map %m : memref<?x4096xbf16> -> !tile.tensor_map<128x64xbf16, swizzle = 128>
  // CHECK: tile.tensor_map %{{.*}} : memref<8x64x64xf8E4M3FN> -> <1x64x32xf8E4M3FN>
  %plain = tile.tensor_map %n : memref<8x64x64xf8E4M3FN> -> !tile.tensor_map<1x64x32xf8E4M3FN>
  // CHECK: tile.tensor_map %{{.*}} : memref<8x64x64xf8E4M3FN> -> <1x32x32xf8E4M3FN, steps = [1, 8, 1]>
  %steps = tile.tensor_map %n : memref<8x64x64xf8E4M3FN> -> !tile.tensor_map<1x32x32xf8E4M3FN, steps = [1, 8, 1]>
  return
}

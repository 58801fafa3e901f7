// What needs layouts: syntax, round trip, and folds.
//
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD
// RUN: tile-opt %s --cse --canonicalize | FileCheck %s --check-prefix=EFFECTS

#rows = #tile.layout<blocked shape = [64, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#columns = #tile.layout<blocked shape = [64, 64], register = [8, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>
#single = #tile.layout<blocked shape = [64, 64], register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
#shared = #tile.layout<swizzle shape = [64, 64], bits = 32, write = #rows, read = #columns>
#a = #tile.layout<mma a row, shape = [64, 32], atom = volta_16x16x8, warp = [2, 2]>
#b = #tile.layout<mma b column, shape = [32, 64], atom = volta_16x16x8, warp = [2, 2]>
#c = #tile.layout<mma c f32, shape = [64, 64], atom = volta_16x16x8, warp = [2, 2]>
#a32 = #tile.layout<mma a column, shape = [64, 32], atom = volta_32x32x8, warp = [2, 1]>
#b32 = #tile.layout<mma b row, shape = [32, 64], atom = volta_32x32x8, warp = [2, 1]>
#c32 = #tile.layout<mma c f16, shape = [64, 64], atom = volta_32x32x8, warp = [2, 1]>

// CHECK-LABEL: func.func @convert
// CHECK-SAME: %[[X:.*]]: tensor<64x64xf32, #[[ROWS:.*]]>, %[[P:.*]]: tensor<64x64x!tile.ptr<f32>, #[[ROWS]]>
// FOLD-LABEL: func.func @convert
// FOLD-SAME: %[[X:.*]]: tensor<64x64xf32, #[[ROWS:.*]]>, %[[P:.*]]: tensor<64x64x!tile.ptr<f32>, #[[ROWS]]>
func.func @convert(%x: tensor<64x64xf32, #rows>, %p: tensor<64x64x!tile.ptr<f32>, #rows>)
    -> (tensor<64x64xf32, #columns>, tensor<64x64xf32, #single>, tensor<64x64xf32, #rows>, tensor<64x64xf32, #rows>, tensor<64x64x!tile.ptr<f32>, #columns>) {
  // CHECK: %[[Y:.*]] = tile.convert_layout %[[X]] : tensor<64x64xf32, #[[ROWS]]> -> tensor<64x64xf32, #[[COLUMNS:.*]]>
  // CHECK: tile.convert_layout %[[P]] : tensor<64x64x!tile.ptr<f32>, #[[ROWS]]> -> tensor<64x64x!tile.ptr<f32>, #[[COLUMNS]]>
  // Straight from one to the other; there and back is nothing.
  // FOLD: %[[Y:.*]] = tile.convert_layout %[[X]] : tensor<64x64xf32, #[[ROWS]]> -> tensor<64x64xf32, #[[COLUMNS:.*]]>
  // FOLD: %[[Z:.*]] = tile.convert_layout %[[X]] : tensor<64x64xf32, #[[ROWS]]> -> tensor<64x64xf32, #[[SINGLE:.*]]>
  // FOLD: %[[Q:.*]] = tile.convert_layout %[[P]]
  // FOLD: return %[[Y]], %[[Z]], %[[X]], %[[X]], %[[Q]]
  %y = tile.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
  %z = tile.convert_layout %y : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #single>
  %back = tile.convert_layout %y : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
  %same = tile.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #rows>
  %q = tile.convert_layout %p : tensor<64x64x!tile.ptr<f32>, #rows> -> tensor<64x64x!tile.ptr<f32>, #columns>
  return %y, %z, %back, %same, %q : tensor<64x64xf32, #columns>, tensor<64x64xf32, #single>, tensor<64x64xf32, #rows>, tensor<64x64xf32, #rows>, tensor<64x64x!tile.ptr<f32>, #columns>
}

// Loads between stores are kept apart, and so are two allocations; what nobody reads still has its effects.
// CHECK-LABEL: func.func @shared
// EFFECTS-LABEL: func.func @shared
func.func @shared(%x: tensor<64x64xf32, #rows>, %i: index) -> (tensor<64x64xf32, #columns>, tensor<64x64xf32, #columns>) {
  // CHECK: %[[A:.*]] = tile.alloc : <64x64xf32, #[[SHARED:.*]]>
  // CHECK: %[[B:.*]] = tile.alloc {offset = 16384 : i64} : <2x3x64x64xf32>
  // CHECK: tile.local_store %{{.*}}, %[[A]] : tensor<64x64xf32, #{{.*}}>, <64x64xf32, #[[SHARED]]>
  // CHECK: tile.local_store %{{.*}}, %[[B]][%[[I:.*]], %[[I]]] : tensor<64x64xf32, #{{.*}}>, <2x3x64x64xf32>
  // CHECK: tile.barrier
  // CHECK: tile.local_load %[[A]] : <64x64xf32, #[[SHARED]]> -> tensor<64x64xf32, #{{.*}}>
  // CHECK: tile.local_load %[[B]][%[[I]], %[[I]]] : <2x3x64x64xf32> -> tensor<64x64xf32, #{{.*}}>
  // CHECK: tile.local_load %[[B]][%[[I]], %[[I]]] at [32, 0] : <2x3x64x64xf32> -> tensor<32x64xf32>
  // EFFECTS-COUNT-3: tile.alloc
  // EFFECTS: tile.local_store
  // EFFECTS-NEXT: tile.local_store
  // EFFECTS-NEXT: tile.barrier
  // EFFECTS-NEXT: %[[U:.*]] = tile.local_load
  // EFFECTS-NEXT: tile.barrier
  // EFFECTS-NEXT: tile.local_store
  // EFFECTS-NEXT: %[[V:.*]] = tile.local_load
  // EFFECTS-NEXT: tile.local_store
  // EFFECTS-NEXT: return %[[U]], %[[V]]
  %a = tile.alloc : !tile.buffer<64x64xf32, #shared>
  %b = tile.alloc {offset = 16384 : i64} : !tile.buffer<2x3x64x64xf32>
  %c = tile.alloc : !tile.buffer<64x64xf32, #shared>
  tile.local_store %x, %a : tensor<64x64xf32, #rows>, !tile.buffer<64x64xf32, #shared>
  tile.local_store %x, %b[%i, %i] : tensor<64x64xf32, #rows>, !tile.buffer<2x3x64x64xf32>
  tile.barrier
  %u = tile.local_load %a : !tile.buffer<64x64xf32, #shared> -> tensor<64x64xf32, #columns>
  %w = tile.local_load %b[%i, %i] : !tile.buffer<2x3x64x64xf32> -> tensor<64x64xf32, #columns>
  %part = tile.local_load %b[%i, %i] at [32, 0] : !tile.buffer<2x3x64x64xf32> -> tensor<32x64xf32>
  tile.barrier
  tile.local_store %x, %a : tensor<64x64xf32, #rows>, !tile.buffer<64x64xf32, #shared>
  %v = tile.local_load %a : !tile.buffer<64x64xf32, #shared> -> tensor<64x64xf32, #columns>
  tile.local_store %x, %c : tensor<64x64xf32, #rows>, !tile.buffer<64x64xf32, #shared>
  return %u, %v : tensor<64x64xf32, #columns>, tensor<64x64xf32, #columns>
}

// CHECK-LABEL: func.func @async
func.func @async(%m: memref<8x?x?xf32>, %p: tensor<64x64x!tile.ptr<f32>, #rows>, %mask: tensor<64x64xi1, #rows>,
                 %i: index, %any: i1) {
  // CHECK: %[[T0:.*]] = tile.async_load_view %{{.*}}[%[[I:.*]], %[[I]], %[[I]]], %[[B:.*]][%[[I]]] mask %{{.*}} axes [1, 2] steps [3, 1] in_bounds [true, false] : memref<8x?x?xf32>, <3x64x64xf32, #{{.*}}> as tensor<64x64xf32, #{{.*}}>
  // CHECK: %[[T1:.*]] = tile.async_load %{{.*}}, %[[B]][%[[I]]] mask %{{.*}} : tensor<64x64x!tile.ptr<f32>, #{{.*}}>, <3x64x64xf32, #{{.*}}>
  // CHECK: tile.async_load %{{.*}}, %[[B]][%[[I]]] : tensor
  // CHECK: tile.async_wait %[[T0]], %[[T1]] {pending = 1 : i64}
  // CHECK: tile.async_wait {pending = 0 : i64}
  // EFFECTS-LABEL: func.func @async
  // EFFECTS: tile.alloc
  // EFFECTS-NEXT: tile.async_load_view
  // EFFECTS-NEXT: tile.async_load
  // EFFECTS-NEXT: tile.async_load
  // EFFECTS-NEXT: tile.async_wait
  // EFFECTS-NEXT: tile.async_wait
  %b = tile.alloc : !tile.buffer<3x64x64xf32, #shared>
  %t0 = tile.async_load_view %m[%i, %i, %i], %b[%i] mask %any axes [1, 2] steps [3, 1] in_bounds [true, false]
      : memref<8x?x?xf32>, !tile.buffer<3x64x64xf32, #shared> as tensor<64x64xf32, #rows>
  %t1 = tile.async_load %p, %b[%i] mask %mask : tensor<64x64x!tile.ptr<f32>, #rows>, !tile.buffer<3x64x64xf32, #shared>
  %t2 = tile.async_load %p, %b[%i] : tensor<64x64x!tile.ptr<f32>, #rows>, !tile.buffer<3x64x64xf32, #shared>
  tile.async_wait %t0, %t1 {pending = 1}
  tile.async_wait {pending = 0}
  return
}

// CHECK-LABEL: func.func @mma
func.func @mma(%a: tensor<64x32xf16, #a>, %b: tensor<32x64xf16, #b>, %c: tensor<64x64xf32, #c>,
               %d: tensor<64x32xf16, #a32>, %e: tensor<32x64xf16, #b32>, %f: tensor<64x64xf16, #c32>) {
  // CHECK: tile.mma %{{.*}} row, %{{.*}} column, %{{.*}} atom <volta_16x16x8> warps(2, 2) : tensor<64x32xf16, #{{.*}}>, tensor<32x64xf16, #{{.*}}>, tensor<64x64xf32, #{{.*}}>
  %0 = tile.mma %a row, %b column, %c atom <volta_16x16x8> warps(2, 2) : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
  // CHECK: tile.mma %{{.*}} column, %{{.*}} row, %{{.*}} atom <volta_32x32x8> warps(2, 1) : tensor<64x32xf16, #{{.*}}>, tensor<32x64xf16, #{{.*}}>, tensor<64x64xf16, #{{.*}}>
  %1 = tile.mma %d column, %e row, %f atom <volta_32x32x8> warps(2, 1) : tensor<64x32xf16, #a32>, tensor<32x64xf16, #b32>, tensor<64x64xf16, #c32>
  return
}

// A batch: each element in warps of its own.
#ba = #tile.layout<mma a row, shape = [2, 64, 32], atom = volta_16x16x8, warp = [2, 2, 1]>
#bb = #tile.layout<mma b row, shape = [2, 32, 64], atom = volta_16x16x8, warp = [2, 2, 1]>
#bc = #tile.layout<mma c f32, shape = [2, 64, 64], atom = volta_16x16x8, warp = [2, 2, 1]>
// CHECK-LABEL: func.func @batch
func.func @batch(%a: tensor<2x64x32xf16, #ba>, %b: tensor<2x32x64xf16, #bb>, %c: tensor<2x64x64xf32, #bc>) {
  // CHECK: tile.mma %{{.*}} row, %{{.*}} row, %{{.*}} atom <volta_16x16x8> warps(2, 1) : tensor<2x64x32xf16, #{{.*}}>, tensor<2x32x64xf16, #{{.*}}>, tensor<2x64x64xf32, #{{.*}}>
  %0 = tile.mma %a row, %b row, %c atom <volta_16x16x8> warps(2, 1) : tensor<2x64x32xf16, #ba>, tensor<2x32x64xf16, #bb>, tensor<2x64x64xf32, #bc>
  return
}

// CHECK-LABEL: func.func @halves
// CHECK-SAME: tile.config = #tile.config<block=128x64x32 warp=64x32 atom=volta_32x32x8 split_k=2 stages=1>
func.func @halves(%t: tensor<64x2xf32>) -> tensor<64x2xf32>
    attributes {tile.config = #tile.config<block=128x64x32 warp=64x32 atom=volta_32x32x8 split_k=2 stages=1>} {
  // CHECK: tile.split %{{.*}} : tensor<64x2xf32> -> tensor<64xf32>
  %lhs, %rhs = tile.split %t : tensor<64x2xf32> -> tensor<64xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} : tensor<64xf32> -> tensor<64x2xf32>
  %r = tile.join %lhs, %rhs : tensor<64xf32> -> tensor<64x2xf32>
  return %r : tensor<64x2xf32>
}

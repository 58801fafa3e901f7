// convert-tile-to-gpu: tile.mma and tile.dot. What they compute is tested by running them (Simulator/tile-gemm.test,
// Simulator/tile-layouts.test).
//
// RUN: tile-opt --convert-tile-to-gpu %s | FileCheck %s --implicit-check-not=mma.sync --implicit-check-not=fma

#a = #tile.layout<mma a row, shape = [16, 8], atom = volta_16x16x8, warp = [1, 1]>
#b = #tile.layout<mma b column, shape = [8, 16], atom = volta_16x16x8, warp = [1, 1]>
#c = #tile.layout<mma c f32, shape = [16, 16], atom = volta_16x16x8, warp = [1, 1]>

// Two steps of K: the second adds to what the first gives.
// CHECK-LABEL: gpu.func @f32
// CHECK:         %[[A:.*]] = arith.negf %{{.*}} : vector<8xf16>
// CHECK:         %[[B:.*]] = arith.negf %{{.*}} : vector<8xf16>
// CHECK:         %[[A0:.*]] = vector.shuffle %[[A]], %[[A]] [0, 1]
// CHECK:         %[[A1:.*]] = vector.shuffle %[[A]], %[[A]] [2, 3]
// CHECK:         %[[A2:.*]] = vector.shuffle %[[A]], %[[A]] [4, 5]
// CHECK:         %[[A3:.*]] = vector.shuffle %[[A]], %[[A]] [6, 7]
// CHECK:         %[[B0:.*]] = vector.shuffle %[[B]], %[[B]] [0, 1]
// CHECK:         %[[B1:.*]] = vector.shuffle %[[B]], %[[B]] [2, 3]
// CHECK:         %[[B2:.*]] = vector.shuffle %[[B]], %[[B]] [4, 5]
// CHECK:         %[[B3:.*]] = vector.shuffle %[[B]], %[[B]] [6, 7]
// CHECK:         %[[C:.*]]:8 = vector.to_elements
// CHECK:         %[[P:.*]] = nvvm.mma.sync A[%[[A0]], %[[A1]]]  B[%[[B0]], %[[B1]]]  C[%[[C]]#0, %[[C]]#1, %[[C]]#2, %[[C]]#3, %[[C]]#4, %[[C]]#5, %[[C]]#6, %[[C]]#7]
// CHECK-SAME:      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>}
// CHECK:         %[[S0:.*]] = llvm.extractvalue %[[P]][0]
// CHECK:         %[[S7:.*]] = llvm.extractvalue %[[P]][7]
// CHECK:         nvvm.mma.sync A[%[[A2]], %[[A3]]]  B[%[[B2]], %[[B3]]]  C[%[[S0]], {{.*}}, %[[S7]]]
// CHECK:         vector.from_elements {{.*}} : vector<8xf32>
func.func @f32(%u: f16, %v: f16, %w: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %a0 = tile.splat %u : f16 -> tensor<16x8xf16, #a>
  %a = arith.negf %a0 : tensor<16x8xf16, #a>
  %b0 = tile.splat %v : f16 -> tensor<8x16xf16, #b>
  %b = arith.negf %b0 : tensor<8x16xf16, #b>
  %c0 = tile.splat %w : f32 -> tensor<16x16xf32, #c>
  %c = arith.negf %c0 : tensor<16x16xf32, #c>
  %d = tile.mma %a row, %b column, %c atom <volta_16x16x8> warps(1, 1)
      : tensor<16x8xf16, #a>, tensor<8x16xf16, #b>, tensor<16x16xf32, #c>
  return
}

#at = #tile.layout<mma a column, shape = [16, 8], atom = volta_16x16x8, warp = [1, 1]>
#bt = #tile.layout<mma b row, shape = [8, 32], atom = volta_16x16x8, warp = [1, 1]>
#ch = #tile.layout<mma c f16, shape = [16, 32], atom = volta_16x16x8, warp = [1, 1]>

// Both columns of accumulators, four pairs of halves each, before the next K.
// CHECK-LABEL: gpu.func @f16
// CHECK:         arith.negf %{{.*}} : vector<8xf16>
// CHECK:         %[[B:.*]] = arith.negf %{{.*}} : vector<16xf16>
// CHECK:         %[[C:.*]] = arith.negf %{{.*}} : vector<16xf16>
// CHECK:         %[[B4:.*]] = vector.shuffle %[[B]], %[[B]] [8, 9]
// CHECK:         %[[B5:.*]] = vector.shuffle %[[B]], %[[B]] [10, 11]
// CHECK:         %[[C0:.*]] = vector.shuffle %[[C]], %[[C]] [0, 1]
// CHECK:         %[[C3:.*]] = vector.shuffle %[[C]], %[[C]] [6, 7]
// CHECK:         %[[C4:.*]] = vector.shuffle %[[C]], %[[C]] [8, 9]
// CHECK:         %[[C7:.*]] = vector.shuffle %[[C]], %[[C]] [14, 15]
// CHECK:         %[[P:.*]] = nvvm.mma.sync A[%[[A0:.*]], %[[A1:.*]]]  B{{.*}} C[%[[C0]], %{{.*}}, %{{.*}}, %[[C3]]]
// CHECK-SAME:      {layoutA = #nvvm.mma_layout<col>, layoutB = #nvvm.mma_layout<row>,
// CHECK:         %[[Q:.*]] = nvvm.mma.sync A[%[[A0]], %[[A1]]]  B[%[[B4]], %[[B5]]]  C[%[[C4]], %{{.*}}, %{{.*}}, %[[C7]]]
// CHECK:         nvvm.mma.sync
// CHECK:         nvvm.mma.sync
// CHECK:         vector.from_elements {{.*}} : vector<16xf16>
func.func @f16(%u: f16, %v: f16, %w: f16) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %a0 = tile.splat %u : f16 -> tensor<16x8xf16, #at>
  %a = arith.negf %a0 : tensor<16x8xf16, #at>
  %b0 = tile.splat %v : f16 -> tensor<8x32xf16, #bt>
  %b = arith.negf %b0 : tensor<8x32xf16, #bt>
  %c0 = tile.splat %w : f16 -> tensor<16x32xf16, #ch>
  %c = arith.negf %c0 : tensor<16x32xf16, #ch>
  %d = tile.mma %a column, %b row, %c atom <volta_16x16x8> warps(1, 1)
      : tensor<16x8xf16, #at>, tensor<8x32xf16, #bt>, tensor<16x32xf16, #ch>
  return
}

#rows = #tile.layout<register = [[0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = []>
#columns = #tile.layout<register = [[1, 0], [0, 1]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = []>
#sums = #tile.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>

// A thread has two sums of a row. Registers of B are b(0, 0), b(1, 0), b(0, 1), b(1, 1).
// CHECK-LABEL: gpu.func @dot
// CHECK:         %[[C:.*]] = arith.negf %{{.*}} : vector<2xf32>
// CHECK:         %[[A:.*]] = arith.extf %{{.*}} : vector<2xf16> to vector<2xf32>
// CHECK:         %[[B:.*]] = arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
// CHECK:         %[[A0:.*]] = vector.shuffle %[[A]], %[[A]] [0, 0]
// CHECK:         %[[B0:.*]] = vector.shuffle %[[B]], %[[B]] [0, 2]
// CHECK:         %[[S:.*]] = llvm.intr.fma(%[[A0]], %[[B0]], %[[C]])
// CHECK:         %[[A1:.*]] = vector.shuffle %[[A]], %[[A]] [1, 1]
// CHECK:         %[[B1:.*]] = vector.shuffle %[[B]], %[[B]] [1, 3]
// CHECK:         llvm.intr.fma(%[[A1]], %[[B1]], %[[S]])
func.func @dot(%u: f16, %v: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %a0 = tile.splat %u : f16 -> tensor<8x2xf16, #rows>
  %a = arith.negf %a0 : tensor<8x2xf16, #rows>
  %b0 = tile.splat %u : f16 -> tensor<2x8xf16, #columns>
  %b = arith.negf %b0 : tensor<2x8xf16, #columns>
  %c0 = tile.splat %v : f32 -> tensor<8x8xf32, #sums>
  %c = arith.negf %c0 : tensor<8x8xf32, #sums>
  %d = tile.dot %a, %b, %c : tensor<8x2xf16, #rows>, tensor<2x8xf16, #columns>, tensor<8x8xf32, #sums>
  return
}

// Sums of halves are rounded once.
// CHECK-LABEL: gpu.func @halves
// CHECK-COUNT-3: arith.extf
// CHECK-COUNT-2: llvm.intr.fma
// CHECK-COUNT-1: arith.truncf %{{.*}} : vector<2xf32> to vector<2xbf16>
func.func @halves(%u: bf16) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %a0 = tile.splat %u : bf16 -> tensor<8x2xbf16, #rows>
  %a = arith.negf %a0 : tensor<8x2xbf16, #rows>
  %b0 = tile.splat %u : bf16 -> tensor<2x8xbf16, #columns>
  %b = arith.negf %b0 : tensor<2x8xbf16, #columns>
  %c0 = tile.splat %u : bf16 -> tensor<8x8xbf16, #sums>
  %c = arith.negf %c0 : tensor<8x8xbf16, #sums>
  %d = tile.dot %a, %b, %c : tensor<8x2xbf16, #rows>, tensor<2x8xbf16, #columns>, tensor<8x8xbf16, #sums>
  return
}

// CHECK-LABEL: gpu.func @integers
// CHECK-COUNT-2: arith.extsi %{{.*}} : vector<{{.}}xi8> to vector<{{.}}xi32>
// CHECK:         %[[P:.*]] = arith.muli
// CHECK:         %[[S:.*]] = arith.addi %[[P]], %{{.*}} : vector<2xi32>
// CHECK:         %[[P:.*]] = arith.muli
// CHECK:         arith.addi %[[P]], %[[S]]
func.func @integers(%u: i8, %v: i32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %a0 = tile.splat %u : i8 -> tensor<8x2xi8, #rows>
  %a = arith.muli %a0, %a0 : tensor<8x2xi8, #rows>
  %b0 = tile.splat %u : i8 -> tensor<2x8xi8, #columns>
  %b = arith.muli %b0, %b0 : tensor<2x8xi8, #columns>
  %c0 = tile.splat %v : i32 -> tensor<8x8xi32, #sums>
  %c = arith.muli %c0, %c0 : tensor<8x8xi32, #sums>
  %d = tile.dot %a, %b, %c : tensor<8x2xi8, #rows>, tensor<2x8xi8, #columns>, tensor<8x8xi32, #sums>
  return
}

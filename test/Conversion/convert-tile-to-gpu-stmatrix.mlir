// convert-tile-to-gpu: accumulators are stored by whole matrices where the target can and the layouts allow it. What is
// stored is tested by MatrixAccessTest.cpp, and by running products (Simulator/atoms-correct.test).
//
// RUN: tile-opt --split-input-file --convert-tile-to-gpu %s | FileCheck %s

#c = #tile.layout<mma c f32, shape = [16, 32], atom = m16n8k16_f16, warp = [1, 1]>
#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]>
#columns = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#swapped = #tile.layout<offset = [[0, 2], [0, 1], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]>
#small = #tile.layout<mma c f32, shape = [16, 8], atom = m16n8k16_f16, warp = [1, 1]>
#small_rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]]>
#copies = #tile.layout<register = [[0, 1], [0, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
#copies_rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#warps = #tile.layout<register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]]>
#warps_columns = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>
#wide = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = []>
module attributes {tile.target = #tile.target<chip = "sm_90", shared = 232448, threads = 1024, registers = 255, mma = [], ldmatrix = true, stmatrix = true>} {
  // Two stores of four matrices each, of pairs of registers as words; transposed if columns are in one piece.
  // CHECK-LABEL: gpu.func @results
  // CHECK:         %[[X:.*]] = arith.negf
  // CHECK:         %[[PAIR:.*]] = vector.shuffle %[[X]], %[[X]] [0, 1] : vector<16xf16>, vector<16xf16>
  // CHECK-NEXT:    %[[WORD:.*]] = vector.bitcast %[[PAIR]] : vector<2xf16> to vector<1xi32>
  // CHECK-NEXT:    %[[FIRST:.*]] = vector.extract %[[WORD]][0]
  // CHECK:         nvvm.stmatrix %{{.*}}, %[[FIRST]], %{{.*}}, %{{.*}}, %{{.*}} {{.*}}layout = #nvvm.mma_layout<row>{{.*}} : !llvm.ptr<3>, i32, i32, i32, i32
  // CHECK:         nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<row>{{.*}} : !llvm.ptr<3>, i32, i32, i32, i32
  // CHECK-COUNT-2: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>{{.*}} : !llvm.ptr<3>, i32, i32, i32, i32
  // CHECK-NOT:     {{llvm.store|nvvm.stmatrix}}
  // CHECK:         gpu.return
  func.func @results(%v: f16) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 2048 : i64} {
    %x0 = tile.splat %v : f16 -> tensor<16x32xf16, #c>
    %x = arith.negf %x0 : tensor<16x32xf16, #c>
    %p = tile.alloc {offset = 0 : i64} : !tile.buffer<16x32xf16, #rows>
    %q = tile.alloc {offset = 1024 : i64} : !tile.buffer<16x32xf16, #columns>
    tile.local_store %x, %p : tensor<16x32xf16, #c>, !tile.buffer<16x32xf16, #rows>
    tile.local_store %x, %q : tensor<16x32xf16, #c>, !tile.buffer<16x32xf16, #columns>
    return
  }

  // Two matrices.
  // CHECK-LABEL: gpu.func @few
  // CHECK:         nvvm.stmatrix {{.*}} : !llvm.ptr<3>, i32, i32{{$}}
  // CHECK:         gpu.return
  func.func @few(%v: f16) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 256 : i64} {
    %x = tile.splat %v : f16 -> tensor<16x8xf16, #small>
    %p = tile.alloc {offset = 0 : i64} : !tile.buffer<16x8xf16, #small_rows>
    tile.local_store %x, %p : tensor<16x8xf16, #small>, !tile.buffer<16x8xf16, #small_rows>
    return
  }

  // A single one, of what two warps hold: the first one stores it.
  // CHECK-LABEL: gpu.func @warps
  // CHECK:         scf.if
  // CHECK:           nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>{{.*}} : !llvm.ptr<3>, i32{{$}}
  // CHECK:         gpu.return
  func.func @warps(%v: f16) attributes {tile.kernel, tile.num_warps = 2 : i64, tile.shared_bytes = 128 : i64} {
    %x = tile.splat %v : f16 -> tensor<8x8xf16, #warps>
    %p = tile.alloc {offset = 0 : i64} : !tile.buffer<8x8xf16, #warps_columns>
    tile.local_store %x, %p : tensor<8x8xf16, #warps>, !tile.buffer<8x8xf16, #warps_columns>
    return
  }

  // Vectors where the words of a row are in another order, registers hold copies, or vectors are as wide as rows.
  // CHECK-LABEL: gpu.func @vectors
  // CHECK-NOT:     nvvm.stmatrix
  // CHECK-COUNT-16: llvm.store %{{.*}} : f16, !llvm.ptr<3>
  // CHECK-NOT:     nvvm.stmatrix
  // CHECK:         llvm.store %{{.*}} {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<3>
  // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
  // CHECK-NOT:     nvvm.stmatrix
  // CHECK:         gpu.return
  func.func @vectors(%v: f16) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 4096 : i64} {
    %x = tile.splat %v : f16 -> tensor<16x32xf16, #c>
    %p = tile.alloc {offset = 0 : i64} : !tile.buffer<16x32xf16, #swapped>
    tile.local_store %x, %p : tensor<16x32xf16, #c>, !tile.buffer<16x32xf16, #swapped>
    %y = tile.splat %v : f16 -> tensor<8x8xf16, #copies>
    %q = tile.alloc {offset = 1024 : i64} : !tile.buffer<8x8xf16, #copies_rows>
    tile.local_store %y, %q : tensor<8x8xf16, #copies>, !tile.buffer<8x8xf16, #copies_rows>
    %z = tile.splat %v : f16 -> tensor<16x32xf16, #wide>
    %r = tile.alloc {offset = 2048 : i64} : !tile.buffer<16x32xf16, #rows>
    tile.local_store %z, %r : tensor<16x32xf16, #wide>, !tile.buffer<16x32xf16, #rows>
    return
  }
}

// -----

// The target has no such stores.
#c = #tile.layout<mma c f32, shape = [16, 32], atom = m16n8k16_f16, warp = [1, 1]>
#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]>
module attributes {tile.target = #tile.target<chip = "sm_80", shared = 166912, threads = 1024, registers = 255, mma = [], ldmatrix = true>} {
  // CHECK-LABEL: gpu.func @words
  // CHECK-NOT: nvvm.stmatrix
  // CHECK-COUNT-8: llvm.store %{{.*}} {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<3>
  func.func @words(%v: f16) attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 1024 : i64} {
    %x = tile.splat %v : f16 -> tensor<16x32xf16, #c>
    %p = tile.alloc {offset = 0 : i64} : !tile.buffer<16x32xf16, #rows>
    tile.local_store %x, %p : tensor<16x32xf16, #c>, !tile.buffer<16x32xf16, #rows>
    return
  }
}

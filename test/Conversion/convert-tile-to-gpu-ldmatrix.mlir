// convert-tile-to-gpu: fragments are read by whole matrices where the target can and the layouts allow it. What is read is
// tested by MatrixAccessTest.cpp, and by running products (Simulator/atoms-correct.test).
//
// RUN: tile-opt --split-input-file --convert-tile-to-gpu %s | FileCheck %s

#a = #tile.layout<mma a row, shape = [16, 32], atom = m16n8k16_f16, warp = [1, 1]>
#b = #tile.layout<mma b column, shape = [32, 16], atom = m16n8k16_f16, warp = [1, 1]>
#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]>
#rows_b = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#columns_b = #tile.layout<offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [0, 4], [0, 8]]>
module attributes {tile.target = #tile.target<chip = "sm_80", shared = 166912, threads = 1024, registers = 255, mma = [], ldmatrix = true>} {
  // Two reads of four matrices each. B is transposed if its rows are in one piece, and is not if its columns are.
  // CHECK-LABEL: gpu.func @products
  // CHECK-COUNT-2: nvvm.ldmatrix %{{.*}} {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32{{.*}} -> !llvm.struct<(i32, i32, i32, i32)>
  // CHECK-COUNT-2: nvvm.ldmatrix %{{.*}} {{.*}}layout = #nvvm.mma_layout<col>, num = 4 : i32
  // CHECK-COUNT-2: nvvm.ldmatrix %{{.*}} {{.*}}layout = #nvvm.mma_layout<row>, num = 4 : i32
  // CHECK-NOT: llvm.load
  // CHECK: gpu.return
  func.func @products() attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 3072 : i64} {
    %p = tile.alloc {offset = 0 : i64} : !tile.buffer<16x32xf16, #rows>
    %q = tile.alloc {offset = 1024 : i64} : !tile.buffer<32x16xf16, #rows_b>
    %r = tile.alloc {offset = 2048 : i64} : !tile.buffer<32x16xf16, #columns_b>
    %a = tile.local_load %p : !tile.buffer<16x32xf16, #rows> -> tensor<16x32xf16, #a>
    %b = tile.local_load %q : !tile.buffer<32x16xf16, #rows_b> -> tensor<32x16xf16, #b>
    %c = tile.local_load %r : !tile.buffer<32x16xf16, #columns_b> -> tensor<32x16xf16, #b>
    return
  }
}

// -----

// The target has no such reads.
#a = #tile.layout<mma a row, shape = [16, 32], atom = m16n8k16_f16, warp = [1, 1]>
#rows = #tile.layout<offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0]]>
module attributes {tile.target = #tile.target<chip = "sm_70", shared = 98304, threads = 1024, registers = 255, mma = []>} {
  // CHECK-LABEL: gpu.func @words
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<2xf16>
  func.func @words() attributes {tile.kernel, tile.num_warps = 1 : i64, tile.shared_bytes = 1024 : i64} {
    %p = tile.alloc {offset = 0 : i64} : !tile.buffer<16x32xf16, #rows>
    %a = tile.local_load %p : !tile.buffer<16x32xf16, #rows> -> tensor<16x32xf16, #a>
    return
  }
}

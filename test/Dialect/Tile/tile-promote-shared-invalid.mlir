// What tile-promote-shared cannot do, it says, with what would help.
//
// RUN: tile-opt %s --tile-promote-shared=max-bytes=16384 --split-input-file --verify-diagnostics
// RUN: not tile-opt %s --tile-select-config="config={stages=3}" --tile-promote-shared --split-input-file 2>&1 | FileCheck %s
// CHECK: error: tile-promote-shared expects the 'stages' of tile.config to be 1 or 2 on chips without asynchronous copies, found 3

// No bit of an axis is chosen by registers both before and after: it cannot go by halves.
#rows = #tile.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[0, 64], [1, 0], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]]>
#columns = #tile.layout<register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 64]]>
func.func @large(%b: memref<64x128xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %b[%c0, %c0] : memref<64x128xf32> -> tensor<64x128xf32, #rows>
  // expected-error@+1 {{needs 32768 bytes of shared memory for 'tensor<64x128xf32, #}}
  %y = tile.convert_layout %x : tensor<64x128xf32, #rows> -> tensor<64x128xf32, #columns>
  tile.store_view %y, %b[%c0, %c0] : tensor<64x128xf32, #columns>, memref<64x128xf32>
  return
}

// -----

#rows = #tile.layout<blocked shape = [64, 128], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#columns = #tile.layout<blocked shape = [64, 128], register = [8, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>
func.func @staged(%b: memref<64x128xf16>, %n: index) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %x = tile.load_view %b[%c0, %c0] : memref<64x128xf16> -> tensor<64x128xf16, #rows>
    // expected-error@+1 {{in 2 stages, more than max-bytes = 16384 of tile-promote-shared: use smaller tiles or one stage}}
    %y = tile.convert_layout %x : tensor<64x128xf16, #rows> -> tensor<64x128xf16, #columns>
    tile.store_view %y, %b[%c0, %c0] : tensor<64x128xf16, #columns>, memref<64x128xf16>
  }
  return
}

// -----

#rows = #tile.layout<blocked shape = [64], register = [1], lane = [32], warp = [2], order = [0]>
func.func @none(%b: memref<64xf32>) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %b[%c0] : memref<64xf32> -> tensor<64xf32, #rows>
  // expected-error@+1 {{tile-verify-layouts L2: 'tile.convert_layout' op expects each tile of a kernel to have a layout, as tile-assign-layouts gives them, found}}
  %y = tile.convert_layout %x : tensor<64xf32, #rows> -> tensor<64xf32>
  tile.store_view %y, %b[%c0] : tensor<64xf32>, memref<64xf32>
  return
}

// -----

#two = #tile.layout<blocked shape = [64], register = [1], lane = [32], warp = [2], order = [0]>
#four = #tile.layout<blocked shape = [64], register = [1], lane = [32], warp = [4], order = [0]>
func.func @machine(%b: memref<64xf32>) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %b[%c0] : memref<64xf32> -> tensor<64xf32, #two>
  // expected-error@+1 {{tile-verify-layouts L3: 'tile.convert_layout' op expects layouts of 32 lanes and 2 warps}}
  %y = tile.convert_layout %x : tensor<64xf32, #two> -> tensor<64xf32, #four>
  tile.store_view %y, %b[%c0] : tensor<64xf32, #four>, memref<64xf32>
  return
}

// -----

#two = #tile.layout<blocked shape = [64], register = [1], lane = [32], warp = [2], order = [0]>
#swapped = #tile.layout<register = [], lane = [[1], [2], [4], [8], [32]], warp = [[16]]>
func.func @pointers(%p: !tile.ptr<f32>) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %x = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #two>
  // expected-error@+1 {{expects numbers to be moved through shared memory, found pointers: convert the offsets that tile.addptr adds instead}}
  %y = tile.convert_layout %x : tensor<64x!tile.ptr<f32>, #two> -> tensor<64x!tile.ptr<f32>, #swapped>
  %z = tile.load %y : tensor<64x!tile.ptr<f32>, #swapped>
  tile.store %y, %z : tensor<64x!tile.ptr<f32>, #swapped>
  return
}

// tile-promote-shared tells what each buffer takes, and how it is written and read.
//
// RUN: tile-opt %s --tile-select-config="config={stages=2}" --tile-promote-shared --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null | FileCheck %s

#rows = #tile.layout<blocked shape = [64, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#columns = #tile.layout<blocked shape = [64, 64], register = [8, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>
#single = #tile.layout<blocked shape = [64, 64], register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>

func.func @f(%b: memref<64x64xf16>, %w: memref<64x64xf32>, %v: memref<64xf16>, %n: index) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %x = tile.load_view %b[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16, #rows>
    // A transposition: rows in vectors of 8, columns by elements.
    // CHECK: {{:}}[[@LINE+1]]:10: remark: [Passed] promote-shared | Category:tile | bytes=16384, read-conflicts=0, read-vector=1, stages=2, write-conflicts=0, write-vector=8
    %y = tile.convert_layout %x : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #columns>
    tile.store_view %y, %b[%c0, %c0] : tensor<64x64xf16, #columns>, memref<64x64xf16>
  }
  // Lanes of both have four rows in common, which become vectors.
  %x = tile.load_view %w[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32, #rows>
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Passed] promote-shared | Category:tile | bytes=16384, read-conflicts=0, read-vector=4, stages=1, write-conflicts=0, write-vector=4
  %y = tile.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #single>
  // Four elements of each column.
  // CHECK: {{:}}[[@LINE+1]]:8: remark: [Passed] promote-shared | Category:tile | bytes=1024, read-conflicts=0, read-vector=2, stages=1, write-conflicts=0, write-vector=2
  %m = tile.reduce max %y axis 0 : tensor<64x64xf32, #single>
  tile.store_view %y, %w[%c0, %c0] : tensor<64x64xf32, #single>, memref<64x64xf32>
  %h = arith.truncf %m : tensor<64xf32, #tile.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>> to tensor<64xf16, #tile.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>>
  tile.store_view %h, %v[%c0] : tensor<64xf16, #tile.layout<register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>>, memref<64xf16>
  return
}

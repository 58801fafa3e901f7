// On the simulator: without any of the barriers there is a race, with all there is none, and the results are
// those of the interpreter. A product in three steps, with one buffer for each operand and with two; and
// reductions, whose buffers have to share memory.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --tile-select-config="config={stages=1}" --tile-promote-shared --tile-allocate-shared=share-above=0 --tile-insert-barriers -o %t/one.mlir
// RUN: tile-opt %s --tile-select-config="config={stages=2}" --tile-promote-shared --tile-allocate-shared=share-above=0 --tile-insert-barriers -o %t/two.mlir
// RUN: %python %S/Inputs/without_barriers.py %t/one.mlir tile-opt tile-run %t | FileCheck %s --check-prefix=ONE
// RUN: %python %S/Inputs/without_barriers.py %t/two.mlir tile-opt tile-run %t | FileCheck %s --check-prefix=TWO
// ONE: 9 barriers, all needed
// TWO: 8 barriers, all needed
//
// Sums of small integers are exact in any order.
// RUN: %python -c "import numpy as n, sys; r = n.random.default_rng(5); [n.save(f, r.integers(-4, 5, s).astype(n.float16)) for f, s in zip(sys.argv[1:], [(64, 96), (96, 64)])]" %t/a.npy %t/b.npy
// RUN: tile-run %s --backend=interp --inputs=%t/a.npy,%t/b.npy,zeros:64x64xf32,zeros:128xf32 --outputs=%t/x.npy,%t/x.npy,%t/c0.npy,%t/d0.npy
// RUN: tile-opt %t/one.mlir --tile-place-buffers --convert-tile-to-gpu -o %t/one-gpu.mlir
// RUN: tile-opt %t/two.mlir --tile-place-buffers --convert-tile-to-gpu -o %t/two-gpu.mlir
// RUN: tile-run %t/one-gpu.mlir --backend=sim --inputs=%t/a.npy,%t/b.npy,zeros:64x64xf32,zeros:128xf32 --outputs=%t/x.npy,%t/x.npy,%t/c1.npy,%t/d1.npy
// RUN: tile-run %t/two-gpu.mlir --backend=sim --inputs=%t/a.npy,%t/b.npy,zeros:64x64xf32,zeros:128xf32 --outputs=%t/x.npy,%t/x.npy,%t/c2.npy,%t/d2.npy
// RUN: cmp %t/c0.npy %t/c1.npy
// RUN: cmp %t/d0.npy %t/d1.npy
// RUN: cmp %t/c0.npy %t/c2.npy
// RUN: cmp %t/d0.npy %t/d2.npy

#a_rows = #tile.layout<blocked shape = [64, 32], register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#b_rows = #tile.layout<blocked shape = [32, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#a = #tile.layout<mma a row, shape = [64, 32], atom = volta_16x16x8, warp = [2, 2]>
#b = #tile.layout<mma b row, shape = [32, 64], atom = volta_16x16x8, warp = [2, 2]>
#c = #tile.layout<mma c f32, shape = [64, 64], atom = volta_16x16x8, warp = [2, 2]>
#c_rows = #tile.layout<blocked shape = [64, 64], register = [1, 4], lane = [2, 16], warp = [4, 1], order = [1, 0]>

func.func @matmul(%a: memref<64x96xf16> {tile.readonly}, %b: memref<96x64xf16> {tile.readonly},
                  %c: memref<64x64xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %r = scf.for %k = %c0 to %c96 step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32, #c> {
    %ga = tile.load_view %a[%c0, %k] : memref<64x96xf16> -> tensor<64x32xf16, #a_rows>
    %gb = tile.load_view %b[%k, %c0] : memref<96x64xf16> -> tensor<32x64xf16, #b_rows>
    %ta = tile.convert_layout %ga : tensor<64x32xf16, #a_rows> -> tensor<64x32xf16, #a>
    %tb = tile.convert_layout %gb : tensor<32x64xf16, #b_rows> -> tensor<32x64xf16, #b>
    %sum = tile.mma %ta row, %tb row, %acc atom <volta_16x16x8> warps(2, 2)
        : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
    scf.yield %sum : tensor<64x64xf32, #c>
  }
  %rr = tile.convert_layout %r : tensor<64x64xf32, #c> -> tensor<64x64xf32, #c_rows>
  tile.store_view %rr, %c[%c0, %c0] : tensor<64x64xf32, #c_rows>, memref<64x64xf32>
  return
}

#rows_of_c = #tile.layout<register = [[2], [16]], lane = [[1], [0], [8], [0], [4]], warp = [[0], [32]]>
#columns_of_c = #tile.layout<register = [[1], [4], [16]], lane = [[0], [2], [0], [8], [0]], warp = [[32], [0]]>
#all = #tile.layout<blocked shape = [64], register = [1], lane = [32], warp = [4], order = [0]>

// Sums of the rows and columns of the product.
func.func @sums(%c: memref<64x64xf32> {tile.readonly}, %d: memref<128xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load_view %c[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32, #c>
  %rows = tile.reduce add %x axis 1 : tensor<64x64xf32, #c>
  %columns = tile.reduce add %x axis 0 : tensor<64x64xf32, #c>
  %r = tile.convert_layout %rows : tensor<64xf32, #rows_of_c> -> tensor<64xf32, #all>
  %s = tile.convert_layout %columns : tensor<64xf32, #columns_of_c> -> tensor<64xf32, #all>
  tile.store_view %r, %d[%c0] : tensor<64xf32, #all>, memref<128xf32>
  tile.store_view %s, %d[%c64] : tensor<64xf32, #all>, memref<128xf32>
  return
}

func.func @main(%a: memref<64x96xf16>, %b: memref<96x64xf16>, %c: memref<64x64xf32>, %d: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @matmul grid(%c1, %c1, %c1) (%a, %b, %c) : memref<64x96xf16>, memref<96x64xf16>, memref<64x64xf32>
  tile.launch @sums grid(%c1, %c1, %c1) (%c, %d) : memref<64x64xf32>, memref<128xf32>
  return
}

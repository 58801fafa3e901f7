// The same results before tile-promote-shared, after it, and after each of the passes that follow: the
// interpreter sees that nothing is read from shared memory before it is written. Three steps of K, with
// one buffer and with two; operands that are loaded in the step, and that are carried into it.
// Reductions, scans and predicates across warps.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-run %s --backend=interp --random=5 --outputs=%t/a0.npy,%t/b0.npy,%t/c0.npy,%t/d0.npy,%t/e0.npy
// RUN: tile-opt %s --tile-select-config="config={stages=1}" --tile-promote-shared -o %t/one.mlir
// RUN: tile-opt %s --tile-select-config="config={stages=2}" --tile-promote-shared -o %t/two.mlir
// RUN: tile-opt %t/one.mlir --tile-allocate-shared --tile-insert-barriers -o %t/one-done.mlir
// RUN: tile-opt %s --tile-select-config="config={stages=1}" --tile-promote-shared=max-bytes=4096 --tile-allocate-shared --tile-insert-barriers -o %t/halves-done.mlir
// RUN: FileCheck %s --check-prefix=HALVES --input-file=%t/halves-done.mlir
// RUN: tile-opt %t/two.mlir --tile-allocate-shared --tile-insert-barriers -o %t/two-done.mlir
// RUN: FileCheck %s --input-file=%t/two-done.mlir
// RUN: tile-run %t/one.mlir --backend=interp --random=5 --outputs=%t/a1.npy,%t/b1.npy,%t/c1.npy,%t/d1.npy,%t/e1.npy
// RUN: tile-run %t/two.mlir --backend=interp --random=5 --outputs=%t/a2.npy,%t/b2.npy,%t/c2.npy,%t/d2.npy,%t/e2.npy
// RUN: tile-run %t/one-done.mlir --backend=interp --random=5 --outputs=%t/a3.npy,%t/b3.npy,%t/c3.npy,%t/d3.npy,%t/e3.npy
// RUN: tile-run %t/two-done.mlir --backend=interp --random=5 --outputs=%t/a4.npy,%t/b4.npy,%t/c4.npy,%t/d4.npy,%t/e4.npy
// RUN: tile-run %t/halves-done.mlir --backend=interp --random=5 --outputs=%t/a5.npy,%t/b5.npy,%t/c5.npy,%t/d5.npy,%t/e5.npy
// RUN: cmp %t/c0.npy %t/c5.npy
// RUN: cmp %t/d0.npy %t/d5.npy
// RUN: cmp %t/e0.npy %t/e5.npy
// RUN: cmp %t/c0.npy %t/c1.npy
// RUN: cmp %t/c0.npy %t/c2.npy
// RUN: cmp %t/c0.npy %t/c3.npy
// RUN: cmp %t/c0.npy %t/c4.npy
// RUN: cmp %t/d0.npy %t/d1.npy
// RUN: cmp %t/d0.npy %t/d2.npy
// RUN: cmp %t/d0.npy %t/d3.npy
// RUN: cmp %t/d0.npy %t/d4.npy
// RUN: cmp %t/e0.npy %t/e1.npy
// RUN: cmp %t/e0.npy %t/e2.npy
// RUN: cmp %t/e0.npy %t/e3.npy
// RUN: cmp %t/e0.npy %t/e4.npy

#a_rows = #tile.layout<blocked shape = [64, 32], register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#b_rows = #tile.layout<blocked shape = [32, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#a = #tile.layout<mma a row, shape = [64, 32], atom = volta_16x16x8, warp = [2, 2]>
#b = #tile.layout<mma b row, shape = [32, 64], atom = volta_16x16x8, warp = [2, 2]>
#c = #tile.layout<mma c f32, shape = [64, 64], atom = volta_16x16x8, warp = [2, 2]>
#c_rows = #tile.layout<blocked shape = [64, 64], register = [1, 4], lane = [2, 16], warp = [4, 1], order = [1, 0]>

// 16 KiB of the result go by quarters, one after the other through the same 4 KiB.
// HALVES-LABEL: @matmul
// HALVES-COUNT-4: tile.alloc {offset = 0 : i64} : <{{.*}}xf32, #
// HALVES-COUNT-2: tile.split
// HALVES: tile.join
// HALVES: tile.split
// HALVES-COUNT-2: tile.join
// HALVES-LABEL: @prefetched

// CHECK-LABEL: @matmul
// CHECK-SAME: tile.shared_bytes
// CHECK-COUNT-3: tile.alloc {offset
func.func @matmul(%a: memref<?x96xf16> {tile.readonly}, %b: memref<96x?xf16> {tile.readonly},
                  %c: memref<?x?xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %xi = arith.index_cast %x : i32 to index
  %yi = arith.index_cast %y : i32 to index
  %row = arith.muli %xi, %c64 : index
  %column = arith.muli %yi, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %r = scf.for %k = %c0 to %c96 step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32, #c> {
    %ga = tile.load_view %a[%row, %k] : memref<?x96xf16> -> tensor<64x32xf16, #a_rows>
    %gb = tile.load_view %b[%k, %column] : memref<96x?xf16> -> tensor<32x64xf16, #b_rows>
    %ta = tile.convert_layout %ga : tensor<64x32xf16, #a_rows> -> tensor<64x32xf16, #a>
    %tb = tile.convert_layout %gb : tensor<32x64xf16, #b_rows> -> tensor<32x64xf16, #b>
    %sum = tile.mma %ta row, %tb row, %acc atom <volta_16x16x8> warps(2, 2)
        : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
    scf.yield %sum : tensor<64x64xf32, #c>
  }
  %rr = tile.convert_layout %r : tensor<64x64xf32, #c> -> tensor<64x64xf32, #c_rows>
  tile.store_view %rr, %c[%row, %column] : tensor<64x64xf32, #c_rows>, memref<?x?xf32>
  return
}

// As tile-prefetch leaves it: the tiles of the next step are loaded in this one.
// CHECK-LABEL: @prefetched
func.func @prefetched(%a: memref<?x96xf16> {tile.readonly}, %b: memref<96x?xf16> {tile.readonly},
                      %d: memref<?x?xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %xi = arith.index_cast %x : i32 to index
  %yi = arith.index_cast %y : i32 to index
  %row = arith.muli %xi, %c64 : index
  %column = arith.muli %yi, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  %a0 = tile.load_view %a[%row, %c0] : memref<?x96xf16> -> tensor<64x32xf16, #a_rows>
  %b0 = tile.load_view %b[%c0, %column] : memref<96x?xf16> -> tensor<32x64xf16, #b_rows>
  %r:3 = scf.for %k = %c0 to %c96 step %c32 iter_args(%acc = %zero, %ga = %a0, %gb = %b0)
      -> (tensor<64x64xf32, #c>, tensor<64x32xf16, #a_rows>, tensor<32x64xf16, #b_rows>) {
    %next = arith.addi %k, %c32 : index
    %na = tile.load_view %a[%row, %next] : memref<?x96xf16> -> tensor<64x32xf16, #a_rows>
    %nb = tile.load_view %b[%next, %column] : memref<96x?xf16> -> tensor<32x64xf16, #b_rows>
    %ta = tile.convert_layout %ga : tensor<64x32xf16, #a_rows> -> tensor<64x32xf16, #a>
    %tb = tile.convert_layout %gb : tensor<32x64xf16, #b_rows> -> tensor<32x64xf16, #b>
    %sum = tile.mma %ta row, %tb row, %acc atom <volta_16x16x8> warps(2, 2)
        : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
    scf.yield %sum, %na, %nb : tensor<64x64xf32, #c>, tensor<64x32xf16, #a_rows>, tensor<32x64xf16, #b_rows>
  }
  %rr = tile.convert_layout %r#0 : tensor<64x64xf32, #c> -> tensor<64x64xf32, #c_rows>
  tile.store_view %rr, %d[%row, %column] : tensor<64x64xf32, #c_rows>, memref<?x?xf32>
  return
}

// Warps share both axes, the rows in two places: rows are bits 0 (register), 1 to 3 (lane), 4 (warp) and
// 5 (register).
#both = #tile.layout<blocked shape = [64, 32], register = [2, 1], lane = [8, 4], warp = [2, 2], order = [1, 0]>
#columns = #tile.layout<register = [[4], [8], [16]], lane = [[1], [2], [0], [0], [0]], warp = [[0], [0]]>
#all_rows = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]]>
#flat = #tile.layout<blocked shape = [512], register = [4], lane = [32], warp = [4], order = [0]>
#others = #tile.layout<blocked shape = [512], register = [1], lane = [32], warp = [4], order = [0]>

// CHECK-LABEL: @reduce
func.func @reduce(%a: memref<64x32xf32> {tile.readonly}, %e: memref<1200xi32>)
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<64x32xf32> -> tensor<64x32xf32, #both>
  %hundred = arith.constant dense<100.0> : tensor<64x32xf32, #both>
  %scaled = arith.mulf %x, %hundred : tensor<64x32xf32, #both>
  %i = arith.fptosi %scaled : tensor<64x32xf32, #both> to tensor<64x32xi32, #both>

  %sum = tile.reduce add %i axis 0 : tensor<64x32xi32, #both>
  %max = tile.reduce max %i axis 1 : tensor<64x32xi32, #both>
  %sums = tile.convert_layout %sum : tensor<32xi32, #tile.layout<register = [[8], [16]], lane = [[1], [2], [0], [0], [0]], warp = [[4], [0]]>> -> tensor<32xi32, #columns>
  tile.store_view %sums, %e[%c0] : tensor<32xi32, #columns>, memref<1200xi32>
  %c32 = arith.constant 32 : index
  %maxs = tile.convert_layout %max : tensor<64xi32, #tile.layout<register = [[1], [32]], lane = [[0], [0], [2], [4], [8]], warp = [[0], [16]]>> -> tensor<64xi32, #all_rows>
  tile.store_view %maxs, %e[%c32] : tensor<64xi32, #all_rows>, memref<1200xi32>

  // A scalar; a scan; a predicate.
  %r = tile.range 0 to 512 : tensor<512xi32, #flat>
  %c7 = arith.constant dense<7> : tensor<512xi32, #flat>
  %q = arith.remui %r, %c7 : tensor<512xi32, #flat>
  %total = tile.reduce add %q axis 0 : tensor<512xi32, #flat>
  %totals = tile.splat %total : i32 -> tensor<512xi32, #flat>
  %prefix = tile.scan add %q axis 0 : tensor<512xi32, #flat>
  %rest = arith.subi %totals, %prefix : tensor<512xi32, #flat>
  %c96 = arith.constant 96 : index
  tile.store_view %rest, %e[%c96] : tensor<512xi32, #flat>, memref<1200xi32>
  %c3 = arith.constant dense<3> : tensor<512xi32, #flat>
  %small = arith.cmpi ult, %q, %c3 : tensor<512xi32, #flat>
  %smalls = tile.convert_layout %small : tensor<512xi1, #flat> -> tensor<512xi1, #others>
  %s = tile.range 0 to 512 : tensor<512xi32, #others>
  %none = arith.constant dense<-1> : tensor<512xi32, #others>
  %chosen = arith.select %smalls, %s, %none : tensor<512xi1, #others>, tensor<512xi32, #others>
  %c608 = arith.constant 608 : index
  tile.store_view %chosen, %e[%c608] : tensor<512xi32, #others>, memref<1200xi32>
  return
}

func.func @main(%a: memref<128x96xf16>, %b: memref<96x192xf16>, %c: memref<128x192xf32>, %d: memref<128x192xf32>,
                %e: memref<1200xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %ad = memref.cast %a : memref<128x96xf16> to memref<?x96xf16>
  %bd = memref.cast %b : memref<96x192xf16> to memref<96x?xf16>
  %cd = memref.cast %c : memref<128x192xf32> to memref<?x?xf32>
  %dd = memref.cast %d : memref<128x192xf32> to memref<?x?xf32>
  tile.launch @matmul grid(%c2, %c3, %c1) (%ad, %bd, %cd) : memref<?x96xf16>, memref<96x?xf16>, memref<?x?xf32>
  tile.launch @prefetched grid(%c2, %c3, %c1) (%ad, %bd, %dd) : memref<?x96xf16>, memref<96x?xf16>, memref<?x?xf32>
  %part = memref.alloc() : memref<64x32xf32>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %v = memref.load %c[%i, %j] : memref<128x192xf32>
      memref.store %v, %part[%i, %j] : memref<64x32xf32>
    }
  }
  tile.launch @reduce grid(%c1, %c1, %c1) (%part, %e) : memref<64x32xf32>, memref<1200xi32>
  memref.dealloc %part : memref<64x32xf32>
  return
}

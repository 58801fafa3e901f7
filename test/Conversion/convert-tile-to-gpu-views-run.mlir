// As convert-tile-to-gpu-pointers-run.mlir, by views: blocks that reach over the end and begin before it, dynamic
// sizes, elements of all widths, layouts of several bits; memrefs that are casts and other shapes of
// one, constant, and passed in loops; a grid without programs.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --tile-place-buffers --convert-tile-to-gpu -o %t/gpu.mlir
// RUN: tile-run %s --backend=interp --entry=main --random=3 --outputs=%t/a0.npy,%t/b0.npy,%t/c0.npy,%t/d0.npy,%t/e0.npy,%t/f0.npy,%t/g0.npy,%t/h0.npy,%t/i0.npy,%t/j0.npy
// RUN: tile-run %t/gpu.mlir --backend=sim --entry=main --random=3 --outputs=%t/a1.npy,%t/b1.npy,%t/c1.npy,%t/d1.npy,%t/e1.npy,%t/f1.npy,%t/g1.npy,%t/h1.npy,%t/i1.npy,%t/j1.npy
// RUN: cmp %t/b0.npy %t/b1.npy
// RUN: cmp %t/d0.npy %t/d1.npy
// RUN: cmp %t/f0.npy %t/f1.npy
// RUN: cmp %t/g0.npy %t/g1.npy
// RUN: cmp %t/h0.npy %t/h1.npy
// RUN: cmp %t/i0.npy %t/i1.npy
// RUN: cmp %t/j0.npy %t/j1.npy
// RUN: tile-run %s --backend=interp --entry=host --random=3 --outputs=%t/k0.npy,%t/l0.npy,%t/m0.npy
// RUN: tile-run %t/gpu.mlir --backend=sim --entry=host --random=3 --outputs=%t/k1.npy,%t/l1.npy,%t/m1.npy
// RUN: cmp %t/l0.npy %t/l1.npy
// RUN: cmp %t/m0.npy %t/m1.npy
// RUN: tile-run %s --backend=interp --entry=single --random=3 --outputs=%t/n0.npy,%t/o0.npy,%t/p0.npy
// RUN: tile-run %t/gpu.mlir --backend=sim --entry=single --random=3 --outputs=%t/n1.npy,%t/o1.npy,%t/p1.npy
// RUN: cmp %t/p0.npy %t/p1.npy

#l = #tile.layout<blocked shape = [32, 32], register = [1, 8], lane = [8, 4], warp = [2, 1], order = [1, 0]>
#m = #tile.layout<blocked shape = [16, 64], register = [1, 2], lane = [1, 32], warp = [2, 1], order = [1, 0]>
#t = #tile.layout<register = [[16, 0], [0, 2]], lane = [[0, 1], [1, 0], [2, 0], [4, 2], [8, 1]], warp = [[0, 0]]>
#tt = #tile.layout<register = [[0, 16], [2, 0]], lane = [[1, 0], [0, 1], [0, 2], [2, 4], [1, 8]], warp = [[0, 0]]>
#row = #tile.layout<register = [[0], [2]], lane = [[1], [0], [0], [2], [1]], warp = [[0]]>
#e = #tile.layout<register = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]], warp = []>
#v = #tile.layout<register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>

func.func @scale(%a: memref<50x64xf16> {tile.readonly}, %b: memref<50x64xf16>, %s: f16)
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c32 = arith.constant 32 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %xi = arith.index_cast %x : i32 to index
  %yi = arith.index_cast %y : i32 to index
  %j = arith.muli %xi, %c32 : index
  %i = arith.muli %yi, %c32 : index
  %t = tile.load_view %a[%i, %j] : memref<50x64xf16> -> tensor<32x32xf16, #l>
  %ss = tile.splat %s : f16 -> tensor<32x32xf16, #l>
  %u = arith.mulf %t, %ss : tensor<32x32xf16, #l>
  tile.store_view %u, %b[%i, %j] : tensor<32x32xf16, #l>, memref<50x64xf16>
  return
}
func.func @dynamic(%a: memref<?x3x?xi32> {tile.readonly}, %b: memref<?x3x?xi32>, %k: index)
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %cm3 = arith.constant 3 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %j0 = arith.muli %x, %c64 : i32
  %i0 = arith.muli %y, %c16 : i32
  %j1 = arith.index_cast %j0 : i32 to index
  %i = arith.index_cast %i0 : i32 to index
  %j = arith.subi %j1, %cm3 : index
  %t = tile.load_view %a[%i, %k, %j] axes [0, 2] : memref<?x3x?xi32> -> tensor<16x64xi32, #m>
  %u = arith.addi %t, %t : tensor<16x64xi32, #m>
  tile.store_view %u, %b[%i, %k, %j] axes [0, 2] : tensor<16x64xi32, #m>, memref<?x3x?xi32>
  return
}

// Transposition in registers, padded broadcast, constants per register.
func.func @retile(%a: memref<32x4xf64> {tile.readonly}, %b: memref<4x32xf64>)
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<32x4xf64> -> tensor<32x4xf64, #t>
  %r = tile.range 1 to 5 : tensor<4xi32, #row>
  %rb = tile.broadcast %r : tensor<4xi32, #row> -> tensor<32x4xi32, #t>
  %rf = arith.sitofp %rb : tensor<32x4xi32, #t> to tensor<32x4xf64, #t>
  %y = arith.mulf %x, %rf : tensor<32x4xf64, #t>
  %z = tile.trans %y [1, 0] : tensor<32x4xf64, #t>
  tile.store_view %z, %b[%c0, %c0] : tensor<4x32xf64, #tt>, memref<4x32xf64>
  return
}

// Bytes, bfloats, predicates, halves.
func.func @elements(%a: memref<512xi8>, %x: memref<512xbf16>, %z: memref<512xi1>, %y: memref<512xf16>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load_view %a[%c0] : memref<512xi8> -> tensor<512xi8, #e>
  %u = arith.addi %t, %t : tensor<512xi8, #e>
  tile.store_view %u, %a[%c0] : tensor<512xi8, #e>, memref<512xi8>
  %f = tile.load_view %x[%c0] : memref<512xbf16> -> tensor<512xbf16, #e>
  %g = arith.extf %f : tensor<512xbf16, #e> to tensor<512xf32, #e>
  %g2 = arith.addf %g, %g : tensor<512xf32, #e>
  %g3 = arith.truncf %g2 : tensor<512xf32, #e> to tensor<512xbf16, #e>
  tile.store_view %g3, %x[%c0] : tensor<512xbf16, #e>, memref<512xbf16>
  %zero = arith.constant dense<0> : tensor<512xi8, #e>
  %m = arith.cmpi sgt, %u, %zero : tensor<512xi8, #e>
  tile.store_view %m, %z[%c0] : tensor<512xi1, #e>, memref<512xi1>
  %i = tile.load_view %z[%c0] : memref<512xi1> -> tensor<512xi1, #e>
  %v = tile.load_view %y[%c0] : memref<512xf16> -> tensor<512xf16, #e>
  %h = arith.truncf %g2 : tensor<512xf32, #e> to tensor<512xf16, #e>
  %abs = math.absf %h : tensor<512xf16, #e>
  %k = arith.select %i, %abs, %v : tensor<512xi1, #e>, tensor<512xf16, #e>
  tile.store_view %k, %y[%c0] : tensor<512xf16, #e>, memref<512xf16>
  return
}

func.func @addto(%a: memref<?xi32> {tile.readonly}, %b: memref<4x?xi32>, %p: !tile.ptr<i32>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %b, %c1 : memref<4x?xi32>
  %n32 = arith.index_cast %n : index to i32
  %id = tile.program_id x
  %i = arith.index_cast %id : i32 to index
  %x = tile.load_view %a[%c0] : memref<?xi32> -> tensor<64xi32, #v>
  %y = tile.load_view %b[%i, %c0] axes [1] : memref<4x?xi32> -> tensor<64xi32, #v>
  %z = arith.addi %x, %y : tensor<64xi32, #v>
  %ns = tile.splat %n32 : i32 -> tensor<64xi32, #v>
  %w = arith.addi %z, %ns : tensor<64xi32, #v>
  tile.store_view %w, %b[%i, %c0] axes [1] : tensor<64xi32, #v>, memref<4x?xi32>
  %q = tile.addptr %p, %id : !tile.ptr<i32>, i32
  tile.store %q, %n32 : !tile.ptr<i32>
  return
}
memref.global "private" constant @table : memref<40xi32> = dense<7>

// Elements by themselves: each program picks one by a table.
func.func @pick(%t: memref<6x?xi64> {tile.readonly}, %x: memref<?x3xf16> {tile.readonly}, %y: memref<6xf16>)
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c1 = arith.constant 1 : index
  %x0 = tile.program_id x
  %i = arith.index_cast %x0 : i32 to index
  %k = memref.load %t[%i, %c1] : memref<6x?xi64>
  %two = arith.constant 2 : i64
  %masked = arith.andi %k, %two : i64
  %j = arith.index_cast %masked : i64 to index
  %v = memref.load %x[%i, %j] : memref<?x3xf16>
  memref.store %v, %y[%i] : memref<6xf16>
  return
}

func.func @single(%t: memref<6x2xi64>, %x: memref<6x3xf16>, %y: memref<6xf16>) {
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %tt = memref.cast %t : memref<6x2xi64> to memref<6x?xi64>
  %xx = memref.cast %x : memref<6x3xf16> to memref<?x3xf16>
  tile.launch @pick grid(%c6, %c1, %c1) (%tt, %xx, %y) : memref<6x?xi64>, memref<?x3xf16>, memref<6xf16>
  return
}

func.func @main(%a: memref<50x64xf16>, %b: memref<50x64xf16>, %c: memref<40x3x129xi32>,
                %d: memref<40x3x129xi32>, %f: memref<32x4xf64>, %g: memref<4x32xf64>,
                %h: memref<512xi8>, %x: memref<512xbf16>, %z: memref<512xi1>, %y: memref<512xf16>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %s = arith.constant 2.0 : f16
  tile.launch @scale grid(%c2, %c2, %c1) (%a, %b, %s) : memref<50x64xf16>, memref<50x64xf16>, f16
  %cc = memref.cast %c : memref<40x3x129xi32> to memref<?x3x?xi32>
  %dd = memref.cast %d : memref<40x3x129xi32> to memref<?x3x?xi32>
  tile.launch @dynamic grid(%c3, %c3, %c1) (%cc, %dd, %c1) : memref<?x3x?xi32>, memref<?x3x?xi32>, index
  tile.launch @retile grid(%c1, %c1, %c1) (%f, %g) : memref<32x4xf64>, memref<4x32xf64>
  tile.launch @elements grid(%c1, %c1, %c1) (%h, %x, %z, %y)
      : memref<512xi8>, memref<512xbf16>, memref<512xi1>, memref<512xf16>
  return
}

func.func @host(%a: memref<40xi32>, %b: memref<160xi32>, %c: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %aa = memref.cast %a : memref<40xi32> to memref<?xi32>
  %b2 = memref.expand_shape %b [[0, 1]] output_shape [4, 40] : memref<160xi32> into memref<4x40xi32>
  %bb = memref.cast %b2 : memref<4x40xi32> to memref<4x?xi32>
  %t = memref.get_global @table : memref<40xi32>
  %tt = memref.cast %t : memref<40xi32> to memref<?xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    tile.launch @addto grid(%c4, %c1, %c1) (%aa, %bb, %c) : memref<?xi32>, memref<4x?xi32>, memref<4xi32>
    tile.launch @addto grid(%c4, %c1, %c1) (%tt, %bb, %c) : memref<?xi32>, memref<4x?xi32>, memref<4xi32>
  }
  tile.launch @addto grid(%c0, %c1, %c1) (%aa, %bb, %c) : memref<?xi32>, memref<4x?xi32>, memref<4xi32>
  return
}

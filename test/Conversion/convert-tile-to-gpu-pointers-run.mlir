// What threads compute is what programs do: the same kernels in the interpreter, for which layouts mean
// nothing, and on the simulator, which would report races and accesses that are out of bounds or
// misaligned. All by pointers: masks, copies in registers, lanes and warps, bases of several bits,
// loops that carry tiles, pointers and predicates, atomic accesses, transposition.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --tile-place-buffers --convert-tile-to-gpu -o %t/gpu.mlir
// RUN: tile-run %s --backend=interp --entry=main --random=3 --outputs=%t/a0.npy,%t/b0.npy,%t/c0.npy,%t/d0.npy,%t/e0.npy,%t/f0.npy,%t/g0.npy,%t/h0.npy,%t/i0.npy
// RUN: tile-run %t/gpu.mlir --backend=sim --entry=main --random=3 --outputs=%t/a1.npy,%t/b1.npy,%t/c1.npy,%t/d1.npy,%t/e1.npy,%t/f1.npy,%t/g1.npy,%t/h1.npy,%t/i1.npy
// RUN: cmp %t/b0.npy %t/b1.npy
// RUN: cmp %t/d0.npy %t/d1.npy
// RUN: cmp %t/f0.npy %t/f1.npy
// RUN: cmp %t/h0.npy %t/h1.npy
// RUN: cmp %t/i0.npy %t/i1.npy
// RUN: tile-run %s --backend=interp --entry=atomics --random=3 --inputs=zeros:1xi32,zeros:15xi32,random:64xf32,random:32xi64 --outputs=%t/p0.npy,%t/q0.npy,%t/r0.npy,%t/s0.npy
// RUN: tile-run %t/gpu.mlir --backend=sim --entry=atomics --random=3 --inputs=zeros:1xi32,zeros:15xi32,random:64xf32,random:32xi64 --outputs=%t/p1.npy,%t/q1.npy,%t/r1.npy,%t/s1.npy
// RUN: cmp %t/p0.npy %t/p1.npy
// RUN: cmp %t/q0.npy %t/q1.npy
// RUN: cmp %t/r0.npy %t/r1.npy
// RUN: cmp %t/s0.npy %t/s1.npy

#add = #tile.layout<blocked shape = [256], register = [4], lane = [32], warp = [2], order = [0]>
#block = #tile.layout<blocked shape = [32, 16], register = [1, 4], lane = [8, 4], warp = [2, 1], order = [1, 0]>
#r = #tile.layout<register = [[0], [0], [16]], lane = [[0], [0], [1], [2], [4]], warp = [[8]]>
#c = #tile.layout<register = [[1], [2], [0]], lane = [[4], [8], [0], [0], [0]], warp = [[0]]>
#r2 = #tile.layout<register = [[0, 0], [0, 0], [16, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]]>
#c2 = #tile.layout<register = [[0, 1], [0, 2], [0, 0]], lane = [[0, 4], [0, 8], [0, 0], [0, 0], [0, 0]], warp = [[0, 0]]>
#s = #tile.layout<register = [[1], [6]], lane = [[4], [8], [16], [32], [0]], warp = [[64]]>
#row = #tile.layout<register = [[0], [2]], lane = [[1], [0], [0], [2], [1]], warp = [[0]]>
#k = #tile.layout<register = [[0], [16]], lane = [[1], [2], [0], [4], [8]], warp = []>

// Masks.
func.func @add(%a: !tile.ptr<f32> {tile.readonly, tile.multiple_of = 16 : i64},
               %b: !tile.ptr<f32> {tile.readonly, tile.multiple_of = 16 : i64},
               %c: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %n: i32 {tile.multiple_of = 8 : i64})
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c256 = arith.constant 256 : i32
  %id = tile.program_id x
  %start = arith.muli %id, %c256 : i32
  %first = tile.splat %start : i32 -> tensor<256xi32, #add>
  %lane = tile.range 0 to 256 : tensor<256xi32, #add>
  %i = arith.addi %first, %lane : tensor<256xi32, #add>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #add>
  %bs = tile.splat %b : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #add>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #add>
  %ap = tile.addptr %as, %i : tensor<256x!tile.ptr<f32>, #add>, tensor<256xi32, #add>
  %bp = tile.addptr %bs, %i : tensor<256x!tile.ptr<f32>, #add>, tensor<256xi32, #add>
  %cp = tile.addptr %cs, %i : tensor<256x!tile.ptr<f32>, #add>, tensor<256xi32, #add>
  %size = tile.splat %n : i32 -> tensor<256xi32, #add>
  %inside = arith.cmpi slt, %i, %size : tensor<256xi32, #add>
  %x = tile.load %ap mask %inside : tensor<256x!tile.ptr<f32>, #add>
  %y = tile.load %bp mask %inside : tensor<256x!tile.ptr<f32>, #add>
  %z = arith.addf %x, %y : tensor<256xf32, #add>
  tile.store %cp, %z mask %inside : tensor<256x!tile.ptr<f32>, #add>
  return
}

// b[j, i] = a[i, j] by pointers.
func.func @transpose(%a: !tile.ptr<i32> {tile.readonly, tile.multiple_of = 16 : i64}, %b: !tile.ptr<i32>)
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c32 = arith.constant 32 : i32
  %c16 = arith.constant 16 : i32
  %x = tile.program_id x
  %y = tile.program_id y
  %i0 = arith.muli %y, %c32 : i32
  %j0 = arith.muli %x, %c16 : i32
  %ri = tile.range 0 to 32 : tensor<32xi32, #r>
  %ci = tile.range 0 to 16 : tensor<16xi32, #c>
  %is = tile.splat %i0 : i32 -> tensor<32xi32, #r>
  %js = tile.splat %j0 : i32 -> tensor<16xi32, #c>
  %i1 = arith.addi %ri, %is : tensor<32xi32, #r>
  %j1 = arith.addi %ci, %js : tensor<16xi32, #c>
  %i2 = tile.reshape %i1 : tensor<32xi32, #r> -> tensor<32x1xi32, #r2>
  %j2 = tile.reshape %j1 : tensor<16xi32, #c> -> tensor<1x16xi32, #c2>
  %i = tile.broadcast %i2 : tensor<32x1xi32, #r2> -> tensor<32x16xi32, #block>
  %j = tile.broadcast %j2 : tensor<1x16xi32, #c2> -> tensor<32x16xi32, #block>
  %c64 = arith.constant dense<64> : tensor<32x16xi32, #block>
  %c96 = arith.constant dense<96> : tensor<32x16xi32, #block>
  %ra = arith.muli %i, %c64 : tensor<32x16xi32, #block>
  %oa = arith.addi %ra, %j : tensor<32x16xi32, #block>
  %rb = arith.muli %j, %c96 : tensor<32x16xi32, #block>
  %ob = arith.addi %rb, %i : tensor<32x16xi32, #block>
  %as = tile.splat %a : !tile.ptr<i32> -> tensor<32x16x!tile.ptr<i32>, #block>
  %bs = tile.splat %b : !tile.ptr<i32> -> tensor<32x16x!tile.ptr<i32>, #block>
  %ap = tile.addptr %as, %oa : tensor<32x16x!tile.ptr<i32>, #block>, tensor<32x16xi32, #block>
  %bp = tile.addptr %bs, %ob : tensor<32x16x!tile.ptr<i32>, #block>, tensor<32x16xi32, #block>
  %v = tile.load %ap : tensor<32x16x!tile.ptr<i32>, #block>
  tile.store %bp, %v : tensor<32x16x!tile.ptr<i32>, #block>
  return
}

// Numbers along an axis, in a swizzled layout of which lanes hold copies; loops with tiles, pointers and predicates; branches.
func.func @loops(%a: !tile.ptr<i16> {tile.readonly, tile.multiple_of = 16 : i64}, %b: !tile.ptr<i64>, %n: i32)
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %zero = arith.constant dense<0> : tensor<128xi64, #s>
  %false = arith.constant dense<false> : tensor<128xi1, #s>
  %i = tile.range 3 to 131 : tensor<128xi32, #s>
  %k = tile.range 0 to 128 : tensor<128xi64, #s>
  %three = arith.constant dense<3> : tensor<128xi32, #s>
  %i0 = arith.subi %i, %three : tensor<128xi32, #s>
  %as = tile.splat %a : !tile.ptr<i16> -> tensor<128x!tile.ptr<i16>, #s>
  %ap = tile.addptr %as, %i0 : tensor<128x!tile.ptr<i16>, #s>, tensor<128xi32, #s>
  %step = tile.splat %c128 : i32 -> tensor<128xi32, #s>
  %sum, %last, %some = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %ap, %any = %false) -> (tensor<128xi64, #s>, tensor<128x!tile.ptr<i16>, #s>, tensor<128xi1, #s>) : i32 {
    %x = tile.load %p : tensor<128x!tile.ptr<i16>, #s>
    %w = arith.extsi %x : tensor<128xi16, #s> to tensor<128xi64, #s>
    %even = arith.andi %j, %c1 : i32
    %isEven = arith.cmpi eq, %even, %c0 : i32
    %next = scf.if %isEven -> (tensor<128xi64, #s>) {
      %y = arith.addi %acc, %w : tensor<128xi64, #s>
      scf.yield %y : tensor<128xi64, #s>
    } else {
      %y = arith.subi %acc, %k : tensor<128xi64, #s>
      scf.yield %y : tensor<128xi64, #s>
    }
    %pos, %neg = tile.cmpp sgt %next, %zero : tensor<128xi64, #s>
    %more = arith.ori %any, %neg : tensor<128xi1, #s>
    %q = tile.addptr %p, %step : tensor<128x!tile.ptr<i16>, #s>, tensor<128xi32, #s>
    scf.yield %next, %q, %more : tensor<128xi64, #s>, tensor<128x!tile.ptr<i16>, #s>, tensor<128xi1, #s>
  }
  %isBig = arith.cmpi sgt, %n, %c1 : i32
  %chosen = arith.select %isBig, %sum, %zero : tensor<128xi64, #s>
  %pick = arith.select %some, %chosen, %k : tensor<128xi1, #s>, tensor<128xi64, #s>
  %bs = tile.splat %b : !tile.ptr<i64> -> tensor<128x!tile.ptr<i64>, #s>
  %bp = tile.addptr %bs, %k : tensor<128x!tile.ptr<i64>, #s>, tensor<128xi64, #s>
  tile.store %bp, %pick : tensor<128x!tile.ptr<i64>, #s>
  return
}
// Scalars, atomics, masks with other, while.
func.func @scalars(%a: !tile.ptr<i32> {tile.readonly}, %b: !tile.ptr<i32>, %c: !tile.ptr<f32>)
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %id = tile.program_id x
  %num = tile.num_programs x
  %p = tile.addptr %a, %id : !tile.ptr<i32>, i32
  %x = tile.load %p : !tile.ptr<i32>
  %isSmall = arith.cmpi slt, %x, %c7 : i32
  %y = tile.load %a mask %isSmall other %c7 : !tile.ptr<i32>
  %q = tile.addptr %b, %id : !tile.ptr<i32>, i32
  %z:2 = scf.while (%v = %y, %k = %c0) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi slt, %k, %num : i32
    scf.condition(%go) %v, %k : i32, i32
  } do {
  ^bb0(%v: i32, %k: i32):
    %d = arith.addi %v, %x : i32
    %e = arith.addi %k, %c1 : i32
    scf.yield %d, %e : i32, i32
  }
  tile.store %q, %z#0 mask %isSmall : !tile.ptr<i32>
  %far = tile.addptr %b, %num : !tile.ptr<i32>, i32
  %old = tile.atomic_rmw add %far, %x : !tile.ptr<i32>
  %one = arith.constant dense<1.0> : tensor<4xf32, #row>
  %r = tile.range 0 to 4 : tensor<4xi32, #row>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>, #row>
  %cp = tile.addptr %cs, %r : tensor<4x!tile.ptr<f32>, #row>, tensor<4xi32, #row>
  %two = arith.constant dense<2> : tensor<4xi32, #row>
  %m = arith.cmpi sgt, %r, %two : tensor<4xi32, #row>
  %u = tile.atomic_rmw add %cp, %one mask %m : tensor<4x!tile.ptr<f32>, #row>
  return
}

// Results of atomic accesses, of elements that several lanes hold.
func.func @ticket(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %h: !tile.ptr<f32>, %b: !tile.ptr<i64>) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %c = arith.constant 3 : i32
  %t = tile.atomic_rmw add %p, %c : !tile.ptr<i32>
  %qq = tile.addptr %q, %t : !tile.ptr<i32>, i32
  tile.store %qq, %t : !tile.ptr<i32>
  %r = tile.range 0 to 32 : tensor<32xi32, #k>
  %hs = tile.splat %h : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #k>
  %hp = tile.addptr %hs, %r : tensor<32x!tile.ptr<f32>, #k>, tensor<32xi32, #k>
  %five = arith.constant dense<5> : tensor<32xi32, #k>
  %m = arith.cmpi sgt, %r, %five : tensor<32xi32, #k>
  %f = arith.sitofp %r : tensor<32xi32, #k> to tensor<32xf32, #k>
  %old = tile.atomic_rmw xchg %hp, %f mask %m : tensor<32x!tile.ptr<f32>, #k>
  %off = arith.constant dense<32> : tensor<32xi32, #k>
  %ho = tile.addptr %hp, %off : tensor<32x!tile.ptr<f32>, #k>, tensor<32xi32, #k>
  tile.store %ho, %old : tensor<32x!tile.ptr<f32>, #k>
  %bs = tile.splat %b : !tile.ptr<i64> -> tensor<32x!tile.ptr<i64>, #k>
  %bp = tile.addptr %bs, %r : tensor<32x!tile.ptr<i64>, #k>, tensor<32xi32, #k>
  %w = arith.extsi %r : tensor<32xi32, #k> to tensor<32xi64, #k>
  %o1 = tile.atomic_rmw max %bp, %w : tensor<32x!tile.ptr<i64>, #k>
  %o2 = tile.atomic_rmw xor %bp, %o1 mask %m : tensor<32x!tile.ptr<i64>, #k>
  return
}

func.func @main(%a: memref<1000xf32>, %b: memref<1000xf32>, %c: memref<96x64xi32>,
                %d: memref<64x96xi32>, %e: memref<5x128xi16>, %f: memref<128xi64>,
                %g: memref<5xi32>, %h: memref<6xi32>, %i: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %n1000 = arith.constant 1000 : i32
  %n5 = arith.constant 5 : i32
  tile.launch @add grid(%c4, %c1, %c1) (%a, %a, %b, %n1000)
      : memref<1000xf32>, memref<1000xf32>, memref<1000xf32>, i32
  tile.launch @transpose grid(%c4, %c3, %c1) (%c, %d) : memref<96x64xi32>, memref<64x96xi32>
  tile.launch @loops grid(%c1, %c1, %c1) (%e, %f, %n5) : memref<5x128xi16>, memref<128xi64>, i32
  tile.launch @scalars grid(%c5, %c1, %c1) (%g, %h, %i) : memref<5xi32>, memref<6xi32>, memref<4xf32>
  return
}

func.func @atomics(%p: memref<1xi32>, %q: memref<15xi32>, %h: memref<64xf32>, %b: memref<32xi64>) {
  %c1 = arith.constant 1 : index
  tile.launch @ticket grid(%c1, %c1, %c1) (%p, %q, %h, %b)
      : memref<1xi32>, memref<15xi32>, memref<64xf32>, memref<32xi64>
  return
}

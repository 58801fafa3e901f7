// Compiled tile kernels agree with the interpreter: element types, predicates, atomics, edges of memory.
//
// RUN: tile-run %s --entry=preds --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=types --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=ones --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=edges --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=atomic --random=1 --check=interp | FileCheck %s

// CHECK: check against interp: passed

// Predicates of tiles and of scalars, selects among pointers, masked accesses by scalar pointers.
func.func @preds_kernel(%x: memref<9xf32>, %y: memref<9xf32>, %i: memref<9xi64>, %p: !tile.ptr<f32>,
      %o: memref<6x9xf32>, %oi: memref<9xi64>, %q: !tile.ptr<f32>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %a = tile.load_view %x[%c0] : memref<9xf32> -> tensor<9xf32>
  %b = tile.load_view %y[%c0] : memref<9xf32> -> tensor<9xf32>
  %k = tile.load_view %i[%c0] : memref<9xi64> -> tensor<9xi64>
  %t, %e = tile.cmpp olt %a, %b : tensor<9xf32>
  %r = tile.psi %t ? %a, %e ? %b : tensor<9xi1>, tensor<9xf32>
  tile.store_view %r, %o[%c0, %c0] axes [1] : tensor<9xf32>, memref<6x9xf32>
  %zero = arith.constant dense<0> : tensor<9xi64>
  %t2, %e2 = tile.cmpp slt %k, %zero : tensor<9xi64>
  %r2 = tile.psi %t2 ? %a, %e2 ? %b, %t ? %a : tensor<9xi1>, tensor<9xf32>
  tile.store_view %r2, %o[%c1, %c0] axes [1] : tensor<9xf32>, memref<6x9xf32>
  %s = tile.reduce add %a axis 0 : tensor<9xf32>
  %s2 = tile.reduce add %b axis 0 : tensor<9xf32>
  %t3, %e3 = tile.cmpp ult %s, %s2 : f32
  %r3 = tile.psi %t3 ? %a, %e3 ? %b : i1, tensor<9xf32>
  tile.store_view %r3, %o[%c2, %c0] axes [1] : tensor<9xf32>, memref<6x9xf32>
  %r4 = tile.psi %t3 ? %s, %e3 ? %s2 : i1, f32
  %r5 = tile.splat %r4 : f32 -> tensor<9xf32>
  tile.store_view %r5, %o[%c3, %c0] axes [1] : tensor<9xf32>, memref<6x9xf32>
  %sel = arith.select %t3, %p, %q : !tile.ptr<f32>
  %one = arith.constant 1 : i32
  %sel1 = tile.addptr %sel, %one : !tile.ptr<f32>, i32
  %v = tile.load %sel1 : !tile.ptr<f32>
  %v1 = tile.load %q mask %e3 : !tile.ptr<f32>
  %v2 = tile.load %q mask %t3 other %v : !tile.ptr<f32>
  %v3 = arith.addf %v1, %v2 : f32
  %vs = tile.splat %v3 : f32 -> tensor<9xf32>
  tile.store_view %vs, %o[%c4, %c0] axes [1] : tensor<9xf32>, memref<6x9xf32>
  %ra = tile.range 0 to 9 : tensor<9xi64>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<9x!tile.ptr<f32>>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<9x!tile.ptr<f32>>
  %pt = tile.addptr %ps, %ra : tensor<9x!tile.ptr<f32>>, tensor<9xi64>
  %qt = tile.addptr %qs, %ra : tensor<9x!tile.ptr<f32>>, tensor<9xi64>
  %mix = arith.select %t, %pt, %qt : tensor<9xi1>, tensor<9x!tile.ptr<f32>>
  %w = tile.load %mix mask %e2 other %b : tensor<9x!tile.ptr<f32>>
  %c5 = arith.constant 5 : index
  tile.store_view %w, %o[%c5, %c0] axes [1] : tensor<9xf32>, memref<6x9xf32>
  %k2 = tile.assume %k {divisibility = array<i64: 1>} : tensor<9xi64>
  tile.store_view %k2, %oi[%c0] : tensor<9xi64>, memref<9xi64>
  return
}
func.func @preds(%x: memref<9xf32>, %y: memref<9xf32>, %i: memref<9xi64>, %p: memref<9xf32>, %o: memref<6x9xf32>,
      %oi: memref<9xi64>, %q: memref<9xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @preds_kernel grid(%c1, %c1, %c1) (%x, %y, %i, %p, %o, %oi, %q) : memref<9xf32>, memref<9xf32>,
      memref<9xi64>, memref<9xf32>, memref<6x9xf32>, memref<9xi64>, memref<9xf32>
  return
}

// Every type in memory, behind masks that end inside of a tile; a grid of three axes; scalars of other types.
func.func @types_kernel(%a: !tile.ptr<i8>, %b: !tile.ptr<i16>, %c: !tile.ptr<i64>, %d: !tile.ptr<f16>,
      %e: !tile.ptr<bf16>, %f: !tile.ptr<f64>, %n: index, %h: f16, %flag: i1, %k: i8) attributes {tile.kernel} {
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %0 = arith.muli %z, %ny : i32
  %1 = arith.addi %0, %y : i32
  %2 = arith.muli %1, %nx : i32
  %id = arith.addi %2, %x : i32
  %c3 = arith.constant 3 : i32
  %s = arith.muli %id, %c3 : i32
  %r = tile.range 0 to 3 : tensor<3xi32>
  %ss = tile.splat %s : i32 -> tensor<3xi32>
  %i = arith.addi %ss, %r : tensor<3xi32>
  %ni = arith.index_cast %n : index to i32
  %ns = tile.splat %ni : i32 -> tensor<3xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<3xi32>
  %fs = tile.splat %flag : i1 -> tensor<3xi1>
  %m2 = arith.ori %m, %fs : tensor<3xi1>

  %as = tile.splat %a : !tile.ptr<i8> -> tensor<3x!tile.ptr<i8>>
  %ap = tile.addptr %as, %i : tensor<3x!tile.ptr<i8>>, tensor<3xi32>
  %av = tile.load %ap mask %m2 : tensor<3x!tile.ptr<i8>>
  %ks = tile.splat %k : i8 -> tensor<3xi8>
  %aw = arith.addi %av, %ks : tensor<3xi8>
  tile.store %ap, %aw mask %m2 : tensor<3x!tile.ptr<i8>>

  %bs = tile.splat %b : !tile.ptr<i16> -> tensor<3x!tile.ptr<i16>>
  %bp = tile.addptr %bs, %i : tensor<3x!tile.ptr<i16>>, tensor<3xi32>
  %bv = tile.load %bp mask %m2 : tensor<3x!tile.ptr<i16>>
  %bw = tile.scan add %bv axis 0 : tensor<3xi16>
  tile.store %bp, %bw mask %m2 : tensor<3x!tile.ptr<i16>>

  %cs = tile.splat %c : !tile.ptr<i64> -> tensor<3x!tile.ptr<i64>>
  %cp = tile.addptr %cs, %i : tensor<3x!tile.ptr<i64>>, tensor<3xi32>
  %cv = tile.load %cp mask %m2 : tensor<3x!tile.ptr<i64>>
  %cw = tile.reduce umax %cv axis 0 : tensor<3xi64>
  %cww = tile.splat %cw : i64 -> tensor<3xi64>
  tile.store %cp, %cww mask %m2 : tensor<3x!tile.ptr<i64>>

  %ds = tile.splat %d : !tile.ptr<f16> -> tensor<3x!tile.ptr<f16>>
  %dp = tile.addptr %ds, %i : tensor<3x!tile.ptr<f16>>, tensor<3xi32>
  %dv = tile.load %dp mask %m2 : tensor<3x!tile.ptr<f16>>
  %hs = tile.splat %h : f16 -> tensor<3xf16>
  %dm = arith.mulf %dv, %hs : tensor<3xf16>
  %de = math.exp %dm : tensor<3xf16>
  %dr = tile.reduce add %de axis 0 : tensor<3xf16>
  %drs = tile.splat %dr : f16 -> tensor<3xf16>
  %dw = arith.divf %de, %drs : tensor<3xf16>
  tile.store %dp, %dw mask %m2 : tensor<3x!tile.ptr<f16>>

  %es = tile.splat %e : !tile.ptr<bf16> -> tensor<3x!tile.ptr<bf16>>
  %ep = tile.addptr %es, %i : tensor<3x!tile.ptr<bf16>>, tensor<3xi32>
  %ev = tile.load %ep mask %m2 : tensor<3x!tile.ptr<bf16>>
  %ew = tile.reduce max %ev axis 0 : tensor<3xbf16>
  %eww = tile.splat %ew : bf16 -> tensor<3xbf16>
  %ex = arith.subf %ev, %eww : tensor<3xbf16>
  %ey = math.tanh %ex : tensor<3xbf16>
  tile.store %ep, %ey mask %m2 : tensor<3x!tile.ptr<bf16>>

  %fs_ = tile.splat %f : !tile.ptr<f64> -> tensor<3x!tile.ptr<f64>>
  %fp = tile.addptr %fs_, %i : tensor<3x!tile.ptr<f64>>, tensor<3xi32>
  %fv = tile.load %fp mask %m2 : tensor<3x!tile.ptr<f64>>
  %table = arith.constant dense<[1.5, -2.0, 0.25]> : tensor<3xf64>
  %fw = arith.mulf %fv, %table : tensor<3xf64>
  tile.store %fp, %fw mask %m2 : tensor<3x!tile.ptr<f64>>
  return
}
func.func @types(%a: memref<36xi8>, %b: memref<36xi16>, %c: memref<36xi64>, %d: memref<36xf16>, %e: memref<36xbf16>,
      %f: memref<36xf64>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 35 : index
  %h = arith.constant 0.5 : f16
  %flag = arith.constant false
  %k = arith.constant 100 : i8
  tile.launch @types_kernel grid(%c2, %c3, %c2) (%a, %b, %c, %d, %e, %f, %n, %h, %flag, %k) : memref<36xi8>,
      memref<36xi16>, memref<36xi64>, memref<36xf16>, memref<36xbf16>, memref<36xf64>, index, f16, i1, i8
  return
}

// Axes and tiles of size one; tiles of i1 reduced and scanned.
func.func @ones_kernel(%x: memref<1x1xf32>, %y: memref<3x1xf32>, %o: memref<8x3x5xf32>, %b: memref<4x6xi8>,
      %bo: memref<6xi8>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %t = tile.load_view %x[%c0, %c0] : memref<1x1xf32> -> tensor<1x1xf32>
  %tb = tile.broadcast %t : tensor<1x1xf32> -> tensor<1x3x5xf32>
  tile.store_view %tb, %o[%c0, %c0, %c0] : tensor<1x3x5xf32>, memref<8x3x5xf32>
  %u = tile.load_view %y[%c0, %c0] : memref<3x1xf32> -> tensor<3x1xf32>
  %ur = tile.reduce mul %u axis 1 : tensor<3x1xf32>
  %us = tile.reshape %ur : tensor<3xf32> -> tensor<1x3x1xf32>
  %ub = tile.broadcast %us : tensor<1x3x1xf32> -> tensor<2x3x5xf32>
  tile.store_view %ub, %o[%c1, %c0, %c0] : tensor<2x3x5xf32>, memref<8x3x5xf32>
  %s = tile.reshape %t : tensor<1x1xf32> -> tensor<1xf32>
  %s1 = tile.reduce min %s axis 0 : tensor<1xf32>
  %sc = tile.scan mul %s axis 0 : tensor<1xf32>
  %scb = tile.broadcast %sc : tensor<1xf32> -> tensor<3x5xf32>
  %ss = tile.splat %s1 : f32 -> tensor<3x5xf32>
  %sss = arith.addf %ss, %scb : tensor<3x5xf32>
  tile.store_view %sss, %o[%c3, %c0, %c0] axes [1, 2] : tensor<3x5xf32>, memref<8x3x5xf32>
  %v = tile.load_view %b[%c0, %c0] : memref<4x6xi8> -> tensor<4x6xi8>
  %z = arith.constant dense<0> : tensor<4x6xi8>
  %p, %np = tile.cmpp sgt %v, %z : tensor<4x6xi8>
  %all = tile.reduce and %p axis 0 : tensor<4x6xi1>
  %any = tile.reduce or %p axis 0 : tensor<4x6xi1>
  %odd = tile.reduce xor %np axis 0 : tensor<4x6xi1>
  %pre = tile.scan or %p axis 1 : tensor<4x6xi1>
  %pr = tile.reduce xor %pre axis 0 : tensor<4x6xi1>
  %ai = arith.extui %all : tensor<6xi1> to tensor<6xi8>
  %bi = arith.extui %any : tensor<6xi1> to tensor<6xi8>
  %ci = arith.extsi %odd : tensor<6xi1> to tensor<6xi8>
  %di = arith.extui %pr : tensor<6xi1> to tensor<6xi8>
  %q = arith.constant dense<[1, 2, 4, 8, 16, 32]> : tensor<6xi8>
  %e0 = arith.addi %ai, %bi : tensor<6xi8>
  %e1 = arith.muli %ci, %q : tensor<6xi8>
  %e2 = arith.addi %e0, %e1 : tensor<6xi8>
  %e3 = arith.xori %e2, %di : tensor<6xi8>
  tile.store_view %e3, %bo[%c0] : tensor<6xi8>, memref<6xi8>
  return
}
func.func @ones(%x: memref<1x1xf32>, %y: memref<3x1xf32>, %o: memref<8x3x5xf32>, %b: memref<4x6xi8>,
      %bo: memref<6xi8>) {
  %c1 = arith.constant 1 : index
  tile.launch @ones_kernel grid(%c1, %c1, %c1) (%x, %y, %o, %b, %bo) : memref<1x1xf32>, memref<3x1xf32>,
      memref<8x3x5xf32>, memref<4x6xi8>, memref<6xi8>
  return
}

// Views that begin before the first element, end after the last one, or lie outside altogether.
func.func @edges_kernel(%x: memref<6x7xi8>, %y: memref<6x7xi8>, %z: memref<5x4x4xi8>) attributes {tile.kernel} {
  %px = tile.program_id x
  %p = arith.index_cast %px : i32 to index
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %p3 = arith.muli %p, %c3 : index
  %i = arith.subi %p3, %c3 : index
  %t = tile.load_view %x[%i, %i] : memref<6x7xi8> -> tensor<4x4xi8>
  tile.store_view %t, %z[%p, %c0, %c0] axes [1, 2] : tensor<4x4xi8>, memref<5x4x4xi8>
  %first = arith.cmpi eq, %px, %px : i32
  %s = tile.load_view %x[%i, %i] : memref<6x7xi8> -> tensor<3x3xi8>
  tile.store_view %s, %y[%i, %i] : tensor<3x3xi8>, memref<6x7xi8>
  return
}
func.func @edges(%x: memref<6x7xi8>, %y: memref<6x7xi8>, %z: memref<5x4x4xi8>) {
  %c1 = arith.constant 1 : index
  %g = arith.constant 5 : index
  tile.launch @edges_kernel grid(%g, %c1, %c1) (%x, %y, %z) : memref<6x7xi8>, memref<6x7xi8>, memref<5x4x4xi8>
  return
}

// Sums and maxima that all programs of the grid add to.
func.func @atomic_kernel(%f: !tile.ptr<f32>, %h: !tile.ptr<f16>, %i: !tile.ptr<i32>, %old: memref<6xi32>,
      %d: !tile.ptr<f64>, %b: !tile.ptr<bf16>, %j: !tile.ptr<i64>, %s: !tile.ptr<i16>,
      %c: !tile.ptr<i8>) attributes {tile.kernel} {
  %px = tile.program_id x
  %r = tile.range 0 to 4 : tensor<4xi32>
  %p = tile.splat %f : !tile.ptr<f32> -> tensor<4x!tile.ptr<f32>>
  %q = tile.addptr %p, %r : tensor<4x!tile.ptr<f32>>, tensor<4xi32>
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %m = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
  %o = tile.atomic_rmw add %q, %v mask %m : tensor<4x!tile.ptr<f32>>
  %h1 = arith.constant 0.5 : f16
  %oh = tile.atomic_rmw add %h, %h1 : !tile.ptr<f16>
  %bp = arith.constant 1.0 : bf16
  %ob = tile.atomic_rmw add %b, %bp : !tile.ptr<bf16>
  %dp = arith.constant 1.0 : f64
  %od = tile.atomic_rmw add %d, %dp : !tile.ptr<f64>
  %ip = tile.splat %i : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %iq = tile.addptr %ip, %r : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %sp = tile.splat %px : i32 -> tensor<4xi32>
  %o1 = tile.atomic_rmw max %iq, %sp : tensor<4x!tile.ptr<i32>>
  %i1 = arith.constant 1 : i32
  %o2 = tile.atomic_rmw or %i, %i1 : !tile.ptr<i32>
  %jj = arith.extsi %px : i32 to i64
  %o3 = tile.atomic_rmw add %j, %jj : !tile.ptr<i64>
  %ss = arith.trunci %px : i32 to i16
  %o4 = tile.atomic_rmw umin %s, %ss : !tile.ptr<i16>
  %cc = arith.trunci %px : i32 to i8
  %o5 = tile.atomic_rmw xor %c, %cc : !tile.ptr<i8>
  return
}
func.func @atomic(%f: memref<4xf32>, %h: memref<1xf16>, %i: memref<4xi32>, %old: memref<6xi32>, %d: memref<1xf64>,
      %b: memref<1xbf16>, %j: memref<1xi64>, %s: memref<1xi16>, %c: memref<1xi8>) {
  %c1 = arith.constant 1 : index
  %g = arith.constant 6 : index
  tile.launch @atomic_kernel grid(%g, %c1, %c1) (%f, %h, %i, %old, %d, %b, %j, %s, %c) : memref<4xf32>,
      memref<1xf16>, memref<4xi32>, memref<6xi32>, memref<1xf64>, memref<1xbf16>, memref<1xi64>, memref<1xi16>,
      memref<1xi8>
  return
}

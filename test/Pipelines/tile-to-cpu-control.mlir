// Compiled tile kernels agree with the interpreter: tiles and pointers in loops and branches.
//
// RUN: tile-run %s --entry=swap --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=matmul --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=mmview --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=softmax --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=control --random=1 --check=interp | FileCheck %s
//
// The interpreter executes each stage down to loops, by pointers and by views.
// RUN: tile-run %s --entry=matmul --random=1 --bisect 2>&1 | FileCheck %s --check-prefix=BISECT
// RUN: tile-run %s --entry=mmview --random=1 --bisect 2>&1 | FileCheck %s --check-prefix=BISECT

// CHECK: check against interp: passed
// BISECT: convert-tile-to-linalg: same
// BISECT: one-shot-bufferize: same
// BISECT: ownership-based-buffer-deallocation: same
// BISECT: convert-linalg-to-loops: same
// BISECT: convert-scf-to-openmp: cannot be executed
// BISECT: bisect: no pass changes the answer

// Tiles that change places from one iteration to the next, stay live across loops, or change in some iterations only.
func.func @swap_kernel(%x: memref<4x9xf32>, %y: memref<4x9xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tile.load_view %x[%c0, %c0] : memref<4x9xf32> -> tensor<4x9xf32>
  %b = tile.load_view %y[%c0, %c0] : memref<4x9xf32> -> tensor<4x9xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b, %m = %a) -> (tensor<4x9xf32>, tensor<4x9xf32>,
      tensor<4x9xf32>) {
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%u = %q) -> tensor<4x9xf32> {
      %w = arith.addf %u, %p : tensor<4x9xf32>
      scf.yield %w : tensor<4x9xf32>
    }
    %even = arith.remui %i, %c2 : index
    %is = arith.cmpi eq, %even, %c0 : index
    %mm = scf.if %is -> tensor<4x9xf32> {
      %sc = tile.scan add %m axis 1 reverse : tensor<4x9xf32>
      scf.yield %sc : tensor<4x9xf32>
    } else {
      scf.yield %m : tensor<4x9xf32>
    }
    scf.yield %s, %p, %mm : tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>
  }
  %o = arith.mulf %r#0, %r#2 : tensor<4x9xf32>
  %o2 = arith.subf %r#1, %a : tensor<4x9xf32>
  tile.store_view %o, %x[%c0, %c0] : tensor<4x9xf32>, memref<4x9xf32>
  tile.store_view %o2, %y[%c0, %c0] : tensor<4x9xf32>, memref<4x9xf32>
  return
}
func.func @swap(%x: memref<4x9xf32>, %y: memref<4x9xf32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  tile.launch @swap_kernel grid(%c1, %c1, %c1) (%x, %y, %n) : memref<4x9xf32>, memref<4x9xf32>, index
  return
}

// A product by pointers, which the loop advances; no size is a multiple of a tile's.
func.func @matmul_kernel(%a: !tile.ptr<f32>, %b: !tile.ptr<f32>, %c: !tile.ptr<f32>, %m: i32, %n: i32, %k: i32)
    attributes {tile.kernel} {
  %pm = tile.program_id x
  %pn = tile.program_id y
  %c16 = arith.constant 16 : i32
  %c8 = arith.constant 8 : i32
  %c0 = arith.constant 0 : i32
  %rm0 = arith.muli %pm, %c16 : i32
  %rn0 = arith.muli %pn, %c8 : i32
  %l16 = tile.range 0 to 16 : tensor<16xi32>
  %l8 = tile.range 0 to 8 : tensor<8xi32>
  %rms = tile.splat %rm0 : i32 -> tensor<16xi32>
  %rm = arith.addi %rms, %l16 : tensor<16xi32>
  %rns = tile.splat %rn0 : i32 -> tensor<8xi32>
  %rn = arith.addi %rns, %l8 : tensor<8xi32>
  %rm1 = tile.reshape %rm : tensor<16xi32> -> tensor<16x1xi32>
  %rn1 = tile.reshape %rn : tensor<8xi32> -> tensor<1x8xi32>
  %lk1 = tile.reshape %l8 : tensor<8xi32> -> tensor<1x8xi32>
  %lk2 = tile.reshape %l8 : tensor<8xi32> -> tensor<8x1xi32>
  %kk1 = tile.splat %k : i32 -> tensor<16x1xi32>
  %ao = arith.muli %rm1, %kk1 : tensor<16x1xi32>
  %aob = tile.broadcast %ao : tensor<16x1xi32> -> tensor<16x8xi32>
  %lkb = tile.broadcast %lk1 : tensor<1x8xi32> -> tensor<16x8xi32>
  %aoff = arith.addi %aob, %lkb : tensor<16x8xi32>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>>
  %pa0 = tile.addptr %as, %aoff : tensor<16x8x!tile.ptr<f32>>, tensor<16x8xi32>
  %nn1 = tile.splat %n : i32 -> tensor<8x1xi32>
  %bo = arith.muli %lk2, %nn1 : tensor<8x1xi32>
  %bob = tile.broadcast %bo : tensor<8x1xi32> -> tensor<8x8xi32>
  %rnb = tile.broadcast %rn1 : tensor<1x8xi32> -> tensor<8x8xi32>
  %boff = arith.addi %bob, %rnb : tensor<8x8xi32>
  %bs = tile.splat %b : !tile.ptr<f32> -> tensor<8x8x!tile.ptr<f32>>
  %pb0 = tile.addptr %bs, %boff : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
  %acc0 = arith.constant dense<0.0> : tensor<16x8xf32>
  %astep = tile.splat %c8 : i32 -> tensor<16x8xi32>
  %bstep0 = arith.muli %n, %c8 : i32
  %bstep = tile.splat %bstep0 : i32 -> tensor<8x8xi32>
  %ms = tile.splat %m : i32 -> tensor<16x1xi32>
  %mm = arith.cmpi slt, %rm1, %ms : tensor<16x1xi32>
  %mmb = tile.broadcast %mm : tensor<16x1xi1> -> tensor<16x8xi1>
  %ns = tile.splat %n : i32 -> tensor<1x8xi32>
  %nm = arith.cmpi slt, %rn1, %ns : tensor<1x8xi32>
  %nmb = tile.broadcast %nm : tensor<1x8xi1> -> tensor<8x8xi1>
  %acc, %pae, %pbe = scf.for %ki = %c0 to %k step %c8 iter_args(%ac = %acc0, %pa = %pa0, %pb = %pb0)
      -> (tensor<16x8xf32>, tensor<16x8x!tile.ptr<f32>>, tensor<8x8x!tile.ptr<f32>>) : i32 {
    %left = arith.subi %k, %ki : i32
    %lefta = tile.splat %left : i32 -> tensor<16x8xi32>
    %ka = arith.cmpi slt, %lkb, %lefta : tensor<16x8xi32>
    %maska = arith.andi %ka, %mmb : tensor<16x8xi1>
    %lk2b = tile.broadcast %lk2 : tensor<8x1xi32> -> tensor<8x8xi32>
    %leftb = tile.splat %left : i32 -> tensor<8x8xi32>
    %kb = arith.cmpi slt, %lk2b, %leftb : tensor<8x8xi32>
    %maskb = arith.andi %kb, %nmb : tensor<8x8xi1>
    %at = tile.load %pa mask %maska : tensor<16x8x!tile.ptr<f32>>
    %bt = tile.load %pb mask %maskb : tensor<8x8x!tile.ptr<f32>>
    %d = tile.dot %at, %bt, %ac : tensor<16x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>
    %pan = tile.addptr %pa, %astep : tensor<16x8x!tile.ptr<f32>>, tensor<16x8xi32>
    %pbn = tile.addptr %pb, %bstep : tensor<8x8x!tile.ptr<f32>>, tensor<8x8xi32>
    scf.yield %d, %pan, %pbn : tensor<16x8xf32>, tensor<16x8x!tile.ptr<f32>>, tensor<8x8x!tile.ptr<f32>>
  }
  %nn2 = tile.splat %n : i32 -> tensor<16x1xi32>
  %co = arith.muli %rm1, %nn2 : tensor<16x1xi32>
  %cob = tile.broadcast %co : tensor<16x1xi32> -> tensor<16x8xi32>
  %rncb = tile.broadcast %rn1 : tensor<1x8xi32> -> tensor<16x8xi32>
  %coff = arith.addi %cob, %rncb : tensor<16x8xi32>
  %cs = tile.splat %c : !tile.ptr<f32> -> tensor<16x8x!tile.ptr<f32>>
  %pc = tile.addptr %cs, %coff : tensor<16x8x!tile.ptr<f32>>, tensor<16x8xi32>
  %nmc = tile.broadcast %nm : tensor<1x8xi1> -> tensor<16x8xi1>
  %maskc = arith.andi %mmb, %nmc : tensor<16x8xi1>
  tile.store %pc, %acc mask %maskc : tensor<16x8x!tile.ptr<f32>>
  return
}
func.func @matmul(%a: memref<45x37xf32>, %b: memref<37x29xf32>, %c: memref<45x29xf32>) {
  %c1 = arith.constant 1 : index
  %gx = arith.constant 3 : index
  %gy = arith.constant 4 : index
  %m = arith.constant 45 : i32
  %n = arith.constant 29 : i32
  %k = arith.constant 37 : i32
  tile.launch @matmul_kernel grid(%gx, %gy, %c1) (%a, %b, %c, %m, %n, %k) : memref<45x37xf32>, memref<37x29xf32>,
      memref<45x29xf32>, i32, i32, i32
  return
}

// A product by views whose loop carries the next tiles, beyond the last ones too.
func.func @mmview_kernel(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %k = memref.dim %a, %c1 : memref<?x?xf16>
  %px = tile.program_id x
  %py = tile.program_id y
  %pxi = arith.index_cast %px : i32 to index
  %pyi = arith.index_cast %py : i32 to index
  %i = arith.muli %pxi, %c16 : index
  %j = arith.muli %pyi, %c16 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %a0 = tile.load_view %a[%i, %c0] : memref<?x?xf16> -> tensor<16x16xf16>
  %b0 = tile.load_view %b[%c0, %j] : memref<?x?xf16> -> tensor<16x16xf16>
  %r:3 = scf.for %kk = %c0 to %k step %c16 iter_args(%acc = %zero, %at = %a0, %bt = %b0) -> (tensor<16x16xf32>,
      tensor<16x16xf16>, tensor<16x16xf16>) {
    %next = arith.addi %kk, %c16 : index
    %d = tile.dot %at, %bt, %acc : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
    %an = tile.load_view %a[%i, %next] : memref<?x?xf16> -> tensor<16x16xf16>
    %bn = tile.load_view %b[%next, %j] : memref<?x?xf16> -> tensor<16x16xf16>
    scf.yield %d, %an, %bn : tensor<16x16xf32>, tensor<16x16xf16>, tensor<16x16xf16>
  }
  tile.store_view %r#0, %c[%i, %j] : tensor<16x16xf32>, memref<?x?xf32>
  return
}
func.func @mmview(%a: memref<45x37xf16>, %b: memref<37x29xf16>, %c: memref<45x29xf32>) {
  %c1 = arith.constant 1 : index
  %gx = arith.constant 3 : index
  %gy = arith.constant 2 : index
  %ad = memref.cast %a : memref<45x37xf16> to memref<?x?xf16>
  %bd = memref.cast %b : memref<37x29xf16> to memref<?x?xf16>
  %cd = memref.cast %c : memref<45x29xf32> to memref<?x?xf32>
  tile.launch @mmview_kernel grid(%gx, %gy, %c1) (%ad, %bd, %cd) : memref<?x?xf16>, memref<?x?xf16>, memref<?x?xf32>
  return
}

// Rows of 101 elements in tiles of 128.
func.func @softmax_kernel(%x: memref<?x?xf32>, %y: memref<?x?xf32>) attributes {tile.kernel} {
  %px = tile.program_id x
  %i = arith.index_cast %px : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %ni = arith.index_cast %n : index to i32
  %t = tile.load_view %x[%i, %c0] axes [1] : memref<?x?xf32> -> tensor<128xf32>
  %l = tile.range 0 to 128 : tensor<128xi32>
  %ns = tile.splat %ni : i32 -> tensor<128xi32>
  %in = arith.cmpi slt, %l, %ns : tensor<128xi32>
  %minf = arith.constant dense<0xFF800000> : tensor<128xf32>
  %tm = arith.select %in, %t, %minf : tensor<128xi1>, tensor<128xf32>
  %mx = tile.reduce max %tm axis 0 : tensor<128xf32>
  %mxs = tile.splat %mx : f32 -> tensor<128xf32>
  %d = arith.subf %tm, %mxs : tensor<128xf32>
  %e = math.exp %d : tensor<128xf32>
  %s = tile.reduce add %e axis 0 : tensor<128xf32>
  %ss = tile.splat %s : f32 -> tensor<128xf32>
  %r = arith.divf %e, %ss : tensor<128xf32>
  tile.store_view %r, %y[%i, %c0] axes [1] : tensor<128xf32>, memref<?x?xf32>
  return
}
func.func @softmax(%x: memref<13x101xf32>, %y: memref<13x101xf32>) {
  %c1 = arith.constant 1 : index
  %g = arith.constant 13 : index
  %xd = memref.cast %x : memref<13x101xf32> to memref<?x?xf32>
  %yd = memref.cast %y : memref<13x101xf32> to memref<?x?xf32>
  tile.launch @softmax_kernel grid(%g, %c1, %c1) (%xd, %yd) : memref<?x?xf32>, memref<?x?xf32>
  return
}

// Branches, a loop without a known number of iterations, and a function called from a kernel; launches in a loop.
func.func private @twice(%t: tensor<5xf32>) -> tensor<5xf32> {
  %r = arith.addf %t, %t : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @control_kernel(%x: memref<4x5xf32>, %y: memref<4x5xf32>, %p: !tile.ptr<f32>) attributes {tile.kernel} {
  %px = tile.program_id x
  %nx = tile.num_programs x
  %ny = tile.num_programs y
  %i = arith.index_cast %px : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %t = tile.load_view %x[%i, %c0] axes [1] : memref<4x5xf32> -> tensor<5xf32>
  %odd = arith.andi %px, %c1 : i32
  %isodd = arith.trunci %odd : i32 to i1
  %nf = arith.sitofp %nx : i32 to f32
  %nyf = arith.sitofp %ny : i32 to f32
  %r, %pp = scf.if %isodd -> (tensor<5xf32>, !tile.ptr<f32>) {
    %n = tile.splat %nf : f32 -> tensor<5xf32>
    %u = arith.mulf %t, %n : tensor<5xf32>
    scf.yield %u, %p : tensor<5xf32>, !tile.ptr<f32>
  } else {
    %q = tile.addptr %p, %c1 : !tile.ptr<f32>, i32
    scf.yield %t, %q : tensor<5xf32>, !tile.ptr<f32>
  }
  %v = tile.load %pp : !tile.ptr<f32>
  %w, %cnt = scf.while (%a = %r, %k = %px) : (tensor<5xf32>, i32) -> (tensor<5xf32>, i32) {
    %c3 = arith.constant 3 : i32
    %go = arith.cmpi slt, %k, %c3 : i32
    scf.condition(%go) %a, %k : tensor<5xf32>, i32
  } do {
  ^bb0(%a: tensor<5xf32>, %k: i32):
    %vs = tile.splat %v : f32 -> tensor<5xf32>
    %b = arith.addf %a, %vs : tensor<5xf32>
    %k1 = arith.addi %k, %c1 : i32
    scf.yield %b, %k1 : tensor<5xf32>, i32
  }
  %z = func.call @twice(%w) : (tensor<5xf32>) -> tensor<5xf32>
  %nys = tile.splat %nyf : f32 -> tensor<5xf32>
  %z2 = arith.addf %z, %nys : tensor<5xf32>
  tile.store_view %z2, %y[%i, %c0] axes [1] : tensor<5xf32>, memref<4x5xf32>
  return
}
func.func @control(%x: memref<4x5xf32>, %y: memref<4x5xf32>, %p: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %g = arith.constant 4 : index
  scf.for %k = %c0 to %c2 step %c1 {
    tile.launch @control_kernel grid(%g, %c1, %c1) (%x, %y, %p) : memref<4x5xf32>, memref<4x5xf32>, memref<2xf32>
  }
  return
}

// The same products before and after tile-prefetch, of 2, 3 and 5 stages, for loops of no iteration, of
// fewer than there are stages, and of more; the interpreter sees that nothing is read beyond the
// arrays. The loops advance pointers; compute them; read views. Pointers that a loop gives out are
// those after its last iteration.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-run %s --backend=interp --random=7 --outputs=%t/a0.npy,%t/b0.npy,%t/c0.npy,%t/d0.npy
// RUN: tile-opt %s --tile-prefetch -o %t/two.mlir
// RUN: tile-opt %s --canonicalize --tile-select-config="config={stages=3}" --tile-prefetch --canonicalize --cse -o %t/three.mlir
// RUN: tile-opt %s --tile-select-config="config={stages=5}" --tile-prefetch -o %t/five.mlir
// RUN: FileCheck %s --input-file=%t/two.mlir
// RUN: tile-run %t/two.mlir --backend=interp --random=7 --outputs=%t/a2.npy,%t/b2.npy,%t/c2.npy,%t/d2.npy
// RUN: tile-run %t/three.mlir --backend=interp --random=7 --outputs=%t/a3.npy,%t/b3.npy,%t/c3.npy,%t/d3.npy
// RUN: tile-run %t/five.mlir --backend=interp --random=7 --outputs=%t/a5.npy,%t/b5.npy,%t/c5.npy,%t/d5.npy
// RUN: cmp %t/c0.npy %t/c2.npy
// RUN: cmp %t/d0.npy %t/d2.npy
// RUN: cmp %t/c0.npy %t/c3.npy
// RUN: cmp %t/d0.npy %t/d3.npy
// RUN: cmp %t/c0.npy %t/c5.npy
// RUN: cmp %t/d0.npy %t/d5.npy

// C[z] = A[:, :k] B[:k, :] for k = 0, 5, 10, 15: 0 to 4 iterations.
// CHECK-LABEL: @kernel
// CHECK: scf.for
// CHECK: tile.load
// CHECK: tile.load_view
// CHECK: tile.dot
// CHECK: scf.yield {{(%[^ ,]*, ){3}%[^ ,]* :}}
// CHECK: scf.for
// CHECK: tile.dot
// CHECK: scf.yield {{(%[^ ,]*, ){3}%[^ ,]* :}}
// CHECK: scf.for
// CHECK: tile.dot
// CHECK: scf.yield {{(%[^ ,]*, ){2}%[^ ,]* :}}
func.func @kernel(%a: !tile.ptr<f32> {tile.readonly, tile.noalias}, %b: memref<?x?xf32> {tile.readonly},
                  %c: !tile.ptr<f32>, %d: !tile.ptr<f32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %tk = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %lda = arith.constant 15 : i32
  %zero_index = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<3x7xf32>
  %id = tile.program_id x
  %k = arith.muli %id, %c5 : i32
  %k_index = arith.index_cast %k : i32 to index
  %tk_index = arith.constant 4 : index
  %rm = tile.range 0 to 3 : tensor<3xi32>
  %rn = tile.range 0 to 7 : tensor<7xi32>
  %rk = tile.range 0 to 4 : tensor<4xi32>
  %row = tile.reshape %rm : tensor<3xi32> -> tensor<3x1xi32>
  %ld = tile.splat %lda : i32 -> tensor<3x1xi32>
  %first = arith.muli %row, %ld : tensor<3x1xi32>
  %firsts = tile.broadcast %first : tensor<3x1xi32> -> tensor<3x4xi32>
  %cols = tile.broadcast %rk : tensor<4xi32> -> tensor<3x4xi32>
  %offsets = arith.addi %firsts, %cols : tensor<3x4xi32>
  %as = tile.splat %a : !tile.ptr<f32> -> tensor<3x4x!tile.ptr<f32>>
  %pa = tile.addptr %as, %offsets : tensor<3x4x!tile.ptr<f32>>, tensor<3x4xi32>
  %step = arith.constant dense<4> : tensor<3x4xi32>

  // Pointers that advance.
  %r:2 = scf.for %i = %c0 to %k step %tk iter_args(%acc = %zero, %p = %pa)
      -> (tensor<3x7xf32>, tensor<3x4x!tile.ptr<f32>>) : i32 {
    %left = arith.subi %k, %i : i32
    %lefts = tile.splat %left : i32 -> tensor<3x4xi32>
    %inside = arith.cmpi slt, %cols, %lefts : tensor<3x4xi32>
    %x = tile.load %p mask %inside : tensor<3x4x!tile.ptr<f32>>
    %i_index = arith.index_cast %i : i32 to index
    %y = tile.load_view %b[%i_index, %zero_index] : memref<?x?xf32> -> tensor<4x7xf32>
    %sum = tile.dot %x, %y, %acc : tensor<3x4xf32>, tensor<4x7xf32>, tensor<3x7xf32>
    %next = tile.addptr %p, %step : tensor<3x4x!tile.ptr<f32>>, tensor<3x4xi32>
    scf.yield %sum, %next : tensor<3x7xf32>, tensor<3x4x!tile.ptr<f32>>
  }

  // Pointers that are computed; the accumulator as well as the number of the step goes on.
  %s = scf.for %i = %zero_index to %k_index step %tk_index iter_args(%acc = %r#0) -> tensor<3x7xf32> {
    %j = arith.index_cast %i : index to i32
    %js = tile.splat %j : i32 -> tensor<3x4xi32>
    %p = tile.addptr %pa, %js : tensor<3x4x!tile.ptr<f32>>, tensor<3x4xi32>
    %ks = tile.splat %k : i32 -> tensor<3x4xi32>
    %at = arith.addi %js, %cols : tensor<3x4xi32>
    %inside = arith.cmpi slt, %at, %ks : tensor<3x4xi32>
    %x = tile.load %p mask %inside : tensor<3x4x!tile.ptr<f32>>
    %y = tile.load_view %b[%i, %zero_index] : memref<?x?xf32> -> tensor<4x7xf32>
    %sum = tile.dot %x, %y, %acc : tensor<3x4xf32>, tensor<4x7xf32>, tensor<3x7xf32>
    %f = arith.sitofp %j : i32 to f32
    %fs = tile.splat %f : f32 -> tensor<3x7xf32>
    %more = arith.addf %sum, %fs : tensor<3x7xf32>
    scf.yield %more : tensor<3x7xf32>
  }

  // Without masks of its own, in steps that divide: only the mask of the pass keeps it inside.
  %five = arith.constant 5 : i32
  %t = scf.for %i = %c0 to %k step %five iter_args(%acc = %s) -> tensor<3x7xf32> : i32 {
    %i_index = arith.index_cast %i : i32 to index
    %ps = tile.splat %a : !tile.ptr<f32> -> tensor<3x1x!tile.ptr<f32>>
    %p0 = tile.addptr %ps, %first : tensor<3x1x!tile.ptr<f32>>, tensor<3x1xi32>
    %is = tile.splat %i : i32 -> tensor<3x1xi32>
    %p = tile.addptr %p0, %is : tensor<3x1x!tile.ptr<f32>>, tensor<3x1xi32>
    %x = tile.load %p : tensor<3x1x!tile.ptr<f32>>
    %y = tile.load_view %b[%i_index, %zero_index] : memref<?x?xf32> -> tensor<1x7xf32>
    %sum = tile.dot %x, %y, %acc : tensor<3x1xf32>, tensor<1x7xf32>, tensor<3x7xf32>
    scf.yield %sum : tensor<3x7xf32>
  }

  // What the first loop's pointers point at in the end, if that is inside.
  %three = arith.constant 3 : i32
  %is_inside = arith.cmpi slt, %id, %three : i32
  %insides = tile.splat %is_inside : i1 -> tensor<3x4xi1>
  %one = arith.constant dense<1> : tensor<3x4xi32>
  %is_first = arith.cmpi slt, %cols, %one : tensor<3x4xi32>
  %mask = arith.andi %insides, %is_first : tensor<3x4xi1>
  %end = tile.load %r#1 mask %mask : tensor<3x4x!tile.ptr<f32>>

  // Each program has a row of C and of D.
  %c21 = arith.constant 21 : i32
  %c_first = arith.muli %id, %c21 : i32
  %c_base = tile.addptr %c, %c_first : !tile.ptr<f32>, i32
  %c_bases = tile.splat %c_base : !tile.ptr<f32> -> tensor<21x!tile.ptr<f32>>
  %c_lane = tile.range 0 to 21 : tensor<21xi32>
  %pc = tile.addptr %c_bases, %c_lane : tensor<21x!tile.ptr<f32>>, tensor<21xi32>
  %c_values = tile.reshape %t : tensor<3x7xf32> -> tensor<21xf32>
  tile.store %pc, %c_values : tensor<21x!tile.ptr<f32>>
  %c12 = arith.constant 12 : i32
  %d_first = arith.muli %id, %c12 : i32
  %d_base = tile.addptr %d, %d_first : !tile.ptr<f32>, i32
  %d_bases = tile.splat %d_base : !tile.ptr<f32> -> tensor<12x!tile.ptr<f32>>
  %d_lane = tile.range 0 to 12 : tensor<12xi32>
  %pd = tile.addptr %d_bases, %d_lane : tensor<12x!tile.ptr<f32>>, tensor<12xi32>
  %d_values = tile.reshape %end : tensor<3x4xf32> -> tensor<12xf32>
  tile.store %pd, %d_values : tensor<12x!tile.ptr<f32>>
  return
}

func.func @main(%a: memref<3x15xf32>, %b: memref<15x7xf32>, %c: memref<4x21xf32>, %d: memref<4x12xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bd = memref.cast %b : memref<15x7xf32> to memref<?x?xf32>
  tile.launch @kernel grid(%c4, %c1, %c1) (%a, %bd, %c, %d)
      : memref<3x15xf32>, memref<?x?xf32>, memref<4x21xf32>, memref<4x12xf32>
  return
}

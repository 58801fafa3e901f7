// The same answers before and after tile-if-to-psi, and with tile-psi-to-select after it: a branch per
// program, one for the last program (100 is not a multiple of 16), a nested one, loops, atomics.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-run %s --backend=interp --random=7 --outputs=%t/x0.npy,%t/y0.npy,%t/s0.npy
// RUN: tile-opt %s --tile-if-to-psi -o %t/psi.mlir
// RUN: FileCheck %s --input-file=%t/psi.mlir --check-prefix=PSI
// RUN: tile-run %t/psi.mlir --backend=interp --random=7 --outputs=%t/x1.npy,%t/y1.npy,%t/s1.npy
// RUN: cmp %t/y0.npy %t/y1.npy
// RUN: cmp %t/s0.npy %t/s1.npy
// RUN: tile-opt %t/psi.mlir --canonicalize --cse --tile-psi-to-select -o %t/select.mlir
// RUN: FileCheck %s --input-file=%t/select.mlir --check-prefix=SELECT
// RUN: tile-run %t/select.mlir --backend=interp --random=7 --outputs=%t/x2.npy,%t/y2.npy,%t/s2.npy
// RUN: cmp %t/y0.npy %t/y2.npy
// RUN: cmp %t/s0.npy %t/s2.npy

// PSI-LABEL: @kernel
// PSI-NOT: scf.if
// PSI: tile.psi
// PSI-LABEL: @main
// SELECT-LABEL: @kernel
// SELECT-NOT: {{tile.psi|tile.cmpp|scf.if}}
// SELECT: arith.select
func.func @kernel(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>, %s: !tile.ptr<f32>,
                  %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c16 = arith.constant 16 : i32
  %one = arith.constant 1.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<16xf32>
  %id = tile.program_id x
  %first = arith.muli %id, %c16 : i32
  %end = arith.addi %first, %c16 : i32
  %lane = tile.range 0 to 16 : tensor<16xi32>
  %firsts = tile.splat %first : i32 -> tensor<16xi32>
  %i = arith.addi %firsts, %lane : tensor<16xi32>
  %ns = tile.splat %n : i32 -> tensor<16xi32>
  %inside = arith.cmpi slt, %i, %ns : tensor<16xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %py = tile.addptr %ys, %i : tensor<16x!tile.ptr<f32>>, tensor<16xi32>

  // Without a mask where the whole tile is inside.
  %whole = arith.cmpi sle, %end, %n : i32
  %value = scf.if %whole -> tensor<16xf32> {
    %a = tile.load %px : tensor<16x!tile.ptr<f32>>
    scf.yield %a : tensor<16xf32>
  } else {
    %a = tile.load %px mask %inside other %zeros : tensor<16x!tile.ptr<f32>>
    scf.yield %a : tensor<16xf32>
  }

  // Even programs square three times over, odd ones negate, unless it is the first of them.
  %low = arith.andi %id, %c1 : i32
  %odd = arith.trunci %low : i32 to i1
  %result = scf.if %odd -> tensor<16xf32> {
    %is_first = arith.cmpi eq, %id, %c1 : i32
    %r = scf.if %is_first -> tensor<16xf32> {
      scf.yield %value : tensor<16xf32>
    } else {
      %neg = arith.negf %value : tensor<16xf32>
      scf.yield %neg : tensor<16xf32>
    }
    %old = tile.atomic_rmw add %s, %one : !tile.ptr<f32>
    scf.yield %r : tensor<16xf32>
  } else {
    %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%v = %value) -> tensor<16xf32> : i32 {
      %x0 = tile.load %x : !tile.ptr<f32>
      %x0s = tile.splat %x0 : f32 -> tensor<16xf32>
      %sq = arith.mulf %v, %v : tensor<16xf32>
      %sum = arith.addf %sq, %x0s : tensor<16xf32>
      scf.yield %sum : tensor<16xf32>
    }
    scf.yield %r : tensor<16xf32>
  }
  scf.if %whole {
    tile.store %py, %result : tensor<16x!tile.ptr<f32>>
  } else {
    tile.store %py, %result mask %inside : tensor<16x!tile.ptr<f32>>
  }
  return
}

func.func @main(%x: memref<100xf32>, %y: memref<100xf32>, %s: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  %programs = arith.constant 7 : index
  %n = arith.constant 100 : i32
  tile.launch @kernel grid(%programs, %c1, %c1) (%x, %y, %s, %n)
      : memref<100xf32>, memref<100xf32>, memref<1xf32>, i32
  return
}

// The same answers before and after tile-eliminate-masks, which takes all masks of the loop and makes
// those at the ends of the grid one comparison: 3 programs of 64 columns, of which 2 are inside.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-run %s --backend=interp --random=7 --outputs=%t/x0.npy,%t/y0.npy
// RUN: tile-opt %s --tile-eliminate-masks --canonicalize --cse -o %t/less.mlir
// RUN: FileCheck %s --input-file=%t/less.mlir
// RUN: tile-run %t/less.mlir --backend=interp --random=7 --outputs=%t/x1.npy,%t/y1.npy
// RUN: cmp %t/y0.npy %t/y1.npy

// CHECK-LABEL: @sums
// CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK: tile.splat %[[IN]]
// CHECK-NOT: arith.cmpi {{.*}}tensor
// CHECK: return
func.func @sums(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>, %rows: i32 {tile.multiple_of = 6 : i64},
                %cols: i32 {tile.multiple_of = 128 : i64}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c6 = arith.constant 6 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %id = tile.program_id x
  %first = arith.muli %id, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %lane = tile.range 0 to 64 : tensor<64xi32>
  %j = arith.addi %firsts, %lane : tensor<64xi32>
  %js = tile.broadcast %j : tensor<64xi32> -> tensor<6x64xi32>
  %limit = tile.splat %cols : i32 -> tensor<6x64xi32>
  %in_cols = arith.cmpi slt, %js, %limit : tensor<6x64xi32>
  %row = tile.range 0 to 6 : tensor<6xi32>
  %row_col = tile.reshape %row : tensor<6xi32> -> tensor<6x1xi32>
  %row_lane = tile.broadcast %row_col : tensor<6x1xi32> -> tensor<6x64xi32>
  %ld = tile.splat %cols : i32 -> tensor<6x64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<6x64x!tile.ptr<f32>>
  %sums = scf.for %k = %c0 to %rows step %c6 iter_args(%acc = %zero) -> tensor<64xf32> : i32 {
    %ks = tile.splat %k : i32 -> tensor<6x64xi32>
    %i = arith.addi %ks, %row_lane : tensor<6x64xi32>
    %end = tile.splat %rows : i32 -> tensor<6x64xi32>
    %in_rows = arith.cmpi sgt, %end, %i : tensor<6x64xi32>
    %mask = arith.andi %in_rows, %in_cols : tensor<6x64xi1>
    %row_first = arith.muli %i, %ld : tensor<6x64xi32>
    %offset = arith.addi %row_first, %js : tensor<6x64xi32>
    %p = tile.addptr %xs, %offset : tensor<6x64x!tile.ptr<f32>>, tensor<6x64xi32>
    %v = tile.load %p mask %mask : tensor<6x64x!tile.ptr<f32>>
    %part = tile.reduce add %v axis 0 : tensor<6x64xf32>
    %sum = arith.addf %acc, %part : tensor<64xf32>
    scf.yield %sum : tensor<64xf32>
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %py = tile.addptr %ys, %j : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %end_cols = tile.splat %cols : i32 -> tensor<64xi32>
  %in = arith.cmpi slt, %j, %end_cols : tensor<64xi32>
  tile.store %py, %sums mask %in : tensor<64x!tile.ptr<f32>>
  return
}

func.func @main(%x: memref<18x128xf32>, %y: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %rows = arith.constant 18 : i32
  %cols = arith.constant 128 : i32
  tile.launch @sums grid(%c3, %c1, %c1) (%x, %y, %rows, %cols)
      : memref<18x128xf32>, memref<128xf32>, i32, i32
  return
}

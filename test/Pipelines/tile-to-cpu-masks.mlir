// tile-to-cpu-pipeline: masks and addresses are computed by vectors where they are used, and none is stored as a tile; compiled
// code gives what the interpreter gives.
//
// RUN: tile-opt --einsum-attach-machine=cpu=znver4 --tile-to-cpu-pipeline=openmp=0 %s | FileCheck %s
// RUN: tile-run %s --entry=rows --grid=2 --random=1 --inputs=random:32x64xf32,random:32x64xf32,zeros:32x64xf32,64,50 --check=interp | FileCheck %s --check-prefix=AGREES
// RUN: tile-run %s --entry=rows --grid=2 --random=2 --inputs=random:32x64xf32,random:32x64xf32,zeros:32x64xf32,64,64 --check=interp | FileCheck %s --check-prefix=AGREES
// AGREES: check against interp: passed

// A choice by columns in two ops, and addresses of rows in a column: no i1 is stored, and no address by itself.
// CHECK-LABEL: llvm.func @rows
// CHECK-NOT: llvm.store {{.*}} : i1, !llvm.ptr
// CHECK-NOT: llvm.store {{.*}} : i64, !llvm.ptr
// CHECK: llvm.select {{.*}} : vector<32xi1>, vector<32xf32>
// CHECK-NOT: llvm.store {{.*}} : i1, !llvm.ptr
// CHECK-NOT: llvm.store {{.*}} : i64, !llvm.ptr
// CHECK: llvm.return
func.func @rows(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>, %ld: i32, %n: i32) attributes {tile.kernel} {
  %zero = arith.constant dense<0.0> : tensor<16x64xf32>
  %one = arith.constant dense<1.0> : tensor<16x64xf32>
  %c16 = arith.constant 16 : i32
  %p = tile.program_id x
  %i0 = arith.muli %p, %c16 : i32
  %ri = tile.range 0 to 16 : tensor<16xi32>
  %rj = tile.range 0 to 64 : tensor<64xi32>
  %is = tile.splat %i0 : i32 -> tensor<16xi32>
  %i = arith.addi %is, %ri : tensor<16xi32>
  %lds = tile.splat %ld : i32 -> tensor<16xi32>
  %start = arith.muli %i, %lds : tensor<16xi32>
  %column = tile.reshape %start : tensor<16xi32> -> tensor<16x1xi32>
  %jb = tile.broadcast %rj : tensor<64xi32> -> tensor<16x64xi32>
  %row = tile.reshape %rj : tensor<64xi32> -> tensor<1x64xi32>
  %ns = tile.splat %n : i32 -> tensor<1x64xi32>
  %inside = arith.cmpi slt, %row, %ns : tensor<1x64xi32>
  %mask = tile.broadcast %inside : tensor<1x64xi1> -> tensor<16x64xi1>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<16x1x!tile.ptr<f32>>
  %xc = tile.addptr %xs, %column : tensor<16x1x!tile.ptr<f32>>, tensor<16x1xi32>
  %xb = tile.broadcast %xc : tensor<16x1x!tile.ptr<f32>> -> tensor<16x64x!tile.ptr<f32>>
  %xp = tile.addptr %xb, %jb : tensor<16x64x!tile.ptr<f32>>, tensor<16x64xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<16x1x!tile.ptr<f32>>
  %yc = tile.addptr %ys, %column : tensor<16x1x!tile.ptr<f32>>, tensor<16x1xi32>
  %yb = tile.broadcast %yc : tensor<16x1x!tile.ptr<f32>> -> tensor<16x64x!tile.ptr<f32>>
  %yp = tile.addptr %yb, %jb : tensor<16x64x!tile.ptr<f32>>, tensor<16x64xi32>
  %zs = tile.splat %z : !tile.ptr<f32> -> tensor<16x1x!tile.ptr<f32>>
  %zc = tile.addptr %zs, %column : tensor<16x1x!tile.ptr<f32>>, tensor<16x1xi32>
  %zb = tile.broadcast %zc : tensor<16x1x!tile.ptr<f32>> -> tensor<16x64x!tile.ptr<f32>>
  %zp = tile.addptr %zb, %jb : tensor<16x64x!tile.ptr<f32>>, tensor<16x64xi32>
  %a = tile.load %xp : tensor<16x64x!tile.ptr<f32>>
  %b = tile.load %yp : tensor<16x64x!tile.ptr<f32>>
  %u = arith.select %mask, %a, %zero : tensor<16x64xi1>, tensor<16x64xf32>
  %sums = tile.reduce add %u axis 1 : tensor<16x64xf32>
  %sc = tile.reshape %sums : tensor<16xf32> -> tensor<16x1xf32>
  %all = tile.broadcast %sc : tensor<16x1xf32> -> tensor<16x64xf32>
  %v = arith.select %mask, %b, %one : tensor<16x64xi1>, tensor<16x64xf32>
  %w = arith.mulf %v, %all : tensor<16x64xf32>
  %t = arith.addf %w, %u : tensor<16x64xf32>
  tile.store %zp, %t : tensor<16x64x!tile.ptr<f32>>
  return
}

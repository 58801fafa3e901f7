// The same answer before and after tile-peephole: (B^T A^T)^T times a scale of 5 x 7 and 7 x 3, where the
// scale is a column that is repeated, masked and transposed.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-run %s --backend=interp --random=7 --outputs=%t/a0.npy,%t/b0.npy,%t/x0.npy,%t/c0.npy
// RUN: tile-opt %s --tile-peephole --cse -o %t/less.mlir
// RUN: FileCheck %s --input-file=%t/less.mlir
// RUN: tile-run %t/less.mlir --backend=interp --random=7 --outputs=%t/a1.npy,%t/b1.npy,%t/x1.npy,%t/c1.npy
// RUN: cmp %t/c0.npy %t/c1.npy

// CHECK-LABEL: @kernel
// CHECK-NOT: tile.trans
// CHECK: tile.load %{{.*}} mask %{{.*}} other
// CHECK-NOT: tile.trans
// CHECK: tile.store_view
func.func @kernel(%a: memref<5x7xf32>, %b: memref<7x3xf32>, %x: !tile.ptr<f32>, %c: memref<5x3xf32>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<3x5xf32>
  %half = arith.constant dense<0.5> : tensor<5xf32>
  %two = arith.constant dense<2> : tensor<5xi32>
  %ta = tile.load_view %a[%c0, %c0] : memref<5x7xf32> -> tensor<5x7xf32>
  %tb = tile.load_view %b[%c0, %c0] : memref<7x3xf32> -> tensor<7x3xf32>
  %at = tile.trans %ta [1, 0] : tensor<5x7xf32>
  %bt = tile.trans %tb [1, 0] : tensor<7x3xf32>
  %dot = tile.dot %bt, %at, %zero : tensor<3x7xf32>, tensor<7x5xf32>, tensor<3x5xf32>
  %xs = tile.splat %x : !tile.ptr<f32> -> tensor<5x!tile.ptr<f32>>
  %lane = tile.range 0 to 5 : tensor<5xi32>
  %px = tile.addptr %xs, %lane : tensor<5x!tile.ptr<f32>>, tensor<5xi32>
  %m = arith.cmpi sgt, %lane, %two : tensor<5xi32>
  %some = tile.load %px mask %m : tensor<5x!tile.ptr<f32>>
  %scale = arith.select %m, %some, %half : tensor<5xi1>, tensor<5xf32>
  %col = tile.reshape %scale : tensor<5xf32> -> tensor<5x1xf32>
  %cols = tile.broadcast %col : tensor<5x1xf32> -> tensor<5x3xf32>
  %rows = tile.trans %cols [1, 0] : tensor<5x3xf32>
  %rest = tile.trans %dot [1, 0] : tensor<3x5xf32>
  %back = tile.trans %rows [1, 0] : tensor<3x5xf32>
  %sum = arith.mulf %rest, %back : tensor<5x3xf32>
  tile.store_view %sum, %c[%c0, %c0] : tensor<5x3xf32>, memref<5x3xf32>
  return
}

func.func @main(%a: memref<5x7xf32>, %b: memref<7x3xf32>, %x: memref<5xf32>, %c: memref<5x3xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b, %x, %c)
      : memref<5x7xf32>, memref<7x3xf32>, memref<5xf32>, memref<5x3xf32>
  return
}

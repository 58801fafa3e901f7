// A view that is loaded ahead may lie outside after the last iteration, whatever was promised of it.
//
// RUN: tile-opt %s --tile-prefetch | FileCheck %s
// RUN: tile-opt %s --tile-prefetch -o %t.mlir && tile-run %t.mlir --backend=interp --random=1
// RUN: tile-run %s --random=1 --check=interp --pipeline="tile-prefetch,tile-to-cpu-pipeline"

// CHECK-LABEL: func.func @product
// CHECK: tile.load_view {{.*}} in_bounds [true, true]
// CHECK: tile.load_view {{.*}} in_bounds [true, true]
// CHECK: scf.for
// CHECK: tile.load_view {{.*}} in_bounds [false, true]
// CHECK: tile.load_view {{.*}} in_bounds [false, true]
func.func @product(%a: memref<16x24xf32> {tile.readonly, tile.noalias}, %b: memref<24x16xf32> {tile.readonly, tile.noalias}, %c: memref<16x16xf32>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %sum = scf.for %k = %c0 to %c24 step %c8 iter_args(%acc = %zero) -> (tensor<16x16xf32>) {
    %x = tile.load_view %a[%c0, %k] in_bounds [true, true] : memref<16x24xf32> -> tensor<16x8xf32>
    %y = tile.load_view %b[%k, %c0] in_bounds [true, true] : memref<24x16xf32> -> tensor<8x16xf32>
    %next = tile.dot %x, %y, %acc : tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  tile.store_view %sum, %c[%c0, %c0] in_bounds [true, true] : tensor<16x16xf32>, memref<16x16xf32>
  return
}

func.func @main(%a: memref<16x24xf32>, %b: memref<24x16xf32>, %c: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @product grid(%c1, %c1, %c1) (%a, %b, %c) : memref<16x24xf32>, memref<24x16xf32>, memref<16x16xf32>
  return
}

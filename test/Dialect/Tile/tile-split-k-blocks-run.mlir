// What tile-split-k-blocks makes of the kernels of tile-split-k-blocks.mlir computes the same as before, compiled for the
// CPU and in the simulator, which would see races; with parts of equal length and not, and a part per step. The
// interpreter runs what was before, and what comes after as well.
//
// RUN: tile-run %S/tile-split-k-blocks.mlir --entry=doc --random=7 --check=interp --pipeline="tile-split-k-blocks{factor=4},tile-to-cpu-pipeline"
// RUN: tile-run %S/tile-split-k-blocks.mlir --entry=doc --random=7 --check=interp --pipeline="tile-split-k-blocks{factor=5},tile-to-cpu-pipeline"
// RUN: tile-run %S/tile-split-k-blocks.mlir --entry=doc --random=7 --check=interp --pipeline="tile-split-k-blocks{factor=100},tile-to-cpu-pipeline"
// RUN: tile-run %S/tile-split-k-blocks.mlir --entry=doc --random=7 --check=interp --backend=sim --chip=sm_70 --pipeline="tile-split-k-blocks{factor=4},tile-to-nvvm-pipeline"
// RUN: tile-opt %S/tile-split-k-blocks.mlir --tile-split-k-blocks=factor=5 -o %t.mlir
// RUN: tile-run %t.mlir --entry=doc --random=7 --check=interp
//
// RUN: tile-run %S/tile-split-k-blocks.mlir --entry=launches --random=7 --check=interp --pipeline="tile-split-k-blocks{factor=4},tile-to-cpu-pipeline"
// RUN: tile-run %S/tile-split-k-blocks.mlir --entry=launches --random=7 --check=interp --backend=sim --chip=sm_70 --pipeline="tile-split-k-blocks{factor=4},tile-to-nvvm-pipeline"
//
// Integers are the same to the bit.
// RUN: tile-run %s --random=7 --backend=interp --outputs=%t.before.npy
// RUN: tile-opt %s --tile-split-k-blocks=factor=4 -o %t.split.mlir
// RUN: FileCheck %s --input-file=%t.split.mlir
// RUN: tile-run %t.split.mlir --random=7 --backend=interp --outputs=%t.after.npy
// RUN: cmp %t.before.npy %t.after.npy
// RUN: tile-run %t.split.mlir --random=7 --backend=cpu --outputs=%t.cpu.npy
// RUN: cmp %t.before.npy %t.cpu.npy
// RUN: tile-run %t.split.mlir --random=7 --backend=sim --chip=sm_70 --pipeline=tile-to-nvvm-pipeline --outputs=%t.sim.npy
// RUN: cmp %t.before.npy %t.sim.npy
// CHECK: tile.atomic_rmw

// Ten steps of 16 columns; the columns of the result go over its edge, those of other programs along x and z do not.
func.func @main(%a: memref<3x48x160xi32>, %b: memref<160x40xi32>) -> memref<3x40x48xi32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c = memref.alloc() : memref<3x40x48xi32>
  tile.launch @transposed grid(%c3, %c2, %c3) (%a, %b, %c)
      : memref<3x48x160xi32>, memref<160x40xi32>, memref<3x40x48xi32>
  return %c : memref<3x40x48xi32>
}

func.func private @transposed(%a: memref<3x48x160xi32> {tile.readonly}, %b: memref<160x40xi32> {tile.readonly},
                              %c: memref<3x40x48xi32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c160 = arith.constant 160 : index
  %zero = arith.constant dense<0> : tensor<16x32xi32>
  %x = tile.program_id x
  %y = tile.program_id y
  %z = tile.program_id z
  %xi = arith.index_cast %x : i32 to index
  %yi = arith.index_cast %y : i32 to index
  %batch = arith.index_cast %z : i32 to index
  %row = arith.muli %xi, %c16 : index
  %column = arith.muli %yi, %c32 : index
  %sum = scf.for %k = %c0 to %c160 step %c16 iter_args(%acc = %zero) -> (tensor<16x32xi32>) {
    %s = tile.load_view %a[%batch, %row, %k] axes [1, 2] : memref<3x48x160xi32> -> tensor<16x16xi32>
    %t = tile.load_view %b[%k, %column] : memref<160x40xi32> -> tensor<16x32xi32>
    %u = arith.trunci %s : tensor<16x16xi32> to tensor<16x16xi8>
    %v = arith.trunci %t : tensor<16x32xi32> to tensor<16x32xi8>
    %next = tile.dot %u, %v, %acc : tensor<16x16xi8>, tensor<16x32xi8>, tensor<16x32xi32>
    scf.yield %next : tensor<16x32xi32>
  }
  %turned = tile.trans %sum [1, 0] : tensor<16x32xi32>
  tile.store_view %turned, %c[%batch, %column, %row] axes [1, 2] : tensor<32x16xi32>, memref<3x40x48xi32>
  return
}

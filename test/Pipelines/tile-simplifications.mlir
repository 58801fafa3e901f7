// Pipelines simplify tile programs before they lower them: masks that arguments prove go away; on the CPU, operands that
// are retiled in the same way are retiled once, after the op.
//
// RUN: tile-opt --tile-to-nvvm-pipeline %s | FileCheck %s
// RUN: tile-opt --tile-to-cpu-pipeline --mlir-print-ir-after=tile-peephole -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: tile-run %s --entry=main --backend=sim --random=1 --check=interp
// RUN: tile-run %s --entry=main --random=1 --check=interp

// A branch of the loop, and one by which a single warp stores: none for the mask.
// CHECK-LABEL: llvm.func @sum
// CHECK-COUNT-2: llvm.cond_br
// CHECK-NOT: llvm.cond_br
func.func private @sum(%x: !tile.ptr<f32> {tile.readonly}, %y: !tile.ptr<f32>, %n: i32 {tile.multiple_of = 64 : i64})
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %lane = tile.range 0 to 64 : tensor<64xi32>
  %base = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %sum = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    %ks = tile.splat %k : i32 -> tensor<64xi32>
    %i = arith.addi %ks, %lane : tensor<64xi32>
    %inside = arith.cmpi slt, %i, %ns : tensor<64xi32>
    %p = tile.addptr %base, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %v = tile.load %p mask %inside other %zero : tensor<64x!tile.ptr<f32>>
    %next = arith.addf %acc, %v : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  %out = tile.splat %y : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %q = tile.addptr %out, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  tile.store %q, %sum : tensor<64x!tile.ptr<f32>>
  return
}

// CPU: IR Dump After TilePeepholePass
// CPU-LABEL: func.func private @transposed
// CPU-NOT: tile.trans
// CPU: arith.addf
// CPU-NEXT: tile.trans
// CPU-NOT: tile.trans
// CPU-LABEL: func.func @main
func.func private @transposed(%a: memref<64x64xf32> {tile.readonly, tile.noalias},
                              %b: memref<64x64xf32> {tile.readonly, tile.noalias},
                              %c: memref<64x64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %y = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
  %xt = tile.trans %x [1, 0] : tensor<64x64xf32>
  %yt = tile.trans %y [1, 0] : tensor<64x64xf32>
  %s = arith.addf %xt, %yt : tensor<64x64xf32>
  tile.store_view %s, %c[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  return
}

func.func @main(%x: memref<256xf32>, %y: memref<64xf32>, %a: memref<64x64xf32>, %b: memref<64x64xf32>,
                %c: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 256 : i32
  tile.launch @sum grid(%c1, %c1, %c1) (%x, %y, %n) : memref<256xf32>, memref<64xf32>, i32
  tile.launch @transposed grid(%c1, %c1, %c1) (%a, %b, %c)
      : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>
  return
}

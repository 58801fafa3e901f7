// What einsum-split-k makes computes the same as before: integers bit for bit in the interpreter, and all of it compiled
// for the CPU, as loops and as tile programs in small blocks, against the interpreter on what was before. The latter
// with both ways to combine; atomics are for what tile-split-k-blocks takes.
//
// RUN: rm -rf %t && mkdir -p %t/before %t/after
// RUN: tile-opt %s --einsum-split-k=factor=4 -o %t/split.mlir
// RUN: FileCheck %s --input-file=%t/split.mlir
// RUN: tile-run %s --entry=integers --backend=interp --random=7 --outputs=%t/before/0.npy,%t/before/1.npy,%t/before/2.npy
// RUN: tile-run %t/split.mlir --entry=integers --backend=interp --random=7 --outputs=%t/after/0.npy,%t/after/1.npy,%t/after/2.npy
// RUN: diff -r %t/before %t/after
// RUN: tile-run %t/split.mlir --entry=floats --backend=interp --random=7
//
// RUN: tile-run %s --entry=integers --random=7 --check=interp --opt-level=0 --pipeline="einsum-split-k{factor=4},einsum-to-cpu-pipeline"
// RUN: tile-run %s --entry=floats --random=7 --check=interp --pipeline="einsum-split-k{factor=3},einsum-to-cpu-pipeline"
// RUN: tile-run %s --entry=integers --random=7 --check=interp --opt-level=0 --pipeline="einsum-to-tile-pipeline{config={block=16x16x8} split-k-blocks=4},tile-to-cpu-pipeline"
// RUN: tile-run %s --entry=floats --random=7 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=16x8x4} split-k-blocks=3},tile-to-cpu-pipeline"
// RUN: tile-run %s --entry=integers --random=7 --check=interp --opt-level=0 --pipeline="einsum-to-tile-pipeline{config={block=16x16x8} split-k-blocks=4 split-k-combine=atomic},tile-to-cpu-pipeline"
// RUN: tile-run %s --entry=floats --random=7 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=16x8x4} split-k-blocks=3 split-k-combine=atomic},tile-to-cpu-pipeline"
//
// All are split.
// CHECK-COUNT-22: einsum.contract
// CHECK-NOT: einsum.contract

func.func @integers(%a: tensor<20x100xi8>, %b: tensor<100x30xi8>, %x: tensor<3x64x9xi32>, %w: tensor<5x64x4xi32>)
    -> (tensor<20x30xi32>, tensor<20x30xi8>, tensor<3x5x6xi32>) {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<20x100xi8>, tensor<100x30xi8>) -> tensor<20x30xi32>
  %1 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<20x100xi8>, tensor<100x30xi8>) -> tensor<20x30xi8>
  %2 = einsum.contract "nc(t+r), kcr -> nkt" (%x, %w) : (tensor<3x64x9xi32>, tensor<5x64x4xi32>) -> tensor<3x5x6xi32>
  return %0, %1, %2 : tensor<20x30xi32>, tensor<20x30xi8>, tensor<3x5x6xi32>
}

func.func @floats(%a: tensor<20x100xf32>, %b: tensor<100x30xf32>, %bias: tensor<20x30xf32>, %p: tensor<2x5x200xf16>,
                  %q: tensor<2x7x200xf16>, %x: tensor<70xf64>, %w: tensor<60xf64>, %at: tensor<11xi32>)
    -> (tensor<20x30xf32>, tensor<30x20xf32>, tensor<7x2x5xf16>, tensor<11xf64>, tensor<f64>, tensor<20xf32>,
        tensor<11x3xf64>, tensor<11xf64>) {
  // Padded, with an epilogue and a prologue whose value of 0 is not 0.
  %e = math.exp %a : tensor<20x100xf32>
  %0 = einsum.contract "mk, kn -> mn" (%e, %b) : (tensor<20x100xf32>, tensor<100x30xf32>) -> tensor<20x30xf32>
  %sum = arith.addf %0, %bias : tensor<20x30xf32>
  // Columns first.
  %1 = einsum.contract "mk, kn -> nm" (%a, %b) : (tensor<20x100xf32>, tensor<100x30xf32>) -> tensor<30x20xf32>
  // A batch.
  %2 = einsum.contract "bmk, bnk -> nbm" (%p, %q) : (tensor<2x5x200xf16>, tensor<2x7x200xf16>) -> tensor<7x2x5xf16>
  // Parts that divide the window.
  %3 = einsum.contract "(t+r), r -> t" (%x, %w) : (tensor<70xf64>, tensor<60xf64>) -> tensor<11xf64>
  %4 = einsum.contract "k, k ->" (%x, %x) : (tensor<70xf64>, tensor<70xf64>) -> tensor<f64>
  %5 = einsum.contract "mk -> m" (%a) : (tensor<20x100xf32>) -> tensor<20xf32>
  // An axis that goes down, and one beside of a table.
  %6 = einsum.contract "(t+h-r), r -> th" (%x, %w) {pad = "zero", sizes = {t = 11, h = 3}} : (tensor<70xf64>, tensor<60xf64>) -> tensor<11x3xf64>
  %7 = einsum.contract "(t+3*r+at[t]), r -> t" (%x, %w) tables(at = %at : tensor<11xi32>) {pad = "zero"} : (tensor<70xf64>, tensor<60xf64>) -> tensor<11xf64>
  return %sum, %1, %2, %3, %4, %5, %6, %7 : tensor<20x30xf32>, tensor<30x20xf32>, tensor<7x2x5xf16>, tensor<11xf64>,
      tensor<f64>, tensor<20xf32>, tensor<11x3xf64>, tensor<11xf64>
}

// Tile programs compute what the interpreter computes of contractions: parts of axes as dense blocks, tables of groups of
// positions, padding along the sum, copies in other orders, rows without columns. The tile programs are interpreted as
// well, which sees reads outside of memory.
//
// RUN: tile-run %s --random=1 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=16x8x4}},tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-run %s --random=2 --check=interp --opt-level=0 --pipeline="einsum-to-tile-pipeline{config={block=7x5x6}},tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-run %s --random=3 --check=interp --opt-level=0 --pipeline="einsum-to-tile-pipeline{config={block=16x16x8} min-block=16x16x8 narrow-dots permute},tile-to-cpu-pipeline" | FileCheck %s
// RUN: tile-opt %s --einsum-to-tile-pipeline="config={block=16x8x4} narrow-dots permute" -o %t.mlir
// RUN: tile-run %t.mlir --backend=interp --random=1
// RUN: tile-run %s --random=4 --check=interp --backend=sim --chip=sm_70 | FileCheck %s
//
// CHECK: check against interp: passed

func.func @main(%a0: tensor<16x36xf16>, %a1: tensor<36x8xf16>, %a2: tensor<16x34xf16>, %a3: tensor<34x8xf16>,
                %a4: tensor<16x36xf16>, %a5: tensor<37x8xf16>, %a6: tensor<16x20xf16>, %a7: tensor<24x8xf16>,
                %a8: tensor<2x9x9x24xf16>, %a9: tensor<24x16x3x3xf16>, %a10: tensor<2x9x9x6xf16>,
                %a11: tensor<16x3x3x6xf16>, %a12: tensor<2x9x9x6xf16>, %a13: tensor<16x3x3x6xf16>,
                %a14: tensor<2x9x6xf16>, %a15: tensor<3x6xf16>, %a16: tensor<2x9x9x24xf16>, %a17: tensor<3x24x16xf16>,
                %a18: tensor<3xi32> {einsum.value_range = array<i64: 0, 2>}, %a19: tensor<16x5x6xf16>,
                %a20: tensor<6x5x8xf16>, %a21: tensor<40x20xf16>, %a22: tensor<2x24x5x7xf16>,
                %a23: tensor<2x24x5x7xf16>, %a24: tensor<24x5xf16>, %a25: tensor<10xf16>, %a26: tensor<2x24x5x7xf16>,
                %a27: tensor<24x3x3xf16>, %a28: tensor<3x20xf16>, %a29: tensor<3x20x18xf16>)
    -> (tensor<3x16x8xf16>, tensor<3x16x8xf32>, tensor<4x16x8xf16>, tensor<24x8xf32>, tensor<2x7x7x16xf16>,
        tensor<2x16x5x5xf16>, tensor<2x16x9x9xf32>, tensor<2x6x9xf32>, tensor<2x7x9x16xf16>, tensor<16x8xf32>,
        tensor<20x40xf16>, tensor<2x5x7x24xf16>, tensor<7x5x24x2xf16>, tensor<10x5x24xf16>, tensor<2x24x3x5xf16>,
        tensor<3x18xf32>) {
  // Parts that are whole blocks of 4 and 6.
  %0 = einsum.contract "m(12*s+k), (12*s+k)n -> smn" (%a0, %a1) {sizes = {k = 12}}
      : (tensor<16x36xf16>, tensor<36x8xf16>) -> tensor<3x16x8xf16>
  // Parts that reach beyond the end.
  %1 = einsum.contract "m(12*s+k), (12*s+k)n -> smn" (%a2, %a3) {pad = "zero", sizes = {k = 12}}
      : (tensor<16x34xf16>, tensor<34x8xf16>) -> tensor<3x16x8xf32>
  // Parts that are no whole blocks, from an index on.
  %2 = einsum.contract "m(9*s+k), (9*s+k+1)n -> smn" (%a4, %a5) {sizes = {k = 9}}
      : (tensor<16x36xf16>, tensor<37x8xf16>) -> tensor<4x16x8xf16>
  // Padding along rows and the sum, before the first index as well.
  %3 = einsum.contract "(m-3)(k-2), kn -> mn" (%a6, %a7) {pad = "zero"}
      : (tensor<16x20xf16>, tensor<24x8xf16>) -> tensor<24x8xf32>
  // Groups of 4, 6 or 8 positions.
  %4 = einsum.contract "n(h+r)(w+s)c, ckrs -> nhwk" (%a8, %a9)
      : (tensor<2x9x9x24xf16>, tensor<24x16x3x3xf16>) -> tensor<2x7x7x16xf16>
  // Groups of 2 or 6.
  %5 = einsum.contract "n(h+2*r)(w+2*s)c, krsc -> nkhw" (%a10, %a11)
      : (tensor<2x9x9x6xf16>, tensor<16x3x3x6xf16>) -> tensor<2x16x5x5xf16>
  // Padded windows: positions of groups, and along the only summed index.
  %6 = einsum.contract "n(h+r-1)(w+s-1)c, krsc -> nkhw" (%a12, %a13) {pad = "zero"}
      : (tensor<2x9x9x6xf16>, tensor<16x3x3x6xf16>) -> tensor<2x16x9x9xf32>
  %7 = einsum.contract "n(w+s-1)k, sk -> nkw" (%a14, %a15) {pad = "zero"}
      : (tensor<2x9x6xf16>, tensor<3x6xf16>) -> tensor<2x6x9xf32>
  // A table of groups that is made at run time.
  %8 = einsum.contract "n(h+t[x])wc, xck -> nhwk" (%a16, %a17) tables(t = %a18 : tensor<3xi32>)
      : (tensor<2x9x9x24xf16>, tensor<3x24x16xf16>) -> tensor<2x7x9x16xf16>
  // Two indices that follow each other in one operand only.
  %9 = einsum.contract "mkl, lkn -> mn" (%a19, %a20)
      : (tensor<16x5x6xf16>, tensor<6x5x8xf16>) -> tensor<16x8xf32>
  // Copies whose memory goes along other indices.
  %10 = einsum.contract "ij -> ji" (%a21)
      : (tensor<40x20xf16>) -> tensor<20x40xf16>
  %11 = einsum.contract "nchw -> nhwc" (%a22)
      : (tensor<2x24x5x7xf16>) -> tensor<2x5x7x24xf16>
  %12 = einsum.contract "nchw -> whcn" (%a23)
      : (tensor<2x24x5x7xf16>) -> tensor<7x5x24x2xf16>
  %13 = einsum.contract "ij, k -> kji" (%a24, %a25)
      : (tensor<24x5xf16>, tensor<10xf16>) -> tensor<10x5x24xf16>
  // Rows without columns, and columns without rows.
  %14 = einsum.contract "nc(h+r)(w+s), crs -> nchw" (%a26, %a27)
      : (tensor<2x24x5x7xf16>, tensor<24x3x3xf16>) -> tensor<2x24x3x5xf16>
  %15 = einsum.contract "bk, bkn -> bn" (%a28, %a29)
      : (tensor<3x20xf16>, tensor<3x20x18xf16>) -> tensor<3x18xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15
      : tensor<3x16x8xf16>, tensor<3x16x8xf32>, tensor<4x16x8xf16>, tensor<24x8xf32>, tensor<2x7x7x16xf16>,
        tensor<2x16x5x5xf16>, tensor<2x16x9x9xf32>, tensor<2x6x9xf32>, tensor<2x7x9x16xf16>, tensor<16x8xf32>,
        tensor<20x40xf16>, tensor<2x5x7x24xf16>, tensor<7x5x24x2xf16>, tensor<10x5x24xf16>, tensor<2x24x3x5xf16>,
        tensor<3x18xf32>
}

// einsum-pad-operands changes no result: compiled after it, against the interpreter before it.
//
// DEFINE: %{pipeline} = --pipeline="einsum-pad-operands,einsum-to-cpu-pipeline"
// RUN: tile-run %s --entry=convolution --random=1 --check=interp %{pipeline} | FileCheck %s
// RUN: tile-run %s --entry=axes --random=2 --check=interp --tolerance=0 %{pipeline} | FileCheck %s
// RUN: tile-run %s --entry=shift --random=3 --check=interp %{pipeline} | FileCheck %s
// RUN: tile-run %s --entry=both --random=4 --check=interp %{pipeline} | FileCheck %s
// RUN: tile-run %s --entry=indices --random=5 --check=interp %{pipeline} | FileCheck %s
// CHECK: check against interp: passed

func.func @convolution(%x: tensor<2x8x14x14xf32>, %f: tensor<8x16x3x3xf32>) -> tensor<2x16x14x14xf32> {
  %y = einsum.contract "nc(h+r-1)(w+s-2), ckrs -> nkhw" (%x, %f) {pad = "zero"}
      : (tensor<2x8x14x14xf32>, tensor<8x16x3x3xf32>) -> tensor<2x16x14x14xf32>
  return %y : tensor<2x16x14x14xf32>
}

func.func @axes(%x: tensor<10x5xi8>, %y: tensor<3x3xi8>) -> tensor<1x6xi32> {
  %z = einsum.contract "(2*h+r-1)(w-4*r+4), (h/2)r -> wh" (%x, %y) {pad = "zero", sizes = {w = 1}}
      : (tensor<10x5xi8>, tensor<3x3xi8>) -> tensor<1x6xi32>
  return %z : tensor<1x6xi32>
}

func.func @shift(%x: tensor<2x4x7x7xf16>, %w: tensor<4x5xf16>, %sh: tensor<4xi32> {einsum.value_range = array<i64: -9, 9>},
                 %sw: tensor<4xi64> {einsum.value_range = array<i64: -1, 1>}) -> tensor<2x5x7x7xf32> {
  %y = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%x, %w)
      tables(sh = %sh : tensor<4xi32>, sw = %sw : tensor<4xi64>) {pad = "zero"}
      : (tensor<2x4x7x7xf16>, tensor<4x5xf16>) -> tensor<2x5x7x7xf32>
  return %y : tensor<2x5x7x7xf32>
}

func.func @both(%x: tensor<3x9xf32>, %y: tensor<2x3xf32>, %t: tensor<2x2xi32> {einsum.value_range = array<i64: -2, 2>}) -> tensor<3x8xf32> {
  %z = einsum.contract "n(h+t[r,s]), (r+s-1)n -> nh" (%x, %y) tables(t = %t : tensor<2x2xi32>) {pad = "zero"}
      : (tensor<3x9xf32>, tensor<2x3xf32>) -> tensor<3x8xf32>
  return %z : tensor<3x8xf32>
}

func.func @indices(%x: tensor<5xf32>, %y: tensor<9xf32>, %f: tensor<8x2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = einsum.contract "(h-1), hk -> k" (%x, %f) {pad = "zero"} : (tensor<5xf32>, tensor<8x2xf32>) -> tensor<2xf32>
  %1 = einsum.contract "(h-1), hk -> k" (%y, %f) {pad = "zero"} : (tensor<9xf32>, tensor<8x2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

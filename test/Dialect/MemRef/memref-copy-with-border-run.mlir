// Borders of all kinds, of all widths of elements, one thread and two: as the interpreter computes.
// RUN: tile-run %s --backend=cpu --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --backend=cpu --random=1 --check=interp --pipeline="einsum-to-cpu-pipeline{threads=2}" | FileCheck %s
// RUN: tile-run %s --backend=cpu --random=1 --check=interp --entry=conv | FileCheck %s
// RUN: tile-run %s --backend=cpu --random=1 --check=interp --entry=pads | FileCheck %s
// CHECK: check against interp: passed

func.func @main(%x: tensor<3x40x37x41xf32>) -> tensor<3x40x40x43xf32> {
  %low = arith.constant -1.0 : f32
  %y = tensor.pad %x low[0, 0, 2, 0] high[0, 0, 1, 2] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %low : f32
  } : tensor<3x40x37x41xf32> to tensor<3x40x40x43xf32>
  return %y : tensor<3x40x40x43xf32>
}

func.func @conv(%x: tensor<2x5x9x7xf32>, %w: tensor<6x5x3x3xf32>) -> tensor<2x6x9x7xf32> {
  %y = einsum.contract "nc(h+r-1)(w+s-1), kcrs -> nkhw" (%x, %w) {pad = "zero"}
      : (tensor<2x5x9x7xf32>, tensor<6x5x3x3xf32>) -> tensor<2x6x9x7xf32>
  return %y : tensor<2x6x9x7xf32>
}

func.func @pads(%a: tensor<3x1x5xf64>, %b: tensor<7xi8>, %c: tensor<300x9xbf16>, %d: tensor<2x600xi32>)
    -> (tensor<4x3x5xf64>, tensor<47xi8>, tensor<300x14xbf16>, tensor<5x600xi32>) {
  %zero = arith.constant 0.0 : f64
  %seven = arith.constant 7 : i8
  %one = arith.constant 1.0 : bf16
  %minus = arith.constant -1 : i32
  %0 = tensor.pad %a low[1, 1, 0] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f64
  } : tensor<3x1x5xf64> to tensor<4x3x5xf64>
  %1 = tensor.pad %b low[33] high[7] {
  ^bb0(%i: index):
    tensor.yield %seven : i8
  } : tensor<7xi8> to tensor<47xi8>
  %2 = tensor.pad %c low[0, 0] high[0, 5] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : bf16
  } : tensor<300x9xbf16> to tensor<300x14xbf16>
  %3 = tensor.pad %d low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %minus : i32
  } : tensor<2x600xi32> to tensor<5x600xi32>
  return %0, %1, %2, %3 : tensor<4x3x5xf64>, tensor<47xi8>, tensor<300x14xbf16>, tensor<5x600xi32>
}

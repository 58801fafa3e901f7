// What LLVM's vector-combine makes of these blocks on some processors is wrong: compiled code is optimized without it.
//
// RUN: tile-run %s --random=5 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=5x7x3}},tile-to-cpu-pipeline"

func.func @main(%a: tensor<4x24x4xf32>, %b: tensor<8x4x4xf32>) -> tensor<4x24x8xf32> {
  %0 = einsum.contract "bve, ybe -> evy" (%a, %b)
    : (tensor<4x24x4xf32>, tensor<8x4x4xf32>) -> tensor<4x24x8xf32>
  return %0 : tensor<4x24x8xf32>
}

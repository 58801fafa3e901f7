// Strided convolution: neighbouring results read windows two pixels apart. After Philippe Tillet's
// post on extended tensor contractions.
//
//   build/bin/tile-run examples/conv2d_strided.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<2x32x29x29xf32>,
                %weight: tensor<32x64x3x3xf32>) -> tensor<2x64x14x14xf32> {
  %out = einsum.contract "nc(2*h+r)(2*w+s), ckrs -> nkhw" (%data, %weight)
      : (tensor<2x32x29x29xf32>, tensor<32x64x3x3xf32>) -> tensor<2x64x14x14xf32>
  return %out : tensor<2x64x14x14xf32>
}

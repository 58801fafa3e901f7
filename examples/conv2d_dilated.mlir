// Dilated convolution: neighbouring filter taps read pixels two apart. After Philippe Tillet's post
// on extended tensor contractions.
//
//   build/bin/tile-run examples/conv2d_dilated.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<2x32x28x28xf32>,
                %weight: tensor<32x64x3x3xf32>) -> tensor<2x64x24x24xf32> {
  %out = einsum.contract "nc(h+2*r)(w+2*s), ckrs -> nkhw" (%data, %weight)
      : (tensor<2x32x28x28xf32>, tensor<32x64x3x3xf32>) -> tensor<2x64x24x24xf32>
  return %out : tensor<2x64x24x24xf32>
}

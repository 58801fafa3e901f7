// Convolution task 1 of the Triton paper (MAPL 2019), a layer of ResNet, at batch 1: a 112x112
// image of 64 channels, 128 filters of 3x3, stride 1, no padding.
//
//   build/bin/tile-run examples/conv_task1.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<1x64x112x112xf32>,
                %weight: tensor<64x128x3x3xf32>) -> tensor<1x128x110x110xf32> {
  %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%data, %weight)
      : (tensor<1x64x112x112xf32>, tensor<64x128x3x3xf32>) -> tensor<1x128x110x110xf32>
  return %out : tensor<1x128x110x110xf32>
}

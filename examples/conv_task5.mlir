// Convolution task 5 of the Triton paper (MAPL 2019), a layer of ResNet, at batch 1: a 7x7 image of
// 512 channels, 512 filters of 3x3, stride 1, no padding.
//
//   build/bin/tile-run examples/conv_task5.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<1x512x7x7xf32>,
                %weight: tensor<512x512x3x3xf32>) -> tensor<1x512x5x5xf32> {
  %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%data, %weight)
      : (tensor<1x512x7x7xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x5x5xf32>
  return %out : tensor<1x512x5x5xf32>
}

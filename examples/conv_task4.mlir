// Convolution task 4 of the Triton paper (MAPL 2019), a layer of ResNet, at batch 1: a 14x14 image
// of 512 channels, 512 filters of 3x3, stride 1, no padding.
//
//   build/bin/tile-run examples/conv_task4.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<1x512x14x14xf32>,
                %weight: tensor<512x512x3x3xf32>) -> tensor<1x512x12x12xf32> {
  %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%data, %weight)
      : (tensor<1x512x14x14xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x12x12xf32>
  return %out : tensor<1x512x12x12xf32>
}

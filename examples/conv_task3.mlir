// Convolution task 3 of the Triton paper (MAPL 2019), a layer of ResNet, at batch 1: a 28x28 image
// of 256 channels, 512 filters of 3x3, stride 1, no padding.
//
//   build/bin/tile-run examples/conv_task3.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<1x256x28x28xf32>,
                %weight: tensor<256x512x3x3xf32>) -> tensor<1x512x26x26xf32> {
  %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%data, %weight)
      : (tensor<1x256x28x28xf32>, tensor<256x512x3x3xf32>) -> tensor<1x512x26x26xf32>
  return %out : tensor<1x512x26x26xf32>
}

// Convolution task 2 of the Triton paper (MAPL 2019), a layer of ResNet, at batch 1: a 56x56 image
// of 128 channels, 256 filters of 3x3, stride 1, no padding.
//
//   build/bin/tile-run examples/conv_task2.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<1x128x56x56xf32>,
                %weight: tensor<128x256x3x3xf32>) -> tensor<1x256x54x54xf32> {
  %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%data, %weight)
      : (tensor<1x128x56x56xf32>, tensor<128x256x3x3xf32>) -> tensor<1x256x54x54xf32>
  return %out : tensor<1x256x54x54xf32>
}

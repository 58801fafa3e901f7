// Convolution task 7 of the Triton paper (MAPL 2019), a layer of DeepSpeech2, at batch 1: a 79x341
// image of 32 channels, 32 filters of 5x10, stride 1, no padding.
//
//   build/bin/tile-run examples/conv_task7.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<1x32x79x341xf32>,
                %weight: tensor<32x32x5x10xf32>) -> tensor<1x32x75x332xf32> {
  %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%data, %weight)
      : (tensor<1x32x79x341xf32>, tensor<32x32x5x10xf32>) -> tensor<1x32x75x332xf32>
  return %out : tensor<1x32x75x332xf32>
}

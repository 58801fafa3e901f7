// Convolution task 6 of the Triton paper (MAPL 2019), a layer of DeepSpeech2, at batch 1: a 161x700
// image of 1 channel, 64 filters of 5x5, stride 1, no padding.
//
//   build/bin/tile-run examples/conv_task6.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<1x1x161x700xf32>,
                %weight: tensor<1x64x5x5xf32>) -> tensor<1x64x157x696xf32> {
  %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%data, %weight)
      : (tensor<1x1x161x700xf32>, tensor<1x64x5x5xf32>) -> tensor<1x64x157x696xf32>
  return %out : tensor<1x64x157x696xf32>
}

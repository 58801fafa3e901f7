// Dense convolution, stride 1, no padding. The axis (h+r) reads the image at a sum of a result
// index and a reduction index. From Philippe Tillet's post on extended tensor contractions.
//
//   build/bin/tile-run examples/conv2d.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<4x64x30x30xf32>,
                %weight: tensor<64x128x3x3xf32>) -> tensor<4x128x28x28xf32> {
  %out = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%data, %weight)
      : (tensor<4x64x30x30xf32>, tensor<64x128x3x3xf32>) -> tensor<4x128x28x28xf32>
  return %out : tensor<4x128x28x28xf32>
}

// Depthwise convolution: every channel c has a filter of its own, and c stays in the result. From
// Philippe Tillet's post on extended tensor contractions.
//
//   build/bin/tile-run examples/depthwise.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<4x64x30x30xf32>,
                %weight: tensor<64x3x3xf32>) -> tensor<4x64x28x28xf32> {
  %out = einsum.contract "nc(h+r)(w+s), crs -> nchw" (%data, %weight)
      : (tensor<4x64x30x30xf32>, tensor<64x3x3xf32>) -> tensor<4x64x28x28xf32>
  return %out : tensor<4x64x28x28xf32>
}

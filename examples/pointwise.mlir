// Pointwise (1x1) convolution: the channels of every pixel are mixed by one matrix. From Philippe
// Tillet's post on extended tensor contractions.
//
//   build/bin/tile-run examples/pointwise.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<4x128x14x14xf32>,
                %weight: tensor<128x256xf32>) -> tensor<4x256x14x14xf32> {
  %out = einsum.contract "nchw, ck -> nkhw" (%data, %weight)
      : (tensor<4x128x14x14xf32>, tensor<128x256xf32>) -> tensor<4x256x14x14xf32>
  return %out : tensor<4x256x14x14xf32>
}

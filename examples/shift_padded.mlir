// Shift convolution with offsets to both sides, so that reads leave the image at its border;
// pad = "zero" makes them read zero and keeps the size of the image. After Philippe Tillet's post
// on extended tensor contractions.
//
//   build/bin/tile-run examples/shift_padded.mlir --backend=cpu --random=7 --check=interp
//
// --random draws the offsets from the range that einsum.value_range names, ends included.

func.func @main(%data: tensor<4x128x28x28xf32>,
                %weight: tensor<128x128xf32>,
                %sh: tensor<128xi32> {einsum.value_range = array<i64: -1, 1>},
                %sw: tensor<128xi32> {einsum.value_range = array<i64: -1, 1>})
    -> tensor<4x128x28x28xf32> {
  %out = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%data, %weight)
      tables(sh = %sh : tensor<128xi32>, sw = %sw : tensor<128xi32>) {pad = "zero"}
      : (tensor<4x128x28x28xf32>, tensor<128x128xf32>) -> tensor<4x128x28x28xf32>
  return %out : tensor<4x128x28x28xf32>
}

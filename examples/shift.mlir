// Shift convolution: every channel c of the image is read at an offset of its own, sh[c] rows down
// and sw[c] columns right, and the channels are then mixed as in a pointwise convolution. The
// offsets are run-time tables, which no affine index could express. From Philippe Tillet's post on
// extended tensor contractions.
//
//   build/bin/tile-run examples/shift.mlir --backend=cpu --random=7 --check=interp
//
// --random draws the offsets from the range that einsum.value_range names, ends included.

func.func @main(%data: tensor<4x128x30x30xf32>,
                %weight: tensor<128x128xf32>,
                %sh: tensor<128xi32> {einsum.value_range = array<i64: 0, 2>},
                %sw: tensor<128xi32> {einsum.value_range = array<i64: 0, 2>})
    -> tensor<4x128x28x28xf32> {
  %out = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%data, %weight)
      tables(sh = %sh : tensor<128xi32>, sw = %sw : tensor<128xi32>)
      : (tensor<4x128x30x30xf32>, tensor<128x128xf32>) -> tensor<4x128x28x28xf32>
  return %out : tensor<4x128x28x28xf32>
}

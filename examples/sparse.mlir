// Sparse convolution: of a 5x5 filter only nine taps are kept, and tap x lies at row off_h[x] and
// column off_w[x]. From Philippe Tillet's post on extended tensor contractions.
//
//   build/bin/tile-run examples/sparse.mlir --backend=cpu --random=7 --check=interp
//
// --random draws the offsets from the range that einsum.value_range names, ends included.

func.func @main(%data: tensor<2x32x28x28xf32>,
                %weight: tensor<64x32x9xf32>,
                %off_h: tensor<9xi32> {einsum.value_range = array<i64: 0, 4>},
                %off_w: tensor<9xi32> {einsum.value_range = array<i64: 0, 4>})
    -> tensor<2x64x24x24xf32> {
  %out = einsum.contract "nc(h+off_h[x])(w+off_w[x]), kcx -> nkhw" (%data, %weight)
      tables(off_h = %off_h : tensor<9xi32>, off_w = %off_w : tensor<9xi32>)
      : (tensor<2x32x28x28xf32>, tensor<64x32x9xf32>) -> tensor<2x64x24x24xf32>
  return %out : tensor<2x64x24x24xf32>
}

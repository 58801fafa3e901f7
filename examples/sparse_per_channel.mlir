// Sparse convolution where every channel c keeps nine taps of its own out of 5x5: the tables have
// two indices. From Philippe Tillet's post on extended tensor contractions.
//
//   build/bin/tile-run examples/sparse_per_channel.mlir --backend=cpu --random=7 --check=interp
//
// --random draws the offsets from the range that einsum.value_range names, ends included.

func.func @main(%data: tensor<2x32x28x28xf32>,
                %weight: tensor<64x32x9xf32>,
                %off_h: tensor<32x9xi32> {einsum.value_range = array<i64: 0, 4>},
                %off_w: tensor<32x9xi32> {einsum.value_range = array<i64: 0, 4>})
    -> tensor<2x64x24x24xf32> {
  %out = einsum.contract "nc(h+off_h[c,x])(w+off_w[c,x]), kcx -> nkhw" (%data, %weight)
      tables(off_h = %off_h : tensor<32x9xi32>, off_w = %off_w : tensor<32x9xi32>)
      : (tensor<2x32x28x28xf32>, tensor<64x32x9xf32>) -> tensor<2x64x24x24xf32>
  return %out : tensor<2x64x24x24xf32>
}

// Two rank-3 tensors contracted over two axes, k and l, at once. Figure 1 of Philippe Tillet's post
// on extended tensor contractions.
//
//   build/bin/tile-run examples/two_axes.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<96x24x20xf32>,
                %b: tensor<24x80x20xf32>) -> tensor<96x80xf32> {
  %out = einsum.contract "ikl, kjl -> ij" (%a, %b)
      : (tensor<96x24x20xf32>, tensor<24x80x20xf32>) -> tensor<96x80xf32>
  return %out : tensor<96x80xf32>
}

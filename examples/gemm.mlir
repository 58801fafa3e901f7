// Matrix product, the plainest contraction: k is not in the result, so it is summed.
//
//   build/bin/tile-run examples/gemm.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<512x512xf32>,
                %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %out = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %out : tensor<512x512xf32>
}

// Matrix product with the second operand stored transposed, as the weights of a linear layer often
// are. After the Triton-C language, where a product takes either operand transposed.
//
//   build/bin/tile-run examples/gemm_tb.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<256x384xf32>,
                %b: tensor<320x384xf32>) -> tensor<256x320xf32> {
  %out = einsum.contract "mk, nk -> mn" (%a, %b)
      : (tensor<256x384xf32>, tensor<320x384xf32>) -> tensor<256x320xf32>
  return %out : tensor<256x320xf32>
}

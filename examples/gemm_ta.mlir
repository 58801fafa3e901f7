// Matrix product with the first operand stored transposed. The spec says so by the order of the
// indices; no transposition is ever carried out on its own. After the Triton-C language, where a
// product takes either operand transposed.
//
//   build/bin/tile-run examples/gemm_ta.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<384x256xf32>,
                %b: tensor<384x320xf32>) -> tensor<256x320xf32> {
  %out = einsum.contract "km, kn -> mn" (%a, %b)
      : (tensor<384x256xf32>, tensor<384x320xf32>) -> tensor<256x320xf32>
  return %out : tensor<256x320xf32>
}

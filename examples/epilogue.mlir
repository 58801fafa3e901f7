// relu(a * b + residual): a contraction followed by element-wise work, written with upstream arith
// on tensors.
//
//   build/bin/tile-run examples/epilogue.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<128x256xf32>,
                %b: tensor<256x192xf32>,
                %residual: tensor<128x192xf32>) -> tensor<128x192xf32> {
  %product = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<128x256xf32>, tensor<256x192xf32>) -> tensor<128x192xf32>
  %sum = arith.addf %product, %residual : tensor<128x192xf32>
  %zero = arith.constant dense<0.0> : tensor<128x192xf32>
  %relu = arith.maximumf %sum, %zero : tensor<128x192xf32>
  return %relu : tensor<128x192xf32>
}

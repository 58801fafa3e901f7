// Weights of 8 bits: f16 activations times i8 weights, each column of which has a scale. The weights
// become f16 in the prologue of the product, so that they are read from memory as bytes. Where the
// scale is that of the whole column it could as well be multiplied with the result; scales of groups
// of rows could not.
//
//   build/bin/tile-run examples/dequantize.mlir --backend=cpu --random=7 --check=interp

func.func @main(%x: tensor<64x192xf16>,
                %weights: tensor<192x96xi8> {einsum.value_range = array<i64: -127, 127>},
                %scale: tensor<96xf16>) -> tensor<64x96xf16> {
  %numbers = arith.sitofp %weights : tensor<192x96xi8> to tensor<192x96xf16>
  %init = tensor.empty() : tensor<192x96xf16>
  %scales = linalg.broadcast ins(%scale : tensor<96xf16>) outs(%init : tensor<192x96xf16>) dimensions = [0]
  %w = arith.mulf %numbers, %scales : tensor<192x96xf16>
  %out = einsum.contract "mk, kn -> mn" (%x, %w)
      : (tensor<64x192xf16>, tensor<192x96xf16>) -> tensor<64x96xf16>
  return %out : tensor<64x96xf16>
}

// Matrix product of 8-bit floats: activations with more range (f8E5M2), weights with more precision
// (f8E4M3FN). Each product is exact in f32, in which sums are formed, the default for f8.
//
//   build/bin/tile-run examples/f8.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<64x128xf8E5M2>,
                %b: tensor<128x96xf8E4M3FN>) -> tensor<64x96xf32> {
  %out = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<64x128xf8E5M2>, tensor<128x96xf8E4M3FN>) -> tensor<64x96xf32>
  return %out : tensor<64x96xf32>
}

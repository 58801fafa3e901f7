// Matrix product of half-precision inputs. Products and sums are formed in f32, the default for
// f16, and the result type keeps that precision; with an f16 result each sum would be rounded once,
// at the end.
//
//   build/bin/tile-run examples/half.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<128x192xf16>,
                %b: tensor<192x96xf16>) -> tensor<128x96xf32> {
  %out = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<128x192xf16>, tensor<192x96xf16>) -> tensor<128x96xf32>
  return %out : tensor<128x96xf32>
}

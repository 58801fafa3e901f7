// SwiGLU, of the MLP of a transformer: silu(x * gate) (x * up), where silu(g) = g / (1 + exp(-g)).
// Two products and what follows them are one kernel, on tensor cores; sums and functions are of f32,
// the rest of f16.
//
//   build/bin/tile-run examples/swiglu.mlir --backend=sim --chip=sm_80 --random=7 --check=interp

func.func @main(%x: tensor<128x64xf16>,
                %gate: tensor<64x128xf16>,
                %up: tensor<64x128xf16>) -> tensor<128x128xf16> {
  %gated = einsum.contract "mk, kn -> mn" (%x, %gate)
      : (tensor<128x64xf16>, tensor<64x128xf16>) -> tensor<128x128xf32>
  %raised = einsum.contract "mk, kn -> mn" (%x, %up)
      : (tensor<128x64xf16>, tensor<64x128xf16>) -> tensor<128x128xf32>
  %one = arith.constant dense<1.0> : tensor<128x128xf32>
  %minus = arith.negf %gated : tensor<128x128xf32>
  %power = math.exp %minus fastmath<afn> : tensor<128x128xf32>
  %sum = arith.addf %one, %power : tensor<128x128xf32>
  %silu = arith.divf %gated, %sum fastmath<afn> : tensor<128x128xf32>
  %product = arith.mulf %silu, %raised : tensor<128x128xf32>
  %result = arith.truncf %product : tensor<128x128xf32> to tensor<128x128xf16>
  return %result : tensor<128x128xf16>
}

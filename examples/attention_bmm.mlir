// Batched matrix product of self-attention, one product for every sequence n and head h. From
// Philippe Tillet's post on extended tensor contractions.
//
//   build/bin/tile-run examples/attention_bmm.mlir --backend=cpu --random=7 --check=interp

func.func @main(%query: tensor<2x64x8x64xf32>,
                %key: tensor<8x64x64xf32>) -> tensor<2x8x64x64xf32> {
  %out = einsum.contract "nths, hes -> nhte" (%query, %key)
      : (tensor<2x64x8x64xf32>, tensor<8x64x64xf32>) -> tensor<2x8x64x64xf32>
  return %out : tensor<2x8x64x64xf32>
}

// Product of three matrices in one contraction. Written as one sum it would take 96*40*72*24 steps;
// it is carried out pairwise, in the cheapest order, here b with c first.
//
//   build/bin/tile-run examples/chain.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<96x40xf32>,
                %b: tensor<40x72xf32>,
                %c: tensor<72x24xf32>) -> tensor<96x24xf32> {
  %out = einsum.contract "ij, jk, kl -> il" (%a, %b, %c)
      : (tensor<96x40xf32>, tensor<40x72xf32>, tensor<72x24xf32>) -> tensor<96x24xf32>
  return %out : tensor<96x24xf32>
}

// Permutation of a rank-4 tensor: one operand, nothing summed. From a report on a tensor operation
// backend, whose unary primitives it exercises.
//
//   build/bin/tile-run examples/permute.mlir --backend=cpu --random=7 --check=interp

func.func @main(%input: tensor<7x48x33x64xf32>) -> tensor<7x33x48x64xf32> {
  %out = einsum.contract "trus -> turs" (%input)
      : (tensor<7x48x33x64xf32>) -> tensor<7x33x48x64xf32>
  return %out : tensor<7x33x48x64xf32>
}

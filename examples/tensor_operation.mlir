// A contraction of rank-4 tensors in blocked form: a, b and c count blocks of 32 rows (m), columns
// (n) and reduction steps (k). From the performance study of a report on a tensor operation
// backend.
//
//   build/bin/tile-run examples/tensor_operation.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<32x8x32x32xf32>,
                %b: tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32> {
  %out = einsum.contract "ackm, bcnk -> abnm" (%a, %b)
      : (tensor<32x8x32x32xf32>, tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32>
  return %out : tensor<32x32x32x32xf32>
}

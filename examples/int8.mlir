// Matrix product of quantised operands: i8 inputs, summed in i32, the default for integers, so the
// result is exact.
//
//   build/bin/tile-run examples/int8.mlir --backend=cpu --random=7 --check=interp

func.func @main(%a: tensor<64x100xi8>,
                %b: tensor<48x100xi8>) -> tensor<64x48xi32> {
  %out = einsum.contract "mk, nk -> mn" (%a, %b)
      : (tensor<64x100xi8>, tensor<48x100xi8>) -> tensor<64x48xi32>
  return %out : tensor<64x48xi32>
}

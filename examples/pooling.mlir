// Average pooling over 3x3 windows, two pixels apart. No operand has an axis r or s, so no type
// tells the size of the window: sizes = {...} does. The sum over the window is divided by its nine
// pixels afterwards.
//
//   build/bin/tile-run examples/pooling.mlir --backend=cpu --random=7 --check=interp

func.func @main(%data: tensor<2x16x29x29xf32>) -> tensor<2x16x14x14xf32> {
  %sum = einsum.contract "nc(2*h+r)(2*w+s) -> nchw" (%data) {sizes = {r = 3, s = 3}}
      : (tensor<2x16x29x29xf32>) -> tensor<2x16x14x14xf32>
  %ninth = arith.constant dense<0.111111112> : tensor<2x16x14x14xf32>
  %mean = arith.mulf %sum, %ninth : tensor<2x16x14x14xf32>
  return %mean : tensor<2x16x14x14xf32>
}

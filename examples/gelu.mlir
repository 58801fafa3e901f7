// gelu(a * b + bias) in half precision, with the approximation of gelu by tanh. The flag afn lets
// GPUs use their approximate instructions; without it, they call functions of libdevice.
//
//   build/bin/tile-run examples/gelu.mlir --backend=sim --chip=sm_70 --random=7 --check=interp

func.func @main(%a: tensor<128x64xf16>,
                %b: tensor<64x128xf16>,
                %bias: tensor<128xf16>) -> tensor<128x128xf16> {
  %product = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<128x64xf16>, tensor<64x128xf16>) -> tensor<128x128xf16>
  %empty = tensor.empty() : tensor<128x128xf16>
  %rows = linalg.broadcast ins(%bias : tensor<128xf16>)
      outs(%empty : tensor<128x128xf16>) dimensions = [0]
  %x = arith.addf %product, %rows : tensor<128x128xf16>

  // x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
  %half = arith.constant dense<0.5> : tensor<128x128xf16>
  %one = arith.constant dense<1.0> : tensor<128x128xf16>
  %cubic = arith.constant dense<0.044715> : tensor<128x128xf16>
  %scale = arith.constant dense<0.797885> : tensor<128x128xf16>
  %x2 = arith.mulf %x, %x : tensor<128x128xf16>
  %x3 = arith.mulf %x2, %x : tensor<128x128xf16>
  %cube = arith.mulf %x3, %cubic : tensor<128x128xf16>
  %sum = arith.addf %x, %cube : tensor<128x128xf16>
  %inner = arith.mulf %sum, %scale : tensor<128x128xf16>
  %tanh = math.tanh %inner fastmath<afn> : tensor<128x128xf16>
  %weight = arith.addf %tanh, %one : tensor<128x128xf16>
  %halved = arith.mulf %x, %half : tensor<128x128xf16>
  %gelu = arith.mulf %halved, %weight : tensor<128x128xf16>
  return %gelu : tensor<128x128xf16>
}

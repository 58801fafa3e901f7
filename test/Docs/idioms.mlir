// The programs behind the tables of docs/einsum.md: a function per row, found by its specification. idioms.py runs each
// on small integers and compares with the NumPy expression in the row.
// RUN: %python %S/idioms.py --tile-run tile-run --page %source/docs/einsum.md %s

// Products of matrices

func.func @matmul(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) -> tensor<3x5xf32> {
  %y = einsum.contract "mk, kn -> mn" (%a, %b)
      : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}

func.func @matmul_transposed(%a: tensor<4x3xf32>, %b: tensor<5x4xf32>) -> tensor<3x5xf32> {
  %y = einsum.contract "km, nk -> mn" (%a, %b)
      : (tensor<4x3xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  return %y : tensor<3x5xf32>
}

func.func @batched(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %y = einsum.contract "bmk, bkn -> bmn" (%a, %b)
      : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %y : tensor<2x3x5xf32>
}

func.func @attention(%q: tensor<2x3x4x5xf32>, %k: tensor<2x6x4x5xf32>) -> tensor<2x4x3x6xf32> {
  %y = einsum.contract "bqhd, bkhd -> bhqk" (%q, %k)
      : (tensor<2x3x4x5xf32>, tensor<2x6x4x5xf32>) -> tensor<2x4x3x6xf32>
  return %y : tensor<2x4x3x6xf32>
}

func.func @matrix_vector(%a: tensor<3x4xf32>, %b: tensor<4xf32>) -> tensor<3xf32> {
  %y = einsum.contract "mk, k -> m" (%a, %b)
      : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

func.func @chain(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<5x2xf32>) -> tensor<3x2xf32> {
  %y = einsum.contract "ij, jk, kl -> il" (%a, %b, %c)
      : (tensor<3x4xf32>, tensor<4x5xf32>, tensor<5x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

func.func @bilinear(%a: tensor<2x3xf32>, %w: tensor<5x3x4xf32>, %b: tensor<2x4xf32>) -> tensor<2x5xf32> {
  %y = einsum.contract "ni, oij, nj -> no" (%a, %w, %b)
      : (tensor<2x3xf32>, tensor<5x3x4xf32>, tensor<2x4xf32>) -> tensor<2x5xf32>
  return %y : tensor<2x5xf32>
}

// Element by element, sums

func.func @inner(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<f32> {
  %y = einsum.contract "i, i ->" (%a, %b) : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @outer(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %y = einsum.contract "i, j -> ij" (%a, %b) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

func.func @elementwise(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %y = einsum.contract "ij, ij -> ij" (%a, %b)
      : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

func.func @scale_rows(%a: tensor<3x4xf32>, %b: tensor<3xf32>) -> tensor<3x4xf32> {
  %y = einsum.contract "ij, i -> ij" (%a, %b)
      : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

func.func @sum_all(%a: tensor<3x4xf32>) -> tensor<f32> {
  %y = einsum.contract "ij ->" (%a) : (tensor<3x4xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

func.func @sum_rows(%a: tensor<3x4xf32>) -> tensor<3xf32> {
  %y = einsum.contract "ij -> i" (%a) : (tensor<3x4xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

func.func @square_norms(%a: tensor<3x4xf32>) -> tensor<3xf32> {
  %y = einsum.contract "ij, ij -> i" (%a, %a)
      : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

func.func @trace(%a: tensor<4x4xf32>) -> tensor<f32> {
  %y = einsum.contract "ii ->" (%a) : (tensor<4x4xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// Other orders of the same elements

func.func @permute(%a: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %y = einsum.contract "abc -> cab" (%a) : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %y : tensor<4x2x3xf32>
}

func.func @diagonal(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %y = einsum.contract "ii -> i" (%a) : (tensor<4x4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @antidiagonal(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  %y = einsum.contract "i(3-i) -> i" (%a) : (tensor<4x4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @reverse(%a: tensor<8xf32>) -> tensor<8xf32> {
  %y = einsum.contract "(7-i) -> i" (%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

func.func @slice(%a: tensor<8xf32>) -> tensor<5xf32> {
  %y = einsum.contract "(i+2) -> i" (%a) : (tensor<8xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

func.func @strided_slice(%a: tensor<8xf32>) -> tensor<4xf32> {
  %y = einsum.contract "(2*i+1) -> i" (%a) : (tensor<8xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

func.func @roll(%a: tensor<8xf32>) -> tensor<8xf32> {
  %y = einsum.contract "((i+3)%8) -> i" (%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

func.func @tile(%a: tensor<3xf32>) -> tensor<9xf32> {
  %y = einsum.contract "(i%3) -> i" (%a) : (tensor<3xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}

func.func @upsample(%a: tensor<3x4xf32>) -> tensor<6x8xf32> {
  %y = einsum.contract "(h/2)(w/2) -> hw" (%a) : (tensor<3x4xf32>) -> tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}

func.func @split_axis(%a: tensor<12xf32>) -> tensor<3x4xf32> {
  %y = einsum.contract "(4*i+j) -> ij" (%a) : (tensor<12xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

func.func @merge_axes(%a: tensor<3x4xf32>) -> tensor<12xf32> {
  %y = einsum.contract "(i/4)(i%4) -> i" (%a) : (tensor<3x4xf32>) -> tensor<12xf32>
  return %y : tensor<12xf32>
}

func.func @windows(%a: tensor<8xf32>) -> tensor<6x3xf32> {
  %y = einsum.contract "(t+r) -> tr" (%a) : (tensor<8xf32>) -> tensor<6x3xf32>
  return %y : tensor<6x3xf32>
}

func.func @toeplitz(%a: tensor<7xf32>) -> tensor<4x4xf32> {
  %y = einsum.contract "(i-j+3) -> ij" (%a) : (tensor<7xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

func.func @pad(%a: tensor<4xf32>) -> tensor<6xf32> {
  %y = einsum.contract "(i-1) -> i" (%a) {pad = "zero"} : (tensor<4xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// Convolution and pooling

func.func @conv1d(%x: tensor<8xf32>, %w: tensor<3xf32>) -> tensor<6xf32> {
  %y = einsum.contract "(t+r), r -> t" (%x, %w)
      : (tensor<8xf32>, tensor<3xf32>) -> tensor<6xf32>
  return %y : tensor<6xf32>
}

func.func @causal(%x: tensor<8xf32>, %w: tensor<3xf32>) -> tensor<8xf32> {
  %y = einsum.contract "(t-r), r -> t" (%x, %w) {pad = "zero"}
      : (tensor<8xf32>, tensor<3xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

func.func @conv2d(%x: tensor<2x3x6x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x4x5xf32> {
  %y = einsum.contract "nc(h+r)(w+s), kcrs -> nkhw" (%x, %w)
      : (tensor<2x3x6x7xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x4x5xf32>
  return %y : tensor<2x4x4x5xf32>
}

func.func @conv2d_same(%x: tensor<2x3x6x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x6x7xf32> {
  %y = einsum.contract "nc(h+r-1)(w+s-1), kcrs -> nkhw" (%x, %w) {pad = "zero"}
      : (tensor<2x3x6x7xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x6x7xf32>
  return %y : tensor<2x4x6x7xf32>
}

func.func @conv2d_strided(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x3x3xf32> {
  %y = einsum.contract "nc(2*h+r)(2*w+s), kcrs -> nkhw" (%x, %w)
      : (tensor<2x3x7x7xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x3x3xf32>
  return %y : tensor<2x4x3x3xf32>
}

func.func @conv2d_dilated(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x3x3xf32> {
  %y = einsum.contract "nc(h+2*r)(w+2*s), kcrs -> nkhw" (%x, %w)
      : (tensor<2x3x7x7xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x3x3xf32>
  return %y : tensor<2x4x3x3xf32>
}

func.func @depthwise(%x: tensor<2x3x6x6xf32>, %w: tensor<3x3x3xf32>) -> tensor<2x3x4x4xf32> {
  %y = einsum.contract "nc(h+r)(w+s), crs -> nchw" (%x, %w)
      : (tensor<2x3x6x6xf32>, tensor<3x3x3xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// Two groups of three channels, four filters for each group.
func.func @grouped(%x: tensor<2x6x6x6xf32>, %w: tensor<2x4x3x3x3xf32>) -> tensor<2x2x4x4x4xf32> {
  %y = einsum.contract "n(3*g+c)(h+r)(w+s), gkcrs -> ngkhw" (%x, %w)
      : (tensor<2x6x6x6xf32>, tensor<2x4x3x3x3xf32>) -> tensor<2x2x4x4x4xf32>
  return %y : tensor<2x2x4x4x4xf32>
}

func.func @pointwise(%x: tensor<2x3x4x5xf32>, %w: tensor<6x3xf32>) -> tensor<2x6x4x5xf32> {
  %y = einsum.contract "nchw, kc -> nkhw" (%x, %w)
      : (tensor<2x3x4x5xf32>, tensor<6x3xf32>) -> tensor<2x6x4x5xf32>
  return %y : tensor<2x6x4x5xf32>
}

func.func @sum_pooling(%x: tensor<2x3x6x6xf32>) -> tensor<2x3x3x3xf32> {
  %y = einsum.contract "nc(2*h+r)(2*w+s) -> nchw" (%x) {sizes = {r = 2, s = 2}}
      : (tensor<2x3x6x6xf32>) -> tensor<2x3x3x3xf32>
  return %y : tensor<2x3x3x3xf32>
}

// Look-up tables

func.func @gather(%a: tensor<5x4xf32>, %row: tensor<6xi32> {einsum.value_range = array<i64: 0, 4>})
    -> tensor<6x4xf32> {
  %y = einsum.contract "(row[i])d -> id" (%a) tables(row = %row : tensor<6xi32>)
      : (tensor<5x4xf32>) -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}

func.func @shift(%x: tensor<2x3x6x6xf32>, %w: tensor<3x4xf32>,
                 %sh: tensor<3xi32> {einsum.value_range = array<i64: 0, 2>},
                 %sw: tensor<3xi32> {einsum.value_range = array<i64: 0, 2>})
    -> tensor<2x4x4x4xf32> {
  %y = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%x, %w)
      tables(sh = %sh : tensor<3xi32>, sw = %sw : tensor<3xi32>)
      : (tensor<2x3x6x6xf32>, tensor<3x4xf32>) -> tensor<2x4x4x4xf32>
  return %y : tensor<2x4x4x4xf32>
}

func.func @sparse(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x5xf32>,
                  %rh: tensor<5xi32> {einsum.value_range = array<i64: 0, 3>},
                  %rw: tensor<5xi32> {einsum.value_range = array<i64: 0, 3>})
    -> tensor<2x4x4x4xf32> {
  %y = einsum.contract "nc(h+rh[x])(w+rw[x]), kcx -> nkhw" (%x, %w)
      tables(rh = %rh : tensor<5xi32>, rw = %rw : tensor<5xi32>)
      : (tensor<2x3x7x7xf32>, tensor<4x3x5xf32>) -> tensor<2x4x4x4xf32>
  return %y : tensor<2x4x4x4xf32>
}

func.func @sparse_dot(%a: tensor<5xf32>, %b: tensor<6xf32>,
                      %at: tensor<6xi64> {einsum.value_range = array<i64: 0, 4>}) -> tensor<f32> {
  %y = einsum.contract "(at[j]), j ->" (%a, %b) tables(at = %at : tensor<6xi64>)
      : (tensor<5xf32>, tensor<6xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// Pointers whose offsets are loaded are made in the layout of their access: they themselves cannot be converted.
//
// RUN: tile-run %s --backend=sim --random=1 --check=interp --pipeline="einsum-to-nvvm-pipeline{config={block=64x32x16 warp=32x32}}"

func.func @main(%t: tensor<8xi32> {einsum.value_range = array<i64: -2, -2>}, %x: tensor<3x12x9xbf16>) -> tensor<9x4x8xbf16> {
  %0 = einsum.contract "(t[u]+2)(3*s)r -> rsu" (%x) tables(t = %t : tensor<8xi32>)
      : (tensor<3x12x9xbf16>) -> tensor<9x4x8xbf16>
  return %0 : tensor<9x4x8xbf16>
}

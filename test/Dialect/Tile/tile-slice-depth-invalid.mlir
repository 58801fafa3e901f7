// tile-slice-depth: kernels without layouts.
//
// RUN: tile-opt %s --tile-slice-depth --verify-diagnostics

module attributes {tile.target = #tile.target<chip = "sm_80", shared = 166912, threads = 1024, registers = 255, async = true, mma = [], ldmatrix = true>} {
// expected-error@+1 {{tile-verify-layouts L1: 'func.func' op expects 'tile.num_warps', a power of two up to 32, as tile-assign-layouts gives it, found 0}}
func.func @no_layout(%a: memref<64x96xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    tile.async_wait {pending = 0 : i64}
    %x = tile.load_view %a[%c0, %k] : memref<64x96xf16> -> tensor<64x16xf16>
  }
  return
}
}

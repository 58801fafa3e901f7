// tile-pipeline: rings that do not fit, and kernels that are not ready for it.
//
// RUN: tile-opt %s --tile-pipeline --split-input-file --verify-diagnostics

#a_rows = #tile.layout<blocked shape = [64, 32], register = [1, 8], lane = [8, 4], warp = [4, 1], order = [1, 0]>
#b_rows = #tile.layout<blocked shape = [32, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#a = #tile.layout<mma a row, shape = [64, 32], atom = m16n8k16_f16, warp = [2, 2]>
#b = #tile.layout<mma b column, shape = [32, 64], atom = m16n8k16_f16, warp = [2, 2]>
#c = #tile.layout<mma c f32, shape = [64, 64], atom = m16n8k16_f16, warp = [2, 2]>
module attributes {tile.target = #tile.target<chip = "sm_80", shared = 40000, threads = 1024, registers = 255, async = true, mma = [], ldmatrix = true>} {
func.func @too_large(%a: memref<64x96xf16>, %b: memref<?x64xf16>, %c: memref<64x64xf32>, %n: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64, tile.config = #tile.config<stages=5>} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #c>
  // expected-error@+1 {{tile-pipeline needs 40960 bytes of shared memory for 5 stages, the chip has 40000: use fewer 'stages' or a smaller 'block' in tile.config}}
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32, #c> {
    %ga = tile.load_view %a[%c0, %k] : memref<64x96xf16> -> tensor<64x32xf16, #a_rows>
    %gb = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16, #b_rows>
    %ta = tile.convert_layout %ga : tensor<64x32xf16, #a_rows> -> tensor<64x32xf16, #a>
    %tb = tile.convert_layout %gb : tensor<32x64xf16, #b_rows> -> tensor<32x64xf16, #b>
    %sum = tile.mma %ta row, %tb column, %acc atom <m16n8k16_f16> warps(2, 2)
        : tensor<64x32xf16, #a>, tensor<32x64xf16, #b>, tensor<64x64xf32, #c>
    scf.yield %sum : tensor<64x64xf32, #c>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32, #c>, memref<64x64xf32>
  return
}
}

// -----

module attributes {tile.target = #tile.target<chip = "sm_80", shared = 40000, threads = 1024, registers = 255, async = true, mma = [], ldmatrix = true>} {
// expected-error@+1 {{tile-verify-layouts L1: 'func.func' op expects 'tile.num_warps', a power of two up to 32, as tile-assign-layouts gives it, found 0}}
func.func @no_layouts(%c: memref<64x64xf32>) attributes {tile.kernel} {
  return
}
}

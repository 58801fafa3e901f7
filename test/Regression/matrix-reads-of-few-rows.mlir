// Sums of rows, which one warp after the other reads from shared memory by single matrices (ldmatrix.x1): the addresses of
// 8 lanes count, and those of other warps are still their own.
//
// RUN: tile-run %s --backend=sim --chip=sm_80 --random=7 --check=interp | FileCheck %s
// CHECK: check against interp: passed

func.func @main(%a: tensor<256x16xf32>) -> tensor<256xf32> {
  %sums = einsum.contract "mk -> m" (%a) : (tensor<256x16xf32>) -> tensor<256xf32>
  return %sums : tensor<256xf32>
}

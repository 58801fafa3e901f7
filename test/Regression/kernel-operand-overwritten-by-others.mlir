// Kernels on vectors read buffers, and one-shot bufferization lets others write in place what it sees no later read of. It did
// not see the reads of the result of another kernel, nor two reads of one tensor that CSE had made one.
//
// RUN: tile-run %s --entry=result_of_kernel --backend=cpu --random=7 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=result_of_others --backend=cpu --random=7 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=residual --backend=cpu --random=7 --check=interp | FileCheck %s
// CHECK: check against interp: passed

func.func @result_of_kernel(%x: tensor<8x16xf32>, %v: tensor<16x16xf32>, %w: tensor<16x16xf32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %a = einsum.contract "mk, kn -> mn" (%x, %v) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %b = arith.maximumf %a, %zero : tensor<8x16xf32>
  %c = einsum.contract "mk, kn -> mn" (%a, %w) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  return %b, %c : tensor<8x16xf32>, tensor<8x16xf32>
}

func.func @result_of_others(%x: tensor<8x16xf32>, %v: tensor<16x16xf32>, %w: tensor<16x16xf32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %a = arith.addf %x, %x : tensor<8x16xf32>
  %b = einsum.contract "mk, kn -> mn" (%a, %v) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %c = arith.maximumf %a, %zero : tensor<8x16xf32>
  %d = einsum.contract "mk, kn -> mn" (%a, %w) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  return %b, %c, %d : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// The residual is added by the kernel of the second product.
func.func @residual(%x: tensor<8x16xf32>, %v: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  %a = einsum.contract "mk, kn -> mn" (%x, %v) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %b = arith.maximumf %a, %zero : tensor<8x16xf32>
  %c = math.absf %b : tensor<8x16xf32>
  %d = arith.addf %b, %c : tensor<8x16xf32>
  %e = einsum.contract "mk, kn -> mn" (%d, %w) : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %f = arith.addf %e, %a : tensor<8x16xf32>
  return %f : tensor<8x16xf32>
}

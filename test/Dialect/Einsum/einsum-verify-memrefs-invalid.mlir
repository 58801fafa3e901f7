// Each constraint of einsum-verify-memrefs, violated alone.
//
// RUN: tile-opt %s --einsum-verify-memrefs --split-input-file --verify-diagnostics

func.func @kernel(%a: tensor<4xf32>) {
  // expected-error @+1 {{einsum-verify-memrefs M1: 'einsum.kernel' op expects contractions outside of kernels: run einsum-inline-kernels}}
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<f32> {
    %s = einsum.contract "i -> " (%p) : (tensor<4xf32>) -> tensor<f32>
    einsum.yield %s : tensor<f32>
  }
  return
}

// -----

func.func @tensors(%a: tensor<4xf32>, %b: memref<f32>) {
  // expected-error @+1 {{einsum-verify-memrefs M2: 'einsum.contract' op expects memrefs, found 'tensor<4xf32>': run one-shot-bufferize}}
  %s = einsum.contract "i -> " (%a) : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @in_place(%a: memref<4x4xf32>, %x: memref<16xf32>) {
  %b = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %c = memref.cast %b : memref<16xf32> to memref<?xf32>
  // expected-error @+1 {{einsum-verify-memrefs M3: 'einsum.contract' op expects to write another memref than it reads, found the one of operand 1: copy it before}}
  einsum.contract "i, i -> i" (%x, %c) outs(%b : memref<16xf32>) : (memref<16xf32>, memref<?xf32>)
  return
}

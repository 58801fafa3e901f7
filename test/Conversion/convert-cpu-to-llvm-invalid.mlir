// convert-cpu-to-llvm: an error names what is left, and which pipeline takes it.
//
// RUN: tile-opt %s --convert-cpu-to-llvm --split-input-file --verify-diagnostics

func.func @tensors(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error@+1 {{convert-cpu-to-llvm expects loops, vectors and memrefs, found 'bufferization.to_tensor': einsum-to-cpu-pipeline with tier=full takes it}}
  %t = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  bufferization.materialize_in_destination %t in restrict writable %y : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func @contraction(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  // expected-error@+1 {{convert-cpu-to-llvm expects loops, vectors and memrefs, found 'einsum.contract': einsum-to-cpu-pipeline with tier=full takes it}}
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x4xf32>) : (memref<4x8xf32>, memref<8x4xf32>)
  return
}

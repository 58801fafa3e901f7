// Each constraint of gpu-verify-host, violated alone.
//
// RUN: tile-opt %s --gpu-verify-host --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{gpu-verify-host H1: 'arith.addf' op expects memrefs, found 'tensor<4xf32>': run tile-bufferize-host, or one-shot-bufferize}}
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @dialect(%x: memref<4xf32>, %z: f32) {
  // expected-error @+1 {{gpu-verify-host H2: 'linalg.fill' op expects a dialect that gpu-host-to-llvm-pipeline lowers, found 'linalg': lower it before}}
  linalg.fill ins(%z : f32) outs(%x : memref<4xf32>)
  return
}

// -----

func.func @region() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{gpu-verify-host H3: 'gpu.launch' op expects a function that gpu.launch_func launches, found a region: run gpu-kernel-outlining}}
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%g, %h, %i) in (%j = %c1, %k = %c1, %l = %c1) {
    gpu.terminator
  }
  return
}

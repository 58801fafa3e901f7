// What tile-bufferize-host does not know how to bufferize.
//
// RUN: tile-opt --tile-bufferize-host --split-input-file --verify-diagnostics --allow-unregistered-dialect %s

func.func @unknown(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{op was not bufferized}}
  %y = "other.op"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// In kernels nothing is bufferized, and nothing refused.
func.func private @kernel() attributes {tile.kernel} {
  %x = arith.constant dense<1.0> : tensor<2xf32>
  %y = "other.op"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

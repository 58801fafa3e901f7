// Host code that launches a kernel keeps the contract, whatever is in the kernel.
//
// RUN: tile-opt %s --gpu-verify-host | FileCheck %s
// CHECK: tensor.splat
// CHECK: gpu.launch_func

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: f32) kernel {
      %0 = tensor.splat %x : tensor<4xf32>
      gpu.return
    }
  }
  func.func @main(%x: f32) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : f32)
    return
  }
}

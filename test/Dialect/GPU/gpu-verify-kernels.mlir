// What gpu-to-nvvm-pipeline leaves keeps the contract.
//
// RUN: tile-opt %s --gpu-to-nvvm-pipeline=verify-contracts=0 --gpu-verify-kernels | FileCheck %s
// CHECK: gpu.module @kernels

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f(%x: f32) workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      memref.store %x, %s[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}

// Each constraint of gpu-verify-kernels, violated alone.
//
// RUN: tile-opt %s --gpu-verify-kernels --split-input-file --verify-diagnostics

// expected-error @+1 {{gpu-verify-kernels G1: 'gpu.module' op expects #nvvm.target as its first target, found none: gpu-prepare-for-nvvm gives it one}}
gpu.module @no_target {
}

// -----

// expected-error @+1 {{gpu-verify-kernels G1: 'gpu.module' op expects #nvvm.target as its first target, found #rocdl.target}}
gpu.module @other_target [#rocdl.target] {
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_70">] {
  llvm.func @f(%x: f32) -> f32 {
    // expected-error @+1 {{gpu-verify-kernels G2: 'arith.addf' op expects the LLVM and NVVM dialects in a gpu.module, found 'arith.addf': run gpu-to-nvvm-pipeline, or write what it lowers}}
    %y = arith.addf %x, %x : f32
    llvm.return %y : f32
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_70">] {
  llvm.mlir.global internal @small() {addr_space = 3 : i32} : !llvm.array<12288 x f32>
  // expected-error @+1 {{gpu-verify-kernels G3: 'llvm.mlir.global' op expects at most 49152 bytes of shared memory in an array, found 49156: use gpu.dynamic_shared_memory, whose size the launch tells}}
  llvm.mlir.global internal @large() {addr_space = 3 : i32} : !llvm.array<12289 x f32>
  llvm.mlir.global internal @elsewhere() {addr_space = 1 : i32} : !llvm.array<12289 x f32>
}

//===- Passes.td - Passes on upstream's gpu dialect --------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_GPU_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_GPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def GpuPrepareForNvvmPass : Pass<"gpu-prepare-for-nvvm", "::mlir::ModuleOp"> {
  let summary = "Give gpu.modules what their lowering to NVVM expects";
  let description = [{
    - A `gpu.module` without targets gets `#nvvm.target` with `chip`, `features`
      and `opt-level`. One that has targets keeps them and gets no other, unlike
      with upstream's `nvvm-attach-target`. Without `features` those of the chip
      are taken, and PTX 6.4 on sm_70, sm_72 and sm_75, which `mma.m8n8k4`
      needs.
    - A `gpu.module` with `gpu.dynamic_shared_memory` gets an external array of
      shared memory. `convert-gpu-to-nvvm` uses it; the one that it would make
      is internal, and overlaps other shared memory.
    - Intrinsics of the LLVM dialect that `convert-gpu-to-nvvm` refuses, such as
      `llvm.intr.sqrt`, become calls by name: `llvm.call_intrinsic "llvm.sqrt"`.

    Example: with `chip=sm_80`

    ```mlir
    gpu.module @kernels {
      gpu.func @f() kernel {
        %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
        gpu.return
      }
    }
    ```

    becomes

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
      llvm.mlir.global external @dynamic_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
      gpu.func @f() kernel {
        %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
        gpu.return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_70\"",
           "Chip of modules that name none">,
    Option<"features", "features", "std::string", "\"\"",
           "Target features of modules that name no chip: \"+ptx78\"">,
    Option<"optLevel", "opt-level", "unsigned", "2",
           "Optimization level of modules that name no chip, 0 to 3">
  ];
}

#endif // TILEIR_DIALECT_GPU_TRANSFORMS_PASSES_TD

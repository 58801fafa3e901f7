//===- Passes.td - Passes on upstream's gpu dialect --------*- tablegen -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_GPU_TRANSFORMS_PASSES_TD
#define TILEIR_DIALECT_GPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def GpuApproximateMathPass
    : Pass<"gpu-approximate-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make approximate instructions of functions whose flags allow it";
  let description = [{
    In a `gpu.module` with `#nvvm.target`, ops with the flag `afn` on f32, and
    on f16 and bf16 by way of f32, become the approximate instructions of the
    chip, called element by element, and arithmetic:

    | op | becomes |
    |---|---|
    | `math.exp2`, `math.exp` | `ex2.approx` |
    | `math.log2`, `math.log`, `math.log10` | `lg2.approx` |
    | `math.sin`, `math.cos`, `math.sqrt`, `math.rsqrt` | `sin.approx`, `cos.approx`, `sqrt.approx`, `rsqrt.approx` |
    | `arith.divf`, also with `arcp` alone | `div.approx` |
    | `math.tanh` | `tanh.approx` from sm_80 on; before, 1 - 2 / (1 + e^2x), which is exact at infinities |
    | `math.erf` | a polynomial in 1 / (1 + p \|x\|) times e^(-x²), which errs by less than 3e-7 |

    For f16, whose numbers are not subnormal in f32, they are the forms that
    take subnormal numbers as zero (`.ftz`), and 1 / x is `rcp.approx`: one
    machine instruction instead of four. So they are inside of `math.tanh` and
    `math.erf`, where nothing is subnormal that counts.

    Everything else stays, and `convert-gpu-to-nvvm` makes calls of libdevice of
    it. The flag `contract` goes to conversions from and to f16 and bf16: if two
    functions in a row have it, nothing is rounded between them.

    Example:

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_70">] {
      func.func @f(%x: f32) -> f32 {
        %0 = math.exp2 %x fastmath<afn> : f32
        return %0 : f32
      }
    }
    ```

    becomes

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_70">] {
      func.func @f(%x: f32) -> f32 {
        %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%x) : (f32) -> f32
        return %0 : f32
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [
    Statistic<"numApproximated", "num-approximated", "Ops approximated">
  ];
}

def GpuExpandMinMaxPass
    : Pass<"gpu-expand-min-max", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Compare and select where a chip has no such min or max";
  let description = [{
    Before sm_80 chips have min and max of f32 and f64 that drop NaN, and none
    of f16. In a `gpu.module` with `#nvvm.target` of such a chip, `maximumf`,
    `minimumf`, `maxnumf` and `minnumf` of `arith` become a comparison and a
    selection, if one comparison tells the result: the right operand is a
    constant, as in max(x, 0), or the flags `nnan` and `nsz` are there. That is
    two instructions for an element, instead of five to twelve.

    With the flag `nnan`, `maximumf` and `minimumf` of f32 and f64 become
    `maxnumf` and `minnumf`, which are instructions.

    With PTX 6.5, vectors of f16 are compared in pairs, by an instruction that
    gives a mask: that is two for a pair.

    Example:

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_70">] {
      func.func @relu(%x: vector<4xf32>) -> vector<4xf32> {
        %zero = arith.constant dense<0.0> : vector<4xf32>
        %0 = arith.maximumf %x, %zero : vector<4xf32>
        return %0 : vector<4xf32>
      }
    }
    ```

    becomes

    ```mlir
    gpu.module @kernels [#nvvm.target<chip = "sm_70">] {
      func.func @relu(%x: vector<4xf32>) -> vector<4xf32> {
        %zero = arith.constant dense<0.0> : vector<4xf32>
        %0 = arith.cmpf ugt, %x, %zero : vector<4xf32>
        %1 = arith.select %0, %x, %zero : vector<4xi1>, vector<4xf32>
        return %1 : vector<4xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::vector::VectorDialect"];
  let statistics = [Statistic<"numExpanded", "num-expanded", "Ops expanded">];
}

def GpuHoistAllocasPass : Pass<"gpu-hoist-allocas",
                               "::mlir::gpu::GPUModuleOp"> {
  let summary = "Allocate the stack of functions where they begin";
  let description = [{
    Moves each `llvm.alloca` of constant size to the entry block of its function.
    `convert-gpu-to-nvvm` makes one for the arguments of each `gpu.printf`, where
    that is; there LLVM would take it for one of dynamic size.

    Example:

    ```mlir
    gpu.module @kernels {
      llvm.func @f(%c: i1) {
        llvm.cond_br %c, ^then, ^end
      ^then:
        %one = llvm.mlir.constant(1 : i64) : i64
        %p = llvm.alloca %one x !llvm.struct<(i32)> : (i64) -> !llvm.ptr
        llvm.call @use(%p) : (!llvm.ptr) -> ()
        llvm.br ^end
      ^end:
        llvm.return
      }
      llvm.func @use(!llvm.ptr)
    }
    ```

    becomes

    ```mlir
    gpu.module @kernels {
      llvm.func @f(%c: i1) {
        %one = llvm.mlir.constant(1 : i64) : i64
        %p = llvm.alloca %one x !llvm.struct<(i32)> : (i64) -> !llvm.ptr
        llvm.cond_br %c, ^then, ^end
      ^then:
        llvm.call @use(%p) : (!llvm.ptr) -> ()
        llvm.br ^end
      ^end:
        llvm.return
      }
      llvm.func @use(!llvm.ptr)
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"numHoisted", "num-hoisted", "Allocations moved">
  ];
}

def GpuPassByValuePass : Pass<"gpu-pass-by-value",
                              "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let kernels take the address of arguments passed by value";
  let description = [{
    An argument of a kernel in the LLVM dialect that is an array becomes a pointer
    to constant memory of the launch, where the array is: `llvm.byval`,
    `nvvm.grid_constant`, and an alignment of 64 bytes, as tensor maps need it.
    Casts of it to a pointer are that pointer; who launches the kernel passes the
    array as before. Arguments with other uses are kept.

    After `convert-gpu-to-nvvm`, which drops such attributes.

    Example:

    ```mlir
    gpu.module @kernels {
      llvm.func @f(%map: !llvm.array<16 x i64>) attributes {gpu.kernel, nvvm.kernel} {
        %p = builtin.unrealized_conversion_cast %map : !llvm.array<16 x i64> to !llvm.ptr
        %x = llvm.load %p : !llvm.ptr -> i64
        llvm.return
      }
    }
    ```

    becomes

    ```mlir
    gpu.module @kernels {
      llvm.func @f(%p: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant}) attributes {gpu.kernel, nvvm.kernel} {
        %x = llvm.load %p : !llvm.ptr -> i64
        llvm.return
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"numArguments", "num-arguments", "Arguments passed by value">
  ];
}

def GpuPrepareForNvvmPass : Pass<"gpu-prepare-for-nvvm", "::mlir::ModuleOp"> {
  let summary = "Give gpu.modules what their lowering to NVVM expects";
  let description = [{
    - A `gpu.module` without targets gets `#nvvm.target` with `chip`, `features`
      and `opt-level`. One that has targets keeps them and gets no other, unlike
      with upstream's `nvvm-attach-target`. Without `features` those of the chip
      are taken, and PTX 6.5 on sm_70, sm_72 and sm_75: their matrix instruction needs 6.4,
      and `gpu-expand-min-max` makes less of pairs of f16 before 6.5.
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
    Option<"chip", "chip", "std::string",
           "::tileir::machine::kDefaultGpu.str()",
           "Chip of modules that name none">,
    Option<"features", "features", "std::string", "\"\"",
           "Target features of modules that name no chip: \"+ptx78\"">,
    Option<"optLevel", "opt-level", "unsigned", "2",
           "Optimization level of modules that name no chip, 0 to 3">
  ];
}

def GpuVerifyKernelsPass : Pass<"gpu-verify-kernels", "::mlir::ModuleOp"> {
  let summary = "Verify the contract of kernels before they are translated";
  let description = [{
    What `gpu-to-nvvm-pipeline` leaves in each `gpu.module`, and its translation
    to LLVM IR and PTX relies on. A violation is an error at the op, with the
    number of the constraint. Changes nothing.

    - (G1) The first target of a `gpu.module` is an `#nvvm.target`.
    - (G2) It has ops of the LLVM and NVVM dialects only.
    - (G3) Arrays in shared memory have at most 49152 bytes; what is larger, a
      launch has to tell.

    Example: of

    ```mlir
    gpu.module @kernels {
    }
    ```

    it says `gpu-verify-kernels G1: 'gpu.module' op expects #nvvm.target as its
    first target, found none: gpu-prepare-for-nvvm gives it one`.
  }];
  let statistics = [
    Statistic<"numModules", "num-modules", "gpu.modules that keep the contract">
  ];
}

def GpuVerifyHostPass : Pass<"gpu-verify-host", "::mlir::ModuleOp"> {
  let summary = "Verify the contract of code that launches kernels";
  let description = [{
    What `gpu-host-to-llvm-pipeline` lowers, of all that is outside of
    `gpu.module`. A violation is an error at the op, with the number of the
    constraint. Changes nothing.

    - (H1) No value is a tensor.
    - (H2) Ops are of the dialects affine, arith, async, builtin, cf, func, gpu,
      index, llvm, math, memref, omp, scf, ub and vector.
    - (H3) Kernels are functions, which `gpu.launch_func` launches.

    Example: of

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = arith.addf %x, %x : tensor<4xf32>
      return %y : tensor<4xf32>
    }
    ```

    it says `gpu-verify-host H1: 'arith.addf' op expects memrefs, found
    'tensor<4xf32>': run tile-bufferize-host, or one-shot-bufferize`.
  }];
  let statistics = [
    Statistic<"numLaunches", "num-launches", "Launches in such code">
  ];
}

#endif // TILEIR_DIALECT_GPU_TRANSFORMS_PASSES_TD

//===- Gpu.cpp - Pipelines of GPU kernels and of their host code ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpu-to-nvvm-pipeline, then gpu-module-to-binary in the format that the
// runtime takes, then gpu-host-to-llvm-pipeline.
//
//===----------------------------------------------------------------------===//

#include "TextPipeline.h"
#include "tileir/Pipelines/Pipelines.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::pipelines;

/// The passes for kernels. Nothing folds or removes anything: kernels written
/// in the LLVM and NVVM dialects stay as they are, and LLVM optimizes later.
/// convert-gpu-to-nvvm would call a power of libdevice that takes an i32,
/// whatever the type of the exponent is.
/// Lowering of vectors leaves arithmetic on scalars, so that of arith comes
/// after it.
static constexpr StringLiteral kGpuKernelPasses =
    "gpu.module(math-expand-ops{{ops=fpowi},gpu-approximate-math,expand-f8,"
    "gpu-expand-min-max,"
    "convert-nvgpu-to-nvvm,convert-vector-to-scf,lower-affine,"
    "convert-scf-to-cf,expand-strided-metadata,lower-affine,"
    "convert-gpu-to-nvvm{{use-bare-ptr-memref-call-conv={0}},"
    "gpu-hoist-allocas,gpu-pass-by-value,convert-nvvm-to-llvm,convert-vector-"
    "to-llvm,convert-"
    "math-to-llvm,"
    "convert-index-to-llvm,convert-arith-to-llvm,convert-ub-to-llvm,"
    "reconcile-unrealized-casts),";

/// Source lines reach LLVM IR only through the scope of a function; the pass
/// is one on builtin.module.
static constexpr StringLiteral kGpuDebugPasses =
    "ensure-debug-info-scope-on-llvm-func";

/// The passes for host code. gpu-async-region makes the chains of tokens that
/// gpu-to-llvm expects, while loops are still regions.
static constexpr StringLiteral kGpuHostPasses =
    "func.func(gpu-async-region),convert-vector-to-scf,memref-expand,"
    "expand-strided-metadata,lower-affine,convert-scf-to-cf,arith-expand,"
    "gpu-to-llvm{{use-bare-pointers-for-kernels={0}},"
    "convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,"
    "convert-cf-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,"
    "finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,"
    "reconcile-unrealized-casts";

static std::string getGpuKernelText(const GpuToNvvmOptions &options) {
  return llvm::formatv("gpu-launch-sink-index-computations,"
                       "gpu-kernel-outlining,gpu-prepare-for-nvvm{{chip={0} "
                       "features={1} opt-level={2}},",
                       options.chip, options.features, options.optLevel)
             .str() +
         llvm::formatv(kGpuKernelPasses.data(), options.barePointers.getValue())
             .str() +
         verify(options, "gpu-verify-kernels") + kGpuDebugPasses.str();
}

static std::string getGpuHostText(const GpuHostToLlvmOptions &options) {
  return verify(options, "gpu-verify-host") +
         llvm::formatv(kGpuHostPasses.data(), options.barePointers.getValue())
             .str();
}

static constexpr StringLiteral kKernelName = "gpu-to-nvvm-pipeline";
static constexpr StringLiteral kHostName = "gpu-host-to-llvm-pipeline";

void tileir::buildGpuToNvvmPipeline(OpPassManager &manager,
                                    const GpuToNvvmOptions &options) {
  addTextPipeline(manager, kKernelName, getGpuKernelText(options));
}

void tileir::buildGpuHostToLlvmPipeline(OpPassManager &manager,
                                        const GpuHostToLlvmOptions &options) {
  addTextPipeline(manager, kHostName, getGpuHostText(options));
}

void pipelines::registerGpuPipelines(bool verifyContracts) {
  registerTextPipeline(kKernelName,
                       "From GPU kernels to the LLVM and NVVM dialects",
                       getGpuKernelText, verifyContracts);
  registerTextPipeline(
      kHostName, "From host code that launches kernels to the LLVM dialect",
      getGpuHostText, verifyContracts);
}

//===- Pipelines.h - Pass pipelines -----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ways through the compiler, from start to end.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_PIPELINES_PIPELINES_H
#define TILEIR_PIPELINES_PIPELINES_H

#include "tileir/Conversion/EinsumToAffine/EinsumToAffine.h"

#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tileir {

/// The option of pipelines that lower contractions.
template <typename Options>
struct CheckOptions : public mlir::PassPipelineOptions<Options> {
  mlir::detail::PassOptions::Option<RuntimeChecks> checks{
      *this, "checks",
      llvm::cl::desc("What is verified at run time; see "
                     "convert-einsum-to-affine"),
      llvm::cl::init(RuntimeChecks::Sizes),
      llvm::cl::values(
          clEnumValN(RuntimeChecks::None, "none", "nothing"),
          clEnumValN(RuntimeChecks::Sizes, "sizes", "sizes, before the loops"),
          clEnumValN(RuntimeChecks::All, "all", "sizes, and each read"))};
};

/// Options of the pipelines for the CPU.
struct CpuOptions : public CheckOptions<CpuOptions> {
  Option<bool> openmp{*this, "openmp",
                      llvm::cl::desc("Run parallel loops by OpenMP"),
                      llvm::cl::init(true)};
};

/// From einsum, arith, math, linalg and tensor ops in functions to the LLVM
/// dialect, for the CPU. Takes a builtin.module. A function that returns
/// tensors returns buffers that its caller frees; see docs/architecture.md for
/// the calling convention.
void buildEinsumToCpuPipeline(mlir::OpPassManager &manager,
                              const CpuOptions &options);

/// Options of einsum-to-tile-pipeline.
struct EinsumToTileOptions : public CheckOptions<EinsumToTileOptions> {
  Option<std::string> block{
      *this, "block",
      llvm::cl::desc("Rows, columns and depth of a block; see "
                     "convert-einsum-to-tile"),
      llvm::cl::init("128x128x32")};
  Option<bool> fuse{
      *this, "fuse",
      llvm::cl::desc("Make one kernel of contractions and the pointwise ops "
                     "around them"),
      llvm::cl::init(true)};
};

/// From einsum, arith, math, linalg and tensor ops in functions to functions on
/// memrefs that launch a tile kernel per einsum.kernel, and per contraction
/// that is not in one. First einsum-fuse makes kernels. Takes a builtin.module.
/// tile-to-cpu-pipeline can follow.
void buildEinsumToTilePipeline(mlir::OpPassManager &manager,
                               const EinsumToTileOptions &options);

/// From tile kernels, their launches, and all that einsum-to-cpu-pipeline takes
/// around them, to the LLVM dialect. The programs of a grid run by OpenMP.
void buildTileToCpuPipeline(mlir::OpPassManager &manager,
                            const CpuOptions &options);

/// Whether kernels take memrefs as one pointer each: an option of the pipeline
/// of kernels and of that of the host code that launches them, equal in both.
constexpr llvm::StringLiteral kBarePointersHelp =
    "Kernels take a memref as one pointer, which needs static shapes; without, "
    "as pointers, offset, sizes and strides";

/// Options of gpu-to-nvvm-pipeline.
struct GpuToNvvmOptions : public mlir::PassPipelineOptions<GpuToNvvmOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip of a gpu.module without #nvvm.target"),
      llvm::cl::init("sm_70")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("Target features of a gpu.module without #nvvm.target"),
      llvm::cl::init("")};
  Option<unsigned> optLevel{
      *this, "opt-level",
      llvm::cl::desc("Optimization level, 0 to 3, of a gpu.module without "
                     "#nvvm.target; gpu-module-to-binary optimizes"),
      llvm::cl::init(2)};
  Option<bool> barePointers{*this, "bare-pointers",
                            llvm::cl::desc(kBarePointersHelp),
                            llvm::cl::init(true)};
};

/// From gpu, nvgpu, memref, vector, affine, scf, math and arith ops in
/// gpu.modules to the LLVM and NVVM dialects, with source lines. Outlines
/// gpu.launch. Kernels in these dialects already stay as they are. Takes a
/// builtin.module, whose host code is left alone.
void buildGpuToNvvmPipeline(mlir::OpPassManager &manager,
                            const GpuToNvvmOptions &options);

/// Options of gpu-host-to-llvm-pipeline.
struct GpuHostToLlvmOptions
    : public mlir::PassPipelineOptions<GpuHostToLlvmOptions> {
  Option<bool> barePointers{*this, "bare-pointers",
                            llvm::cl::desc(kBarePointersHelp),
                            llvm::cl::init(true)};
};

/// From host code that launches kernels (gpu, memref, affine, scf, math and
/// arith ops in functions, beside gpu.binary ops) to the LLVM dialect, which
/// calls the functions of tileir/Runtime/GpuRuntime.h. Takes a builtin.module.
void buildGpuHostToLlvmPipeline(mlir::OpPassManager &manager,
                                const GpuHostToLlvmOptions &options);

/// Makes the pipelines known by name to tools and parsers.
void registerPipelines();

} // namespace tileir

#endif // TILEIR_PIPELINES_PIPELINES_H

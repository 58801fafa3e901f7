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

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tileir {

/// Options of einsum-to-cpu-pipeline.
struct EinsumToCpuOptions
    : public mlir::PassPipelineOptions<EinsumToCpuOptions> {
  Option<RuntimeChecks> checks{
      *this, "checks",
      llvm::cl::desc("What is verified at run time; see "
                     "convert-einsum-to-affine"),
      llvm::cl::init(RuntimeChecks::Sizes),
      llvm::cl::values(
          clEnumValN(RuntimeChecks::None, "none", "nothing"),
          clEnumValN(RuntimeChecks::Sizes, "sizes", "sizes, before the loops"),
          clEnumValN(RuntimeChecks::All, "all", "sizes, and each read"))};
  Option<bool> openmp{*this, "openmp",
                      llvm::cl::desc("Run parallel loops by OpenMP"),
                      llvm::cl::init(true)};
};

/// From einsum, arith, math, linalg and tensor ops in functions to the LLVM
/// dialect, for the CPU. Takes a builtin.module. A function that returns
/// tensors returns buffers that its caller frees; see docs/architecture.md for
/// the calling convention.
void buildEinsumToCpuPipeline(mlir::OpPassManager &manager,
                              const EinsumToCpuOptions &options);

/// Makes the pipelines known by name to tools and parsers.
void registerPipelines();

} // namespace tileir

#endif // TILEIR_PIPELINES_PIPELINES_H

//===- EinsumToCpu.cpp - einsum-to-cpu-pipeline ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextPipeline.h"
#include "tileir/Pipelines/Pipelines.h"

#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace tileir;

/// On tensors: element-wise ops become linalg, so that they can be bufferized.
/// Contractions of many operands are split later, by convert-einsum-to-affine:
/// on memrefs that frees buffers, which buffer deallocation does not take.
static constexpr StringLiteral kTensorPasses =
    "canonicalize,cse,func.func(convert-elementwise-to-linalg),";

/// To buffers, whose ownership is tracked: every result is owned by the caller.
static constexpr StringLiteral kBufferPasses =
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-deallocation-pipeline,convert-bufferization-to-memref,";

/// Not affine-loop-invariant-code-motion: it moves loads out of loops that may
/// have no iteration, and so may read what is not there.
static constexpr StringLiteral kLoopPasses =
    "func.func(convert-linalg-to-parallel-loops),canonicalize,cse,"
    "lower-affine,loop-invariant-code-motion,cse,";

/// The canonicalizer removes the alloca scopes that the conversion makes; they
/// could not be lowered around control flow.
static constexpr StringLiteral kOpenMPPasses =
    "convert-scf-to-openmp,canonicalize,";

/// convert-openmp-to-llvm comes after convert-func-to-llvm, which it expects.
static constexpr StringLiteral kLLVMPasses =
    "memref-expand,expand-strided-metadata,lower-affine,"
    "convert-scf-to-cf,arith-expand,"
    "convert-math-to-llvm,convert-math-to-libm,"
    "convert-cf-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,"
    "finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,";

static StringRef toString(RuntimeChecks checks) {
  switch (checks) {
  case RuntimeChecks::None:
    return "none";
  case RuntimeChecks::Sizes:
    return "sizes";
  case RuntimeChecks::All:
    return "all";
  }
  llvm_unreachable("unknown checks");
}

static std::string getText(const EinsumToCpuOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kTensorPasses << kBufferPasses
     << "convert-einsum-to-affine{checks=" << toString(options.checks)
     << (options.openmp ? "" : " parallel-iterations=0") << "}," << kLoopPasses;
  if (options.openmp)
    os << kOpenMPPasses;
  os << kLLVMPasses;
  if (options.openmp)
    os << "convert-openmp-to-llvm,";
  os << "reconcile-unrealized-casts";
  return text;
}

static constexpr StringLiteral kName = "einsum-to-cpu-pipeline";

void tileir::buildEinsumToCpuPipeline(OpPassManager &manager,
                                      const EinsumToCpuOptions &options) {
  addTextPipeline(manager, kName, getText(options));
}

void tileir::registerEinsumToCpuPipeline() {
  registerTextPipeline(
      kName, "From einsum on tensors to the LLVM dialect for the CPU", getText);
}

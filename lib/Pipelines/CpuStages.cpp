//===- CpuStages.cpp - What pipelines for the CPU share -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuStages.h"

#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace tileir;

/// Not affine-loop-invariant-code-motion: it moves loads out of loops that may
/// have no iteration, and so may read what is not there.
static constexpr StringLiteral kLoopPasses =
    "canonicalize,cse,lower-affine,loop-invariant-code-motion,cse,";

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
    "convert-vector-to-llvm{enable-x86vector},"
    "finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,";

StringRef tileir::toString(RuntimeChecks checks) {
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

std::string tileir::getBufferPasses(const CpuOptions &options,
                                    StringRef linalgToLoops) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "buffer-deallocation-pipeline,convert-bufferization-to-memref,"
     << "convert-einsum-to-affine{checks=" << toString(options.checks)
     << (options.openmp ? "" : " parallel-iterations=0") << "},func.func("
     << linalgToLoops << ")," << kLoopPasses;
  if (options.openmp)
    os << kOpenMPPasses;
  os << kLLVMPasses;
  if (options.openmp)
    os << "convert-openmp-to-llvm,";
  os << "reconcile-unrealized-casts";
  return text;
}

//===- EinsumToCpu.cpp - einsum-to-cpu-pipeline ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions, with the element-wise ops around them, get schedules and become
// kernels on vectors. What has no schedule becomes plain loops, the outer ones
// parallel.
//
//===----------------------------------------------------------------------===//

#include "CpuStages.h"
#include "TextPipeline.h"

using namespace mlir;
using namespace tileir;

/// Kernels of what can have a schedule.
static std::string getSchedulePasses(const CpuOptions &options) {
  if (!options.schedule || options.checks == RuntimeChecks::All)
    return "einsum-inline-kernels,canonicalize,cse,";
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t threads = options.openmp ? int64_t(options.threads) : 1;
  // Buffers on memrefs are freed, which buffer deallocation does not take.
  os << "canonicalize,cse,einsum-contract-pairwise{memrefs=0},"
     << "einsum-pad-operands,"
     << "canonicalize,cse,einsum-fuse{max-contractions=1},"
     << "einsum-choose-schedule{threads=" << threads << "},"
     << "convert-einsum-to-vector{deallocate=0 checks="
     << toString(options.checks) << "},cpu-approximate-math,";
  return text;
}

static std::string getEinsumToCpuText(const CpuOptions &options) {
  return getSchedulePasses(options) + (kTensorPasses + kBufferizePasses).str() +
         getBufferPasses(options, "convert-linalg-to-parallel-loops");
}

static constexpr StringLiteral kEinsumToCpuName = "einsum-to-cpu-pipeline";

void tileir::buildEinsumToCpuPipeline(OpPassManager &manager,
                                      const CpuOptions &options) {
  addTextPipeline(manager, kEinsumToCpuName, getEinsumToCpuText(options));
}

void tileir::registerEinsumToCpuPipeline() {
  registerTextPipeline(kEinsumToCpuName,
                       "From einsum on tensors to the LLVM dialect for the CPU",
                       getEinsumToCpuText);
}

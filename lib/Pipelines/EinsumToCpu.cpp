//===- EinsumToCpu.cpp - einsum-to-cpu-pipeline ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions become loops, the outer ones parallel, as do the element-wise
// ops around them.
//
//===----------------------------------------------------------------------===//

#include "CpuStages.h"
#include "TextPipeline.h"

using namespace mlir;
using namespace tileir;

static std::string getText(const CpuOptions &options) {
  return (kTensorPasses + kBufferizePasses).str() +
         getBufferPasses(options, "convert-linalg-to-parallel-loops");
}

static constexpr StringLiteral kName = "einsum-to-cpu-pipeline";

void tileir::buildEinsumToCpuPipeline(OpPassManager &manager,
                                      const CpuOptions &options) {
  addTextPipeline(manager, kName, getText(options));
}

void tileir::registerEinsumToCpuPipeline() {
  registerTextPipeline(
      kName, "From einsum on tensors to the LLVM dialect for the CPU", getText);
}

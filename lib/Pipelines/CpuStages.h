//===- CpuStages.h - What pipelines for the CPU share -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of the text of these pipelines (TextPipeline.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_PIPELINES_CPUSTAGES_H
#define TILEIR_LIB_PIPELINES_CPUSTAGES_H

#include "tileir/Pipelines/Pipelines.h"

#include <string>

namespace tileir {

/// On tensors: kernels are taken apart, and element-wise ops become linalg, so
/// that they can be bufferized.
/// Neither canonicalize nor cse: convert-einsum-to-vector forbids them here.
/// Contractions of many operands are split later, by convert-einsum-to-affine:
/// on memrefs that frees buffers, which buffer deallocation does not take.
constexpr llvm::StringLiteral kTensorPasses =
    "einsum-inline-kernels,func.func(convert-elementwise-to-linalg),";

/// From tensors to buffers: every result is owned by the caller.
constexpr llvm::StringLiteral kBufferizePasses =
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "allow-return-allocs-from-loops=1 "
    "function-boundary-type-conversion=identity-layout-map},";

/// How a pass takes `checks` as an option.
llvm::StringRef toString(RuntimeChecks checks);

/// From buffers, whose ownership is not tracked yet, and linalg and einsum on
/// them to the LLVM dialect. The pass `linalgToLoops` makes loops of linalg.
std::string getBufferPasses(const CpuOptions &options,
                            llvm::StringRef linalgToLoops);

} // namespace tileir

#endif // TILEIR_LIB_PIPELINES_CPUSTAGES_H

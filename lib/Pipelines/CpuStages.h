//===- CpuStages.h - Common stages of CPU pipelines -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of these pipelines, in the order in which they follow each other. They
// are made of passes rather than of text: a library in a process that has
// another copy of these passes cannot register its own by name.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_PIPELINES_CPUSTAGES_H
#define TILEIR_LIB_PIPELINES_CPUSTAGES_H

#include "tileir/Pipelines/Pipelines.h"

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace tileir::pipelines {

/// Removes what is computed twice or not at all.
void addCleanupPasses(mlir::OpPassManager &manager);

/// Works on tensors: kernels become their bodies, and element-wise ops become
/// linalg, so that they can be bufferized. Runs neither canonicalize nor cse:
/// convert-einsum-to-vector forbids them here. Contractions of many operands
/// are split later, by convert-einsum-to-affine: on memrefs that frees buffers,
/// which buffer deallocation does not take.
void addTensorPasses(mlir::OpPassManager &manager);

/// Converts tensors to buffers: every result is owned by the caller.
void addBufferizePasses(mlir::OpPassManager &manager);

/// Lowers buffers, whose ownership is not tracked yet, and linalg and einsum on
/// them to loops, among threads or not. The pass `linalgToLoops` makes loops of
/// linalg.
void addLoopPasses(mlir::OpPassManager &manager, const CpuOptions &options,
                   std::unique_ptr<mlir::Pass> linalgToLoops);

/// Lowers loops to the LLVM dialect, by upstream's passes.
void addLLVMPasses(mlir::OpPassManager &manager, const CpuOptions &options);

/// Adds the passes that upstream's conversions of memrefs expect.
void addMemRefPasses(mlir::OpPassManager &manager);

/// Divides parallel loops among the threads of `options`.
void addOpenMPPass(mlir::OpPassManager &manager, const CpuOptions &options);

} // namespace tileir::pipelines

#endif // TILEIR_LIB_PIPELINES_CPUSTAGES_H

//===- Passes.h - Passes of the einsum dialect ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_H
#define TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_H

#include "tileir/Dialect/Einsum/Transforms/ContractionOrder.h"
#include "tileir/Target/Cpu/Cpu.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
class RewriterBase;
} // namespace mlir

namespace tileir::einsum {

#define GEN_PASS_DECL
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"

/// Adds the pattern of einsum-contract-pairwise.
void populateContractPairwisePatterns(mlir::RewritePatternSet &patterns,
                                      const ContractionOrderOptions &options);

/// Replaces `kernel` by its body.
void inlineKernel(mlir::RewriterBase &rewriter, KernelOp kernel);

/// Fills in what `schedule` leaves open, by a model of the machine at `op`. If
/// there is nothing to do, it returns the same one and says why.
ScheduleAttr chooseKernel(ContractOp op, ScheduleAttr schedule, int64_t threads,
                          std::string &reason);

#define GEN_PASS_REGISTRATION
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_H

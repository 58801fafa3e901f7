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

#include <functional>
#include <string>
#include <vector>

namespace mlir {
class RewritePatternSet;
class RewriterBase;
} // namespace mlir

namespace tileir::einsum {

/// The operands that a kernel reads a copy of: those that vectors along the
/// lanes cannot be loaded from; also one from which they can, and that is read
/// several times; also that of the rows, if its elements are converted, tables
/// tell where they are, or a matrix unit reads them. Any: what is cheapest.
enum class PackMode { Needed, Lanes, Both, Any };

/// What computes a kernel; Any: what is fastest.
enum class Unit { Any, Vector, Matrix };

#define GEN_PASS_DECL
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"

/// Adds the pattern of einsum-contract-pairwise.
void populateContractPairwisePatterns(mlir::RewritePatternSet &patterns,
                                      const ContractionOrderOptions &options);

/// Replaces `kernel` by its body.
void inlineKernel(mlir::RewriterBase &rewriter, KernelOp kernel);

/// Fills in what `schedule` and `options` leave open, by a model of the machine
/// at `op`. If there is nothing to do, it returns the same one and says why; if
/// no kernel does what the options say, a null one.
ScheduleAttr chooseKernel(ContractOp op, ScheduleAttr schedule,
                          const EinsumChooseSchedulePassOptions &options,
                          std::string &reason);

/// A kernel that einsum-choose-schedule compares.
struct KernelCandidate {
  /// The options that ask for it: "lanes=n rows=m panel=0 tile=6,2 ...".
  std::string config;
  /// As estimated.
  double cycles = 0;
  /// The estimate for another machine, of the same vectors and registers.
  std::function<double(MachineAttr)> estimate;
};

/// All of them for a contraction without a schedule, the cheapest first; none
/// if it can have no kernel.
std::vector<KernelCandidate> listKernels(ContractOp op);

/// The cycles of the best kernel of `op`, as estimated, with what its schedule
/// says; nothing if it can have none.
std::optional<double> estimateKernel(ContractOp op);

/// What `options` say of a kernel, as text; threads are left out.
std::string getConfig(const EinsumChooseSchedulePassOptions &options);

#define GEN_PASS_REGISTRATION
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_TRANSFORMS_PASSES_H

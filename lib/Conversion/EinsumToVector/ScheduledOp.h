//===- ScheduledOp.h - Contractions with a schedule -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_SCHEDULEDOP_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_SCHEDULEDOP_H

#include "Nest.h"
#include "tileir/Conversion/EinsumLowering/Expression.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace tileir::to_vector {

/// A contraction with a schedule, or the einsum.kernel of which it is the only
/// contraction.
class ScheduledOp {
public:
  /// Nothing, and the reason, if the kernel around `op` is not of that form.
  static std::optional<ScheduledOp> get(einsum::ContractOp op,
                                        std::string &reason);

  /// Has sums start from what the result holds, of a contraction on memrefs
  /// without a kernel.
  void startFromResult() { startsFromResult = true; }

  /// Replaces the contraction, or its kernel, by loops on buffers.
  /// `deallocate`: whether it frees the buffers that these need.
  void emit(mlir::RewriterBase &rewriter, lowering::CheckEmitter &checks,
            bool deallocate);

  /// What it emitted: inputs that are staged, and whether one is bordered
  /// (StagedOperand.h).
  unsigned getNumStaged() const { return pads.size() - isBordered(); }
  bool isBordered() const { return border.has_value(); }

private:
  /// The memref of a tensor from outside, or of an argument of the kernel.
  mlir::Value getMemRef(mlir::OpBuilder &builder, mlir::Value value);
  /// Whether each element of the kernel's argument `number` is read just before
  /// that of the result is written that stands in its place.
  bool readsWhatItWrites(unsigned number);
  /// The value that is written, which replaces the op's result.
  mlir::Value makeResult(mlir::RewriterBase &rewriter);
  /// Finds the inputs that loops read without their border.
  void findPadded();
  /// The access to an input; `map` may have its axes in another order.
  Access makeInputAccess(IndexBuilder &index, Nest &nest,
                         const lowering::ContractMemRefs &memrefs,
                         unsigned operand, mlir::AffineMap map,
                         mlir::Value memref, lowering::CheckEmitter &checks);
  /// The memory of operands; null for one that the kernel computes.
  lowering::ContractMemRefs getMemRefs(mlir::OpBuilder &builder);
  Operand makeOperand(IndexBuilder &index, Nest &nest,
                      const lowering::ContractMemRefs &memrefs,
                      unsigned operand, const lowering::Expression &expression,
                      mlir::AffineMap map, lowering::CheckEmitter &checks);

  einsum::ContractOp op;
  einsum::KernelOp kernel;                        // or null
  llvm::SmallVector<lowering::Expression> inputs; // of a kernel
  std::optional<lowering::Expression> epilogue;   // of a kernel
  /// The expression that a kernel adds to the contraction first, if sums start
  /// from it.
  std::optional<lowering::Expression> start;
  bool startsFromResult = false;
  /// The contraction, or its sum with `start`.
  mlir::Value contracted;
  /// For each axis of the contraction, the axis of the kernel's result.
  llvm::SmallVector<unsigned> axes;
  /// By input; nothing for one that is not copied.
  std::vector<std::optional<Stage>> stages;
  llvm::SmallVector<einsum::BorderSteps> borderSteps;
  std::optional<Border> border;
  unsigned borderedInput = 0;
  /// The ops whose sources are read instead of their results.
  llvm::SmallVector<mlir::tensor::PadOp> pads;
};

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_SCHEDULEDOP_H

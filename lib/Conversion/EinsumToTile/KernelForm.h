//===- KernelForm.h - Contractions of an einsum.kernel ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOTILE_KERNELFORM_H
#define TILEIR_LIB_CONVERSION_EINSUMTOTILE_KERNELFORM_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

namespace tileir {

/// Writes each contraction on which the result of a kernel depends once more,
/// on memrefs, for what plans and checks it: its specification and shapes.
/// Operands that are inputs of the kernel are their memory; others, and
/// results, have no memory, and are placeholders of static shape.
class KernelForm {
public:
  KernelForm(mlir::OpBuilder &builder, einsum::KernelOp op,
             const llvm::MapVector<mlir::Value, mlir::Value> &memory,
             mlir::Value result);

  /// The contractions, and how they are on memrefs.
  llvm::ArrayRef<std::pair<einsum::ContractOp, einsum::ContractOp>>
  getContractions() const {
    return contractions;
  }

  void erase(mlir::RewriterBase &rewriter);

private:
  llvm::SmallVector<std::pair<einsum::ContractOp, einsum::ContractOp>>
      contractions;
  llvm::SmallVector<mlir::Operation *> placeholders;
};

} // namespace tileir

#endif // TILEIR_LIB_CONVERSION_EINSUMTOTILE_KERNELFORM_H

//===- LinalgContraction.h - Structured ops as contractions -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of a structured op, as far as einsum.contract can express it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_LINALGTOEINSUM_LINALGCONTRACTION_H
#define TILEIR_LIB_CONVERSION_LINALGTOEINSUM_LINALGCONTRACTION_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tileir::to_einsum {

/// Says why something is not done.
using Miss = llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)>;

/// A structured op whose output is the contraction `spec` of `inputs`, to which
/// its previous value is added if `accumulates`.
struct LinalgContraction {
  einsum::SpecAttr spec;
  llvm::SmallVector<mlir::Value> inputs;
  /// Sizes of indices that only operands which are not read tell, or null.
  mlir::DictionaryAttr sizes;
  bool accumulates;

  bool isSum() const {
    return spec.getNumResultIndices() < spec.getNumIndices();
  }

  /// Recognises `op` by its indexing maps and its region alone.
  static mlir::FailureOr<LinalgContraction> match(mlir::linalg::LinalgOp op,
                                                  Miss miss);
};

/// Runs `work`; if it fails, its first error message becomes the reason.
mlir::LogicalResult
reportAsMiss(mlir::MLIRContext *context, Miss miss,
             llvm::function_ref<mlir::LogicalResult()> work);

} // namespace tileir::to_einsum

#endif // TILEIR_LIB_CONVERSION_LINALGTOEINSUM_LINALGCONTRACTION_H

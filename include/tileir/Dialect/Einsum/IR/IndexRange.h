//===- IndexRange.h - Values that indices take ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The range of values that the index of an axis takes when its indices run over
// their sizes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_INDEXRANGE_H
#define TILEIR_DIALECT_EINSUM_IR_INDEXRANGE_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::einsum {

/// An axis of the form constant + sum of coefficients[i] * index i.
struct LinearAxis {
  llvm::SmallVector<int64_t> coefficients;
  int64_t constant = 0;

  /// Writes `axis`, an expression of `numIndices` indices, in this form;
  /// nothing if it divides or looks something up.
  static std::optional<LinearAxis> get(mlir::AffineExpr axis,
                                       unsigned numIndices);
};

/// The values that an expression takes over all indices.
struct IndexRange {
  int64_t min, max;
};
/// The range of `expr` when index i runs over [0, sizes[i]); an enclosing one
/// when the exact one would take too long. Nothing if a size that matters is
/// dynamic, a table is looked up, or 64 bits are not enough.
std::optional<IndexRange> getIndexRange(mlir::AffineExpr expr, SpecAttr spec,
                                        llvm::ArrayRef<int64_t> sizes);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_INDEXRANGE_H

//===- ContractionDim.h - The dimensions of a contraction -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The four dimensions into which the indices of a contraction fall. This header
// includes nothing, so that interfaces without MLIR can use it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_CONTRACTIONDIM_H
#define TILEIR_DIALECT_EINSUM_IR_CONTRACTIONDIM_H

#include "llvm/ADT/StringRef.h"

namespace tileir::einsum {

/// The dimension to which an index belongs. K: it is summed over. Batch:
/// several operands have it and the result, or the only operand. M: of several
/// operands only the first one has it; N: only a later one, or none.
enum class ContractionDim { Batch, M, N, K };

llvm::StringRef stringify(ContractionDim dim);

/// A value for each dimension.
template <typename T> struct PerContractionDim {
  T values[4] = {};
  T &operator[](ContractionDim dim) { return values[static_cast<int>(dim)]; }
  const T &operator[](ContractionDim dim) const {
    return values[static_cast<int>(dim)];
  }
};

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_CONTRACTIONDIM_H

//===- ContractionDims.h - Indices by dimension -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The indices that make up Batch, M, N and K of a contraction, in the order in
// which kernels go through them so that they go through memory in its order.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_ANALYSIS_CONTRACTIONDIMS_H
#define TILEIR_DIALECT_EINSUM_ANALYSIS_CONTRACTIONDIMS_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::einsum {

class ContractionDims {
public:
  /// `sizes` are the static sizes of the indices of `spec`;
  /// ShapedType::kDynamic where unknown.
  ContractionDims(SpecAttr spec, llvm::ArrayRef<int64_t> sizes);

  /// The indices of `dim`, the innermost first. Those of static size 1 are left
  /// out. Those of the result are in its order, from the last one; summed ones
  /// are in that of an operand.
  llvm::ArrayRef<unsigned> getIndices(ContractionDim dim) const {
    return indices[dim];
  }
  /// The number of values of the indices of `dim` together;
  /// ShapedType::kDynamic if it is unknown or 64 bits do not hold it.
  int64_t getSize(ContractionDim dim) const;

private:
  llvm::SmallVector<int64_t> sizes;
  PerContractionDim<llvm::SmallVector<unsigned>> indices;
};

/// The number of values of `indices` together, given the sizes of all indices;
/// ShapedType::kDynamic if it is unknown or 64 bits do not hold it.
int64_t getTotalSize(llvm::ArrayRef<unsigned> indices,
                     llvm::ArrayRef<int64_t> sizes);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_ANALYSIS_CONTRACTIONDIMS_H

//===- ContractionOrder.h - Order of pairwise contraction -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In which order to contract the operands of an einsum pairwise so that the
// multiplications are fewest. Independent of the IR.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_TRANSFORMS_CONTRACTIONORDER_H
#define TILEIR_DIALECT_EINSUM_TRANSFORMS_CONTRACTIONORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tileir::einsum {

/// A set of indices; index i is bit i. (There are 52 indices.)
using IndexSet = uint64_t;

struct ContractionOrderOptions {
  /// All orders are compared for up to this many operands (at most 16).
  unsigned maxExhaustive = 10;
  /// The size assumed for one that is not known (negative).
  int64_t unknownSize = 64;
  /// Whether contractions on memrefs are split, too.
  bool memrefs = true;
};

/// One contraction of two operands. The original operands are numbered from 0;
/// the result of step i is operand numOperands + i.
struct ContractionStep {
  unsigned lhs, rhs;
  /// The indices of its result.
  IndexSet indices;
};

struct ContractionOrder {
  llvm::SmallVector<ContractionStep> steps;
  /// The multiplications of all steps together.
  double multiplications = 0;
};

/// The order of fewest multiplications; see einsum-contract-pairwise for the
/// rule. `operands` holds the indices of two or more operands, `result` those
/// of the result, `sizes` the size of each index.
ContractionOrder
findContractionOrder(llvm::ArrayRef<IndexSet> operands, IndexSet result,
                     llvm::ArrayRef<int64_t> sizes,
                     const ContractionOrderOptions &options = {});

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_TRANSFORMS_CONTRACTIONORDER_H

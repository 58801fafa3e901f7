//===- BoxPlan.h - Blocks that are boxes of indices -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where M, N or K is several indices, a block is a range of them as if they
// were one, which is no dense part of memory; then each element has a pointer
// of its own. If a block has a range of each index instead, a box, operands and
// result are windows of memory, which tensor maps can copy. Where a window is
// may be looked up, by summed indices, of which a step has one value each.
//
// A box goes by steps along an axis with an index times 2 to 8, as tensor maps
// do.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOTILE_BOXPLAN_H
#define TILEIR_LIB_CONVERSION_EINSUMTOTILE_BOXPLAN_H

#include "TilePlan.h"

#include "tileir/Dialect/Einsum/IR/IndexRange.h"

namespace tileir::to_tile {

struct BoxPlan {
  /// The size of a box along each index, powers of two.
  llvm::SmallVector<int64_t> sizes;
  /// Their products.
  layout::TileSizes block;

  /// The boxes of a contraction of two operands in memory, in blocks of the
  /// plan's size along M and N, and at most of it along K. Nothing if the
  /// target copies no boxes, if they are not needed, if memory or the
  /// instruction do not take them, or if they leave much more of blocks in vain
  /// than ranges do.
  static std::optional<BoxPlan> get(const TilePlan &plan);

  /// An axis of an operand as a sum of indices and, behind their coefficients,
  /// of what is looked up; nothing if it is none.
  static std::optional<einsum::LinearAxis> getAxis(mlir::AffineExpr axis,
                                                   einsum::SpecAttr spec);

  /// The distance of elements of a box along an axis of an operand: the factor
  /// of the index that is long there.
  int64_t getStep(const einsum::LinearAxis &axis) const;

  /// How many boxes there are along some indices of these sizes.
  int64_t countBoxes(llvm::ArrayRef<unsigned> indices,
                     llvm::ArrayRef<int64_t> ofIndices) const;
};

} // namespace tileir::to_tile

#endif // TILEIR_LIB_CONVERSION_EINSUMTOTILE_BOXPLAN_H

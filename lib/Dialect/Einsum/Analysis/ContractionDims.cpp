//===- ContractionDims.cpp - Indices of a contraction by dimension --------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It needs sizes of indices, and no shapes: the order within memory follows
// from the order of axes.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/IR/IndexRange.h"

#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace mlir;
using namespace tileir::einsum;

/// The place of an index in an operand, as a key that sorts like its stride: an
/// index in a later axis has a smaller one, as does, within an axis, one with a
/// smaller factor. Indices that the operand does not have come last.
static std::tuple<bool, int, uint64_t> getStride(SpecAttr spec, AffineMap map,
                                                 unsigned index) {
  for (int axis = map.getNumResults() - 1; axis >= 0; --axis) {
    AffineExpr expr = map.getResult(axis);
    if (!spec.usesIndex(expr, index))
      continue;
    auto linear = LinearAxis::get(expr, spec.getNumIndices());
    return {false, -axis,
            linear ? llvm::AbsoluteValue(linear->coefficients[index]) : 1};
  }
  return {true, 0, 0};
}

/// Summed indices are ordered by their strides in one operand, the first whose
/// last axis is a summed index, or else the first of all, and where that does
/// not tell, by those in the others.
static void sortSummed(SpecAttr spec, SmallVectorImpl<unsigned> &indices) {
  unsigned numOperands = spec.getNumOperands(), reference = 0;
  for (unsigned operand = numOperands; operand-- > 0;)
    if (unsigned rank = spec.getMaps()[operand].getNumResults()) {
      auto last = spec.getBareIndex(operand, rank - 1);
      if (last && llvm::is_contained(indices, *last))
        reference = operand;
    }
  llvm::sort(indices, [&](unsigned lhs, unsigned rhs) {
    for (unsigned i = 0; i < numOperands; ++i) {
      AffineMap map = spec.getMaps()[(reference + i) % numOperands];
      auto left = getStride(spec, map, lhs), right = getStride(spec, map, rhs);
      if (left != right)
        return left < right;
    }
    return lhs < rhs;
  });
}

ContractionDims::ContractionDims(SpecAttr spec, ArrayRef<int64_t> sizes)
    : sizes(sizes) {
  for (unsigned index = spec.getNumIndices(); index-- > 0;)
    if (sizes[index] != 1)
      indices[spec.getContractionDim(index)].push_back(index);
  sortSummed(spec, indices[ContractionDim::K]);
}

int64_t ContractionDims::getSize(ContractionDim dim) const {
  return getTotalSize(indices[dim], sizes);
}

int64_t tileir::einsum::getTotalSize(ArrayRef<unsigned> indices,
                                     ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (unsigned index : indices)
    if (ShapedType::isDynamic(sizes[index]) ||
        llvm::MulOverflow(product, sizes[index], product))
      return ShapedType::kDynamic;
  return product;
}

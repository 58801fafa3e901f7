//===- LetterOrder.cpp - The order of letters in loops --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/LetterOrder.h"
#include "tileir/Dialect/Einsum/IR/IndexRange.h"

#include <tuple>

using namespace mlir;
using namespace tileir::einsum;

/// The place of a letter in an operand, as a key that sorts like its stride: a
/// letter in a later axis has a smaller one, as does, within an axis, one with
/// a smaller factor. Letters that the operand does not have come last.
static std::tuple<bool, int, uint64_t> getStride(SpecAttr spec, AffineMap map,
                                                 unsigned letter) {
  for (int axis = map.getNumResults() - 1; axis >= 0; --axis) {
    AffineExpr expr = map.getResult(axis);
    if (!spec.usesLetter(expr, letter))
      continue;
    auto linear = LinearAxis::get(expr, spec.getNumLetters());
    return {false, -axis,
            linear ? llvm::AbsoluteValue(linear->coefficients[letter]) : 1};
  }
  return {true, 0, 0};
}

/// Summed letters are ordered by their strides in one operand, the first whose
/// last axis is a summed letter, or else the first of all, and where that does
/// not tell, by those in the others.
static void sortSummed(SpecAttr spec, SmallVectorImpl<unsigned> &letters) {
  unsigned numOperands = spec.getNumOperands(), reference = 0;
  for (unsigned operand = numOperands; operand-- > 0;)
    if (unsigned rank = spec.getMaps()[operand].getNumResults()) {
      auto last = spec.getBareLetter(operand, rank - 1);
      if (last && llvm::is_contained(letters, *last))
        reference = operand;
    }
  llvm::sort(letters, [&](unsigned lhs, unsigned rhs) {
    for (unsigned i = 0; i < numOperands; ++i) {
      AffineMap map = spec.getMaps()[(reference + i) % numOperands];
      auto left = getStride(spec, map, lhs), right = getStride(spec, map, rhs);
      if (left != right)
        return left < right;
    }
    return lhs < rhs;
  });
}

SmallVector<unsigned>
tileir::einsum::getLetterOrder(SpecAttr spec, ArrayRef<int64_t> sizes,
                               SpecAttr::LetterKind kind) {
  SmallVector<unsigned> letters;
  for (unsigned letter = spec.getNumLetters(); letter-- > 0;)
    if (sizes[letter] != 1 && spec.getLetterKind(letter) == kind)
      letters.push_back(letter);
  if (kind == SpecAttr::LetterKind::Reduction)
    sortSummed(spec, letters);
  return letters;
}

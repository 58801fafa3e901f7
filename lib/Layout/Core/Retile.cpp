//===- Retile.cpp ---------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of a tile after tile.reshape, tile.trans, tile.broadcast and
// tile.reduce, when no element changes its place.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Core/LinearLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir::layout;
using namespace llvm;

LinearLayout LinearLayout::reshape(ArrayRef<int64_t> newShape) const {
  // Elements keep their numbers.
  LinearLayout result(newShape);
  assert(result.getNumElementBits() == getNumElementBits() &&
         "expects as many elements");
  result.bases = bases;
  return result;
}

/// `layout` with its coordinates changed to those of a tile of `shape`.
static LinearLayout mapBases(const LinearLayout &layout,
                             ArrayRef<int64_t> shape,
                             function_ref<Coordinate(Coordinate)> map) {
  LinearLayout result(shape);
  for (InDim in : kInDims)
    for (unsigned bit = 0; bit < layout.getNumBits(in); ++bit)
      result.addBasis(in, map(layout.getBasis(in, bit)));
  return result;
}

LinearLayout LinearLayout::transpose(ArrayRef<int64_t> permutation) const {
  SmallVector<int64_t> sizes;
  for (int64_t axis : permutation)
    sizes.push_back(shape[axis]);
  return mapBases(*this, sizes, [&](const Coordinate &from) {
    Coordinate to;
    for (int64_t axis : permutation)
      to.push_back(from[axis]);
    return to;
  });
}

LinearLayout LinearLayout::broadcast(ArrayRef<int64_t> newShape) const {
  SmallVector<int64_t> padded(newShape.size() - getRank(), 1);
  append_range(padded, shape);
  LinearLayout result =
      mapBases(reshape(padded), newShape, [](Coordinate basis) {
        return basis; // along the new axes it is 0
      });
  for (unsigned axis = newShape.size(); axis-- > 0;) {
    assert((padded[axis] == 1 || padded[axis] == newShape[axis]) &&
           "expects axes of size one");
    for (unsigned bit = Log2_64(padded[axis]); bit < Log2_64(newShape[axis]);
         ++bit)
      result.addUnit(InDim::Register, axis, bit);
  }
  return result;
}

LinearLayout LinearLayout::embed(ArrayRef<int64_t> newShape) const {
  return mapBases(*this, newShape, [](Coordinate basis) { return basis; });
}

LinearLayout LinearLayout::removeAxis(unsigned axis) const {
  SmallVector<int64_t> sizes(getShape());
  sizes.erase(sizes.begin() + axis);
  LinearLayout result = mapBases(*this, sizes, [&](Coordinate basis) {
    basis.erase(basis.begin() + axis);
    return basis;
  });
  uint64_t copies = result.getFreeBits(InDim::Register);
  SmallVector<unsigned> kept;
  for (unsigned bit = 0; bit < getNumBits(InDim::Register); ++bit)
    if (!(copies >> bit & 1))
      kept.push_back(bit);
  return result.selectBits(InDim::Register, kept);
}

std::optional<LinearLayout> LinearLayout::getHalf(unsigned &bit) const {
  if (shape.empty() || shape.back() != 2)
    return std::nullopt;
  LinearLayout half(ArrayRef(shape).drop_back());
  std::optional<unsigned> found;
  for (InDim in : kInDims)
    for (unsigned i = 0; i < getNumBits(in); ++i) {
      // The last axis is the lowest bit of the element's number.
      uint64_t element = getBases(in)[i];
      if ((element & 1) == 0) {
        half.addBasis(in, element >> 1);
        continue;
      }
      if (found || in != InDim::Register || element != 1)
        return std::nullopt;
      found = i;
    }
  if (!found)
    return std::nullopt;
  bit = *found;
  return half;
}

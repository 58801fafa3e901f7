//===- LinearLayout.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contents of layouts, and layouts as maps. Equations are solved by elimination
// on the columns, in the order of the bits of a hardware index: the first
// columns that are independent become the solution's.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Core/LinearLayout.h"

#include "BitSpan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir::layout;
using namespace llvm;

StringRef tileir::layout::getName(InDim in) {
  static constexpr StringLiteral names[] = {"register", "lane", "warp", "block",
                                            "offset"};
  return names[unsigned(in)];
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

LinearLayout::LinearLayout(ArrayRef<int64_t> shape) : shape(shape) {
  assert(all_of(shape, [](int64_t size) { return isPowerOf2_64(size); }) &&
         "sizes are powers of two");
}

LinearLayout LinearLayout::identity(ArrayRef<int64_t> shape, InDim in,
                                    ArrayRef<unsigned> order) {
  LinearLayout layout(shape);
  for (unsigned axis : order)
    for (unsigned bit = 0; bit < Log2_64(shape[axis]); ++bit)
      layout.addUnit(in, axis, bit);
  return layout;
}

LinearLayout LinearLayout::identity(ArrayRef<int64_t> shape, InDim in) {
  return identity(shape, in,
                  to_vector(reverse(seq<unsigned>(0, shape.size()))));
}

unsigned LinearLayout::getNumElementBits() const {
  unsigned bits = 0;
  for (int64_t size : shape)
    bits += Log2_64(size);
  return bits;
}

unsigned LinearLayout::getNumHardwareBits() const {
  unsigned bits = 0;
  for (InDim in : kInDims)
    bits += getNumBits(in);
  return bits;
}

SmallVector<uint64_t> LinearLayout::getColumns() const {
  SmallVector<uint64_t> columns;
  for (InDim in : kInDims)
    append_range(columns, getBases(in));
  return columns;
}

unsigned LinearLayout::getAxisShift(unsigned axis) const {
  unsigned shift = 0;
  for (int64_t size : drop_begin(shape, axis + 1))
    shift += Log2_64(size);
  return shift;
}

uint64_t LinearLayout::getElement(ArrayRef<int32_t> coordinate) const {
  assert(coordinate.size() == shape.size() && "expects a value per axis");
  uint64_t element = 0;
  for (auto [value, size] : zip_equal(coordinate, shape)) {
    assert(value >= 0 && value < size && "coordinate outside of the tile");
    element = element * size + value;
  }
  return element;
}

Coordinate LinearLayout::getCoordinate(uint64_t element) const {
  Coordinate coordinate(shape.size());
  for (unsigned axis = shape.size(); axis-- > 0;) {
    coordinate[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return coordinate;
}

Coordinate LinearLayout::getBasis(InDim in, unsigned bit) const {
  return getCoordinate(getBases(in)[bit]);
}

void LinearLayout::addBasis(InDim in, uint64_t element) {
  assert(element >> getNumElementBits() == 0 && "basis outside of the tile");
  bases[unsigned(in)].push_back(element);
}

void LinearLayout::addBasis(InDim in, ArrayRef<int32_t> coordinate) {
  addBasis(in, getElement(coordinate));
}

void LinearLayout::addUnit(InDim in, unsigned axis, unsigned bit) {
  assert((int64_t(1) << bit) < shape[axis] && "basis outside of the tile");
  addBasis(in, uint64_t(1) << (getAxisShift(axis) + bit));
}

void LinearLayout::setBases(InDim in, ArrayRef<uint64_t> elements) {
  bases[unsigned(in)].clear();
  for (uint64_t element : elements)
    addBasis(in, element);
}

void LinearLayout::print(raw_ostream &os) const {
  bool isShared = getNumBits(InDim::Offset) > 0, first = true;
  for (InDim in : kInDims) {
    // An absent register, lane or warp says that there is but one.
    bool isUsual = in != InDim::Block && in != InDim::Offset && !isShared;
    if (!isUsual && getNumBits(in) == 0)
      continue;
    os << (first ? "" : ", ") << getName(in) << " = [";
    interleaveComma(seq<unsigned>(0, getNumBits(in)), os, [&](unsigned bit) {
      os << '[';
      interleaveComma(getBasis(in, bit), os);
      os << ']';
    });
    os << ']';
    first = false;
  }
}

//===----------------------------------------------------------------------===//
// As a map
//===----------------------------------------------------------------------===//

uint64_t LinearLayout::getElementAt(HardwareIndex index) const {
  uint64_t element = 0;
  for (auto [in, value] : index) {
    assert(value < getSize(in) && "no such hardware index");
    element ^= sumOf(getBases(in), value);
  }
  return element;
}

bool LinearLayout::isSurjective() const {
  return BitSpan(getColumns()).getRank() == getNumElementBits();
}

bool LinearLayout::isInjective() const {
  return BitSpan(getColumns()).getRank() == getNumHardwareBits();
}

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  assert(outer.getNumBits(InDim::Offset) == getNumElementBits() &&
         outer.getNumHardwareBits() == getNumElementBits() &&
         "expects a map from element numbers");
  LinearLayout result(outer.getShape());
  for (InDim in : kInDims)
    for (uint64_t element : getBases(in))
      result.addBasis(in, sumOf(outer.getBases(InDim::Offset), element));
  return result;
}

/// Makes a map whose coordinates are the hardware indices of `layout`.
static LinearLayout makeIndexMap(const LinearLayout &layout) {
  SmallVector<int64_t> sizes;
  for (InDim in : kInDims)
    sizes.push_back(layout.getSize(in));
  return LinearLayout(sizes);
}

/// The coordinate for a mask over all bits of a hardware index.
static Coordinate splitIndex(const LinearLayout &layout, uint64_t mask) {
  Coordinate index;
  for (InDim in : kInDims) {
    index.push_back(mask & (layout.getSize(in) - 1));
    mask >>= layout.getNumBits(in);
  }
  return index;
}

LinearLayout LinearLayout::pseudoInvert() const {
  assert(isSurjective() && "some element has no hardware index");
  BitSpan span(getColumns());
  LinearLayout result = makeIndexMap(*this);
  for (unsigned bit = 0; bit < getNumElementBits(); ++bit)
    result.addBasis(InDim::Offset,
                    splitIndex(*this, *span.solve(uint64_t(1) << bit)));
  return result;
}

std::optional<LinearLayout> LinearLayout::invert() const {
  if (!isSurjective() || !isInjective())
    return std::nullopt;
  return pseudoInvert();
}

LinearLayout LinearLayout::invertAndCompose(const LinearLayout &dst) const {
  assert(shape == dst.shape && isSurjective() &&
         "some element has no hardware index");
  BitSpan span(getColumns());
  LinearLayout result = makeIndexMap(*this);
  unsigned firstBit = 0;
  for (InDim in : kInDims) {
    for (auto [bit, element] : enumerate(dst.getBases(in))) {
      // The same bit here, and what its element lacks.
      bool exists = bit < getNumBits(in);
      uint64_t own = exists ? getBases(in)[bit] : 0;
      uint64_t mask = *span.solve(own ^ element);
      if (exists)
        mask ^= uint64_t(1) << (firstBit + bit);
      result.addBasis(in, splitIndex(*this, mask));
    }
    firstBit += getNumBits(in);
  }
  return result;
}

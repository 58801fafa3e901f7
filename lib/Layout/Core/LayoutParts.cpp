//===- LayoutParts.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of layouts, their factors, and single bits of layouts.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Core/LinearLayout.h"

#include "BitSpan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir::layout;
using namespace llvm;

LinearLayout LinearLayout::product(const LinearLayout &outer) const {
  SmallVector<int64_t> sizes;
  for (auto [size, factor] : zip_equal(shape, outer.shape))
    sizes.push_back(size * factor);
  LinearLayout result(sizes);
  for (InDim in : kInDims) {
    for (unsigned bit = 0; bit < getNumBits(in); ++bit)
      result.addBasis(in, getBasis(in, bit));
    for (unsigned bit = 0; bit < outer.getNumBits(in); ++bit) {
      Coordinate basis = outer.getBasis(in, bit);
      for (auto [value, size] : zip_equal(basis, shape))
        value *= size;
      result.addBasis(in, basis);
    }
  }
  return result;
}

/// The sizes of `shape` divided by those of a factor.
static std::optional<SmallVector<int64_t>>
divideShape(ArrayRef<int64_t> shape, ArrayRef<int64_t> factor) {
  if (shape.size() != factor.size())
    return std::nullopt;
  SmallVector<int64_t> quotient;
  for (auto [size, divisor] : zip_equal(shape, factor)) {
    if (size < divisor)
      return std::nullopt;
    quotient.push_back(size / divisor);
  }
  return quotient;
}

std::optional<LinearLayout>
LinearLayout::divideLeft(const LinearLayout &inner) const {
  auto sizes = divideShape(shape, inner.shape);
  if (!sizes)
    return std::nullopt;
  LinearLayout outer(*sizes);
  for (InDim in : kInDims)
    for (unsigned bit = inner.getNumBits(in); bit < getNumBits(in); ++bit) {
      Coordinate basis = getBasis(in, bit);
      for (auto [value, size] : zip_equal(basis, inner.shape))
        value /= size;
      outer.addBasis(in, basis);
    }
  return inner.product(outer) == *this ? std::optional(outer) : std::nullopt;
}

std::optional<LinearLayout>
LinearLayout::divideRight(const LinearLayout &outer) const {
  auto sizes = divideShape(shape, outer.shape);
  if (!sizes)
    return std::nullopt;
  LinearLayout inner(*sizes);
  for (InDim in : kInDims)
    for (unsigned bit = 0; bit + outer.getNumBits(in) < getNumBits(in); ++bit) {
      Coordinate basis = getBasis(in, bit);
      for (auto [value, size] : zip_equal(basis, *sizes))
        value %= size;
      inner.addBasis(in, basis);
    }
  return inner.product(outer) == *this ? std::optional(inner) : std::nullopt;
}

std::optional<LinearLayout> LinearLayout::quotient(InDim in) const {
  // The remaining sizes: those that all other InDims span.
  LinearLayout rest = drop(in);
  SmallVector<int64_t> sizes(getRank(), 1);
  for (uint64_t column : rest.getColumns())
    for (auto [size, value] : zip_equal(sizes, getCoordinate(column)))
      size = std::max<int64_t>(size, NextPowerOf2(value));
  // Each basis of `in` is one bit of what is missing.
  uint64_t seen = 0;
  for (auto [bit, basis] : enumerate(getBases(in))) {
    if (!basis)
      continue;
    if (!isPowerOf2_64(basis) || (seen & basis))
      return std::nullopt;
    seen |= basis;
    for (auto [size, value] : zip_equal(sizes, getBasis(in, bit)))
      if (value && value < size)
        return std::nullopt;
  }
  LinearLayout result(sizes);
  for (InDim other : kInDims)
    for (unsigned bit = 0; bit < rest.getNumBits(other); ++bit)
      result.addBasis(other, rest.getBasis(other, bit));
  // Nothing of the tile is left over.
  if (popcount(seen) + result.getNumElementBits() != getNumElementBits())
    return std::nullopt;
  return result;
}

LinearLayout LinearLayout::drop(InDim in) const {
  LinearLayout result = *this;
  result.setBases(in, {});
  return result;
}

LinearLayout LinearLayout::selectBits(InDim in,
                                      ArrayRef<unsigned> order) const {
  LinearLayout result = drop(in);
  for (unsigned bit : order)
    result.addBasis(in, getBases(in)[bit]);
  return result;
}

uint64_t LinearLayout::getFreeBits(InDim in) const {
  BitSpan span;
  for (InDim before : kInDims) {
    uint64_t mask = 0;
    for (auto [bit, basis] : enumerate(getBases(before)))
      mask |= uint64_t(!span.insert(basis)) << bit;
    if (before == in)
      return mask;
  }
  llvm_unreachable("all InDims are in kInDims");
}

SmallVector<unsigned, 4> LinearLayout::getContiguousBits(unsigned axis) const {
  SmallVector<unsigned, 4> bits;
  SmallVector<uint64_t> columns = getColumns();
  ArrayRef<uint64_t> registers = getBases(InDim::Register);
  for (uint64_t unit = uint64_t(1) << getAxisShift(axis), i = 0;
       i < Log2_64(shape[axis]); ++i, unit <<= 1) {
    // If another bit also changed the coordinate by so much, the order of the
    // run would differ from place to place.
    const auto *found = find(registers, unit);
    if (found == registers.end() ||
        count_if(columns, [&](uint64_t c) { return c & unit; }) != 1)
      break;
    bits.push_back(found - registers.begin());
  }
  return bits;
}

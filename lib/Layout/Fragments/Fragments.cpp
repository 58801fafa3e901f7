//===- Fragments.cpp - Layouts by name ------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocked layouts are written down bit by bit. Those of m8n8k4 are products: a
// quad pair's fragment, a second quad pair, steps along K, fragments along M
// and N, warps; M32N32K8 then permutes the bits of the rows and columns.
// B is A transposed, with the other bit of the quad pair.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Fragments/Fragments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir::layout;
using namespace llvm;

LinearLayout tileir::layout::getBlocked(ArrayRef<int64_t> shape,
                                        const Blocked &blocked) {
  LinearLayout layout(shape);
  SmallVector<unsigned, 4> done(shape.size(), 0); // bits of each axis
  auto add = [&](InDim in, ArrayRef<int64_t> sizes) {
    for (unsigned axis : blocked.order)
      for (unsigned bit = 0; bit < Log2_64(sizes[axis]); ++bit)
        if (done[axis] < Log2_64(shape[axis]))
          layout.addUnit(in, axis, done[axis]++);
        else if (in != InDim::Register)
          layout.addBasis(in, 0);
  };
  add(InDim::Register, blocked.sizePerThread);
  add(InDim::Lane, blocked.threadsPerWarp);
  add(InDim::Warp, blocked.warpsPerBlock);
  for (unsigned axis : blocked.order)
    while (done[axis] < Log2_64(shape[axis]))
      layout.addUnit(InDim::Register, axis, done[axis]++);
  return layout;
}

//===----------------------------------------------------------------------===//
// m8n8k4
//===----------------------------------------------------------------------===//

/// Bits of a lane: two number the lanes of a quad, two the quad pair, one the
/// quads of the pair.
enum LaneBit { kQuadPairA = 2, kQuadPairB = 3 };

/// In a tile of two axes.
static LinearLayout make(ArrayRef<int64_t> shape,
                         ArrayRef<Coordinate> registers,
                         ArrayRef<Coordinate> lanes) {
  LinearLayout layout(shape);
  for (const Coordinate &basis : registers)
    layout.addBasis(InDim::Register, basis);
  for (const Coordinate &basis : lanes)
    layout.addBasis(InDim::Lane, basis);
  return layout;
}

/// `layout` `count` times along an axis, numbered by more bits of `in`.
static LinearLayout repeat(const LinearLayout &layout, InDim in, unsigned axis,
                           int64_t count) {
  SmallVector<int64_t> sizes(layout.getRank(), 1);
  sizes[axis] = count;
  return layout.product(LinearLayout::identity(sizes, in));
}

/// `layout` twice along an axis, by a bit of the lane that chose nothing.
static LinearLayout repeatByLane(const LinearLayout &layout, unsigned axis,
                                 unsigned laneBit) {
  LinearLayout twice = repeat(layout, InDim::Lane, axis, 2);
  SmallVector<uint64_t> lanes(twice.getBases(InDim::Lane));
  lanes[laneBit] = lanes.pop_back_val();
  twice.setBases(InDim::Lane, lanes);
  return twice;
}

/// More bits of the warp, which choose nothing.
static void addWarps(LinearLayout &layout, int64_t count) {
  for (unsigned bit = 0; bit < Log2_64(count); ++bit)
    layout.addBasis(InDim::Warp, 0);
}

/// For M32N32K8, along an axis: the bit of the upper quad becomes 8, of the
/// quad pair 16, and of the next fragment 4.
static LinearLayout interleave(const LinearLayout &layout, unsigned axis) {
  LinearLayout result(layout.getShape());
  for (InDim in : kInDims)
    for (unsigned bit = 0; bit < layout.getNumBits(in); ++bit) {
      Coordinate basis = layout.getBasis(in, bit);
      int32_t x = basis[axis];
      basis[axis] = (x & ~28) | (x & 12) << 1 | (x & 16) >> 2;
      result.addBasis(in, basis);
    }
  return result;
}

LinearLayout tileir::layout::getQuadPairFragment(Operand operand, Major major) {
  switch (operand) {
  case Operand::A:
    if (major == Major::Row)
      return make({8, 4}, {{0, 1}, {0, 2}},
                  {{1, 0}, {2, 0}, {0, 0}, {0, 0}, {4, 0}});
    return make({8, 4}, {{1, 0}, {2, 0}},
                {{0, 1}, {0, 2}, {0, 0}, {0, 0}, {4, 0}});
  case Operand::B:
    return getQuadPairFragment(Operand::A,
                               major == Major::Row ? Major::Column : Major::Row)
        .transpose({1, 0});
  case Operand::AccF32:
    return make({8, 8}, {{0, 1}, {2, 0}, {0, 4}},
                {{1, 0}, {0, 2}, {0, 0}, {0, 0}, {4, 0}});
  case Operand::AccF16:
    return make({8, 8}, {{0, 1}, {0, 2}, {0, 4}},
                {{1, 0}, {2, 0}, {0, 0}, {0, 0}, {4, 0}});
  }
  llvm_unreachable("unknown operand");
}

std::string tileir::layout::checkMma884(const Mma884 &mma, Operand operand,
                                        ArrayRef<int64_t> shape) {
  if (shape.size() == 3 && isPowerOf2_64(shape.front()))
    shape = shape.drop_front();
  if (shape.size() != 2)
    return formatv("expects two axes, or three with a power of two of batches, "
                   "found {0}",
                   shape.size());
  int64_t rows = mma.getMacroSize() * mma.warpsM,
          columns = mma.getMacroSize() * mma.warpsN;
  if (operand == Operand::A)
    columns = 8;
  if (operand == Operand::B)
    rows = 8;
  if (!isPowerOf2_64(shape[0]) || !isPowerOf2_64(shape[1]) || shape[0] < rows ||
      shape[1] < columns)
    return formatv("expects powers of two of at least {0} x {1}, found {2} x "
                   "{3}",
                   rows, columns, shape[0], shape[1]);
  return "";
}

/// A, or B transposed. Its rows are divided among some of the warps; the others
/// hold copies.
static LinearLayout getInput(const Mma884 &mma, Operand operand, Major major,
                             int64_t rows, int64_t depth) {
  bool isA = operand == Operand::A;
  int64_t warps = isA ? mma.warpsM : mma.warpsN;
  LinearLayout layout = getQuadPairFragment(operand, major);
  if (!isA)
    layout = layout.transpose({1, 0});
  layout = repeatByLane(layout, 0, isA ? kQuadPairA : kQuadPairB);
  layout = repeat(layout, InDim::Register, 1, 2);
  layout = repeat(layout, InDim::Register, 0, rows / warps / 16);
  layout = repeat(layout, InDim::Register, 1, depth / 8);
  if (isA)
    addWarps(layout, mma.warpsN);
  layout = repeat(layout, InDim::Warp, 0, warps);
  if (!isA)
    addWarps(layout, mma.warpsM);
  return mma.macro == MacroMma::M32N32K8 ? interleave(layout, 0) : layout;
}

LinearLayout tileir::layout::getMma884(const Mma884 &mma, Operand operand,
                                       Major major, ArrayRef<int64_t> shape) {
  assert(checkMma884(mma, operand, shape).empty() && "the tile does not fit");
  if (shape.size() == 3) {
    LinearLayout matrix = getMma884(mma, operand, major, shape.drop_front());
    LinearLayout one = matrix.reshape({1, shape[1], shape[2]});
    return repeat(one, InDim::Warp, 0, shape[0]);
  }
  if (operand == Operand::A)
    return getInput(mma, operand, major, shape[0], shape[1]);
  if (operand == Operand::B)
    return getInput(mma, operand, major, shape[1], shape[0]).transpose({1, 0});
  LinearLayout layout = getQuadPairFragment(operand, major);
  layout = repeatByLane(layout, 0, kQuadPairA);
  layout = repeatByLane(layout, 1, kQuadPairB);
  layout = repeat(layout, InDim::Register, 1, shape[1] / mma.warpsN / 16);
  layout = repeat(layout, InDim::Register, 0, shape[0] / mma.warpsM / 16);
  layout = repeat(layout, InDim::Warp, 1, mma.warpsN);
  layout = repeat(layout, InDim::Warp, 0, mma.warpsM);
  return mma.macro == MacroMma::M32N32K8 ? interleave(interleave(layout, 0), 1)
                                         : layout;
}

SmallVector<MmaStep> tileir::layout::listMma884(int64_t m, int64_t n,
                                                int64_t k) {
  SmallVector<MmaStep> steps;
  unsigned rows = m / 16, columns = n / 16;
  for (unsigned strip = 0; strip < k / 8; ++strip)
    for (unsigned half = 0; half < 2; ++half)
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column)
          steps.push_back({half + 2 * (row + rows * strip),
                           half + 2 * (column + columns * strip),
                           column + columns * row});
  return steps;
}

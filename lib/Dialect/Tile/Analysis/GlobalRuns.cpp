//===- GlobalRuns.cpp - What one access of memory moves -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who emits accesses, and who decides whether they can be asynchronous, ask the
// same functions.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/GlobalRuns.h"

#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/Analysis/ThreadLayouts.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::AccessWidth;
using layout::LinearLayout;

AccessWidth tile::getAccessWidth(Type element) {
  // In memory a predicate takes a byte.
  AccessWidth width(
      8 * llvm::divideCeil(element.getIntOrFloatBitWidth(), uint64_t(8)));
  if (element.isInteger(1))
    width.limit(1, "elements of one bit are not packed in memory");
  return width;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Whether the elements from `index` on, `reach` further, are known to be
/// inside.
static bool isInside(Value index, int64_t reach, int64_t size,
                     const DataFlowSolver &solver) {
  auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(index);
  if (ShapedType::isDynamic(size) || !state ||
      state->getValue().isUninitialized())
    return false;
  const ConstantIntRanges &range = state->getValue().getValue();
  return range.smin().getSExtValue() >= 0 &&
         range.smax().getSExtValue() < size - reach;
}

SmallVector<bool> ViewAccess::findChecked(const DataFlowSolver &solver) const {
  SmallVector<bool> isChecked;
  for (auto [i, axis] : llvm::enumerate(axes))
    isChecked.push_back(!(inBounds && (*inBounds)[i]) &&
                        !isInside(indices[axis],
                                  (tile.getDimSize(i) - 1) * steps[i],
                                  memref.getType().getDimSize(axis), solver));
  return isChecked;
}

GlobalRun ViewAccess::findRun(const DataFlowSolver &solver) const {
  AccessWidth width = getAccessWidth(memref.getType().getElementType());
  int64_t last = memref.getType().getRank() - 1;
  unsigned axis = std::max<int64_t>(tile.getRank(), 1) - 1;
  if (axes.empty() || axes.back() != last) {
    width.limit(1, "the tile does not go along the last axis of the memref");
    return {axis, width};
  }
  width.limit(getTileLayout(tile).getContiguity(axis),
              "the layout gives a register no more neighbours");
  auto limitTo = [&](int64_t divisor, StringRef reason) {
    if (divisor)
      width.limit(getPowerOfTwo(divisor), reason);
  };
  AxisInfo index = getAxisInfo(solver, indices[last]);
  limitTo(index.isUnset() ? 1 : index.getDivisor(),
          "the last index is not known to be a multiple of more");
  // Rows begin at multiples of the size, and what is checked ends there.
  if (last > 0 || findChecked(solver).back())
    limitTo(getAxisInfo(solver, memref)[last].divisibility,
            "the last size of the memref is not known to be a multiple of "
            "more");
  return {axis, width};
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// Returns what is known of a value: nothing, where it is never computed.
static AxisInfo getInfoOf(const DataFlowSolver &solver, Value value) {
  AxisInfo info = getAxisInfo(solver, value);
  return info.isUnset() ? AxisInfo(value.getType()) : info;
}

/// The width of accesses to runs along an axis.
static AccessWidth getPointerWidth(const LinearLayout &layout, unsigned axis,
                                   Type element, const AxisInfo &pointers,
                                   std::optional<AxisInfo> mask) {
  AccessWidth width = getAccessWidth(element);
  width.limit(layout.getContiguity(axis),
              "the layout gives a register no more neighbours");
  width.limit(getPowerOfTwo(pointers[axis].contiguity),
              "the pointers are not known to be contiguous");
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  // Shorter runs begin in the middle of longer ones, too.
  for (int64_t length = width.getNumElements(); length > 1; length /= 2)
    if (pointers.getDivisor(axis, length) % (length * bytes) == 0)
      break;
    else
      width.limit(length / 2, "the pointers are not known to be aligned");
  if (mask)
    width.limit(getPowerOfTwo((*mask)[axis].constancy),
                "the mask is not known to be constant");
  return width;
}

GlobalRun tile::findPointerRun(Value pointers, Value mask,
                               const LinearLayout &layout,
                               const DataFlowSolver &solver) {
  Type element = cast<PtrType>(getElement(pointers.getType())).getPointee();
  AxisInfo info = getInfoOf(solver, pointers);
  std::optional<AxisInfo> ofMask;
  if (mask)
    ofMask = getInfoOf(solver, mask);
  GlobalRun best{0, getPointerWidth(layout, 0, element, info, ofMask)};
  for (unsigned axis = 1; axis < layout.getRank(); ++axis) {
    AccessWidth other = getPointerWidth(layout, axis, element, info, ofMask);
    if (other.getNumElements() > best.width.getNumElements())
      best = {axis, other};
  }
  return best;
}

GlobalRun tile::findPointerRun(Value pointers, Value mask,
                               const DataFlowSolver &solver) {
  return findPointerRun(pointers, mask, getTileLayout(pointers.getType()),
                        solver);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

int64_t tile::getCopyLength(const LinearLayout &tile, const GlobalRun &run,
                            const LinearLayout &stage, unsigned elementBits) {
  return std::min(layout::getCopyLength(tile, run.axis, stage, elementBits),
                  run.width.getNumElements());
}

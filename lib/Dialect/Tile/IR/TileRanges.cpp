//===- TileRanges.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What upstream's integer range analysis learns from the ops of the dialect.
// The range of a tile is that of all of its elements.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// lo to hi, signed, as far as integers of `width` bits reach.
static ConstantIntRanges getRange(unsigned width, int64_t lo, int64_t hi) {
  auto clamp = [&](int64_t value) {
    return APInt(width,
                 std::clamp(value, llvm::minIntN(width), llvm::maxIntN(width)),
                 /*isSigned=*/true);
  };
  return ConstantIntRanges::fromSigned(clamp(lo), clamp(hi));
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

void ProgramIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                    SetIntRangeFn setRange) {
  setRange(getResult(), getRange(32, 0, llvm::maxIntN(32) - 1));
}

void NumProgramsOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                      SetIntRangeFn setRange) {
  setRange(getResult(), getRange(32, 1, llvm::maxIntN(32)));
}

void RangeOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                SetIntRangeFn setRange) {
  unsigned width = getElement(getType()).getIntOrFloatBitWidth();
  setRange(getResult(), getRange(width, getStart(), getEnd() - 1));
}

void AssumeOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                 SetIntRangeFn setRange) {
  ConstantIntRanges range = ranges.front();
  if (auto assumption = getRange()) {
    unsigned width = getElement(getType()).getIntOrFloatBitWidth();
    ConstantIntRanges promised =
        ::getRange(width, (*assumption)[0], (*assumption)[1]);
    ConstantIntRanges both = range.intersection(promised);
    // A broken promise is the interpreter's to report.
    bool isEmpty = both.smin().sgt(both.smax()) || both.umin().ugt(both.umax());
    range = isEmpty ? promised : both;
  }
  setRange(getResult(), range);
}

//===----------------------------------------------------------------------===//
// The same elements
//===----------------------------------------------------------------------===//

void SplatOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}
void ReshapeOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                  SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}
void BroadcastOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                    SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}
void TransOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}

void PsiOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                              SetIntRangeFn setRange) {
  ArrayRef<ConstantIntRanges> values =
      ranges.drop_front(getPredicates().size());
  ConstantIntRanges range = values.front();
  for (const ConstantIntRanges &value : values.drop_front())
    range = range.rangeUnion(value);
  setRange(getResult(), range);
}

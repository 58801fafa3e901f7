//===- SpreadLoad.cpp - Vectors of elements a few places apart ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/SpreadLoad.h"
#include "tileir/Dialect/Einsum/Analysis/Primitives.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;

Value lowering::createSpreadLoad(
    OpBuilder &builder, Location loc, Value buffer,
    function_ref<SmallVector<Value>(int64_t)> getIndices, int64_t width,
    int64_t count, int64_t stride, int64_t mostStride) {
  int64_t span = (count - 1) * stride + 1;
  if (stride < 2 || stride > mostStride || span < width)
    return {};
  auto type = VectorType::get(
      width, cast<MemRefType>(buffer.getType()).getElementType());
  SmallVector<int64_t> places;
  for (int64_t lane = 0; lane < width; ++lane)
    places.push_back(std::min(lane, count - 1) * stride);
  Value spread =
      vector::LoadOp::create(builder, loc, type, buffer, getIndices(0));
  if (span == width)
    return vector::ShuffleOp::create(builder, loc, spread, spread, places);
  for (int64_t begin = width; begin < span; begin += width) {
    // The last vector ends where the elements do.
    int64_t from = std::min(begin, span - width);
    Value next =
        vector::LoadOp::create(builder, loc, type, buffer, getIndices(from));
    SmallVector<int64_t> taken;
    for (auto [lane, place] : llvm::enumerate(places)) {
      bool isBefore = place < begin, isBeyond = place >= begin + width;
      int64_t before = begin == width ? place : lane;
      taken.push_back(isBefore   ? before
                      : isBeyond ? int64_t(lane)
                                 : width + place - from);
    }
    spread = vector::ShuffleOp::create(builder, loc, spread, next, taken);
  }
  return spread;
}

//===- PrefetchEmitter.cpp - Lines that are asked for ahead ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each line is asked for once, if tiles begin where lines do: vectors some
// steps before they are read; rows, of which a line has many steps, a line
// before, each step of an iteration those of some rows; the result before its
// sum. What tables tell would have to be read to be asked for.
//
//===----------------------------------------------------------------------===//

#include "PrefetchEmitter.h"

#include "TileEmitter.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::to_vector;

/// The size of a line of a cache.
static constexpr int64_t kLineBits = 512;
/// Steps of a sum that take as long as bringing the lines of a tile.
static constexpr int64_t kHidingSteps = 32;

int64_t PrefetchEmitter::getLineElements(const Access &access) const {
  return kLineBits / access.getElementType().getIntOrFloatBitWidth();
}

void PrefetchEmitter::emitResult(ArrayRef<Cursor> cursors) {
  const Access &access = accesses[nest.result];
  int64_t steps = 1;
  for (unsigned dim : nest.sums)
    steps *= nest.getSteps(dim);
  if (!nest.prefetch || nest.streams || nest.held != nest.result ||
      steps < kHidingSteps || !nest.lanes || access.strides[*nest.lanes] != 1)
    return;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0, e = lanes.vectors.size(); i < e; ++i)
      if (beginsLine(access, i * nest.getVectorLanes())) {
        Cursor cursor = advanceInTile(nest, access, cursors[nest.result], row,
                                      lanes.vectors[i].begin);
        prefetchLine(index, access, resolve(index, access, cursor),
                     /*isWrite=*/true);
      }
}

void PrefetchEmitter::emitInputs(ArrayRef<Cursor> cursors, int64_t step,
                                 int64_t count) {
  if (!nest.prefetch)
    return;
  for (const Operand &operand : nest.inputs)
    for (unsigned access : operand.accesses)
      if (accesses[access].tables.empty())
        emitInput(access, cursors[access], step, count);
}

void PrefetchEmitter::emitInput(unsigned number, const Cursor &cursor,
                                int64_t step, int64_t count) {
  const Access &access = accesses[number];
  auto getStride = [&](std::optional<unsigned> dim) {
    return dim ? access.strides[*dim] : 0;
  };
  int64_t alongSum = getStride(nest.sums.back()),
          alongRows = getStride(nest.rows);
  auto emit = [&](int64_t row, int64_t vector, int64_t steps) {
    Cursor ahead = advance(
        access,
        advanceInTile(nest, access, cursor, row, lanes.vectors[vector].begin),
        nest.sums.back(), steps);
    prefetchLine(index, access, resolve(index, access, ahead),
                 /*isWrite=*/false);
  };
  if (getStride(nest.lanes) == 1) {
    for (int64_t i = 0, e = lanes.vectors.size(); i < e; ++i)
      if (beginsLine(access, i * nest.getVectorLanes()))
        emit(0, i, nest.prefetch);
  } else if (alongSum == 1 && alongRows != 1) {
    for (int64_t row = step; row < (alongRows ? rows : 1); row += count)
      emit(row, 0, std::max(nest.prefetch, getLineElements(access)));
  } else if (alongSum != 1 && alongRows == 1) {
    for (int64_t row = 0; row < rows; ++row)
      if (beginsLine(access, row))
        emit(row, 0, nest.prefetch);
  }
}

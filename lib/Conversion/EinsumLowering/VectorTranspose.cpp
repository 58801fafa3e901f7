//===- VectorTranspose.cpp - Rows of vectors as columns -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quarters of the matrix are exchanged, then quarters of these, and so on.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/VectorTranspose.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;

SmallVector<Value> lowering::createTranspose(OpBuilder &builder, Location loc,
                                             ArrayRef<Value> rows) {
  SmallVector<Value> values(rows);
  int64_t size = values.size();
  for (int64_t step = size / 2; step > 0; step /= 2)
    for (int64_t i = 0; i < size; ++i) {
      if (i & step)
        continue;
      // Exchanges the upper right and the lower left block of 2 x 2.
      SmallVector<int64_t> upper, lower;
      for (int64_t lane = 0; lane < size; ++lane) {
        bool isRight = lane & step;
        upper.push_back(isRight ? size + lane - step : lane);
        lower.push_back(isRight ? size + lane : lane + step);
      }
      Value a = values[i], b = values[i + step];
      values[i] = vector::ShuffleOp::create(builder, loc, a, b, upper);
      values[i + step] = vector::ShuffleOp::create(builder, loc, a, b, lower);
    }
  return values;
}

//===- TileEvaluator.h - Elements of tiles that are not made ----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of pointers and masks are mostly sums and comparisons of a few rows and
// columns. Here an element of such a tile, or some that follow each other along
// an axis, is computed by itself, from what these are made of.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOLINALG_TILEEVALUATOR_H
#define TILEIR_LIB_CONVERSION_TILETOLINALG_TILEEVALUATOR_H

#include "mlir/IR/Builders.h"

namespace tileir::to_linalg {

/// For each axis of a tile that a broadcast or reshape takes, that of the
/// result it is; -1 for one of a single element. Nothing where axes are joined
/// or divided.
std::optional<llvm::SmallVector<int64_t>> getAxes(mlir::Operation *op);

/// Elements that follow each other along an axis, or one, by itself.
struct Lanes {
  int64_t count = 0; // 0: a scalar
  int64_t axis = 0;
};

/// Computes elements at a place of a program, from the values of the dialect
/// before their conversion.
class TileEvaluator {
public:
  /// `convert` gives the converted form of a value. Whatever has `numElements`
  /// is computed again for each element; smaller tiles may be read instead.
  TileEvaluator(mlir::OpBuilder &builder, mlir::Location loc,
                int64_t numElements,
                llvm::function_ref<mlir::Value(mlir::Value)> convert)
      : builder(builder), loc(loc), numElements(numElements), convert(convert) {
  }

  /// Whether vectors of the elements of `tile` can be had, along `axis`.
  static bool hasVectors(mlir::Value tile, int64_t axis, int64_t numElements);

  /// The element of a tile at `indices`, or the scalar.
  mlir::Value getScalar(mlir::Value tile, mlir::ValueRange indices);
  /// The elements from `indices` on.
  mlir::Value getVector(mlir::Value tile, mlir::ValueRange indices,
                        Lanes lanes);
  /// The same, or a scalar where nothing changes along the axis.
  mlir::Value get(mlir::Value tile, mlir::ValueRange indices, Lanes lanes);

private:
  mlir::Value compute(mlir::Operation *op, mlir::ValueRange indices,
                      Lanes lanes);
  mlir::Value getRange(mlir::Type element, int64_t start, mlir::Value index,
                       int64_t lanes);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  int64_t numElements;
  llvm::function_ref<mlir::Value(mlir::Value)> convert;
};

/// `value`, or a vector of it if there are `lanes`.
mlir::Value createLanes(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, int64_t lanes);

} // namespace tileir::to_linalg

#endif // TILEIR_LIB_CONVERSION_TILETOLINALG_TILEEVALUATOR_H

//===- RunAccess.h - What loads and stores of runs share --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOLINALG_RUNACCESS_H
#define TILEIR_LIB_CONVERSION_TILETOLINALG_RUNACCESS_H

#include "Patterns.h"
#include "TileEvaluator.h"

namespace tileir::to_linalg {

/// An access to one run.
struct RunAccess {
  mlir::Location loc;
  const Run &run;
  mlir::Value pointers, mask; // tiles; the mask may be null
  mlir::Type element;         // of memory
  llvm::function_ref<mlir::Value(mlir::Value)> convert;

  int64_t getBytes() const { return element.getIntOrFloatBitWidth() / 8; }
  Lanes getLanes() const { return {run.lanes, run.axis}; }
  mlir::VectorType getType() const {
    return mlir::VectorType::get(run.lanes, element);
  }
  TileEvaluator getEvaluator(mlir::OpBuilder &builder) const;
  /// The address at `indices`.
  mlir::Value getPointer(mlir::OpBuilder &builder,
                         mlir::ValueRange indices) const;

  /// Whether the elements lie side by side; null if they surely do.
  mlir::Value createCheck(mlir::OpBuilder &builder,
                          mlir::ValueRange indices) const;
  /// Whether the mask is true for all lanes; null without one.
  mlir::Value createAll(mlir::OpBuilder &builder,
                        mlir::ValueRange indices) const;
  /// What `body` gives, which gets the mask of the lanes, or null if all are
  /// true. If none are, what `none` gives. `none` is null for stores, which
  /// have no values.
  mlir::Value createWhole(
      mlir::OpBuilder &builder, mlir::ValueRange indices,
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value)> body,
      llvm::function_ref<mlir::Value(mlir::OpBuilder &)> none) const;
};

/// Loops over the runs of a tile, with what they carry, or null. Where steps
/// are compared, that is done once for all rows.
mlir::Value buildRunLoops(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<int64_t> shape, const Run &run,
                          mlir::Value carried, ElementBody body);

} // namespace tileir::to_linalg

#endif // TILEIR_LIB_CONVERSION_TILETOLINALG_RUNACCESS_H

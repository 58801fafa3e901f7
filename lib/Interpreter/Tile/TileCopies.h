//===- TileCopies.h - Asynchronous copies -----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy arrives as late as it may: at the tile.async_wait that waits for it.
// From its beginning to then, its place counts as not written. A token is the
// number of its copy among those of the program, from 1.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_TILE_TILECOPIES_H
#define TILEIR_LIB_INTERPRETER_TILE_TILECOPIES_H

#include "Core/Evaluator.h"

namespace tileir::interp {

/// What an op accesses of a memref, as `tile.load_view` describes it.
struct ViewOfMemref {
  mlir::ValueRange indices;
  std::optional<mlir::ArrayRef<int64_t>> axes;
  std::optional<mlir::ArrayRef<int64_t>> steps;
  std::optional<mlir::ArrayRef<bool>> inBounds;
};

/// The elements of a tile that `op` reads of a memref.
mlir::FailureOr<Array> readView(Evaluator &evaluator, mlir::Operation *op,
                                mlir::Value memref, const ViewOfMemref &view,
                                mlir::ArrayRef<int64_t> shape);

/// Calls `write` with the memory, the position and the value of each element of
/// `values`, a dense array, that `op` writes to a memref.
mlir::LogicalResult writeView(
    Evaluator &evaluator, mlir::Operation *op, mlir::Value memref,
    const ViewOfMemref &view, const Array &values,
    llvm::function_ref<void(const Array &, int64_t, const Scalar &)> write);

/// The tile of a buffer at an index for each axis before those of the tile.
mlir::FailureOr<Array> getStage(Evaluator &evaluator, mlir::Operation *op,
                                mlir::Value buffer, mlir::ValueRange indices);

/// Makes an array of shared memory, which is dense, count as not written.
void forget(const Array &place);

/// Writes the elements of a copy to its place.
void arrive(const PendingCopy &copy);

/// Begins the copy of `values`, a dense array, to a stage of a buffer, and sets
/// the token of `op`, its only result. The copy ends its group unless it
/// `isWithNext`.
mlir::LogicalResult beginCopy(Evaluator &evaluator, mlir::Operation *op,
                              mlir::Value buffer, mlir::ValueRange stages,
                              Array values, bool isWithNext);

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_TILE_TILECOPIES_H

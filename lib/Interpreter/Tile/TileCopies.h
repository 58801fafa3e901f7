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

/// Begins the copy of `values`, a dense array, to a stage of a buffer, and sets
/// the token of `op`, its only result. The copy ends its group unless it
/// `isWithNext`.
mlir::LogicalResult beginCopy(Evaluator &evaluator, mlir::Operation *op,
                              mlir::Value buffer, mlir::ValueRange stages,
                              Array values, bool isWithNext);

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_TILE_TILECOPIES_H

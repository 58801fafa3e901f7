//===- RegisterCounts.h - Registers that tiles take -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_ANALYSIS_REGISTERCOUNTS_H
#define TILEIR_DIALECT_TILE_ANALYSIS_REGISTERCOUNTS_H

#include "mlir/IR/Operation.h"

namespace tileir::tile {

/// Registers of 32 bits that a tile takes of each thread; 0 for other types.
int64_t countRegisters(mlir::Type type);

/// Counts the registers of the loops in `op` that carry most, nested ones
/// together.
int64_t countCarried(mlir::Operation *op);

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_ANALYSIS_REGISTERCOUNTS_H

//===- Verifiers.h - Checks that ops have in common -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constraints of accesses that several sources verify.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_IR_VERIFIERS_H
#define TILEIR_LIB_DIALECT_TILE_IR_VERIFIERS_H

#include "tileir/Dialect/Tile/IR/Tile.h"

namespace tileir::tile {

/// T18 to T20, T33, T54. A tensor map stands for a memref of its rank.
mlir::LogicalResult
verifyView(mlir::Operation *op, mlir::Type memref, mlir::Type tile,
           size_t numIndices, std::optional<llvm::ArrayRef<int64_t>> axes,
           std::optional<llvm::ArrayRef<bool>> inBounds,
           std::optional<llvm::ArrayRef<int64_t>> steps = std::nullopt);

/// T43: `op` stands in a role, and the other side of its channel in another one
/// of the same op.
mlir::LogicalResult verifySide(mlir::Operation *op, mlir::Value channel);

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_IR_VERIFIERS_H

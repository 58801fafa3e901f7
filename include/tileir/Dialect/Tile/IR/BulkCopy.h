//===- BulkCopy.h - Copies of dense blocks in bulk --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tile.bulk_load and tile.bulk_store have in common.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_IR_BULKCOPY_H
#define TILEIR_DIALECT_TILE_IR_BULKCOPY_H

#include "tileir/Dialect/Tile/IR/Tile.h"

namespace tileir::tile {

struct BulkCopy {
  mlir::Operation *op;
  /// A memref, or a tensor map of one.
  mlir::OpOperand *memory;
  mlir::ValueRange indices;
  mlir::TypedValue<BufferType> buffer;
  /// A stage of the buffer, and the tile of memory with the same elements in
  /// row-major order.
  mlir::RankedTensorType stage, tile;
  /// The axes of memory along which those of the tile run.
  llvm::SmallVector<int64_t> axes;
  /// How far apart the elements of the tile are along each of them.
  llvm::SmallVector<int64_t> steps;
  /// So many programs share the copy.
  int64_t programs;

  /// None if `op` is no copy in bulk.
  static std::optional<BulkCopy> get(mlir::Operation *op);

  /// The map by which it finds its boxes; null if it has none yet.
  TensorMapType getMap() const {
    return mlir::dyn_cast<TensorMapType>(memory->get().getType());
  }
  /// How many boxes of its map a copy has along each axis of the tile.
  llvm::SmallVector<int64_t> countBoxes() const;
  /// The first axis of the tile along which the boxes are shared out among
  /// programs; the rank if there is none.
  unsigned findSharedAxis() const;
};

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_IR_BULKCOPY_H

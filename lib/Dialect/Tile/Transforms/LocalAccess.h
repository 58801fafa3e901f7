//===- LocalAccess.h - Accesses to shared memory ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tile.local_store and tile.local_load have in common.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LOCALACCESS_H
#define TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LOCALACCESS_H

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tileir::tile {

struct LocalAccess {
  mlir::Operation *op;
  mlir::Value buffer;
  /// The indices of the axes before those of the tile.
  mlir::ValueRange indices;
  mlir::RankedTensorType tile;
  bool isWrite;

  /// None if `op` is no access.
  static std::optional<LocalAccess> get(mlir::Operation *op) {
    if (auto store = mlir::dyn_cast<LocalStoreOp>(op))
      return LocalAccess{
          op, store.getBuffer(), store.getIndices(),
          mlir::cast<mlir::RankedTensorType>(store.getValue().getType()),
          /*isWrite=*/true};
    if (auto load = mlir::dyn_cast<LocalLoadOp>(op))
      return LocalAccess{op, load.getBuffer(), load.getIndices(),
                         mlir::cast<mlir::RankedTensorType>(load.getType()),
                         /*isWrite=*/false};
    return std::nullopt;
  }
};

/// The alignment of a buffer's offset, in bytes, that the widest access needs.
inline constexpr int64_t kBufferAlignment = 16;

/// An access that another thread's may still forbid, as no barrier is between
/// them on some path; null if there is none (TileInsertBarriers.cpp).
mlir::Operation *findMissingBarrier(mlir::func::FuncOp kernel);

/// Bytes of shared memory that a buffer takes.
inline int64_t getNumBytes(BufferType type) {
  int64_t bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  for (int64_t size : type.getShape())
    bytes *= size;
  return bytes;
}

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LOCALACCESS_H

//===- LocalAccess.h - Accesses to shared memory ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ops that access a buffer have in common, and the buffers of
// conversions.
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
  mlir::MutableOperandRange indices;
  mlir::RankedTensorType tile;
  bool isWrite;
  /// Whether it is done at a later tile.async_wait.
  bool isAsync;

  /// None if `op` is no access.
  static std::optional<LocalAccess> get(mlir::Operation *op) {
    auto make = [&](auto access, mlir::MutableOperandRange indices,
                    mlir::Type tile, bool isWrite, bool isAsync) {
      return LocalAccess{op,      access.getBuffer(),
                         indices, mlir::cast<mlir::RankedTensorType>(tile),
                         isWrite, isAsync};
    };
    if (auto store = mlir::dyn_cast<LocalStoreOp>(op))
      return make(store, store.getIndicesMutable(), store.getValue().getType(),
                  /*isWrite=*/true, /*isAsync=*/false);
    if (auto load = mlir::dyn_cast<LocalLoadOp>(op))
      return make(load, load.getIndicesMutable(), load.getType(),
                  /*isWrite=*/false, /*isAsync=*/false);
    if (auto copy = mlir::dyn_cast<AsyncLoadViewOp>(op))
      return make(copy, copy.getStagesMutable(), copy.getTile(),
                  /*isWrite=*/true, /*isAsync=*/true);
    if (auto copy = mlir::dyn_cast<AsyncLoadOp>(op))
      return make(copy, copy.getStagesMutable(), copy.getTile(),
                  /*isWrite=*/true, /*isAsync=*/true);
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

/// The buffer through which a conversion goes, in the order `shared`, with a
/// number of stages; without that axis if it is one. Predicates are bytes
/// there.
inline BufferType getStagedBuffer(ConvertLayoutOp op,
                                  const layout::LinearLayout &shared,
                                  int64_t stages) {
  auto tile = mlir::cast<mlir::RankedTensorType>(op.getType());
  mlir::Type element = tile.getElementType();
  if (element.isInteger(1))
    element = mlir::IntegerType::get(op.getContext(), 8);
  llvm::SmallVector<int64_t> shape(tile.getShape());
  if (stages > 1)
    shape.insert(shape.begin(), stages);
  return BufferType::get(op.getContext(), shape, element,
                         LayoutAttr::get(op.getContext(), shared));
}

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LOCALACCESS_H

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
#include "tileir/Layout/Shared/Panels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tileir::tile {

struct LocalAccess {
  mlir::Operation *op;
  mlir::Value buffer;
  /// The indices of the axes before those of the tile.
  mlir::MutableOperandRange indices;
  mlir::RankedTensorType tile;
  bool isWrite;
  /// Whether it is done at a later tile.async_wait, tile.mma_wait or
  /// tile.bulk_store_wait.
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
    if (auto copy = mlir::dyn_cast<BulkStoreOp>(op))
      return make(copy, mlir::MutableOperandRange(op, 0, 0), copy.getTile(),
                  /*isWrite=*/false, /*isAsync=*/true);
    return std::nullopt;
  }

  /// That of `get`, or those of the operands of a tile.mma_async that are in
  /// shared memory.
  static llvm::SmallVector<LocalAccess, 2> list(mlir::Operation *op) {
    if (auto access = get(op))
      return {*access};
    auto product = mlir::dyn_cast<MmaAsyncOp>(op);
    if (!product)
      return {};
    auto make = [&](auto buffer, mlir::OpOperand &stage) {
      BufferType type = buffer.getType();
      return LocalAccess{
          op,
          buffer,
          mlir::MutableOperandRange(stage),
          mlir::RankedTensorType::get(type.getShape().drop_front(),
                                      type.getElementType()),
          /*isWrite=*/false,
          /*isAsync=*/true};
    };
    llvm::SmallVector<LocalAccess, 2> accesses = {
        make(product.getB(), product.getBStageMutable())};
    if (auto a = product.getBufferA())
      accesses.push_back(make(a, product.getAStageMutable()[0]));
    return accesses;
  }
};

/// Whether a channel says when this may touch shared memory.
inline bool isOfChannel(mlir::Operation *op) {
  return mlir::isa<BulkLoadOp, MmaAsyncOp>(op);
}

/// Whether a bulk copy brings or takes what is in the buffer: it lies in
/// panels.
inline bool isOfBulkCopies(AllocOp alloc) {
  return llvm::any_of(alloc->getUsers(), [](mlir::Operation *user) {
    return isOfChannel(user) || mlir::isa<BulkStoreOp>(user);
  });
}

/// The alignment of a buffer's offset, in bytes, that the widest access needs.
inline constexpr int64_t kBufferAlignment = 16;

/// Where a buffer, or the barriers of a channel, may begin: at multiples of so
/// many bytes.
inline int64_t getAlignment(mlir::Operation *op) {
  auto alloc = mlir::dyn_cast<AllocOp>(op);
  return alloc && isOfBulkCopies(alloc) ? layout::kPanelAlignment
                                        : kBufferAlignment;
}

/// An access that another thread's may still forbid, as no barrier is between
/// them on some path; null if there is none (TileInsertBarriers.cpp).
mlir::Operation *findMissingBarrier(mlir::func::FuncOp kernel);

/// Whether `op` stores what a bulk store reads, and no fence comes before what
/// might order the two (TileInsertFences.cpp).
bool lacksFence(mlir::Operation *op);

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

//===- Masks.h - Masks of tile accesses -------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_TRANSFORMS_MASKS_H
#define TILEIR_DIALECT_TILE_TRANSFORMS_MASKS_H

#include "mlir/IR/Builders.h"

namespace tileir::tile {

/// Whether the op is an access that can be kept from happening: tile.load,
/// tile.store, tile.atomic_rmw, tile.atomic_cas, tile.load_view,
/// tile.store_view, tile.async_load or tile.async_load_view.
bool isMaskable(mlir::Operation *op);

/// Lets the access `op`, which is maskable, happen only where `predicate` (an
/// i1) is true too: by its mask, or, of a view without one, by moving it
/// outside of the memref. New ops are placed before `op`.
void addToMask(mlir::OpBuilder &builder, mlir::Operation *op,
               mlir::Value predicate);

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_TRANSFORMS_MASKS_H

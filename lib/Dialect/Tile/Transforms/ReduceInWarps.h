//===- ReduceInWarps.h - Reductions and scans within warps ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_TRANSFORMS_REDUCEINWARPS_H
#define TILEIR_LIB_DIALECT_TILE_TRANSFORMS_REDUCEINWARPS_H

#include "tileir/Layout/Core/LinearLayout.h"

#include "mlir/IR/Operation.h"

namespace tileir::tile {

/// Lets the kernels in `root` have reductions and scans only along axes of
/// which each warp has all elements, by conversions between layouts; returns
/// how many were rewritten. Tiles without layouts are left as they are.
unsigned reduceInWarps(mlir::Operation *root);

/// The bits of coordinates along `axis` that warps choose.
uint32_t getWarpMask(const layout::LinearLayout &layout, unsigned axis);

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_TRANSFORMS_REDUCEINWARPS_H

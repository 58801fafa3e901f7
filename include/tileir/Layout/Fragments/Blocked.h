//===- Blocked.h - Blocks of registers, lanes, warps ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts that accesses of memory ask for.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_FRAGMENTS_BLOCKED_H
#define TILEIR_LAYOUT_FRAGMENTS_BLOCKED_H

#include "tileir/Layout/Core/LinearLayout.h"

namespace tileir::layout {

/// Blocks of registers within lanes within warps. Each has a size per axis, a
/// power of two; the axes of `order` are numbered from the fastest on.
struct Blocked {
  llvm::SmallVector<int64_t, 4> sizePerThread, threadsPerWarp, warpsPerBlock;
  llvm::SmallVector<unsigned, 4> order;
};

/// Where the tile is larger than all blocks, it is repeated in registers, after
/// those of the block; where it is smaller, lanes and warps hold copies.
LinearLayout getBlocked(llvm::ArrayRef<int64_t> shape, const Blocked &blocked);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_FRAGMENTS_BLOCKED_H

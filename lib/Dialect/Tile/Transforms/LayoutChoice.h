//===- LayoutChoice.h - Layouts of accesses and products --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tile-assign-layouts starts from: the layouts of ops that are faster in
// one layout than in others.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LAYOUTCHOICE_H
#define TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LAYOUTCHOICE_H

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Layout/Global/GlobalMemory.h"

#include "mlir/Analysis/DataFlowFramework.h"

#include <array>

namespace tileir::tile {

/// The greatest number of warps of a program.
constexpr int64_t kMaxWarps = 32;

/// The axis along which an access of memory goes through it, and how many
/// elements in a row are known to lie side by side.
layout::Run getRun(mlir::Operation *access, const mlir::DataFlowSolver &solver);

/// Chooses the grid by which matrix instructions compute a tile.dot, with a
/// given number of warps (0: any); with `wholeRows`, if that fits, each has
/// whole rows. If they cannot, `reason` is the failure reason.
std::optional<layout::MmaGrid> chooseMma(DotOp op,
                                         const layout::TileConfig &config,
                                         int64_t numWarps, bool wholeRows,
                                         std::string &reason);

/// Without matrix instructions: a block of the accumulator for each thread.
layout::LinearLayout getDotAccumulator(llvm::ArrayRef<int64_t> shape,
                                       int64_t numWarps);
/// Returns what a thread needs of operand a (0) or b (1) for its part of the
/// accumulator: all that is multiplied with it, in registers.
layout::LinearLayout getDotOperand(const layout::LinearLayout &accumulator,
                                   unsigned operand,
                                   llvm::ArrayRef<int64_t> shape);

/// Returns the layout of an operand such that broadcasting its axes of size one
/// gives `layout`.
layout::LinearLayout unbroadcast(const layout::LinearLayout &layout,
                                 llvm::ArrayRef<int64_t> shape);

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LAYOUTCHOICE_H

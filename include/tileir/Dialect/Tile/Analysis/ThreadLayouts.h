//===- ThreadLayouts.h - What threads hold of tiles -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How ops on tiles with layouts find what they need in the registers of a
// thread, or of its warp. Nothing is returned where it is elsewhere: the
// contracts of the stages (Transforms/Contracts.h) see to it that it is not.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_ANALYSIS_THREADLAYOUTS_H
#define TILEIR_DIALECT_TILE_ANALYSIS_THREADLAYOUTS_H

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Layout/Shared/Conversion.h"

namespace tileir::tile {

/// Numbers of registers.
using RegisterNumbers = llvm::SmallVector<int64_t>;

/// The layout of a tile, which has one.
layout::LinearLayout getTileLayout(mlir::Type tile);

/// For each register of `dst`, the one of `src` that holds the same element;
/// none if a thread would need another one's, or not all threads the same.
std::optional<RegisterNumbers> mapRegisters(const layout::LinearLayout &src,
                                            const layout::LinearLayout &dst);

/// Returns the plan by which a conversion gets the elements that it needs.
layout::ConversionPlan getConversionPlan(ConvertLayoutOp op);

/// For each register of the result of a tile.reshape, tile.trans or
/// tile.broadcast, the one of the operand that it is a copy of.
std::optional<RegisterNumbers> mapRetiling(mlir::Operation *op);

/// For each K, and for each register of the accumulator, the register of A (or
/// of B) that it is multiplied by.
std::optional<RegisterNumbers> mapFactors(DotOp op, mlir::Value factor);

/// For each register of the result of a reduction, one of the operand that
/// belongs to it.
std::optional<RegisterNumbers> mapReduced(ReduceOp op);

/// For each register of a half, the register of the whole that holds the same
/// element; `number` is that of the half, 0 or 1.
std::optional<RegisterNumbers> mapHalf(mlir::Type whole, mlir::Type half,
                                       unsigned number);

/// A step to the hardware index whose element is a power of two away along an
/// axis: by exclusive or with the numbers of register and lane.
struct AxisStep {
  uint32_t registers, lanes;
};

/// The steps along an axis, by one, two, four, ...; none if one would lead to
/// another warp.
std::optional<llvm::SmallVector<AxisStep>>
getAxisSteps(const layout::LinearLayout &layout, unsigned axis);

/// Whether what the first one of several registers and lanes that hold an
/// element gets can be told to the others: those with the bits of copies set.
bool canSpread(const layout::LinearLayout &layout);

/// Whether each warp that holds elements of the result of an op of which one
/// thread acts on each can learn by itself what they are.
bool reachesAllWarps(mlir::Operation *op);

/// Whether each register of a tile has the same element of `values` in all
/// threads.
bool isSameInAllThreads(const layout::LinearLayout &layout,
                        mlir::DenseElementsAttr values);

/// The layout of the last axes of a buffer, those of a tile: what comes before
/// are stages that lie behind each other. None if they do not.
std::optional<layout::LinearLayout>
getStageLayout(BufferType buffer, llvm::ArrayRef<int64_t> shape);

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_ANALYSIS_THREADLAYOUTS_H

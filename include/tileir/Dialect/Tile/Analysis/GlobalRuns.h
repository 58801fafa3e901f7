//===- GlobalRuns.h - What one access of memory moves -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction moves up to 128 bits: a run of registers whose elements
// follow one another in memory, from an address that is a multiple of the run's
// size. What is known about addresses and masks along each axis, and how many
// elements of it a thread has side by side, tell the axis and the width. The
// solver has run axis analysis (AxisInfo.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_ANALYSIS_GLOBALRUNS_H
#define TILEIR_DIALECT_TILE_ANALYSIS_GLOBALRUNS_H

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Layout/Core/AccessWidth.h"
#include "tileir/Layout/Shared/SharedMemory.h"

namespace mlir {
class DataFlowSolver;
}

namespace tileir::tile {

/// The axis along which an access goes through a tile, and how far at once.
struct GlobalRun {
  unsigned axis;
  layout::AccessWidth width;
};

/// The width of accesses to elements of a type.
layout::AccessWidth getAccessWidth(mlir::Type element);

/// A dense block of a memref, which is a tile with a layout.
struct ViewAccess {
  mlir::TypedValue<mlir::MemRefType> memref;
  mlir::ValueRange indices;
  mlir::RankedTensorType tile;
  /// The axes of the memref that those of the tile are.
  llvm::SmallVector<int64_t> axes;
  /// How far apart its elements are along these.
  llvm::SmallVector<int64_t> steps;
  std::optional<llvm::ArrayRef<bool>> inBounds;

  template <typename Op>
  static ViewAccess get(Op op, mlir::RankedTensorType tile) {
    ViewAccess access{op.getMemref(),  op.getIndices(), tile, {}, {},
                      op.getInBounds()};
    access.steps.assign(tile.getRank(), 1);
    if constexpr (!std::is_same_v<Op, StoreViewOp>)
      if (std::optional<llvm::ArrayRef<int64_t>> listed = op.getSteps())
        access.steps.assign(listed->begin(), listed->end());
    if (std::optional<llvm::ArrayRef<int64_t>> listed = op.getAxes())
      access.axes.assign(listed->begin(), listed->end());
    else
      llvm::append_range(access.axes, llvm::seq<int64_t>(0, tile.getRank()));
    return access;
  }

  /// Along which axes of the tile it may be outside of the memref.
  llvm::SmallVector<bool> findChecked(const mlir::DataFlowSolver &solver) const;
  GlobalRun findRun(const mlir::DataFlowSolver &solver) const;
};

/// Of a tile of pointers, accessed where `mask` (null: everywhere) is true.
GlobalRun findPointerRun(mlir::Value pointers, mlir::Value mask,
                         const mlir::DataFlowSolver &solver);

/// The same, if the tile had this layout.
GlobalRun findPointerRun(mlir::Value pointers, mlir::Value mask,
                         const layout::LinearLayout &layout,
                         const mlir::DataFlowSolver &solver);

/// The number of elements that one asynchronous copy moves from global memory
/// to the stage of a buffer: those of a run that follow one another in both.
int64_t getCopyLength(const layout::LinearLayout &tile, const GlobalRun &run,
                      const layout::LinearLayout &stage, unsigned elementBits);

using layout::kMinCopyBytes;

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_ANALYSIS_GLOBALRUNS_H

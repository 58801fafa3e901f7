//===- SharedAccess.h - Registers from and to shared memory -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The places of a tile in a stage of a buffer, and copies there.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOGPU_SHAREDACCESS_H
#define TILEIR_LIB_CONVERSION_TILETOGPU_SHAREDACCESS_H

#include "GlobalAccess.h"

namespace tileir::to_gpu {

/// A stage of a buffer, in which a tile lies.
struct SharedPlace {
  tile::BufferType type;
  /// What the conversion has made of the buffer and the numbers of stages.
  mlir::Value buffer;
  llvm::SmallVector<mlir::Value> stages;
  mlir::RankedTensorType tile;
};

/// Goes through the widest accesses of a thread to its registers, each element
/// once: a pointer, and the registers in the order of memory
/// (SharedPatterns.cpp).
void forEachSharedAccess(
    mlir::OpBuilder &builder, mlir::Location loc, const SharedPlace &place,
    llvm::function_ref<void(mlir::Value, llvm::ArrayRef<int64_t>)> visit);

/// Where something is copied: where both are true, or null.
struct CopyMask {
  /// What the steps of a loop do not change, and what they may.
  mlir::Value fixed, step;
};

/// Begins the asynchronous copy of a tile (AsyncPatterns.cpp), and ends its
/// group unless it `isWithNext`. `getPointer` tells where the run is that
/// begins with a register; where its mask is not true, it becomes 0.
void emitCopies(mlir::OpBuilder &builder, mlir::Location loc,
                const SharedPlace &place, const tile::GlobalRun &run,
                RunValue getPointer,
                llvm::function_ref<CopyMask(unsigned)> getMask,
                bool isWithNext);

} // namespace tileir::to_gpu

#endif // TILEIR_LIB_CONVERSION_TILETOGPU_SHAREDACCESS_H

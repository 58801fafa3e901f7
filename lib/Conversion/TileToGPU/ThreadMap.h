//===- ThreadMap.h - Layouts as code of a thread ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread knows its registers when it is compiled, and its lane and warp when
// it runs. As layouts are linear, what one says of a register is the exclusive
// or of a constant and of a value that is the same for all registers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOGPU_THREADMAP_H
#define TILEIR_LIB_CONVERSION_TILETOGPU_THREADMAP_H

#include "tileir/Layout/Core/LinearLayout.h"

#include "mlir/IR/Builders.h"

namespace tileir::to_gpu {

/// The number of this thread, its lane (0 to 31) and its warp, as i32.
mlir::Value getThread(mlir::OpBuilder &builder, mlir::Location loc);
mlir::Value getLane(mlir::OpBuilder &builder, mlir::Location loc);
mlir::Value getWarp(mlir::OpBuilder &builder, mlir::Location loc);
/// The warp, as what all its lanes have in common: what is computed of it needs
/// one register for them all, and branches by it do not diverge.
mlir::Value emitUniformWarp(mlir::OpBuilder &builder, mlir::Location loc);

/// `map`, from the register, lane and warp to numbers (the axes of its tile),
/// as code: per axis the number for register 0, as i32.
llvm::SmallVector<mlir::Value> emitThreadPart(mlir::OpBuilder &builder,
                                              mlir::Location loc,
                                              const layout::LinearLayout &map);

/// The bits that this number may have set along an axis.
uint32_t getThreadBits(const layout::LinearLayout &map, unsigned axis);

/// Returns what register `reg` adds to the number, per axis, by exclusive or.
layout::Coordinate getRegisterPart(const layout::LinearLayout &map,
                                   unsigned reg);

/// `base` with the bits of `constant` turned over, as i32; where they are
/// known to be clear in `base` (bit i of `freeBits`) it is an addition that
/// addresses can fold.
mlir::Value emitCombine(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value base, int32_t constant,
                        uint32_t freeBits = 0);

/// Whether no thread before this one holds the same elements of a tile; null
/// where this is so for all threads. What acts on memory acts there, and on the
/// registers whose number has no bit of getFreeBits(Register).
mlir::Value emitIsFirst(mlir::OpBuilder &builder, mlir::Location loc,
                        const layout::LinearLayout &tile);

} // namespace tileir::to_gpu

#endif // TILEIR_LIB_CONVERSION_TILETOGPU_THREADMAP_H

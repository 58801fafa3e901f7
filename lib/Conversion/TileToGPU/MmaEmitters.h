//===- MmaEmitters.h - One matrix instruction -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the matrix instruction of an atom is emitted.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOGPU_MMAEMITTERS_H
#define TILEIR_LIB_CONVERSION_TILETOGPU_MMAEMITTERS_H

#include "tileir/Dialect/Tile/IR/Tile.h"

namespace tileir::to_gpu {

/// Emits one instruction of `op`, on the registers of its fragments: elements
/// of 32 bits or more, vectors of 32 bits of narrower ones. Returns those of
/// the sum, as many as `acc`.
llvm::SmallVector<mlir::Value> emitMma(mlir::OpBuilder &builder, tile::MmaOp op,
                                       mlir::ValueRange a, mlir::ValueRange b,
                                       mlir::ValueRange acc);

} // namespace tileir::to_gpu

#endif // TILEIR_LIB_CONVERSION_TILETOGPU_MMAEMITTERS_H

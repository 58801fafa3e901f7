//===- Contracts.h - What holds of tile kernels between stages --*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contracts of tile-verify-program (P), tile-verify-layouts (L) and
// tile-verify-promoted (S), whose constraints are in Passes.td, and those parts
// of them that single passes rely on. Each function reports one violation, the
// first, as an error.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_TRANSFORMS_CONTRACTS_H
#define TILEIR_DIALECT_TILE_TRANSFORMS_CONTRACTS_H

#include "tileir/Dialect/Contract.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace tileir::tile {

/// P1 and P2, on which all that lowers launches relies.
llvm::LogicalResult verifyLaunches(mlir::ModuleOp module);
/// P5.
llvm::LogicalResult verifyControlFlow(mlir::func::FuncOp kernel);
/// P4 to P8: what tile-assign-layouts takes.
llvm::LogicalResult verifyTakesLayouts(mlir::func::FuncOp kernel);

/// P5, and L1 to L10, of a kernel.
llvm::LogicalResult verifyLayouts(mlir::func::FuncOp kernel);
/// P1, P2, P5, and all of L.
llvm::LogicalResult verifyLayouts(mlir::ModuleOp module);

/// S3: who uses buffers.
llvm::LogicalResult verifyBufferUses(mlir::func::FuncOp kernel);
/// S4: where buffers are.
llvm::LogicalResult verifyOffsets(mlir::func::FuncOp kernel);
/// P1, P2, P5, all of L, and S1 to S7.
llvm::LogicalResult verifyPromoted(mlir::ModuleOp module);

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_TRANSFORMS_CONTRACTS_H

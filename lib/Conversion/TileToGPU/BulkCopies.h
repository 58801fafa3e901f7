//===- BulkCopies.h - Bulk copies of a thread -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that copy the boxes of tensor maps: one thread begins them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOGPU_BULKCOPIES_H
#define TILEIR_LIB_CONVERSION_TILETOGPU_BULKCOPIES_H

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tileir::to_gpu {

/// The address space of shared memory of a cluster.
inline constexpr unsigned kClusterSpace = 7;

mlir::Value toI32(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value index);

/// Copies to a stage (an i32), and counts the bytes at `barrier`.
void emitBulkLoad(mlir::OpBuilder &builder, tile::BulkLoadOp copy,
                  mlir::Value stage, mlir::Value barrier);

/// The bulk stores of a kernel, their waits and the fences before them: the
/// first thread of a role, or of the program, does it for all.
void lowerBulkStores(mlir::gpu::GPUFuncOp function);

} // namespace tileir::to_gpu

#endif // TILEIR_LIB_CONVERSION_TILETOGPU_BULKCOPIES_H

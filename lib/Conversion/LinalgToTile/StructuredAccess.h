//===- StructuredAccess.h - Where structured ops access memory --*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_LINALGTOTILE_STRUCTUREDACCESS_H
#define TILEIR_LIB_CONVERSION_LINALGTOTILE_STRUCTUREDACCESS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tileir::linalg_to_tile {

/// The memref without gaps that `memref` is a view of, at a distance and with
/// strides that are known before the kernel runs; null if there is none.
mlir::Value findRoot(mlir::Value memref);

/// Whether `root` is an argument of the function, an allocation or a constant,
/// and no value but views of it may be it: only such memory has one place on
/// the device.
bool isOneBuffer(mlir::Value root);

/// The elements of a memref: those of `root`, which has no gaps, from `offset`
/// on, `strides[i]` apart along axis i.
struct StridedView {
  mlir::Value root;
  mlir::OpFoldResult offset;
  llvm::SmallVector<mlir::OpFoldResult> strides;
};
/// The size of a memref along an axis.
using GetSize =
    llvm::function_ref<mlir::OpFoldResult(mlir::Value memref, int64_t axis)>;
/// The view that `memref`, which has a root, is; what only a run knows of it is
/// computed where `builder` stands.
StridedView getView(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value memref, GetSize getSize);

/// lhs * rhs, of index.
mlir::OpFoldResult multiply(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);

/// Loops of a structured op that follow each other, all parallel or all
/// reductions, whose elements follow each other in the memory of all operands:
/// they are as one loop.
struct LoopGroup {
  unsigned first, last;
  bool isReduction;
};
llvm::SmallVector<LoopGroup> groupLoops(mlir::linalg::LinalgOp op);

/// The number of iterations of each loop.
llvm::SmallVector<mlir::OpFoldResult> getLoopSizes(mlir::OpBuilder &builder,
                                                   mlir::linalg::LinalgOp op);

/// Whether the region of `op` gets the elements of `operand`.
bool isRead(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);

} // namespace tileir::linalg_to_tile

#endif // TILEIR_LIB_CONVERSION_LINALGTOTILE_STRUCTUREDACCESS_H

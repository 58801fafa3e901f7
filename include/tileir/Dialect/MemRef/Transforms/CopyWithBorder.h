//===- CopyWithBorder.h - A copy and the border around it -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_MEMREF_TRANSFORMS_COPYWITHBORDER_H
#define TILEIR_DIALECT_MEMREF_TRANSFORMS_COPYWITHBORDER_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace tileir::memref_transforms {

/// Emits loops on vectors of `vectorBytes` that write to `target` the elements
/// of `source` that begin at `begin`, or `border` where there are none. Both
/// are memrefs of static shape in row-major order. Along axes that are
/// `isInside`, the source has all elements.
void emitBox(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
             mlir::Value target, llvm::ArrayRef<mlir::OpFoldResult> begin,
             llvm::ArrayRef<bool> isInside, mlir::Value border,
             int64_t vectorBytes);

/// Emits loops on vectors that copy `source` to the elements of `target` from
/// `low` on, and write `border` to all others, in the order of memory. Both are
/// memrefs of static shape in row-major order; large ones are copied by
/// `parallel` loops, if that is asked for.
void emitCopyWithBorder(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value source, mlir::Value target,
                        llvm::ArrayRef<int64_t> low, mlir::Value border,
                        bool parallel);

/// A copy into the middle of a buffer that was filled right before.
struct CopyIntoMiddle {
  mlir::memref::CopyOp copy;
  mlir::memref::SubViewOp middle;
  mlir::Value buffer, border;
  mlir::Operation *fill = nullptr;

  /// Nothing if `copy` is none.
  static std::optional<CopyIntoMiddle> match(mlir::memref::CopyOp copy);
};

} // namespace tileir::memref_transforms

#endif // TILEIR_DIALECT_MEMREF_TRANSFORMS_COPYWITHBORDER_H

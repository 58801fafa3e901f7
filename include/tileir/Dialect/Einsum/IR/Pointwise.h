//===- Pointwise.h - Pointwise ops ------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops that einsum.kernel takes around contractions; its definition says
// which.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_POINTWISE_H
#define TILEIR_DIALECT_EINSUM_IR_POINTWISE_H

#include "mlir/IR/Operation.h"

namespace tileir::einsum {

/// A pointwise op on tensors, of one result.
struct PointwiseOp {
  /// An operand whose elements are read: a tensor, or a scalar.
  struct Operand {
    mlir::Value value;
    /// For each axis of the operand, the axis of the result along which it
    /// runs.
    llvm::SmallVector<unsigned> axes;
  };

  /// `op` as pointwise op; nothing if it is none.
  static std::optional<PointwiseOp> get(mlir::Operation *op);

  mlir::Operation *op;
  llvm::SmallVector<Operand> operands;
  /// Computes an element: its arguments stand for elements of the operands,
  /// and of `outs`. Null if `op` itself computes on elements.
  mlir::Block *body = nullptr;
};

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_POINTWISE_H

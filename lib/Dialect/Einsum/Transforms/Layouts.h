//===- Layouts.h - Orders of the axes of tensors ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tensors of a block share an order of axes, in which orders they may be,
// and how ops are written in others.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_LAYOUTS_H
#define TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_LAYOUTS_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "llvm/ADT/DenseSet.h"

namespace tileir::einsum {

/// The results of ops of a block, by groups of one order. A group is open if
/// ops that can be written for any order make and read all of it; its other
/// order has channels last: the axis that contractions take from the operand
/// that has no other one of the result, or that both operands have, or that is
/// last on the other side of a permutation.
class LayoutGroups {
public:
  explicit LayoutGroups(mlir::Block &block);

  /// The open groups, in the order in which they are made.
  llvm::ArrayRef<unsigned> getOpen() const { return open; }

  /// Whether a group is in its other order; none is at first.
  void setReordered(unsigned group, bool isReordered);
  void setReordered(bool isReordered);

  /// The group of `value`, which has one.
  unsigned getGroup(mlir::Value value) const { return groupOf.lookup(value); }

  /// For each axis of `value` in its order, which one it was; empty: as it was.
  llvm::ArrayRef<int64_t> getOrder(mlir::Value value) const;
  /// The type of `value` in its order.
  mlir::RankedTensorType getType(mlir::Value value) const;

private:
  struct Group {
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<int64_t> order; // empty: none
    bool isReordered = false;
  };

  unsigned find(mlir::Value value);
  void link(mlir::Value a, mlir::Value b);
  void fix(mlir::Value value);
  /// Notes what `op` asks of the orders of its operands and results.
  void visit(mlir::Operation *op);
  /// The axis of the result of `op` that is the channels.
  std::optional<unsigned> findChannels(ContractOp op);

  std::vector<Group> groups;
  llvm::DenseMap<mlir::Value, unsigned> groupOf;
  llvm::DenseSet<mlir::Value> fixed;
  /// Those that poolings make, which have channels second or last.
  llvm::DenseSet<mlir::Value> pooled;
  llvm::SmallVector<unsigned> open;
};

/// Creates `op` with its operands, `inputs`, and its result in the orders of
/// `groups`.
ContractOp createReordered(mlir::OpBuilder &builder, ContractOp op,
                           const LayoutGroups &groups, mlir::ValueRange inputs);

/// Writes the ops of `block` in the orders of `groups`. Returns how many
/// tensors are in another one now.
unsigned reorder(mlir::Block &block, const LayoutGroups &groups);

} // namespace tileir::einsum

#endif // TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_LAYOUTS_H

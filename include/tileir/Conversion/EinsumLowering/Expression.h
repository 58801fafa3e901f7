//===- Expression.h - Pointwise expressions ---------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_EXPRESSION_H
#define TILEIR_CONVERSION_EINSUMLOWERING_EXPRESSION_H

#include "mlir/IR/Builders.h"

#include <set>

namespace tileir::lowering {

/// A tensor that a pointwise expression reads.
struct Leaf {
  mlir::Value value;
  /// For each axis of the tensor, the axis of the expression along which it
  /// runs.
  llvm::SmallVector<unsigned> axes;

  bool operator==(const Leaf &other) const {
    return value == other.value && axes == other.axes;
  }
  bool operator<(const Leaf &other) const {
    return std::make_pair(value.getAsOpaquePointer(), axes) <
           std::make_pair(other.value.getAsOpaquePointer(), other.axes);
  }
};

/// The pointwise expression of ops of one block that ends in a value.
class Expression {
public:
  /// A value that `body` does not compute by pointwise ops and constants is a
  /// leaf; every value is if `body` is null. `leaf`, if given, is taken as it
  /// is.
  Expression(mlir::Value root, mlir::Block *body, mlir::Value leaf = {});

  llvm::ArrayRef<Leaf> getLeaves() const & { return leaves; }
  llvm::ArrayRef<Leaf> getLeaves() const && = delete;
  /// Whether the value is read as it is.
  bool isLeaf() const { return leaves.size() == 1 && leaves[0].value == root; }

  /// Computes elements many at a time, or one: values of elements of a type are
  /// of the type that `getType` makes of it (a tensor, a vector, or itself),
  /// and `getLeaf` gives that of a leaf.
  mlir::Value emit(mlir::OpBuilder &builder,
                   llvm::function_ref<mlir::Type(mlir::Type)> getType,
                   llvm::function_ref<mlir::Value(const Leaf &)> getLeaf) const;

  /// Computes tiles of shape `shape`.
  mlir::Value emit(mlir::OpBuilder &builder, llvm::ArrayRef<int64_t> shape,
                   llvm::function_ref<mlir::Value(const Leaf &)> getTile) const;

private:
  bool isComputed(mlir::Value value) const;
  void collect(const Leaf &node, std::set<Leaf> &visited);

  mlir::Value root;
  mlir::Block *body;
  mlir::Value leaf;
  llvm::SmallVector<unsigned> identity; // the axes of the root
  llvm::SmallVector<Leaf> leaves;
};

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_EXPRESSION_H

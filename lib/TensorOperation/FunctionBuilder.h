//===- FunctionBuilder.h - The function of an operation ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_FUNCTIONBUILDER_H
#define TILEIR_LIB_TENSOROPERATION_FUNCTIONBUILDER_H

#include "Validation.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace tileir::tensor_operation {

/// A tensor in memory by the indices it moves along. Its axes are the indices
/// by stride, the largest first.
struct IndexLayout {
  llvm::SmallVector<char> indices;
  llvm::SmallVector<int64_t> sizes, strides;

  /// Adds an index, which is put to its place by `finish`.
  void add(char index, int64_t size, int64_t stride);
  /// Sorts the axes. An axis of size 1 has whatever stride fits.
  void finish();

  /// An axis that moves less far than those with smaller strides reach.
  struct Overlap {
    size_t axis;
    int64_t extent;
  };
  std::optional<Overlap> findOverlap() const;

  /// Whether each axis follows the next one without gaps.
  bool isDense() const;

  /// Returns the term of a specification over `all` indices, and the shape of
  /// its operand: its axes, or, where there are gaps, one axis, of offsets.
  mlir::AffineMap getTerm(mlir::MLIRContext *context,
                          llvm::ArrayRef<char> all) const;
  llvm::SmallVector<int64_t> getTermShape() const;

  /// Returns a memref type with these axes, and strides where there are gaps.
  mlir::MemRefType getMemRef(mlir::Type element) const;
};

/// A description of what a function computes.
struct OperationFunction {
  struct Operand {
    OperationType type;
    llvm::SmallVector<int64_t> shape;
    /// In elements per axis; empty: row-major.
    llvm::SmallVector<int64_t> strides = {};
  };
  struct Table {
    std::string name;
    OperationType type;
    llvm::SmallVector<int64_t> shape;
  };

  /// Of the result, the other operand and the bias.
  OperationType type;
  /// Where sums are formed; none: as einsum.contract has it.
  std::optional<OperationType> accumulator = {};
  /// The specification of the contraction.
  einsum::SpecAttr spec;
  bool isPadded = false;
  /// The sizes of all indices.
  mlir::DictionaryAttr indexSizes;
  llvm::SmallVector<Operand> operands;
  /// In the order of the function's arguments.
  llvm::SmallVector<Table> tables;
  IndexLayout output;
  /// Indices of the output along which the result of the contraction, which has
  /// no such axes, is repeated.
  llvm::SmallVector<char> repeated;
  /// The way to combine another operand with the result: None or Add, ..., Max.
  Primitive combine = Primitive::None;
  /// Whether that other operand is the left one.
  bool isLeft = false;
  /// The other operand, or the bias.
  IndexLayout other;
  bool load = false, bias = false, relu = false;
  /// Whether passes still have to make kernels: on tensors, without a kernel.
  bool isPlain = false;
  /// Whether an index has size 0: nothing is read, and sums are 0.
  bool isEmpty = false;

  /// Whether there is anything but the contraction.
  bool isFused() const { return hasOther() || load || relu; }
  bool hasOther() const { return combine != Primitive::None || bias; }
  size_t getNumInputs() const {
    return operands.size() + tables.size() + hasOther();
  }
};

/// A module with the function.
mlir::OwningOpRef<mlir::ModuleOp>
buildModule(mlir::MLIRContext *context, const OperationFunction &function);

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_FUNCTIONBUILDER_H

//===- OperandAccess.h - How operands are accessed --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the elements of an operand, or of another shaped value, depend on the
// indices of a specification: what all lowerings of contractions ask, and what
// follows from the specification, shapes and strides without an op.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_ANALYSIS_OPERANDACCESS_H
#define TILEIR_DIALECT_EINSUM_ANALYSIS_OPERANDACCESS_H

#include "tileir/Dialect/Einsum/IR/Schedule.h"

namespace tileir::einsum {

/// A summand of an axis, or of an offset: `factor` times `expr`, which is an
/// index, a constant, or neither a sum nor a multiple.
struct AxisTerm {
  mlir::AffineExpr expr;
  int64_t factor;
};

/// The access to a shaped value whose axes are at the indices that a map makes
/// of those of a specification and of look-ups.
class OperandAccess {
public:
  /// `sizes` are the static sizes of the indices of `spec`,
  /// ShapedType::kDynamic where unknown. A tensor is row-major.
  OperandAccess(SpecAttr spec, llvm::ArrayRef<int64_t> sizes,
                mlir::AffineMap map, mlir::ShapedType type);
  /// The access to input `operand` of `op`, or to the result if `operand` is
  /// the number of inputs.
  OperandAccess(ContractOp op, llvm::ArrayRef<int64_t> sizes, unsigned operand);
  /// `axis` by itself, of stride 1 and of unknown size.
  OperandAccess(SpecAttr spec, llvm::ArrayRef<int64_t> sizes,
                mlir::AffineExpr axis);

  unsigned getNumAxes() const { return map.getNumResults(); }

  /// Each axis is external + reduction (C3): a function of the indices of the
  /// result, and of summed ones of one value, and a function of the other
  /// summed ones.
  llvm::SmallVector<mlir::AffineExpr> getExternal() const;
  llvm::SmallVector<mlir::AffineExpr> getReduction() const;

  /// Whether an axis is known to stay inside.
  bool isInside(unsigned axis) const;
  /// The axes that may fall outside.
  llvm::SmallVector<unsigned> getAxesOutside() const;

  /// The terms of which the offset, in elements, is the sum. Needs strides of
  /// axes, as does the sum of those that are constants.
  llvm::SmallVector<AxisTerm> getOffsetTerms() const;
  int64_t getConstant() const;
  /// How far each axis advances with `index`; nothing if this is no constant,
  /// for the index is divided or looked up.
  std::optional<llvm::SmallVector<int64_t>> getAdvance(unsigned index) const;
  /// How far the offset advances, in elements, from one position of `indices`,
  /// which are gone through as one with the first one innermost, to the next.
  /// Nothing if this is no constant, or not known: then offsets along them are
  /// those of a table.
  std::optional<int64_t> getStride(llvm::ArrayRef<unsigned> indices) const;
  /// How far the offset advances, in elements, with `index` where it stands by
  /// itself: if tables led all of its values to the same place. Nothing if
  /// strides of axes are not known.
  std::optional<int64_t> getPlainStride(unsigned index) const;
  /// Whether it is a constant, even if strides of axes are not known.
  bool isStrided(llvm::ArrayRef<unsigned> indices) const;

private:
  bool isSummed(mlir::AffineExpr expr) const;

  SpecAttr spec;
  llvm::SmallVector<int64_t> sizes;
  mlir::AffineMap map;
  llvm::SmallVector<int64_t> shape; // of axes, as axisStrides
  std::optional<llvm::SmallVector<int64_t>> axisStrides;
  llvm::SmallVector<llvm::SmallVector<AxisTerm>> terms; // of each axis
};

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_ANALYSIS_OPERANDACCESS_H

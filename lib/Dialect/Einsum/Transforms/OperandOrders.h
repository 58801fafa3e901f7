//===- OperandOrders.h - In which order operands are read -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_OPERANDORDERS_H
#define TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_OPERANDORDERS_H

#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"

namespace tileir::einsum {

/// Positions of the axes of an operand in the new order.
using AxisOrder = llvm::SmallVector<unsigned>;

/// Decides how the operands of a matrix product are ordered.
class OperandOrders {
public:
  /// `rowBytes`: rows of memory that bulk copies can read have a multiple of so
  /// many bytes; 0 if there are no such copies.
  OperandOrders(ContractOp op, int64_t block, int64_t minReuse,
                int64_t rowBytes);

  /// Whether a block of the result is a product of blocks.
  bool isProduct() const {
    return spec.getNumOperands() == 2 && !summed.empty() &&
           !getExternal(0).empty() && !getExternal(1).empty();
  }
  /// The best orders of both operands.
  std::array<AxisOrder, 2> choose() const;
  SpecAttr apply(llvm::ArrayRef<AxisOrder> orders) const;
  /// Whether wide accesses read an operand of `spec`, the specification after a
  /// change of orders.
  bool isWide(SpecAttr spec, unsigned operand) const;
  /// How often a kernel reads an element of an operand.
  double getReuse(unsigned operand) const;
  /// The reason why no order of an operand is better; empty if one is.
  std::string getFailureReason(unsigned operand) const;

private:
  /// The indices of M, or of N.
  llvm::ArrayRef<unsigned> getExternal(unsigned operand) const;
  unsigned getRank(unsigned operand) const {
    return spec.getMaps()[operand].getNumResults();
  }
  mlir::ShapedType getType(unsigned operand) const {
    return llvm::cast<mlir::ShapedType>(op.getInputs()[operand].getType());
  }
  /// How many elements an access moves at most.
  int64_t getVector(unsigned operand) const;
  AxisOrder getIdentity(unsigned operand) const;
  std::optional<unsigned> getAxis(unsigned operand, unsigned index) const;
  llvm::SmallVector<AxisOrder> getCandidates(unsigned operand) const;
  int64_t getRun(SpecAttr spec, unsigned operand) const;
  bool isDense(unsigned operand) const;
  /// Whether rows of an operand are as bulk copies and products need them.
  bool isAligned(SpecAttr spec, unsigned operand) const;
  double getCost(SpecAttr spec, unsigned operand) const;

  mutable ContractOp op; // ops have no const accessors
  SpecAttr spec;
  llvm::SmallVector<int64_t> sizes;
  int64_t block, minReuse, rowBytes;
  ContractionDims dims;
  llvm::SmallVector<unsigned> summed;
};

} // namespace tileir::einsum

#endif // TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_OPERANDORDERS_H

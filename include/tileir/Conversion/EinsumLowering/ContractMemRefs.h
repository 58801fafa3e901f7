//===- ContractMemRefs.h - The memory of operands ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a contraction computes follows from the op, wherever its operands are;
// what is emitted for it reads memrefs. So lowerings query the op as it stands,
// also one on tensors in an einsum.kernel, and take memory from here.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_CONTRACTMEMREFS_H
#define TILEIR_CONVERSION_EINSUMLOWERING_CONTRACTMEMREFS_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::lowering {

/// A contraction, and the memrefs that hold its operands.
class ContractMemRefs {
public:
  /// A contraction on memrefs.
  ContractMemRefs(einsum::ContractOp op)
      : ContractMemRefs(op, [](mlir::Value operand) { return operand; }) {}
  /// A contraction whose operands `getMemRef` maps to memrefs, or to null what
  /// pointwise ops compute; then it maps what these compute it from.
  ContractMemRefs(einsum::ContractOp op,
                  std::function<mlir::Value(mlir::Value)> getMemRef)
      : op(op), getMemRef(std::move(getMemRef)),
        memrefs(llvm::map_to_vector(op->getOperands(), this->getMemRef)) {}

  einsum::ContractOp getOp() const { return op; }
  /// The memrefs in the order of the op's operands.
  llvm::ArrayRef<mlir::Value> get() const { return memrefs; }
  mlir::Value getInput(unsigned operand) const { return memrefs[operand]; }
  mlir::Value getTable(llvm::StringRef name) const;
  /// The size of an axis of `operand`, one of the op's.
  mlir::OpFoldResult getDim(mlir::OpBuilder &builder, mlir::Value operand,
                            unsigned axis) const;

private:
  mutable einsum::ContractOp op; // ops have no const accessors
  std::function<mlir::Value(mlir::Value)> getMemRef;
  llvm::SmallVector<mlir::Value> memrefs;
};

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_CONTRACTMEMREFS_H

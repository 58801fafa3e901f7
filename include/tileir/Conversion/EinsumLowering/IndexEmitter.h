//===- IndexEmitter.h - Indices of operands ---------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_INDEXEMITTER_H
#define TILEIR_CONVERSION_EINSUMLOWERING_INDEXEMITTER_H

#include "tileir/Conversion/EinsumLowering/CheckEmitter.h"
#include "tileir/Conversion/EinsumLowering/ContractMemRefs.h"

namespace tileir::lowering {

/// A constant of an integer type, of index, or a tile of either.
mlir::Value createInteger(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Type type, int64_t value);

/// Emits `expr` in arith on values of `type`: index, an integer type, or tiles
/// of integers. `getLeaf` gives the value of a dimension or symbol, and
/// `getDivisor` makes the value to divide by from that of a divisor.
mlir::Value emitIndexArithmetic(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::AffineExpr expr,
    mlir::Type type, llvm::function_ref<mlir::Value(mlir::AffineExpr)> getLeaf,
    llvm::function_ref<mlir::Value(mlir::AffineExpr, mlir::Value)> getDivisor);

/// Emits indices of the operands of one contraction, as scalars.
class IndexEmitter {
public:
  IndexEmitter(const ContractMemRefs &memrefs, CheckEmitter &checks)
      : memrefs(memrefs), spec(memrefs.getOp().getSpec()),
        loc(memrefs.getOp().getLoc()), checks(checks) {}

  /// The value of `expr`, (a part of) an axis of `operand`, where the indices
  /// it uses have the values `indices`. Divisors from tables are checked.
  mlir::Value emit(mlir::OpBuilder &builder, unsigned operand,
                   mlir::AffineExpr expr, llvm::ArrayRef<mlir::Value> indices);

  /// Checks that `index`, the one of `axis` of `operand` at `indices`, is below
  /// `size`; `inside` is the comparison.
  void emitReadCheck(mlir::OpBuilder &builder, unsigned operand, unsigned axis,
                     llvm::ArrayRef<mlir::Value> indices, mlir::Value index,
                     mlir::Value size, mlir::Value inside);

private:
  mlir::Value emitLookup(mlir::OpBuilder &builder, unsigned symbol,
                         llvm::ArrayRef<mlir::Value> indices);
  mlir::Value emitDivisor(mlir::OpBuilder &builder, unsigned operand,
                          mlir::AffineExpr divisor, mlir::Value value,
                          llvm::ArrayRef<mlir::Value> indices);
  /// "table 'sh' at [{0}] holds {1}", for each look-up of `expr`; appends what
  /// stands for {0}, {1}.
  std::string describeLookups(mlir::OpBuilder &builder, mlir::AffineExpr expr,
                              llvm::ArrayRef<mlir::Value> indices,
                              llvm::SmallVectorImpl<mlir::Value> &values);

  ContractMemRefs memrefs;
  einsum::SpecAttr spec;
  mlir::Location loc;
  CheckEmitter &checks;
};

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_INDEXEMITTER_H

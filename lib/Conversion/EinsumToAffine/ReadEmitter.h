//===- ReadEmitter.h - Reads of operands ------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOAFFINE_READEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOAFFINE_READEMITTER_H

#include "tileir/Conversion/EinsumLowering/IndexEmitter.h"

namespace tileir::to_affine {

/// The outcome of lowering a contraction: how many operands are read in which
/// way.
struct LoweringCounts {
  unsigned affine = 0, general = 0, guarded = 0;
  unsigned parallelLoops = 0;
};

/// Emits the reads of the operands of one contraction on memrefs.
class ReadEmitter {
public:
  /// `builder` stands outside of the loops: sizes that guards need are read
  /// there. `isAffine` says that loops and sizes are those of the affine
  /// dialect.
  ReadEmitter(mlir::OpBuilder &builder, einsum::ContractOp op, bool isAffine,
              lowering::CheckEmitter &checks);

  /// Reads `operand` at the values that `indices` have inside of the loops.
  mlir::Value emit(mlir::OpBuilder &builder, unsigned operand,
                   llvm::ArrayRef<mlir::Value> indices);

  const LoweringCounts &getCounts() const { return counts; }

private:
  mlir::Value emitAffineGuarded(mlir::OpBuilder &builder, unsigned operand,
                                llvm::ArrayRef<unsigned> risky);
  mlir::Value emitGeneral(mlir::OpBuilder &builder, unsigned operand,
                          llvm::ArrayRef<unsigned> risky);

  einsum::ContractOp op;
  einsum::SpecAttr spec;
  mlir::Location loc;
  bool isAffine;
  lowering::CheckEmitter &checks;
  lowering::IndexEmitter indexEmitter;
  LoweringCounts counts;
  /// Per operand and axis whether a read may fall outside, and the size.
  llvm::SmallVector<llvm::SmallVector<unsigned>> riskyAxes;
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> dims;
  /// The indices that `emit` was called with.
  llvm::ArrayRef<mlir::Value> indices;
};

} // namespace tileir::to_affine

#endif // TILEIR_LIB_CONVERSION_EINSUMTOAFFINE_READEMITTER_H

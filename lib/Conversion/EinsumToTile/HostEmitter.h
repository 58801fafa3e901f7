//===- HostEmitter.h - Host code around a kernel ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOTILE_HOSTEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOTILE_HOSTEMITTER_H

#include "TilePlan.h"
#include "tileir/Conversion/EinsumLowering/IndexEmitter.h"

#include "mlir/IR/SymbolTable.h"

namespace tileir::to_tile {

/// Emits what the host does for one contraction: sizes, strides, tables and
/// checks of reads.
class HostEmitter {
public:
  /// `sizes` are those of the indices, available where `builder` stands.
  HostEmitter(mlir::OpBuilder &builder, const TilePlan &plan,
              const lowering::ContractMemRefs &memrefs,
              llvm::ArrayRef<mlir::OpFoldResult> sizes,
              mlir::SymbolTable &symbols)
      : builder(builder), plan(plan), memrefs(memrefs), op(plan.op),
        loc(op.getLoc()), sizes(sizes), symbols(symbols) {}

  mlir::OpFoldResult getSize(unsigned index) const { return sizes[index]; }
  /// The number of values of some indices together.
  mlir::OpFoldResult getTotal(llvm::ArrayRef<unsigned> indices);
  mlir::OpFoldResult getInputDim(unsigned operand, unsigned axis);
  /// The strides, in elements, of a memref that is contiguous.
  llvm::SmallVector<mlir::OpFoldResult> getStrides(mlir::Value memref);
  /// `size` divided by `block`, rounded up.
  mlir::Value getNumBlocks(mlir::OpFoldResult size, int64_t block);
  /// The next multiple of `factor`, in a form that shows it.
  mlir::Value getMultiple(mlir::Value number, int64_t factor);
  mlir::Value getValue(mlir::OpFoldResult value);

  /// Offsets along the sum, in the order in which kernels go through it.
  struct Table {
    mlir::Value memref; // of i64
    int64_t unit;       // what an entry of 1 stands for
  };
  /// A table of the values of `exprs[0] * factors[0] + ...`, which are parts of
  /// axes of `operand`, at the first position of each group of `group`. It is a
  /// constant where everything is known.
  Table getTable(unsigned operand, llvm::ArrayRef<mlir::AffineExpr> exprs,
                 llvm::ArrayRef<mlir::OpFoldResult> factors, int64_t group);

  /// Emits checks of divisors from tables, and, if all is checked, of reads.
  void emitReadChecks(lowering::CheckEmitter &checks);

private:
  void emitReadChecks(lowering::CheckEmitter &checks, unsigned operand,
                      unsigned axis, bool checksReads);
  mlir::OpFoldResult multiply(mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
  int64_t getUnit(llvm::ArrayRef<mlir::AffineExpr> exprs,
                  llvm::ArrayRef<mlir::OpFoldResult> factors, int64_t group);
  mlir::DenseElementsAttr
  evaluateTable(llvm::ArrayRef<mlir::AffineExpr> exprs,
                llvm::ArrayRef<mlir::OpFoldResult> factors, int64_t group,
                int64_t unit);
  mlir::Value emitTable(unsigned operand,
                        llvm::ArrayRef<mlir::AffineExpr> exprs,
                        llvm::ArrayRef<mlir::OpFoldResult> factors,
                        int64_t group, int64_t unit);
  void emitLoops(llvm::ArrayRef<unsigned> indices,
                 llvm::ArrayRef<mlir::Value> bounds,
                 llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);

  mlir::OpBuilder &builder;
  const TilePlan &plan;
  const lowering::ContractMemRefs &memrefs;
  einsum::ContractOp op;
  mlir::Location loc;
  llvm::ArrayRef<mlir::OpFoldResult> sizes;
  mlir::SymbolTable &symbols;
};

} // namespace tileir::to_tile

#endif // TILEIR_LIB_CONVERSION_EINSUMTOTILE_HOSTEMITTER_H

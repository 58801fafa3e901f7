//===- TilePlan.h - How a contraction becomes tile programs -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is decided about a contraction before anything is emitted: which letters
// run along the rows, columns and depth of blocks, in which order, and how each
// operand is read.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOTILE_TILEPLAN_H
#define TILEIR_LIB_CONVERSION_EINSUMTOTILE_TILEPLAN_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir {

/// Rows, columns and depth of a block.
struct BlockShape {
  int64_t rows, columns, depth;
};

/// How a memref is read by the axes of an operand, or by some of them.
struct Access {
  /// Each axis is external + reduction: a function of letters that are fixed
  /// within a program's row or column, and one of those it sums over.
  llvm::SmallVector<mlir::AffineExpr> external, reduction;
  /// Where successive positions of the sum are equally far apart: what each
  /// axis advances by per position. Otherwise offsets come from a table.
  std::optional<llvm::SmallVector<int64_t>> advance;
};

/// How one operand is read.
struct OperandPlan {
  llvm::SmallVector<mlir::AffineExpr> external, reduction; // as in Access
  /// Axes along which a read may fall outside, and then gives 0.
  llvm::SmallVector<unsigned> maskedAxes;
};

/// How a contraction of one or two operands becomes a kernel.
struct TilePlan {
  /// `op` is on memrefs.
  TilePlan(einsum::ContractOp op, BlockShape block,
           std::optional<BlockShape> minBlock, bool checksReads);

  mutable einsum::ContractOp op; // ops have no const accessors
  einsum::SpecAttr spec;
  /// Static sizes of letters; ShapedType::kDynamic where unknown.
  llvm::SmallVector<int64_t> sizes;
  /// The letters of each aggregate axis, that of the smallest stride in memory
  /// first. Letters of static size 1 are left out: they are 0. Without a dot
  /// all letters of the result are rows.
  llvm::SmallVector<unsigned> batch, rows, columns, depth;
  /// The block, cut to sizes that are known to be smaller.
  BlockShape block;
  /// The element type that `tile.dot` takes; null if products are formed
  /// element by element and summed along rows.
  mlir::Type dotElement;
  llvm::SmallVector<OperandPlan, 2> operands;

  bool usesDot() const { return static_cast<bool>(dotElement); }
  /// Whether anything is summed.
  bool hasDepth() const { return !depth.empty(); }
  /// Computes element by element even if there could be a dot.
  void useNoDot();
  /// How a memref of type `type` is read whose axes are those of `operand` that
  /// `axes` lists.
  Access getAccess(unsigned operand, llvm::ArrayRef<unsigned> axes,
                   mlir::MemRefType type) const;
  /// The number of values of some letters together, if it is known.
  int64_t getStaticSize(llvm::ArrayRef<unsigned> letters) const;

private:
  void groupLetters();
  void sortDepth();
  void cutBlock();
  void planOperand(unsigned operand, bool checksReads);
  bool isSummed(mlir::AffineExpr expr) const;
  std::pair<mlir::AffineExpr, mlir::AffineExpr>
  split(mlir::AffineExpr expr) const;
  std::optional<llvm::SmallVector<int64_t>>
  getAdvance(llvm::ArrayRef<mlir::AffineExpr> reduction,
             mlir::MemRefType type) const;

  BlockShape maxBlock;
  std::optional<BlockShape> minBlock;
};

} // namespace tileir

#endif // TILEIR_LIB_CONVERSION_EINSUMTOTILE_TILEPLAN_H

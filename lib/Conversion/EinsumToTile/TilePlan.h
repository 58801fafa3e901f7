//===- TilePlan.h - How a contraction becomes tile programs -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decisions about a contraction before anything is emitted: which indices
// run along the rows, columns and depth of blocks, in which order, and how each
// operand is read.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOTILE_TILEPLAN_H
#define TILEIR_LIB_CONVERSION_EINSUMTOTILE_TILEPLAN_H

#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"
#include "tileir/Layout/Fragments/TileConfig.h"

namespace tileir::to_tile {

/// The options of a plan.
struct PlanOptions {
  layout::TileSizes block;
  /// The matrix instruction that the configuration asks for, or null.
  layout::AtomRef atom;
  std::optional<layout::TileSizes> minBlock;
  /// Whether batches of products of f16 that have only rows, or only columns,
  /// are dots.
  bool narrowDots;
  /// Whether reads are checked at run time.
  bool checksReads;
};

/// How indices advance along the sum. The positions of a step come in groups,
/// in which each axis advances by the same from one position to the next.
struct StepPattern {
  int64_t group = 1; // divides the depth of a block
  llvm::SmallVector<int64_t> advance;
  /// Whether it does from group to group, too. Otherwise the offsets of groups
  /// come from a table.
  bool isUniform = false;
};

/// How one operand is read.
struct OperandPlan {
  einsum::OperandAccess access;
  /// Axes along which a read may fall outside, and then gives 0.
  llvm::SmallVector<unsigned> maskedAxes;
};

/// How a contraction of one or two operands becomes a kernel.
struct TilePlan {
  TilePlan(einsum::ContractOp op, const PlanOptions &options);

  mutable einsum::ContractOp op; // ops have no const accessors
  einsum::SpecAttr spec;
  /// Static sizes of indices; ShapedType::kDynamic where unknown.
  llvm::SmallVector<int64_t> sizes;
  /// The indices of each aggregate axis, that of the smallest stride in memory
  /// first. Indices of static size 1 are left out: they are 0. Without a dot
  /// all indices of the result are rows, or rows and columns of copies.
  llvm::SmallVector<unsigned> batch, rows, columns, depth;
  /// The block, cut to sizes that are known to be smaller. Rows or columns that
  /// have no indices are 1, or as many as a dot takes, of which one counts.
  layout::TileSizes block;
  /// The element type that `tile.dot` takes; null if products are formed
  /// element by element and summed along rows.
  mlir::Type dotElement;
  llvm::SmallVector<OperandPlan, 2> operands;

  bool usesDot() const { return static_cast<bool>(dotElement); }
  /// Whether blocks of the result have rows and columns.
  bool hasColumns() const { return usesDot() || !columns.empty(); }
  /// Whether anything is summed.
  bool hasDepth() const { return !depth.empty(); }
  /// Computes element by element even if there could be a dot.
  void useNoDot();
  /// How a memref of type `type` is read whose axes are those of `operand` that
  /// `axes` lists.
  einsum::OperandAccess getAccess(unsigned operand,
                                  llvm::ArrayRef<unsigned> axes,
                                  mlir::MemRefType type) const;
  /// How what is accessed advances along the sum.
  StepPattern getStepPattern(const einsum::OperandAccess &access) const;
  /// The number of values of some indices together, if it is known.
  int64_t getStaticSize(llvm::ArrayRef<unsigned> indices) const;

  PlanOptions options;

private:
  void divideCopy();
  void cutBlock();
};

} // namespace tileir::to_tile

#endif // TILEIR_LIB_CONVERSION_EINSUMTOTILE_TILEPLAN_H

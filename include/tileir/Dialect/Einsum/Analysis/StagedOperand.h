//===- StagedOperand.h - Borders that are copied in the cache ---*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand that a tensor.pad makes need not be made as a whole. If what some
// iterations of the outer loops read of it stays in the second cache, each of
// them copies that, with its part of the border: it is staged. If that would
// take as long as the kernel, which reads each element but a few times, only
// tiles that read the border are computed of such copies: it is bordered.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_ANALYSIS_STAGEDOPERAND_H
#define TILEIR_DIALECT_EINSUM_ANALYSIS_STAGEDOPERAND_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tileir::einsum {

/// The op that makes input `operand` of `op` alone: zeros, or another constant,
/// around a tensor, all of static sizes, which is not that of a memref with
/// gaps in memory. Null if there is none.
mlir::tensor::PadOp getPadding(ContractOp op, unsigned operand);

/// A box of a padded operand.
struct StagedOperand {
  mlir::tensor::PadOp pad;
  /// How many of the loops of the schedule are around the copy.
  unsigned level;
  /// The sizes of the box, how far the offset in it advances with a step of
  /// each dimension of the schedule inside of these loops (0: outside), and for
  /// each of these loops how far a step of it moves the box along each axis.
  llvm::SmallVector<int64_t> shape, strides;
  llvm::SmallVector<llvm::SmallVector<int64_t>> moves;
  /// Where the box is if all loops are at their start.
  llvm::SmallVector<int64_t> origin;
};

/// A padded operand that is read where it is, but for tiles at its border.
struct BorderedOperand {
  /// The box of a tile of `tileRows` rows, inside of all loops; `rowMove` is
  /// how far a row moves it.
  StagedOperand box;
  int64_t tileRows;
  /// Whether the first and the last rows read a border.
  bool isBefore, isAfter;
  llvm::SmallVector<int64_t> rowMove;
  /// The loops that go over an index of which values from `first` to `end` read
  /// no border but that of rows; none if all values do so.
  llvm::SmallVector<unsigned> loops;
  int64_t first = 0, end = 0;
};

/// A summed dimension of a kernel whose steps go along one axis of a padded
/// operand. Those that lead to its border multiply by zeros alone.
struct BorderSteps {
  unsigned dim;
  /// The first step is at `begin` along the axis of what is padded, and at
  /// `moves` more for each iteration of a loop of the schedule.
  int64_t begin;
  llvm::SmallVector<int64_t> moves;
  /// Elements of that axis without the border.
  int64_t size;
};

/// The dimensions of which steps can be left out where they read zeros of a
/// padded input; none if its border is something else.
llvm::SmallVector<BorderSteps>
getBorderSteps(ContractOp op, ScheduleAttr schedule, unsigned operand);

/// The share of `steps` that are left, on average over all iterations of the
/// loops of `schedule`; 1 where these are so many that few lead to a border.
double getShareInside(const BorderSteps &steps, ScheduleAttr schedule);

/// What the loops of `op` with this schedule copy of a padded input, inside of
/// the first loop, and of all parallel ones. Nothing if no loops read little
/// enough of it, or all of them together would copy much more than there is;
/// or if it is packed.
std::optional<StagedOperand>
getStagedOperand(ContractOp op, ScheduleAttr schedule, unsigned operand);

/// The same of an operand of which a kernel on vectors reads other elements for
/// each of its lanes, of rows along one axis with a border, and lanes along
/// none. Nothing if a tile would be a large part of the rows.
std::optional<BorderedOperand>
getBorderedOperand(ContractOp op, ScheduleAttr schedule, unsigned operand);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_ANALYSIS_STAGEDOPERAND_H

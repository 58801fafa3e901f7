//===- Schedule.h - Schedules of contractions -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis shared by passes that make and use #einsum.schedule: how
// operands are traversed along letters. For dimensions: Analysis/LoopDims.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_SCHEDULE_H
#define TILEIR_DIALECT_EINSUM_IR_SCHEDULE_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::einsum {

/// How the offset of an element, in elements, depends on the letters.
struct LetterStrides {
  /// The stride of each letter; ShapedType::kDynamic where it is not one
  /// number.
  llvm::SmallVector<int64_t> strides;
  /// The offset where all letters are 0, as far as these are numbers.
  int64_t constant = 0;
};

/// A summand of an axis: `factor` times `expr`, which is a letter, a constant,
/// or neither a sum nor a multiple.
struct AxisTerm {
  mlir::AffineExpr expr;
  int64_t factor;
};
llvm::SmallVector<AxisTerm> getAxisTerms(mlir::AffineExpr axis);

/// The strides of the axes of a tensor (row-major) or memref; nothing where
/// they are not static.
std::optional<llvm::SmallVector<int64_t>> getAxisStrides(mlir::ShapedType type);

/// How an element of type `type` at the indices `map`, in letters and look-ups
/// of `spec`, depends on letters.
std::optional<LetterStrides>
getLetterStrides(SpecAttr spec, mlir::AffineMap map, mlir::ShapedType type);
/// The strides of input `operand` of `op`, or of the result if `operand` is the
/// number of inputs.
std::optional<LetterStrides> getLetterStrides(ContractOp op, unsigned operand);

/// The stride of a dimension of `letters`, of sizes `sizes`, with `step`, given
/// those of all letters of a specification.
int64_t getDimStride(SpecAttr spec, const LetterStrides &strides,
                     llvm::StringRef letters, llvm::ArrayRef<int64_t> sizes,
                     int64_t step);

/// The attribute of a module that describes its machine.
inline constexpr llvm::StringLiteral kMachineAttr = "einsum.machine";

/// Whether the letters of `dim` are summed.
bool isSummed(SpecAttr spec, DimAttr dim);

/// Fails, and says why, if `op` can have no schedule (C28); `emitError` may be
/// null.
mlir::LogicalResult
verifySchedulable(ContractOp op,
                  llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The schedule to start from: a sequential dimension per letter, those of the
/// result first, without a kernel. `op` has to be schedulable.
ScheduleAttr getDefaultSchedule(ContractOp op);

/// The schedule of `op`, or, if it has none, the one to start from.
ScheduleAttr getSchedule(ContractOp op);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_SCHEDULE_H

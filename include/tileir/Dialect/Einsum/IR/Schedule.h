//===- Schedule.h - Schedules of contractions -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes that make and use #einsum.schedule share. How operands are
// traversed along its dimensions is Analysis/LoopDims.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_SCHEDULE_H
#define TILEIR_DIALECT_EINSUM_IR_SCHEDULE_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::einsum {

/// The strides of the axes of a tensor (row-major) or memref; nothing where
/// they are not static.
std::optional<llvm::SmallVector<int64_t>> getAxisStrides(mlir::ShapedType type);

/// The attribute of a module that describes its machine.
inline constexpr llvm::StringLiteral kMachineAttr = "einsum.machine";

/// Whether the indices of `dim` are summed.
bool isSummed(SpecAttr spec, DimAttr dim);

/// Fails, and says why, if `op` can have no schedule (C28); `emitError` may be
/// null.
mlir::LogicalResult
verifySchedulable(ContractOp op,
                  llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The schedule to start from: a sequential dimension per index, those of the
/// result first, without a kernel. `op` has to be schedulable.
ScheduleAttr getDefaultSchedule(ContractOp op);

/// The schedule of `op`, or, if it has none, the one to start from.
ScheduleAttr getSchedule(ContractOp op);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_SCHEDULE_H

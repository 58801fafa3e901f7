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

/// The rows of a register of the matrix unit, the lanes of a product of two,
/// and how many registers there are.
inline constexpr int64_t kMatrixRows = 16, kMatrixLanes = 16,
                         kMatrixRegisters = 8;

/// Whether `machine` has a matrix unit: AMX, whose rows are vectors of 512
/// bits.
bool hasMatrixUnit(MachineAttr machine);

/// Whether the matrix unit holds a tile of `rows` rows and `vectors` vectors,
/// and what is multiplied for it.
bool fitsMatrixUnit(int64_t rows, int64_t vectors);

/// Whether `op` has elements that a matrix unit multiplies (C27).
bool hasMatrixElements(ContractOp op);

/// How many elements, steps of a sum, vectors of `machine` multiply at once and
/// add to a number of 32 bits, where both operands of `op` have them side by
/// side; 1: elements are multiplied one by one.
int64_t getGroupSize(ContractOp op, MachineAttr machine);

/// Rows of a kernel, all in one tile, up to which it makes pairs of bf16 along
/// lanes where it reads them, and no copy: more leave few vectors for a tile,
/// whose pieces of lines are short.
inline constexpr int64_t kMostPairRows = 8;

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

//===- Registers.h - Registers of a thread as values ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What moves registers of a tile, a vector per thread, within a thread and
// among lanes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOGPU_REGISTERS_H
#define TILEIR_LIB_CONVERSION_TILETOGPU_REGISTERS_H

#include "tileir/Layout/Core/LinearLayout.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tileir::to_gpu {

mlir::Value createI32(mlir::OpBuilder &builder, mlir::Location loc,
                      int32_t number);

/// The vector of the registers with these numbers.
mlir::Value pickRegisters(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value vector, llvm::ArrayRef<int64_t> numbers);

/// Returns what another lane has in these registers, which are of one type: the
/// lane `lane` (Idx), or that whose number differs by `lane` (Bfly). Several
/// small elements are shuffled at a time.
llvm::SmallVector<mlir::Value>
emitShuffles(mlir::OpBuilder &builder, mlir::Location loc,
             llvm::ArrayRef<mlir::Value> registers, mlir::NVVM::ShflKind kind,
             mlir::Value lane);

} // namespace tileir::to_gpu

#endif // TILEIR_LIB_CONVERSION_TILETOGPU_REGISTERS_H

//===- KernelEmitter.h - The kernel of a contraction ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOTILE_KERNELEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOTILE_KERNELEMITTER_H

#include "HostEmitter.h"

namespace tileir {

/// Adds a kernel for the contraction of `plan` to the module, and launches it
/// where `builder` stands. `memory` gives contiguous memory for each operand;
/// `name` begins the kernel's name.
void emitKernel(mlir::OpBuilder &builder, const TilePlan &plan,
                HostEmitter &host,
                const llvm::DenseMap<mlir::Value, mlir::Value> &memory,
                llvm::StringRef name, mlir::SymbolTable &symbols);

} // namespace tileir

#endif // TILEIR_LIB_CONVERSION_EINSUMTOTILE_KERNELEMITTER_H

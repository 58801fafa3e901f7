//===- Print.h - What programs print ----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements of tile.print are printed by gpu.printf, on any target.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_TILELOWERING_PRINT_H
#define TILEIR_CONVERSION_TILELOWERING_PRINT_H

#include "mlir/IR/Builders.h"

namespace tileir::tile_lowering {

/// Prints a format of tile.print once, with a scalar for each conversion.
void createPrint(mlir::OpBuilder &builder, mlir::Location loc,
                 llvm::StringRef format, mlir::ValueRange scalars);

} // namespace tileir::tile_lowering

#endif // TILEIR_CONVERSION_TILELOWERING_PRINT_H

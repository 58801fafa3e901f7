//===- WidenBooleans.h - Buffers of i1 as bytes -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_LINALGTOTILE_WIDENBOOLEANS_H
#define TILEIR_LIB_CONVERSION_LINALGTOTILE_WIDENBOOLEANS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tileir::linalg_to_tile {

/// Gives the buffers of i1 that `function` allocates, and constants of it,
/// elements of i8, where structured ops, views and single accesses use them.
/// Arguments that these only read are copied to buffers of bytes.
/// Constants are those of `symbols`.
void widenBooleans(mlir::func::FuncOp function, mlir::SymbolTable &symbols);

} // namespace tileir::linalg_to_tile

#endif // TILEIR_LIB_CONVERSION_LINALGTOTILE_WIDENBOOLEANS_H

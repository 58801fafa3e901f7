//===- LaunchFormulas.h - Launches by the sizes of arguments ----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grids and conditions of launches as formulas, for manifests of bundles: who
// launches a kernel without the host code computes them from the sizes of what
// it passes. A formula is a number, the size of an argument along an axis
// (`array<i64: argument, axis>`), or a list of an operation and its operands,
// as in ["ceildiv", array<i64: 3, 0>, 64].
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOGPU_LAUNCHFORMULAS_H
#define TILEIR_LIB_CONVERSION_TILETOGPU_LAUNCHFORMULAS_H

#include "tileir/Dialect/Tile/IR/Tile.h"

namespace tileir::to_gpu {

/// Finds the argument and axis of which a value is the size; null if it is
/// none.
using FindSize = llvm::function_ref<mlir::DenseI64ArrayAttr(mlir::Value)>;

/// Returns the formulas of the grid; null if it depends on more than sizes.
mlir::ArrayAttr getGridFormulas(tile::LaunchOp launch, FindSize findSize);

/// Returns the conditions under which `launch` is reached, other than that
/// results are not too large; null if they depend on more than sizes.
mlir::ArrayAttr getRequirements(tile::LaunchOp launch, FindSize findSize);

/// Returns the name of the kernel that is launched where the last of these
/// conditions does not hold; null if there is none.
mlir::StringAttr getFallback(tile::LaunchOp launch);

} // namespace tileir::to_gpu

#endif // TILEIR_LIB_CONVERSION_TILETOGPU_LAUNCHFORMULAS_H

//===- KernelForm.h - Which structured ops have a kernel --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_LINALGTOTILE_KERNELFORM_H
#define TILEIR_LIB_CONVERSION_LINALGTOTILE_KERNELFORM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tileir::linalg_to_tile {

/// Says why something is not done.
using Miss = llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)>;

/// Whether StructuredKernel can make a kernel of `op`.
mlir::LogicalResult verifyHasKernel(mlir::linalg::LinalgOp op, Miss miss);

/// `type`, or i64 in place of index, which tiles do not have.
mlir::Type getTileElement(mlir::Type type);

} // namespace tileir::linalg_to_tile

#endif // TILEIR_LIB_CONVERSION_LINALGTOTILE_KERNELFORM_H

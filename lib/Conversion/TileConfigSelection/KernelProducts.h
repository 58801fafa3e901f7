//===- KernelProducts.h - The products that a kernel computes ---*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_KERNELPRODUCTS_H
#define TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_KERNELPRODUCTS_H

#include "ProductCost.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::config_selection {

/// Returns the products that an einsum.contract or an einsum.kernel computes as
/// one kernel, by some of `atoms`. `reason` is the failure reason if tensor
/// cores cannot compute them, and is empty if they can.
ProductKernel getProductKernel(mlir::Operation *op,
                               llvm::ArrayRef<const layout::MmaAtom *> atoms,
                               std::string &reason);

} // namespace tileir::config_selection

#endif // TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_KERNELPRODUCTS_H

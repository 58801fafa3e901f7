//===- VerifyKernels.h - What kernels are made of ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOTILE_VERIFYKERNELS_H
#define TILEIR_LIB_CONVERSION_EINSUMTOTILE_VERIFYKERNELS_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/IR/BuiltinOps.h"

namespace tileir::to_tile {

/// The einsum.kernels of `module`, and the contractions outside of one; failure
/// after an error for each that breaks einsum-verify-kernels's contract.
mlir::FailureOr<llvm::SmallVector<mlir::Operation *>>
verifyKernels(mlir::ModuleOp module);

} // namespace tileir::to_tile

#endif // TILEIR_LIB_CONVERSION_EINSUMTOTILE_VERIFYKERNELS_H

//===- SizeChecks.h - Checks of dynamic sizes -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_SIZECHECKS_H
#define TILEIR_CONVERSION_EINSUMLOWERING_SIZECHECKS_H

#include "tileir/Conversion/EinsumLowering/CheckEmitter.h"
#include "tileir/Conversion/EinsumLowering/ContractMemRefs.h"

namespace tileir::lowering {

/// Emits checks that the dynamic sizes of the contraction of `memrefs`, whose
/// indices have `sizes`, agree, and that linear axes stay inside. Returns
/// whether all is well, null if there is nothing to check.
mlir::Value emitSizeChecks(mlir::OpBuilder &builder,
                           const ContractMemRefs &memrefs,
                           llvm::ArrayRef<mlir::OpFoldResult> sizes,
                           CheckEmitter &checks);

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_SIZECHECKS_H

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
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

namespace tileir::lowering {

/// Emits checks that the dynamic sizes of the contraction of `memrefs`, whose
/// indices have `sizes`, agree, and that linear axes stay inside. Returns
/// whether all is well, null if there is nothing to check.
mlir::Value emitSizeChecks(mlir::OpBuilder &builder,
                           const ContractMemRefs &memrefs,
                           llvm::ArrayRef<mlir::OpFoldResult> sizes,
                           CheckEmitter &checks);

/// Emits a check that a result of `type`, allocated with `sizes`, is one that
/// can be: the size of the allocation may have overflowed. Returns whether it
/// is, null if that is known.
mlir::Value emitResultSizeCheck(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::MemRefType type,
                                llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                CheckEmitter &checks);

/// Emits checks that the operands of each pointwise op of `body` agree in size.
/// `getDim` gives the dynamic sizes of what neither pointwise ops nor
/// contractions compute. Returns whether all do, null if that is known.
mlir::Value emitPointwiseChecks(mlir::OpBuilder &builder, mlir::Block &body,
                                einsum::GetDim getDim, CheckEmitter &checks);

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_SIZECHECKS_H

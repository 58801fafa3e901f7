//===- VectorTranspose.h - Rows of vectors as columns -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_VECTORTRANSPOSE_H
#define TILEIR_CONVERSION_EINSUMLOWERING_VECTORTRANSPOSE_H

#include "mlir/IR/Builders.h"

namespace tileir::lowering {

/// The transpose of n vectors of n lanes, a power of two, by shuffles of pairs.
llvm::SmallVector<mlir::Value>
createTranspose(mlir::OpBuilder &builder, mlir::Location loc,
                llvm::ArrayRef<mlir::Value> rows);

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_VECTORTRANSPOSE_H

//===- LetterOrder.h - The order of letters in loops ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which kernels go through letters, so that they go through memory
// in its order.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_LETTERORDER_H
#define TILEIR_DIALECT_EINSUM_IR_LETTERORDER_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::einsum {

/// The letters of `kind`, the innermost first. Letters of static size 1 are
/// left out. Those of the result are in its order, from the last one; summed
/// ones are in that of an operand.
llvm::SmallVector<unsigned> getLetterOrder(SpecAttr spec,
                                           llvm::ArrayRef<int64_t> sizes,
                                           SpecAttr::LetterKind kind);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_LETTERORDER_H

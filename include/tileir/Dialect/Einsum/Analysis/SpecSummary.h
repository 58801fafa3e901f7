//===- SpecSummary.h - A specification in words -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a specification means and, where a contraction with it is known, how
// large its indices are: for people who read programs in an editor.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_ANALYSIS_SPECSUMMARY_H
#define TILEIR_DIALECT_EINSUM_ANALYSIS_SPECSUMMARY_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::einsum {

/// Prints as Markdown what `spec` computes, and for each index its size and the
/// dimension of the contraction to which it belongs; then which indices each
/// expression reads. Sizes are those of `op`, a valid contraction with this
/// specification; without one they are left out.
void printSummary(llvm::raw_ostream &os, SpecAttr spec, ContractOp op = {});

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_ANALYSIS_SPECSUMMARY_H

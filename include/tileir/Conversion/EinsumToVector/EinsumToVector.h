//===- EinsumToVector.h - Contractions to vectors ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-einsum-to-vector: contractions with a schedule become loops over
// microkernels on vectors.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMTOVECTOR_EINSUMTOVECTOR_H
#define TILEIR_CONVERSION_EINSUMTOVECTOR_EINSUMTOVECTOR_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTEINSUMTOVECTORPASS
#include "tileir/Conversion/Passes.h.inc"

namespace to_vector {

/// Replaces `op`, on memrefs of static shapes, by a kernel on vectors that adds
/// the contraction to what `outs` holds. Fails, and says why, where it can have
/// none.
mlir::LogicalResult emitAccumulation(mlir::RewriterBase &rewriter,
                                     einsum::ContractOp op,
                                     std::string &reason);

} // namespace to_vector

} // namespace tileir

#endif // TILEIR_CONVERSION_EINSUMTOVECTOR_EINSUMTOVECTOR_H

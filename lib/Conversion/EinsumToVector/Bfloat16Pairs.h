//===- Bfloat16Pairs.h - Products of pairs of bf16 --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_BFLOAT16PAIRS_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_BFLOAT16PAIRS_H

#include "Nest.h"

namespace tileir::to_vector {

/// Sets Nest::paired, if `machine` has products of pairs of bf16 and they are
/// what `nest`, with lanes and rows chosen, computes; then adds to Nest::pack
/// the inputs that do not have their pairs side by side.
void choosePairs(Nest &nest, einsum::MachineAttr machine);

/// `access` with a step of the paired dimension for two.
Access stepByPairs(const Nest &nest, Access access);

/// The pair of elements from `position` on, an i32.
mlir::Value loadPair(IndexBuilder &index, const Access &access,
                     Position position);

/// The pairs of two scalars or vectors of bf16, i32s; a null `second` is 0.
mlir::Value makePairs(IndexBuilder &index, mlir::Value first,
                      mlir::Value second);

/// Neighbouring elements of a vector of bf16, as pairs, and back.
mlir::Value toPairs(IndexBuilder &index, mlir::Value elements);
mlir::Value toElements(IndexBuilder &index, mlir::Value pairs);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_BFLOAT16PAIRS_H

//===- Pairs.h - Products of pairs of elements ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_PAIRS_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_PAIRS_H

#include "Nest.h"

namespace tileir::to_vector {

/// Sets Nest::paired, if `machine` has products of pairs of such elements as
/// `nest`, with lanes and rows chosen, multiplies; then adds to Nest::pack the
/// inputs that do not have their pairs side by side.
void choosePairs(Nest &nest, einsum::MachineAttr machine);

/// `access` with a step of the paired dimension for two.
Access stepByPairs(const Nest &nest, Access access);

/// The pair of elements from `position` on, an i32.
mlir::Value loadPair(IndexBuilder &index, const Access &access,
                     Position position);

/// The pairs of two scalars or vectors of elements, i32s; a null `second` is 0.
mlir::Value makePairs(IndexBuilder &index, mlir::Value first,
                      mlir::Value second);

/// Neighbouring elements of a vector, as pairs, and back, as multiplyPairs
/// takes them.
mlir::Value toPairs(IndexBuilder &index, mlir::Value elements);
mlir::Value toElements(IndexBuilder &index, const Nest &nest,
                       mlir::Value pairs);

/// Adds the products of both elements of each pair to `sum`.
mlir::Value multiplyPairs(IndexBuilder &index, const Nest &nest,
                          mlir::Value lhs, mlir::Value rhs, mlir::Value sum);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_PAIRS_H

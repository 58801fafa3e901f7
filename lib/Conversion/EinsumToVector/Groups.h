//===- Groups.h - Products of groups of elements ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_GROUPS_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_GROUPS_H

#include "Nest.h"

namespace tileir::to_vector {

/// Has `nest`, with lanes and rows chosen, multiply groups of `size` elements
/// (einsum::getGroupSize), or smaller ones, where it can: sets Nest::grouped,
/// and adds to Nest::pack the inputs that do not have their groups side by
/// side; or, where vectors lie along the sum, sets Nest::dotGroupSize.
void chooseGroups(Nest &nest, int64_t size);

/// `access` with a step of the grouped dimension for a group.
Access stepByGroups(const Nest &nest, Access access);

/// The group of elements of `input` from `position` on, an i32.
mlir::Value loadGroup(IndexBuilder &index, const Nest &nest,
                      const Operand &input, const Access &access,
                      Position position);

/// The groups of scalars or vectors of elements of `input`, i32s; those that
/// are missing are 0.
mlir::Value makeGroups(IndexBuilder &index, const Nest &nest,
                       const Operand &input,
                       llvm::ArrayRef<mlir::Value> elements);

/// Neighbouring elements of a vector, as groups, and back, as multiplyGroups
/// takes them.
mlir::Value toGroups(IndexBuilder &index, const Nest &nest,
                     const Operand &input, mlir::Value elements);
mlir::Value toElements(IndexBuilder &index, const Nest &nest,
                       const Operand &input, mlir::Value groups);

/// Adds the products of the elements of each group to `sum`. Of products of
/// fours, emitCorrection tells what is too much.
mlir::Value multiplyGroups(IndexBuilder &index, const Nest &nest,
                           mlir::Value lhs, mlir::Value rhs, mlir::Value sum);

/// Adds to `sum` what multiplyGroups adds too much where the other factor, as
/// multiplyGroups takes it, is `factor`.
mlir::Value emitCorrection(IndexBuilder &index, const Nest &nest,
                           mlir::Value factor, mlir::Value sum);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_GROUPS_H

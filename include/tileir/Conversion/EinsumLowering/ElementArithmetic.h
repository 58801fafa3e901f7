//===- ElementArithmetic.h - Arithmetic on elements -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arithmetic of contractions on the elements of operands: one at a time, or
// tiles of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_ELEMENTARITHMETIC_H
#define TILEIR_CONVERSION_EINSUMLOWERING_ELEMENTARITHMETIC_H

#include "mlir/IR/Builders.h"

namespace tileir::lowering {

/// Converts elements to the type `element`, rounding to nearest or keeping the
/// low bits.
mlir::Value convertElements(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value, mlir::Type element);

/// Rounds elements of f32 to tf32, which has 10 bits of mantissa, to nearest,
/// ties away from zero, as `cvt.rna.tf32.f32` does; they stay f32.
mlir::Value roundToTF32(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value);

/// The sum and the product of floats or integers.
mlir::Value createSum(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value lhs, mlir::Value rhs);
mlir::Value createProduct(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value lhs, mlir::Value rhs);

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_ELEMENTARITHMETIC_H
